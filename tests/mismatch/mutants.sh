#!/usr/bin/env bash
# mutants.sh -- is each fact of each layout really proven? Makes each one wrong in turn, in a copy of the source; the
# proof must then refuse the layout, without a crash. If a fact about writing is wrong, the proof of reading must still
# succeed. Prints one TAP line per layout; a mutation whose pattern no longer matches the source is a failure too.
# MUTANTS_RUNTIME: only this Lua, and only until the first failure.
set -u
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# wrong FILE WHAT SED: a mutation by a sed command without '|'. Offsets change by a word, tags by a bit.
wrong() { printf '%s|%s|%s\n' "$1" "$2" "$3"; }
field() { sed -n "s/^#define PUC_$1 \{1,\}\([-0-9a-fx]*\)\$/\1/p" "src/layout/$2"; }
puc_mutants() {
  local h=$1.h version=${1#lua5} name value
  for name in TABLE_BYTES ARRAY_SIZE ARRAY NODES METATABLE NODE_BYTES KEY KEY_TAG; do
    value=$(field $name "$h")
    wrong "$h" "$name" "s/^\(#define PUC_$name\) .*/\1 $((value + 8))/"
    [ $name = KEY_TAG ] || wrong "$h" "$name" "s/^\(#define PUC_$name\) .*/\1 $((value - 8))/"
  done
  for name in FLOAT INTEGER; do
    value=$(field $name "$h")
    [ "$value" = -1 ] || wrong "$h" "$name" "s/^\(#define PUC_$name\) .*/\1 $((value ^ 16))/"
  done
  wrong 'puc.h' 'stack top' 's/PUC_NAME, 16, 16,/PUC_NAME, 24, 16,/'
  wrong 'puc.h' 'stack slot' 's/PUC_NAME, 16, 16,/PUC_NAME, 16, 8,/'
  wrong 'puc.h' 'tag' 's/PUC_LOAD_TAG(p + 8)/PUC_LOAD_TAG(p + 12)/'
  wrong 'puc.h' 'number of nodes' 's/t + 11/t + 10/'
  wrong 'puc.h' 'string bytes' 's/s + 24;/s + 16;/'
  wrong 'puc.h' 'node value nil' 's/node\[8\]/node[9]/'
  wrong 'puc.h' 'light userdata' 's/v.tag == 2;/v.tag == 7;/'
  wrong 'puc.h' 'nil' 's/return (v.tag & 0x0f) == 0/return v.tag == 1/'
  wrong 'puc.h' 'function, thread' 's/== 6 ||/== 7 ||/'
  wrong 'puc.h' 'string' 's/(4u | PUC_COLLECTABLE)/(6u | PUC_COLLECTABLE)/'
  wrong 'puc.h' 'table' 's/(5u | PUC_COLLECTABLE)/(6u | PUC_COLLECTABLE)/'
  [ "$version" -ge 5 ] || wrong 'puc.h' 'item' 's/slot)(array + 16 \* i)/slot)(array + 16 * i + 16)/'
  [ "$version" -ge 5 ] || wrong 'puc.h' 'item nil' 's/array\[16 \* i + 8\]/array[16 * i + 24]/'
  [ "$version" -le 1 ] || wrong 'puc.h' 'collectable' 's/COLLECTABLE 0x40u/COLLECTABLE 0x20u/'
  [ "$version" -ge 3 ] || wrong 'puc.h' 'length' 's/fl_load64(s + 16)/fl_load64(s + 8)/'
  if [ "$version" -ge 3 ]; then
    wrong 'puc.h' 'long length' 's/fl_load64(s + 16) :/fl_load64(s + 8) :/'
    wrong 'puc.h' 'short length' 's/(s + 11)/(s + 10)/'
    wrong 'puc.h' 'long string' 's/LONG_STRING 0x54u/LONG_STRING 0x44u/'
  fi
  if [ "$version" -ge 4 ]; then
    wrong "$h" "tag width" "s/^\(#define PUC_TAG_BYTES\) .*/\1 4/"
    wrong 'puc.h' 'false' 's/v.tag == 0x01/v.tag == 0x31/'
    wrong 'puc.h' 'true' 's/v.tag == 0x11/v.tag == 0x21/'
  else
    wrong 'puc.h' 'false, true' 's/(uint32_t)v.bits/(uint32_t)(v.bits >> 32)/'
  fi
  if [ "$version" = 4 ]; then
    wrong 'puc.h' 'hint bit' 's/t\[10\] & 0x80/t[9] \& 0x80/'
    wrong 'puc.h' 'hint ignored' 's/t\[10\] & 0x80/0/'
    wrong 'puc.h' 'hint always' 's/t\[10\] & 0x80/1/'
  fi
  if [ "$version" -ge 5 ]; then
    wrong 'puc.h' 'item value' 's/array - 8 \* (i + 1)/array - 8 * i/'
    wrong 'puc.h' 'item tag' 's/array + 4 + i/array + i/'
    wrong 'puc.h' 'item nil' 's/array\[4 + i\]/array[8 + i]/'
    wrong 'puc.h' 'long bytes' 's/fl_load_ptr(s + 24)/fl_load_ptr(s + 32)/'
  fi
}
luajit_mutants() {  # luajit_mutants INSTANCE: the file with the offset of the length
  local tag
  for tag in 1 2 3 4 5 7 9 12 14; do wrong "luajit.h" "tag -$tag" "s/(uint32_t)-$tag\([^0-9]\)/(uint32_t)-$((tag + 20))\1/"; done
  wrong 'luajit.h' 'tag shift' 's/>> 47/>> 46/'
  wrong 'luajit.h' 'pointer bits' 's/<< 47/<< 40/'
  wrong 'luajit.h' 'stack top' 's/{"luajit", 40,/{"luajit", 32,/'
  wrong 'luajit.h' 'stack slot' 's/{"luajit", 40, 8,/{"luajit", 40, 16,/'
  wrong 'luajit.h' 'table bytes' 's/40, 8, 64,/40, 8, 56,/'
  wrong "$1" 'length' 's/LUAJIT_LENGTH .*/LUAJIT_LENGTH 12/'
  wrong 'luajit.h' 'string bytes' 's/s + 24/s + 20/'
  wrong 'luajit.h' 'metatable' 's/t + 32/t + 24/'
  wrong 'luajit.h' 'array size' 's/t + 48/t + 56/'
  wrong 'luajit.h' 'array' 's/t + 16/t + 24/'
  wrong 'luajit.h' 'slot 0' 's/n - 1 : 0/n : 0/'
  wrong 'luajit.h' 'array start' 's/(t + 16) + 8/(t + 16) + 0/'
  wrong 'luajit.h' 'nodes' 's/t + 40/t + 24/'
  wrong 'luajit.h' 'number of nodes' 's/t + 52/t + 56/'
  wrong 'luajit.h' 'node bytes' 's/LAY(node_bytes) = 24/LAY(node_bytes) = 32/'
  wrong 'luajit.h' 'node key' 's/node + 8/node + 16/'
  wrong 'luajit.h' 'node nil' 's/fl_load64(node) ==/fl_load64(node + 8) ==/'
  wrong 'luajit.h' 'item nil' 's/fl_load64(array + 8 \* i)/fl_load64(array + 8 * i + 8)/'
  wrong 'luajit.h' 'key 0' 's/? LAY(slot)(fl_load_ptr(t + 16))/? LAY(slot)(fl_load_ptr(t + 16) + 8)/'
}

# The facts about writing, marked by a '+' before FILE: reading must still be proven.
puc_write_mutants() {
  local h=+puc_write.h version=${1#lua5}
  wrong $h 'slot bytes' 's/slot_bytes) = 16/slot_bytes) = 24/'
  wrong $h 'top' 's/state + 16)/state + 24)/'
  wrong $h 'set top' 's/state + 16, &top/state + 24, \&top/'
  wrong $h 'marked' 's/marked) = 9/marked) = 10/'
  wrong $h 'marked' 's/marked) = 9/marked) = 8/'
  wrong $h 'put' 's/(slot + 8, tag)/(slot + 12, tag)/'
  wrong $h 'put nil' 's/(slot + 8, 0)/(slot + 8, 3)/'
  wrong $h 'put number' 's/bits, PUC_FLOAT)/bits, PUC_FLOAT ^ 16)/'
  wrong $h 'put light' 's/word, 2)/word, 7)/'
  wrong $h 'interned tag' 's/object, 4u | PUC_COLLECTABLE/object, 6u | PUC_COLLECTABLE/'
  wrong $h 'interned bytes' 's/object + 24;/object + 32;/'
  case $version in
    1|2) wrong $h 'next' 's/fl_load_ptr(node + 32)/fl_load_ptr(node + 16)/' ;;
    3) wrong $h 'next' 's/fl_load32(node + 28)/fl_load32(node + 16)/' ;;
    *) wrong $h 'next' 's/fl_load32(node + 12)/fl_load32(node + 16)/' ;;
  esac
  wrong $h 'chain, hash' 's/fl_load32(object + 12)/fl_load32(object + 8)/'
  wrong $h 'chain, size' 's/node_count)(table) - 1)/node_count)(table) - 2)/'
  wrong $h 'member, key' 's/(node + 16, m->key)/(node + 8, m->key)/'
  wrong $h 'free mark' 's/&free_node, sizeof free_node/\&nothing, sizeof nothing/; s/\*free_node = /*nothing = NULL, *free_node = /'
  if [ "$version" -ge 4 ]; then
    wrong $h 'white' 's/white_bits) = 0x18/white_bits) = 0x08/'
    wrong $h 'white' 's/white_bits) = 0x18/white_bits) = 0x30/'
    wrong $h 'white' 's/white_bits) = 0x18/white_bits) = 0x38/'
    wrong $h 'black' 's/black_bit) = 0x20/black_bit) = 0x40/'
    wrong $h 'black' 's/black_bit) = 0x20/black_bit) = 0x04/'
    wrong $h 'put true' 's/b ? 0x11/b ? 0x21/'
    wrong $h 'member, key tag' 's/PUC_COLLECTABLE) << 8/PUC_COLLECTABLE) << 16/'
    wrong $h 'member, next' 's/m->next << 32/m->next << 40/'
    wrong $h 'flags' 's/table\[10\] = (char)(table\[10\]/table[9] = (char)(table[10]/'
    wrong $h 'flags kept' 's/& ~0x3f/\& ~0x00/'
    wrong $h 'flags cleared' 's/& ~0x3f/\& ~0x1f/'
  else
    wrong $h 'white' 's/white_bits) = 0x03/white_bits) = 0x01/'
    wrong $h 'white' 's/white_bits) = 0x03/white_bits) = 0x06/'
    wrong $h 'white' 's/white_bits) = 0x03/white_bits) = 0x07/'
    wrong $h 'black' 's/black_bit) = 0x04/black_bit) = 0x08/'
    wrong $h 'put boolean' 's/(uint64_t)b, 1)/(uint64_t)!b, 1)/'
    wrong $h 'flags' 's/table\[10\] = 0/table[12] = 0/'
    wrong $h 'flags kept' 's/table\[10\] = 0/table[10] |= 0/'
  fi
  case $version in
    1) wrong $h 'free mark' 's/table + 40/table + 32/'; wrong $h 'free mark' 's/table + 40/table + 48/' ;;
    5) wrong $h 'free mark' 's/(table + PUC_NODES) - 8/(table + PUC_NODES) - 16/'
       wrong $h 'free mark' 's/table\[11\] >= 3/table[11] >= 5/'
       wrong $h 'items' 's/(array - 8 \* (i + 1), fl_load64(slots/(array - 8 * i, fl_load64(slots/'
       wrong $h 'item tags' 's/array\[4 + i\] = slots/array[5 + i] = slots/'
       wrong $h 'item' 's/(array - 8 \* (i + 1), fl_load64(slot)/(array - 8 * i, fl_load64(slot)/'
       wrong $h 'item tag' 's/array\[4 + i\] = slot\[8\]/array[5 + i] = slot[8]/' ;;
    *) wrong $h 'free mark' 's/table + 32/table + 24/'; wrong $h 'free mark' 's/table + 32/table + 40/' ;;
  esac
  [ "$version" -ge 5 ] || wrong $h 'items' 's/memcpy(array, slots/memcpy(array + 8, slots/'
  [ "$version" -ge 5 ] || wrong $h 'item' 's/memcpy(array + 16 \* i/memcpy(array + 16 * i + 16/'
  case $version in
    3) wrong $h 'member, next' 's/m->next << 32);/m->next << 40);/' ;;
    1|2) wrong $h 'member, next' 's/(node + 32, m->next/(node + 40, m->next/'
         wrong $h 'member, key tag' 's/(node + 24, 4u/(node + 28, 4u/' ;;
  esac
  case $version in
    1) wrong $h 'interned' 's/return v.tag == (4u | PUC_COLLECTABLE)/return v.tag == 5u/' ;;
    *) wrong $h 'interned' 's/return v.tag == (4u | PUC_COLLECTABLE)/return (v.tag \& 15) == 4/' ;;
  esac
}
luajit_write_mutants() {
  local h=+luajit_write.h
  wrong $h 'slot bytes' 's/slot_bytes) = 8/slot_bytes) = 16/'
  wrong $h 'marked' 's/marked) = 8/marked) = 9/'
  wrong $h 'white' 's/white_bits) = 0x03/white_bits) = 0x01/'
  wrong $h 'white' 's/white_bits) = 0x03/white_bits) = 0x07/'
  wrong $h 'black' 's/black_bit) = 0x04/black_bit) = 0x08/'
  wrong $h 'top' 's/state + 40)/state + 32)/'
  wrong $h 'set top' 's/state + 40, &top/state + 32, \&top/'
  wrong $h 'granted' 's/state + 48)/state + 40)/'
  wrong $h 'granted' 's/state + 48)/state + 56)/'
  wrong $h 'tag shift' 's/tag << 47/tag << 46/'
  wrong $h 'put nil' 's/slot, ~(uint64_t)0/slot, ~(uint64_t)1 << 60/'
  wrong $h 'put boolean' 's/b ? -3 : -2/b ? -2 : -3/'
  wrong $h 'interned' 's/tagged)(-5, (uint64_t)/tagged)(-6, (uint64_t)/'
  wrong $h 'interned bytes' 's/object + 24;/object + 20;/'
  wrong $h 'items' 's/(table + 16) + 8, slots/(table + 16), slots/'
  wrong $h 'item' 's/8 \* (i + 1), slot/8 * i, slot/'
  wrong $h 'free mark' 's/table + 56)/table + 48)/'
  wrong $h 'free mark stored' 's/table + 56, &/table + 24, \&/'
  wrong $h 'next' 's/fl_load_ptr(node + 16)/fl_load_ptr(node + 8)/'
  wrong $h 'chain, hash' 's/fl_load32(object + 12)/fl_load32(object + 8)/'
  wrong $h 'chain, size' 's/fl_load32(table + 52)/fl_load32(table + 48)/'
  wrong $h 'member, key' 's/node + 8, LAY(tagged)(-5/node + 8, LAY(tagged)(-6/'
  wrong $h 'member, next' 's/(node + 16, m->next/(node + 24, m->next/'
  wrong $h 'flags' 's/table\[10\] = 0/table[11] = 1/'
  wrong $h 'flags kept' 's/table\[10\] = 0/table[10] |= 0/'
}

