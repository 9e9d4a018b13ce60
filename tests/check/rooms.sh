#!/usr/bin/env bash
# rooms.sh -- the rules of the house that a machine can see in the text of src/.
. "$(dirname "$0")/support/lib.sh"
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
# Every file without its comments, once.
for f in $(c_files); do
  mkdir -p "$tmp/${f%/*}" && no_comments "$f" >"$tmp/$f"
done
code() { cat "$tmp/$1"; }

# Calls go down: a room includes itself and rooms of lower rank.
rank() {
  case $1 in
    base|include) echo 0 ;; number|text) echo 1 ;; regex) echo 2 ;; json|binary) echo 3 ;; layout) echo 4 ;; lua) echo 5 ;;
    encode|files) echo 6 ;; decode) echo 7 ;; stream) echo 8 ;; format|places) echo 9 ;; document) echo 10 ;;
    query|patch|schema) echo 11 ;; module) echo 12 ;; dropin|program) echo 13 ;; parts) echo 14 ;; capi) echo 15 ;; *) echo 16 ;;
  esac
}

# The compiler has proven that the files are there.
includes=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src |
  sed -E 's/^([^:]*):([0-9]+):[^"]*"([^"]*)".*/\1 \2 \3/' | while read -r f line name; do
    path=${f%/*}/$name
    [ -f "$path" ] || path=src/$name
    echo "$f $line $path"
  done)
verdict "includes go down" "$(paste -d ' ' <(cut -d ' ' -f 1,2 <<<"$includes") \
  <(cut -d ' ' -f 3 <<<"$includes" | xargs realpath -ms --relative-to=.) | while read -r f line path; do
    room=${f#src/} to=${path#src/}
    case $room in */*) room=${room%%/*} ;; *) room=top ;; esac
    case $to in */*) to=${to%%/*} ;; *) to=top ;; esac
    [ "$to" = "$room" ] || echo "$room $to $f:$line"
  done | sort -u -k 1,2 | while read -r room to where; do
    [ "$(rank "$to")" -lt "$(rank "$room")" ] || echo "$where: $room includes $to"
  done)"

# Folders of a room go down, too, its own files among them as a folder. The variants of a CPU are no folders of this kind.
verdict "no two folders of a room include each other" "$(paste -d ' ' <(cut -d ' ' -f 1,2 <<<"$includes") \
  <(cut -d ' ' -f 3 <<<"$includes" | xargs realpath -ms --relative-to=.) | grep -v '^src/\(text\|layout\)/' | while read -r f line path; do
    from=${f%/*} to=${path%/*} room=${f#src/}
    room=src/${room%%/*}
    case $to/ in "$room"/*) [ "$from" = "$to" ] || echo "$from $to" ;; esac
  done | sort -u | tsort 2>&1 >/dev/null | sed 's/^tsort: //')"

# The formats know nothing of Lua: no header of it, no name of it.
wrong=
for f in $(c_files); do
  case $f in src/base/*|src/number/*|src/text/*|src/regex/*|src/json/*|src/binary/*) ;; *) continue ;; esac
  found=$(code "$f" | grep -nE '#[[:space:]]*include.*(lua|lauxlib|lualib|luajit)\.h|\b(luaL?_[a-zA-Z]+|LUA_[A-Z]+|lua_State)\b')
  [ -z "$found" ] || wrong="$wrong$(echo "$found" | sed "s|^|$f:|")"$'\n'
done
verdict "base, number, text, regex, json, binary know no Lua" "${wrong%$'\n'}"

# Nor does the C interface, but for what is for hosts with Lua: whatever it includes, too.
found=$(${CC:-cc} -Isrc -MM -MG src/library.c 2>/dev/null | tr ' ' '\n' | grep -E '(^|/)(lua|lauxlib|lualib|luajit)\.h')
verdict "the C interface without Lua includes none" "$found"

# While raw pointers are alive nobody calls lua_*: the layouts and the raw walk name no such function.
wrong=
for f in $(c_files); do
  case $f in
    src/layout/lua5?.h|src/layout/luajit*.h|src/layout/puc*.h|src/layout/value.h) ;;
    src/encode/raw/*|src/document/from_lua/raw*.h) ;;
    *) continue ;;
  esac
  found=$(code "$f" | grep -nE '\bluaL?_[a-z]+[[:space:]]*\(' | grep -vE '\blua_(getallocf|State)\b')
  [ -z "$found" ] || wrong="$wrong$(echo "$found" | sed "s|^|$f:|")"$'\n'
done
verdict "layouts and the raw walk call no lua_*" "${wrong%$'\n'}"

# Numbers never pass through the C library: it follows the locale and is not exact everywhere.
wrong=
for f in $(c_files); do
  found=$(code "$f" | grep -nE '\b(v?s?n?f?printf|strto(d|f|ld|l|ul|ll|ull)|ato(f|i|l)|setlocale|localeconv|exit|abort|longjmp|setjmp|alloca|strcpy|strcat|gets)[[:space:]]*\(')
  [ -z "$found" ] || wrong="$wrong$(echo "$found" | sed "s|^|$f:|")"$'\n'
done
verdict "no printf, no strtod, no locale, no exit, no longjmp" "${wrong%$'\n'}"

wrong=
for f in $(c_files); do
  is_generated "$f" && continue
  n=$(wc -l <"$f")
  [ "$n" -le 600 ] || wrong="$wrong$f: $n lines"$'\n'
done
while read -r f; do
  n=$(wc -l <"$f")
  [ "$n" -le 600 ] || wrong="$wrong$f: $n lines"$'\n'
done < <(find tests tools bench fuzz lua bin docs examples -type f \( -name '*.c' -o -name '*.lua' -o -name '*.sh' \
  -o -name '*.py' -o -name '*.md' \) 2>/dev/null)
verdict "no file above 600 lines" "${wrong%$'\n'}"

# The header of the same name speaks for a .c, too; what such a .c says itself comes after the licence.
wrong=
for f in $(c_files); do
  [ "$f" = src/fleece.c ] && continue  # an include list
  head -n 1 "$f" | grep -q 'SPDX-License-Identifier: MIT' || wrong="$wrong$f: no licence"$'\n'
  case $f in *.c) [ -f "${f%.c}.h" ] && continue ;; esac
  head -n 12 "$f" | grep -q "$(basename "$f") --" || wrong="$wrong$f"$'\n'
done
verdict "every source opens with its subject" "${wrong%$'\n'}"

wrong=$(c_files | xargs grep -nE '[[:space:]]+$|	' | cut -c1-100)
verdict "no tabs and no blanks at line ends in src/" "$wrong"

wrong=
for f in $(c_files) include/*.h; do
  is_generated "$f" || wrong="$wrong$(awk -v f="$f" 'length > 120 { print f ":" FNR ": " length " columns" }' "$f")"
done
verdict "no line above 120 columns in src/ and include/" "$wrong"

# No search finds who calls a sink of the scanner: the template's head lists its instances.
wrong=
while IFS=: read -r f text; do
  name=$(echo "$text" | sed 's/.*SCAN_NAME  *//; s/LAY(\(.*\))/LAYOUT_\1/')
  grep -q "^\*\*.*\b$name\b" src/json/grammar/scan_template.h || wrong="$wrong$f: $name"$'\n'
done < <(grep -rE '#define SCAN_NAME ' src tests/c --include='*.[ch]' | grep -v 'src/json/grammar/scan_template.h')
verdict "the scanner's template lists its instances" "${wrong%$'\n'}"

if command -v python3 >/dev/null 2>&1; then verdict "names begin with a prefix of their folder" "$(python3 tests/check/support/prefixes.py 2>&1)"
else skipped "names begin with a prefix of their folder" "not installed: python3"; fi
