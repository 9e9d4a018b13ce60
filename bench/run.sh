#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# run.sh -- runs the benchmark on several interpreters:
#
#   bench/run.sh [--binary | --pick] [--encode | --decode] [--quick] [--no-data] [--only KEY,KEY] [--rivals NAME,NAME]
#                [--collector incremental|generational]
#
# Without --encode, --decode, --binary or --pick it runs the first two. --no-data ignores $FLEECE_DATA.
#
# Environment:
#   BENCH_RUNTIMES  which interpreters (lua5.1 lua5.4 luajit)
#   BENCH_RESULT    the CSV to write. Without it a run without options writes bench/results/DATE-CPU.csv, a run with
#                   options build/bench/last.csv. What the first has of other tasks stays in it.
#   BENCH_RIVALS    a folder with further rivals: RUNTIME/NAME/ has the .so and .lua files of one
#   YYJSON          where yyjson is installed (include/yyjson.h, lib/libyyjson.*), if the compiler does not find it
#   SIMDJSON        the same for simdjson
#   FLEECE_DATA     a folder with json/*.json: further documents to measure
set -eu
cd "$(dirname "$0")/.."
usage() { sed -n '3,/^set/s/^# \{0,1\}//p' bench/run.sh; }
work=build/bench
mkdir -p $work

cpu_slug() {
  { sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo 2>/dev/null || sysctl -n machdep.cpu.brand_string; } |
    head -n 1 | sed 's/([^)]*)//g; s/@.*//; s/Processor//; s/CPU//' | tr -cs 'A-Za-z0-9\n' - | sed 's/^-//; s/-$//'
}

directions="encode decode" only="" options=() program=bench/run.lua reports=bench/report
if [ "${1:-}" = --binary ]; then
  directions=binary program=bench/binary/run.lua reports=bench/binary
  shift
elif [ "${1:-}" = --pick ]; then
  directions=pick program=bench/pick/run.lua reports=bench/pick
  shift
fi
for option in "$@"; do
  case $option in -h | --help) usage; exit 0 ;; esac
done
result=${BENCH_RESULT:-bench/results/$(date -u +%Y-%m-%d)-$(cpu_slug).csv}
[ $# -eq 0 ] || result=${BENCH_RESULT:-$work/last.csv}
while [ $# -gt 0 ]; do
  case $1 in
    --encode | --decode) directions=${1#--} ;;
    --quick | --no-data) options+=("$1") ;;
    --only | --rivals | --collector)
      [ $# -gt 1 ] || { echo "bench/run.sh: $1 needs a list" >&2; exit 2; }
      if [ "$1" = --only ]; then only=,$2,; else options+=("$1" "$2"); fi
      shift ;;
    *) echo "bench/run.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

# yyjson takes part if a program that uses the installed library compiles.
where=()
[ -n "${YYJSON:-}" ] && where=("-I$YYJSON/include" "-L$YYJSON/lib" "-Wl,-rpath,$YYJSON/lib")
if "${CC:-cc}" -std=c99 -O3 ${where[@]+"${where[@]}"} -o $work/yyjson_time bench/c/yyjson_time.c -lyyjson \
  2>$work/yyjson.log; then
  options+=(--yyjson "$work/yyjson_time")
else
  echo "yyjson (C): library not found, left out"
fi

# simdjson too. On Demand is compiled for this CPU; DOM chooses its code when it runs.
if [ "$directions" = pick ]; then
  where=()
  [ -n "${SIMDJSON:-}" ] && where=("-I$SIMDJSON/include" "-L$SIMDJSON/lib" "-Wl,-rpath,$SIMDJSON/lib")
  if "${CXX:-c++}" -std=c++17 -O3 -march=native ${where[@]+"${where[@]}"} -o $work/simdjson_time \
    bench/c/simdjson_time.cpp -lsimdjson 2>$work/simdjson.log; then
    options+=(--simdjson "$work/simdjson_time")
  else
    echo "simdjson (C++): library not found, left out"
  fi
fi

# The look-up in C needs only the reader.
if [ "$directions" = binary ] && "${CC:-cc}" -std=gnu99 -O2 -Isrc -o $work/lookup_time bench/c/lookup_time.c; then
  options+=(--lookup "$work/lookup_time")
fi

# The benchmark's own C modules, compiled with one Lua's headers.
helpers() {
  local include flags="-shared"
  include=$(tools/where.sh include "$1") || { echo "$1: no headers, no floor"; return; }
  [ "$(uname -s)" = Darwin ] && flags="-bundle -undefined dynamic_lookup"
  mkdir -p "$work/$1"
  for name in floor peak; do
    # shellcheck disable=SC2086
    "${CC:-cc}" -std=c99 -O2 -fPIC -I"$include" $flags -o "$work/$1/$name.so" bench/c/$name.c ||
      echo "$1: $name does not compile, left out"
  done
}

parts=() failed=0
for runtime in ${BENCH_RUNTIMES:-${RUNTIME:-lua5.1 lua5.4 luajit}}; do
  lua=$(tools/where.sh lua "$runtime") || { echo "$runtime: not installed, left out"; continue; }
  helpers "$runtime"
  cpath="build/$runtime/?.so;$work/$runtime/?.so;;" path=";;" # two semicolons: the interpreter's default path
  for folder in "${BENCH_RIVALS:-/nowhere}/$runtime"/*/; do
    [ -d "$folder" ] && cpath="$cpath;$folder?.so" path="$path;$folder?.lua"
  done
  ours() {
    env -u LUA_PATH_5_2 -u LUA_PATH_5_3 -u LUA_PATH_5_4 -u LUA_CPATH_5_2 -u LUA_CPATH_5_3 -u LUA_CPATH_5_4 \
      LUA_CPATH="$cpath${LUA_CPATH:+;$LUA_CPATH}" LUA_PATH="$path${LUA_PATH:+;$LUA_PATH}" "$lua" "$@"
  }
  part=$work/$runtime.csv
  rm -f "$part"
  for direction in $directions; do
    for key in $(ours $program --list "$direction" ${options[@]+"${options[@]}"}); do
      case ${only:-,$key,} in
        *,"$key",*)
          ours $program --only "$key" --direction "$direction" --runtime "$runtime" --out "$part" \
            ${options[@]+"${options[@]}"} || { echo "$runtime, $direction $key: FAILED"; failed=1; } ;;
      esac
    done
    case $direction in encode | decode) ours bench/footprint.lua "$direction" ;; esac
    [ "$direction" != decode ] || ours bench/settings/states.lua "build/$runtime"
  done
  [ -f "$part" ] && parts+=("$part")
done
[ ${#parts[@]} -gt 0 ] || { echo "nothing was measured" >&2; exit 1; }

mkdir -p "$(dirname "$result")"
awk 'NR == 1 || FNR > 1' "${parts[@]}" >$work/new.csv
# The first two columns are the interpreter and the task; the header goes, too.
: >$work/others.csv
[ "$result" = $work/last.csv ] || [ ! -f "$result" ] ||
  awk -F, 'NR == FNR { new[$1, $2]; next } !(($1, $2) in new)' $work/new.csv "$result" >$work/others.csv
cat $work/new.csv $work/others.csv >"$result"
lua=$(tools/where.sh lua lua5.4 || tools/where.sh lua luajit || tools/where.sh lua lua5.1)
"$lua" $reports/goals.lua "$result"
[ "$directions" != pick ] || "$lua" $reports/table.lua "$result"
echo "results: $result"
exit $failed
