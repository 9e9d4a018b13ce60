#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh -- the benchmark on several interpreters: `bench/run.sh [--quick] [--only KEY,KEY ...]` (see run.lua).
#
# Environment:
#   BENCH_RUNTIMES  which interpreters (lua5.1 lua5.4 luajit)
#   BENCH_RESULT    the CSV to write; plots go beside it. Without it a full run on every workload writes
#                   bench/results/DATE-CPU.csv, every other run build/bench/last.csv
#   BENCH_RIVALS    a folder with further rivals: RUNTIME/NAME/ holds the .so and .lua files of one
#   YYJSON          where yyjson is installed (include/yyjson.h, lib/libyyjson.*), when not in a usual place
#   FLEECE_DATA     a folder with json/*.json: documents to measure as well
set -eu
cd "$(dirname "$0")/.."
work=build/bench
mkdir -p $work

cpu_slug() {
  { sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null || sysctl -n machdep.cpu.brand_string; } |
    head -n 1 | sed 's/([^)]*)//g; s/@.*//; s/Processor//; s/CPU//' | tr -cs 'A-Za-z0-9\n' - | sed 's/^-//; s/-$//'
}
case " $* " in
  *" --quick "* | *" --only "* | *" --rivals "*) result=$work/last.csv ;;
  *) result=bench/results/$(date -u +%Y-%m-%d)-$(cpu_slug).csv ;;
esac
result=${BENCH_RESULT:-$result}

# yyjson takes part when a program that uses the installed library compiles.
where=()
[ -n "${YYJSON:-}" ] && where=("-I$YYJSON/include" "-L$YYJSON/lib" "-Wl,-rpath,$YYJSON/lib")
if "${CC:-cc}" -std=c99 -O3 ${where[@]+"${where[@]}"} -o $work/yyjson_write bench/c/yyjson_write.c -lyyjson \
  2>$work/yyjson.log; then
  set -- --yyjson $work/yyjson_write "$@"
else
  echo "yyjson (C): library not found, left out"
fi

parts=()
for runtime in ${BENCH_RUNTIMES:-${RUNTIME:-lua5.1 lua5.4 luajit}}; do
  lua=$(tools/where.sh lua "$runtime") || { echo "$runtime: not installed, left out"; continue; }
  cpath="build/$runtime/?.so;;" path=";;"
  for folder in "${BENCH_RIVALS:-/nowhere}/$runtime"/*/; do
    [ -d "$folder" ] && cpath="$cpath$folder?.so;" path="$path$folder?.lua;"
  done
  ours() {
    env -u LUA_PATH_5_2 -u LUA_PATH_5_3 -u LUA_PATH_5_4 -u LUA_CPATH_5_2 -u LUA_CPATH_5_3 -u LUA_CPATH_5_4 \
      LUA_CPATH="${cpath%;}${LUA_CPATH:+;$LUA_CPATH}" LUA_PATH="${path%;}${LUA_PATH:+;$LUA_PATH}" "$lua" "$@"
  }
  ours bench/run.lua --runtime "$runtime" --out $work/"$runtime".csv "$@"
  ours bench/footprint.lua
  parts+=("$work/$runtime.csv")
done
[ ${#parts[@]} -gt 0 ] || { echo "no interpreter found" >&2; exit 1; }

mkdir -p "$(dirname "$result")"
awk 'NR == 1 || FNR > 1' "${parts[@]}" >"$result"
lua=$(tools/where.sh lua lua5.4 || tools/where.sh lua luajit || tools/where.sh lua lua5.1)
"$lua" bench/goals.lua "$result"
"$lua" bench/plot.lua "$result"
echo "results: $result"
