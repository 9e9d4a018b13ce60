#!/usr/bin/env bash
# run.sh -- runs every test there is and counts: the last line is "N passed, N failed, N skipped".
#
#   tests/run.sh [--asan | --tsan | --valgrind | --fuzz] [--runtime lua5.4] [FILTER ...]
#
# A job is one program on one runtime in one mode, such as lua/lua5.4@api; a FILTER keeps the jobs whose
# name contains it. Jobs run side by side, JOBS at a time; each leaves its output in build/test/PROCESS/.
# How a job's output is counted, by its room:
#   tests/lua/run.lua    the closing line of LuaUnit; once per runtime, with FLEECE_LAYOUT unset and =api; once more in
#                        the builds that check how the C interface is used (lua5.4-assert)
#   tests/c/*.c          TAP from cmocka; with and without SIMD, or once per runtime if it includes Lua
#   tests/check/*.sh, tests/mismatch/run.sh, tests/proof/*.py, tests/model/test_*.py,
#   tests/platform/run.sh (another CPU or C library), tests/cli/*.py (the program), tests/hosts/*.py (a real server),
#   fuzz/*.c (replay of its corpus)
#                        TAP, or else one test that passes with exit code 0 and is skipped with 77
# A program that ends badly counts as a failure whatever it printed before.
set -u
cd "$(dirname "$0")/.." || exit 1
LC_ALL=C
MODE=${MODE:-plain} ONLY_RUNTIME=${ONLY_RUNTIME:-}
CC=${CC:-cc}
out=${OUT:-build/test/$$}  # two runs at once must not disturb each other
RUNTIMES="lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit"
WARN="-Wall -Wextra"
SANITIZE="-g -O1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=undefined"
export LC_ALL MODE ONLY_RUNTIME CC
# How much the long tests do: millions of numbers in a plain run, fewer under checkers that slow them down.
case $MODE in asan|tsan) many=100000 ;; valgrind) many=2000 ;; *) many=2000000 ;; esac
export FLEECE_TEST_COUNT=${FLEECE_TEST_COUNT:-$many}

skip() { echo "SKIPPED: $*"; return 77; }
uses_lua() { grep -Eq '^#[[:space:]]*include[[:space:]]+[<"](lua|lauxlib|lualib|.*fleece\.c|.*/module/)' "$1"; }

# ---- the jobs ---------------------------------------------------------------------------------------------

