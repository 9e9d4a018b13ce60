#!/bin/sh
# SPDX-License-Identifier: MIT
# bench.sh -- runs the benchmark on several interpreters and joins the results.
#
#   sh bench/bench.sh [quick] [arguments for run.lua]
# Environment:
#   RUNTIMES       which interpreters (lua5.1 lua5.4 luajit)
#   RESULT         the CSV; its plots go beside it. Full runs: bench/results/DATE-CPU.csv, quick ones: build/bench/quick.csv
#   BENCH_RIVALS   a folder of further rivals: RUNTIME/NAME/ holds what RUNTIME can load (NAME/cjson.so, NAME/json.lua ...)
#   YYJSON         where yyjson is installed, when not in the system's folders (include/yyjson.h, lib/libyyjson.*)
#   FLEECE_DATA    a folder with json/*.json, documents to measure as well
set -eu
cd "$(dirname "$0")/.."
work=build/bench
mkdir -p "$work"

mode=full
if [ "${1:-}" = quick ]; then mode=quick; shift; fi
[ "$mode" = quick ] && set -- --quick "$@"

if [ -z "${RESULT:-}" ]; then
  cpu=$(sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null | head -n 1)
  slug=$(printf %s "${cpu:-$(uname -m)}" | sed 's/([^)]*)//g; s/CPU\|Processor\|@.*//g' | tr -cs 'A-Za-z0-9\n' - | sed 's/^-//; s/-$//')
  RESULT=bench/results/$(date -u +%Y-%m-%d)-$slug.csv
  [ "$mode" = full ] || RESULT=$work/quick.csv
fi

# The C comparison takes part when a small program against the installed library compiles.
program=$work/yyjson_write
rm -f "$program"
flags=${YYJSON:+-I$YYJSON/include -L$YYJSON/lib -Wl,-rpath,$YYJSON/lib}
if ${CC:-cc} -std=c99 -O3 $flags -o "$program" bench/c/yyjson_write.c -lyyjson 2>"$work/yyjson.log"; then
  set -- --yyjson "$program" "$@"
else
  echo "yyjson (C): not installed, left out"
fi

parts=
for runtime in ${RUNTIMES:-lua5.1 lua5.4 luajit}; do
  interpreter=build/runtimes/$runtime/bin/lua
  [ -x "$interpreter" ] || interpreter=$(command -v "$runtime" || true)
  if [ -z "$interpreter" ]; then echo "$runtime: not installed, left out"; continue; fi
  cpath="build/$runtime/?.so;;" path=";;"
  for folder in "${BENCH_RIVALS:-/nowhere}/$runtime"/*/; do
    [ -d "$folder" ] && cpath="$cpath$folder?.so;" path="$path$folder?.lua;"
  done
  part=$work/$runtime.csv
  env -u LUA_PATH_5_2 -u LUA_PATH_5_3 -u LUA_PATH_5_4 -u LUA_CPATH_5_2 -u LUA_CPATH_5_3 -u LUA_CPATH_5_4 \
    LUA_CPATH="${cpath%;}${LUA_CPATH:+;$LUA_CPATH}" LUA_PATH="${path%;}${LUA_PATH:+;$LUA_PATH}" \
    "$interpreter" bench/run.lua --runtime "$runtime" --out "$part" "$@"
  parts="$parts $part"
done
[ -n "$parts" ] || { echo "no interpreter found"; exit 1; }

mkdir -p "$(dirname "$RESULT")"
awk 'NR == 1 || FNR > 1' $parts > "$RESULT"
echo "results: $RESULT"