# mutant LUA INCLUDE FILE NAME SED NUMBER: prints nothing if the proof refuses the mutation.
mutant() {
  local lua=$1 inc=$2 file=${3#+} name=$4 change=$5 d=$work/$6 said wanted=api
  case $3 in +*) wanted='write' ;; esac
  mkdir -p "$d" && cp -r src/layout "$d" && ln -sfn "$PWD/src/base" "$d/base"
  sed -i.old "$change" "$d/layout/$file"
  cmp -s "$d/layout/$file" "$d/layout/$file.old" && [ "$name" != unchanged ] &&
    { echo "$file, $name: the pattern does not match"; return; }
  $CC -std=gnu99 -w -O0 -fPIC -shared -I"$d" -I"$inc" -o "$d/verdict.so" tests/mismatch/verdict.c ||
    { echo "$file, $name: does not compile"; return; }
  # what the proof refuses: api (reading, so everything), write, or nothing
  said=$(LUA_CPATH="$d/?.so" LUA_INIT='' "$lua" -e 'local v = require "verdict"
    print(v.layout == "api" and "api" or v.decode == "api" and "write" or "nothing")' 2>&1)
  case $name in unchanged) wanted=nothing ;; esac
  [ "$said" = "$wanted" ] || echo "$file, $name: ${said:-crash} is refused, not $wanted"
  rm -rf "$d"
}