list_jobs() {
  local f name r mode
  shopt -s nullglob
  case $MODE in
    plain)
      for f in tests/check/*.sh; do [ "${f##*/}" = lib.sh ] || echo "check/$(basename "$f" .sh)"; done
      [ -n "$ONLY_RUNTIME" ] || for f in s390x arm64 i386 musl ${FLEECE_TEST_PLATFORM:+armhf}; do
        echo "platform/$f"
      done
      for r in build/runtimes/*-assert; do
        [ -n "$ONLY_RUNTIME" ] || [ ! -x "$r/bin/lua" ] || echo "lua/${r##*/}@raw"
      done
      for f in tests/proof/*.py; do [ "${f##*/}" = common.py ] || echo "proof/$(basename "$f" .py)"; done
      for f in tests/model/test_*.py; do echo "model/$(basename "$f" .py)"; done
      for f in tests/cli/*.py; do echo "cli/$(basename "$f" .py)"; done
      for f in tests/hosts/*.py; do [ "${f##*/}" = common.py ] || echo "hosts/$(basename "$f" .py)"; done
      echo mismatch/run ;;
    fuzz) for f in fuzz/*.c; do echo "fuzz/$(basename "$f" .c)"; done; return ;;
  esac
  if [ "$MODE" != tsan ]; then
    for mode in raw api; do
      for r in ${ONLY_RUNTIME:-$RUNTIMES}; do echo "lua/$r@$mode"; done
    done
    [ "$MODE" = valgrind ] || for f in fuzz/*.c; do echo "fuzz/$(basename "$f" .c)"; done
  fi
  for f in tests/c/*.c; do
    name=$(basename "$f" .c)
    [ "$MODE" != tsan ] || [[ $name == threads* ]] || continue
    if uses_lua "$f"; then
      for r in ${ONLY_RUNTIME:-$RUNTIMES}; do echo "c/$name@$r"; done
    elif [ "$MODE" = plain ]; then echo "c/$name@simd"; echo "c/$name@swar"
    else echo "c/$name@simd"; fi
  done
}

jobs_there() {
  list_jobs | while read -r job; do
    case $job in
      fuzz/drive) ;;
      mismatch/run) [ ! -f tests/mismatch/run.sh ] || echo "$job" ;;
      lua/*) [ ! -f tests/lua/run.lua ] || echo "$job" ;;
      *) echo "$job" ;;
    esac
  done
}

# ---- one job ----------------------------------------------------------------------------------------------

preload() {  # the sanitizer's run-time library must come before the interpreter's own
  local lib path all=
  for lib in libasan.so libubsan.so; do
    path=$($CC -print-file-name=$lib)
    # Debian's libasan.so is a linker script's target behind a link; the loader wants the real file.
    [ -e "$path" ] && all="$all $(readlink -f "$path")"
  done
  echo "${all# }"
}

find_luaunit() {  # pure Lua, so any version's copy serves all
  local v=$1 d
  for v in "$1" 5.4 5.3 5.2 5.1; do
    for d in /usr/share/lua /usr/local/share/lua /opt/homebrew/share/lua; do
      [ -f "$d/$v/luaunit.lua" ] && { echo "$d/$v/?.lua"; return 0; }
    done
  done
  return 1
}

job_lua() {
  local core=${1%@*} mode=${1#*@} runtime lua v unit so
  runtime=${core%-assert}
  v=${runtime#lua} && [ "$runtime" = luajit ] && v=5.1
  lua=$(tools/where.sh lua "$runtime") || { skip "no interpreter for $runtime"; return; }
  tools/where.sh include "$runtime" >/dev/null || { skip "no headers for $runtime"; return; }
  [ "$core" = "$runtime" ] || lua=build/runtimes/$core/bin/lua
  unit=$(find_luaunit "$v") || { skip "LuaUnit is not installed (Debian: lua-unit)"; return; }
  case $MODE in plain) so=build/$runtime ;; *) so=build/$MODE/$runtime ;; esac
  [ -f "$so/fleece.so" ] || { echo "$so/fleece.so was not built"; return 1; }
  export LUA_PATH="tests/lua/?.lua;lua/?.lua;lua/?/init.lua;$unit;;" LUA_CPATH="$PWD/$so/?.so;;" FLEECE_RUNTIME=$runtime
  unset LUA_INIT LUA_PATH_5_2 LUA_PATH_5_3 LUA_PATH_5_4 LUA_PATH_5_5 LUA_CPATH_5_2 LUA_CPATH_5_3 LUA_CPATH_5_4 LUA_CPATH_5_5
  if [ "$mode" = api ]; then export FLEECE_LAYOUT=api; else unset FLEECE_LAYOUT; fi
  # This LuaJIT asks malloc for every object, so that a checker sees each one's edges.
  [ "$MODE" != plain ] && [ "$runtime" = luajit ] && [ -x build/runtimes/luajit-assert/bin/lua ] &&
    lua=build/runtimes/luajit-assert/bin/lua
  case $MODE in
    asan)
      # LuaJIT keeps its pointers tagged, which hides live blocks from the leak checker.
      local leaks=1; [ "$runtime" = luajit ] && leaks=0
      env LD_PRELOAD="$(preload)" ASAN_OPTIONS="detect_leaks=$leaks:abort_on_error=0:allocator_may_return_null=1" \
        UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=report_objects=1 "$lua" tests/lua/run.lua ;;
    valgrind)
      valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite \
        --suppressions=/dev/null "$lua" tests/lua/run.lua ;;
    *) "$lua" tests/lua/run.lua ;;
  esac
}

# build SOURCE PROGRAM VARIANT: the words of the compiler's command line that depend on the variant.
build_c() {
  local src=$1 exe=$2 variant=$3 flags link inc object
  shift 3
  case $MODE in
    asan) flags="$SANITIZE -DFLEECE_ASSERT" ;;
    tsan) flags="-g -O1 -fsanitize=thread" ;;
    valgrind) flags="-g -O1 -DFLEECE_ASSERT -DFLEECE_STRICT_READS=1" ;;
    *) flags=-O2
       case $src in */test_library_lua.c) flags="-O1 -Wno-maybe-uninitialized" ;; esac ;; # has the whole library in it
  esac
  link="-lm -lpthread"
  case $variant in
    swar) flags="$flags -DFLEECE_NO_SIMD -DFLEECE_STRICT_READS=1 -DFLEECE_ASSERT" ;;
    lua*)
      inc=$(tools/where.sh include "$variant") || { skip "no headers for $variant"; return; }
      link="$(tools/where.sh lib "$variant") $link" || { skip "no static library of $variant"; return; }
      flags="$flags -I$inc"
      [ "$(uname -s)" = Linux ] && link="$link -ldl" ;;
  esac
  if grep -q 'cmocka\.h' "$src"; then
    echo '#include <stdarg.h>
      #include <stddef.h>
      #include <stdint.h>
      #include <setjmp.h>
      #include <cmocka.h>' | $CC -x c -fsyntax-only - 2>/dev/null ||
      { skip "cmocka is not installed (Debian: libcmocka-dev)"; return; }
    link="-lcmocka $link"
  fi
  # A test that talks to the module as a Lua program does is linked with it; its opening lines say so.
  if head -n 12 "$src" | grep -q 'src/fleece\.c' && ! grep -q 'include.*fleece\.c"' "$src"; then
    case $MODE in plain) object=build/$variant/fleece.o ;; *) object=build/$MODE/$variant/fleece.o ;; esac
    [ -f "$object" ] || { echo "$object was not built"; return 1; }
    set -- "$@" "$object"
  fi
  # shellcheck disable=SC2086  # flags and libraries are words
  $CC -std=gnu99 $WARN $flags -Isrc "$src" "$@" -o "$exe" $link
}

