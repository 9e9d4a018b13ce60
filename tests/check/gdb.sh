#!/usr/bin/env bash
# gdb.sh -- tools/gdb/fleece.py shows raw Lua values in a running Lua: tables, strings, stacks, our own structures,
# and what is left of them when memory is damaged. What it has caught: the printers stopped at a function by its old
# name (78e8f2f1), one unit with all files did not compile (9a76871e).
. "$(dirname "$0")/support/lib.sh"
name="gdb shows raw Lua values"
command -v gdb >/dev/null 2>&1 || { skipped "$name" "not installed: gdb"; exit 0; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
export LC_ALL=C
in_gdb() { timeout 120 gdb -q -batch -nx -iex "set debuginfod enabled off" "$@" 2>&1; }
[ "$(in_gdb -ex 'python print(1)')" = 1 ] || { skipped "$name" "this system: this gdb has no Python"; exit 0; }
in_gdb -ex run --args /bin/sh -c : | grep -q 'exited normally' || { skipped "$name" "this system: gdb may run no program here"; exit 0; }

cat >"$tmp/values.lua" <<'LUA'
local fleece = assert(package.loadlib(arg[1], "luaopen_fleece"))()
local long = ("x"):rep(100)
local t = fleece.decode('[12, "two\\n", 0.5, true, false, "' .. long .. '", {"\195\182": 1}, [], null, 1e300]')
t[7]["\195\182"] = "\255"
t[8] = t
pcall(fleece.encode, t, setmetatable({}, {}))
pcall(fleece.decode, '{"name": [1, 2 "x"]}')
LUA

# What stands under "== part" in the output, without what differs between systems: addresses, counts of what is no
# table, memory that was not written yet.
part() {
  sed -n "/^== $1\$/,/^== end\$/p" "$tmp/said" | grep -v '^== ' | sed -E 's/0x[0-9a-f]+/A/g; s/^\$[0-9]+ = //
    s/at least [0-9]+ used/at least N used/; s/^  \.\.\. [0-9]{3,} more/  ... N more/; s/^[0-9]+ bytes at A, begins/block/; s/(block "\[12,).*/\1/; s/ITEMS [0-9]+ of/ITEMS N of/'
}
# shows PART EXPECTED
shows() { verdict "$r: gdb shows $1" "$(diff <(printf '%s\n' "$2") <(part "$1") | grep '^[<>]')"; }

for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
  lua=$(tools/where.sh lua "$r") && include=$(tools/where.sh include "$r") ||
    { skipped "$r: $name" "not installed: no interpreter, or no headers"; continue; }
  so=$tmp/$r.so l=${r/./}
  [ "$r" = luajit ] && [ -f "$tmp/lua5.1.so" ] && so=$tmp/lua5.1.so # either serves both, and knows both layouts
  [ -f "$so" ] || problem=$("${CC:-cc}" -std=gnu99 -g -O0 -DFLEECE_ASSERT -fPIC -Isrc "-I$include" -shared -o "$so" \
    src/fleece.c 2>&1) || { verdict "$r: $name" "$problem"; continue; }
  cat >"$tmp/commands" <<GDB
set breakpoint pending on
set confirm off
set width 0
set print elements 0
source tools/gdb/fleece.py
tbreak ${l}_encode_open
run
echo == a table\n
fleece t
echo == end\n
echo == three entries\n
fleece t 3
echo == end\n
echo == a function for print\n
print \$fleece(t)
echo == end\n
frame function mod_encode
echo == a stack\n
fleece-stack L 1
echo == end\n
echo == the state as its stack\n
fleece L
echo == end\n
echo == a slot\n
fleece-slot *(char **)((char *)L + ${l}_facts.stack_top) - ${l}_facts.slot
echo == end\n
tbreak ${l}_string
continue
echo == a value\n
print v
print/r v.bits > 0
echo == end\n
frame function mod_run_here
echo == a buffer\n
print call->state->encode->walk.out.buffer
echo == end\n
echo == a frame\n
print call->state->encode->walk.frames[0]
echo == end\n
echo == damaged tables\n
set \$t = call->state->encode->walk.frames[0].table
set {char}(\$t + ${l}_facts.table_node_count) = 98
fleece \$t 0
set {char}(\$t + ${l}_facts.table_node_count) = 1
set {long}(\$t + ${l}_facts.table_nodes) = 16
fleece \$t 0
set {int}(\$t + ${l}_facts.table_array_size) = -1
fleece \$t 0
set {long}(\$t + ${l}_facts.table_array) = 4096
fleece \$t
fleece 16
fleece-slot 16
fleece-stack 16
echo == end\n
kill
tbreak json_scan_error
run
finish
echo == a text\n
print *j
set var j->at = 0
print *j
set var j->end = j->begin - 1
print *j
set var j->begin = 0
set var j->end = 10
set var j->at = 5
print *j
echo == end\n
kill
GDB
  in_gdb -x "$tmp/commands" --args "$lua" "$tmp/values.lua" "$so" >"$tmp/said"

  x=$(printf '%080d' 0 | tr 0 x) one=1
  [ "$r" = luajit ] && one=2 # its smallest hash part
  shows "a table" "table A: array 10, hash 0, 10 used
  [1] = 12
  [2] = \"two\\n\"
  [3] = 0.5
  [4] = true
  [5] = false
  [6] = \"$x\"... (100 bytes)
  [7] = table A: array 0, hash $one, 1 used {[\"\\u00f6\"] = \"\\xff\"}
  [8] = table A: array 10, hash 0, 10 used {[1] = 12, [2] = \"two\\n\", [3] = 0.5, [4] = true, ...}
  [9] = light userdata A
  [10] = 1e+300"
  shows "three entries" 'table A: array 10, hash 0, 10 used
  [1] = 12
  [2] = "two\n"
  [3] = 0.5
  ... 7 more'
  shows "a function for print" '"table A: array 10, hash 0, 10 used; [1] = 12; [2] = \"two\\n\"; [3] = 0.5; [4] = true; ... 6 more"'
  stack='  2 (-1)  table A: array 0, hash 0, 0 used, metatable A'
  shows "a stack" "stack of A: 2 values
  ... 1 below
$stack"
  shows "the state as its stack" "stack of A: 2 values
  1 (-2)  table A: array 10, hash 0, 10 used {[1] = 12, [2] = \"two\\n\", [3] = 0.5, [4] = true, ...}
$stack"
  shows "a slot" "table A: array 0, hash 0, 0 used, metatable A"
  shows "a value" '"two\n"
1'
  shows "a buffer" 'block "[12,'
  shows "a frame" "ENCODE_ITEMS N of 10 in table A"
  case $r in
    luajit) count="<99 nodes>" most=4294967294 ;;
    *) count="<2^98 nodes>" most=4294967295 ;;
  esac
  shows "damaged tables" "table A: array 10, hash ?, at least N used $count
  ... 10 more
table A: array 10, hash 2, at least N used <no memory at A>
  ... 10 more
table A: array $most, hash 2, at least N used <no memory at A>
  ... N more
table A: array $most, hash 2, at least N used <no memory at A> <no memory at A>
<no memory at A>
<no memory at A>
<no memory at A>"
  # shellcheck disable=SC2016  # the backticks are the printer's
  shows "a text" 'text of 20 bytes, depth 2 of 1000, error JSON_CHECK_ARRAY, at offset 15: "{\"name\": [1, 2 " ^ "\"x\"]}"
text of 20 bytes, depth 2 of 1000, error JSON_CHECK_ARRAY, `at` is outside the text; "" ^ "{\"name\": [1, 2 \"x\"]}"
<a text that ends before it begins>
<no memory at A>'
done