for r in ${MUTANTS_RUNTIME:-lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit luajit-tarantool}; do
  name="each fact of the layout of $r is proven"
  case $r in
    luajit-*) lua=build/runtimes/$r/bin/lua inc=build/runtimes/$r/include ;;
    *) lua=$(tools/where.sh lua "$r") && inc=$(tools/where.sh include "$r") || lua='' ;;
  esac
  if [ -z "$lua" ] || ! command -v "$lua" >/dev/null; then
    echo "ok - $name # SKIP not installed: $r"
    continue
  fi
  n=0
  case $r in
    luajit) list=$(luajit_mutants luajit_now.h; luajit_write_mutants) ;;
    luajit-*) list=$(luajit_mutants luajit_early.h; luajit_write_mutants) ;;
    *) list=$(puc_mutants "${r//./}"; puc_write_mutants "${r//./}") ;;
  esac
  complaints=$(
    while IFS='|' read -r file what change; do
      n=$((n + 1))
      mutant "$lua" "$inc" "$file" "$what" "$change" $n | grep . && [ -n "${MUTANTS_RUNTIME:-}" ] && break
    done <<<"puc.h|unchanged|
$list" 2>&1)
  if [ -z "$complaints" ]; then echo "ok - $name ($(wc -l <<<"$list" | tr -d ' ') mutations)"
  else printf 'not ok - %s\n#   %s\n' "$name" "${complaints//$'\n'/$'\n'#   }"; fi
done