job_c() {
  local name=${1%@*} variant=${1#*@} exe=$out/c/${1/@/-}.exe
  mkdir -p "$out/c"
  build_c "tests/c/$name.c" "$exe" "$variant" || return
  export CMOCKA_MESSAGE_OUTPUT=TAP
  case $MODE in
    valgrind) valgrind -q --error-exitcode=99 --leak-check=full "$exe" ;;
    *) "$exe" ;;
  esac
}

job_fuzz() {
  local name=$1 variant=simd exe=$out/fuzz-$1.exe corpus=fuzz/corpus/$1
  if uses_lua "fuzz/$name.c"; then variant=lua5.4; fi
  if [ "$MODE" = fuzz ]; then
    command -v clang >/dev/null 2>&1 || { skip "clang is not installed"; return; }
    mkdir -p "build/fuzz/$name" "$corpus"
    CC=clang SANITIZE="$SANITIZE -fsanitize=fuzzer" MODE=asan build_c "fuzz/$name.c" "$exe" $variant || return
    "$exe" -max_total_time="${FUZZ_SECONDS:-60}" -timeout=10 -max_len=65536 -print_final_stats=1 -error_exitcode=1 \
      -artifact_prefix="build/fuzz/$name/" "build/fuzz/$name" "$corpus"
    return
  fi
  build_c "fuzz/$name.c" "$exe" $variant fuzz/drive.c || return
  "$exe" "$corpus"
}

job_check() { bash "tests/check/$1.sh"; }
job_platform() { LUAUNIT=$(find_luaunit 5.4) bash tests/platform/run.sh "$1"; }
job_mismatch() { bash tests/mismatch/run.sh; }
job_proof() {
  command -v python3 >/dev/null 2>&1 || { skip "python3 is not installed"; return; }
  python3 "tests/proof/$1.py"
}
job_model() {
  command -v python3 >/dev/null 2>&1 || { skip "python3 is not installed"; return; }
  python3 "tests/model/$1.py"
}
job_cli() {
  command -v python3 >/dev/null 2>&1 || { skip "python3 is not installed"; return; }
  python3 "tests/cli/$1.py"
}
job_hosts() {
  command -v python3 >/dev/null 2>&1 || { skip "python3 is not installed"; return; }
  python3 "tests/hosts/$1.py"
}

# ---- counting ---------------------------------------------------------------------------------------------

