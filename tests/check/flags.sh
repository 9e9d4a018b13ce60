#!/usr/bin/env bash
# flags.sh -- what the flags of fleece.json cost, counted in instructions: E1 to E3 within 10 % of E4, as its
# documentation says. Instructions are the same on a busy machine; time is not. What it has caught: E1 to E3 took 14
# to 84 % more than E4 (f1c202d4).
. "$(dirname "$0")/support/lib.sh"

if ! command -v valgrind >/dev/null 2>&1; then skipped "what flags cost" "not installed: no valgrind"; exit 0; fi
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/flags.lua" <<'LUA'
-- Writes one of the four tables of the 2011 benchmarks N times with a flag.
local key, flag, calls = arg[1], arg[2], tonumber(arg[3])
package.path = "bench/?.lua"
local random, json = require "workloads.random"(1), require "fleece".json
assert(require "fleece".info().layout ~= "api", "no raw walk")
for _, case in ipairs(dofile "bench/workloads/original.lua") do
  if case.key == key then
    local value = case.build(random).doc
    collectgarbage "stop"
    for _ = 1, calls do json(value, flag) end
  end
end
LUA
# The instructions of ten calls, and of nothing else: how long the table takes to build is another matter.
count() { # LUA RUNTIME WORKLOAD FLAG
  LUA_CPATH="build/$2/?.so" valgrind --tool=callgrind --toggle-collect=mod_json --callgrind-out-file=/dev/null \
    "$1" "$tmp/flags.lua" "$3" "$4" 10 2>&1 | sed -n 's/.*Collected *: *//p'
}

seen=
for r in lua5.4 lua5.1 luajit lua5.3 lua5.5 lua5.2; do
  [ -z "${ONLY_RUNTIME:-}" ] || [ "$r" = "$ONLY_RUNTIME" ] || continue
  { [ -f "build/$r/fleece.so" ] && lua=$(tools/where.sh lua "$r"); } || continue
  seen=yes
  for key in integers keys words word-keys; do
    most=$(count "$lua" "$r" $key E4) said=
    [ "${most:-0}" -gt 100000 ] || said="ten calls took only ${most:-no} instructions"$'\n'
    for flag in E0 E1 E2 E3; do
      n=$(count "$lua" "$r" $key $flag)
      [ "${n:-0}" -gt 0 ] && [ $((n * 10)) -le $((most * 11)) ] || said="$said$flag takes $n instructions, E4 $most"$'\n'
    done
    verdict "$r: $key with E0 to E3 take at most 1.1 times the instructions of E4" "${said%$'\n'}"
  done
  break
done
[ -n "$seen" ] || skipped "what flags cost" "not installed: nothing is built"