# count ROOM CODE LOG: prints "passed failed skipped".
count() {
  awk -v room="$1" -v code="$2" '
    room == "lua" && /^Ran [0-9]+ tests? in / {
      seen = 1; ran = $2; p = f = s = 0
      n = split($0, part, ", ")
      for (i = 2; i <= n; i++) {
        split(part[i], w, " ")
        if (w[2] ~ /^success/) p = w[1]
        else if (w[2] ~ /^(failure|error)/) f += w[1]
        else if (w[2] ~ /^skipped/) s = w[1]
      }
    }
    room != "lua" && /^not ok/ { seen = 1; if (/# *(TODO|SKIP)/) s++; else f++ }
    room != "lua" && /^ok/     { seen = 1; if (/# *(SKIP|skip|TODO)/) s++; else p++ }
    room != "lua" && /^1\.\.[0-9]+/ { split($1, w, "[.]+"); planned += w[2] }
    END {
      if (!seen) {
        if (code == 77) s = 1; else if (code == 0 && room != "lua") p = 1; else f = 1
      } else {
        if (planned > p + f + s) f += planned - p - f - s   # announced and never reported
        if (code != 0 && f == 0) f = 1                        # crashed, leaked, or lied
      }
      printf "%d %d %d\n", p, f, s
    }' "$3"
}

run_one() {
  local job=$1 room=${1%%/*} log code p f s start=$SECONDS
  log=$out/${job//\//.}.log
  # A test that runs away must not take the machine with it; sanitizers reserve more than this on purpose.
  ([ "$MODE" != plain ] || ulimit -v 8000000 2>/dev/null; "job_$room" "${job#*/}") >"$log" 2>&1 </dev/null
  code=$?
  read -r p f s <<<"$(count "$room" $code "$log" || echo 0 1 0)"
  echo "$p $f $s $job" >"$log.count"
  printf '%-32s %6d passed %4d failed %4d skipped  %4d s\n' "$job" "$p" "$f" "$s" $((SECONDS - start))
  [ "$f" = 0 ] || { echo "---- $job (exit code $code), the end of $log:"; tail -n 40 "$log" | sed 's/^/  | /'; }
}

if [ "${1:-}" = --job ]; then run_one "$2"; exit 0; fi

# ---- all jobs ---------------------------------------------------------------------------------------------

filters=()
while [ $# -gt 0 ]; do
  case $1 in
    --asan|--tsan|--valgrind|--fuzz) MODE=${1#--} ;;
    --runtime) ONLY_RUNTIME=$2; shift ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) filters+=("$1") ;;
  esac
  shift
done

keep() {
  [ ${#filters[@]} = 0 ] && { cat; return; }
  local job f
  while read -r job; do
    for f in "${filters[@]}"; do [[ $job == *"$f"* ]] && { echo "$job"; break; }; done
  done
}

for old in build/test/*; do kill -0 "${old##*/}" 2>/dev/null || rm -rf "$old"; done
mkdir -p "$out"
export OUT=$out
# A locale that writes 0.5 as 0,5, which no test finds ready on a small machine (Debian: locales).
mkdir -p "$out/locale"
localedef -i de_DE -f UTF-8 "$out/locale/de_DE.UTF-8" >/dev/null 2>&1 && export LOCPATH=$PWD/$out/locale
JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
[ "$MODE" = fuzz ] && JOBS=1
jobs_there | keep | xargs -P "$JOBS" -I JOB bash tests/run.sh --job JOB

shopt -s nullglob
counts=("$out"/*.count)
[ ${#counts[@]} -gt 0 ] || { echo "no test ran"; echo "0 passed, 0 failed, 0 skipped"; exit 1; }
echo
grep -h '^SKIPPED' "$out"/*.log | sort | uniq -c | sed 's/^ *\([0-9]*\) SKIPPED: /skipped, \1 times: /'
[ -f build/runtimes/LIST ] || [ "$MODE" != plain ] || echo "no odd Luas were built: the mismatch tests had none to load into"
read -r passed failed skipped <<<"$(cat "${counts[@]}" | awk '{p += $1; f += $2; s += $3} END {print p + 0, f + 0, s + 0}')"
# Named once more at the very end, with the first lines of what each said: of a long run often only that is kept.
failures() {
  awk '
    /^[0-9]+\) Test/ { left = 2 }                    # LuaUnit: the test; where and what
    /^not ok/ && !/# *(TODO|SKIP)/ { left = 1 }       # TAP
    /ERROR: (Address|Leak|Thread)|runtime error:/ { left = 1 }
    left-- > 0 { print "    " substr($0, 1, 300); if (++shown == 12) exit }' "$1"
}
[ "$failed" = 0 ] || {
  echo "failed in:"
  for f in "${counts[@]}"; do
    read -r _ n _ job <"$f"
    [ "$n" = 0 ] || { echo "  $job ($n)"; failures "${f%.count}"; }
  done
}
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
