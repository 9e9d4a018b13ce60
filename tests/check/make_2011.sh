#!/usr/bin/env bash
# make_2011.sh -- the goals of the Makefile of 2011 do something like it and say what they are called now. It has
# caught nothing so far; nothing else runs these goals.
. "$(dirname "$0")/support/lib.sh"
unset MAKEFLAGS MAKELEVEL MFLAGS

# dry GOAL: what make would do, all of it.
dry() { timeout 60 make -n --no-print-directory "$1" RUNTIME=lua5.4 2>&1 || echo "failed"; }
# leads PATTERN GOAL...: each says its new name, and what it would do has the pattern.
leads() {
  local pattern=$1 goal said wrong=
  shift
  for goal in "$@"; do
    said=$(dry "$goal")
    [[ $said == *"make $goal: today '"* ]] || wrong="$wrong$goal does not say what it is called now"$'\n'
    grep -qE -- "$pattern" <<<"$said" || wrong="$wrong$goal does not lead to $pattern: ${said##*$'\n'}"$'\n'
    ! grep -qx failed <<<"$said" || wrong="$wrong$goal fails"$'\n'
  done
  verdict "make $*" "${wrong%$'\n'}"
}
tables='--only integers,keys,words,word-keys' escapes='--only escapes-10,escapes-30,escapes-100,escapes-1000'
leads '^make .*RUNTIME=lua5\.4 all$' linux linux-asm linux-64 linux-64-asm macosx macosx-asm macosx-old
leads 'tools/install.sh bench' linux-test linux-64-test macosx-test macosx-old-test test3 test-json4 test-luajson
leads 'ONLY=test_random test' test2 test-nonstop
leads 'FLEECE_TEST_ROUNDS=200 ONLY=test_random test' test-5m
leads 'ONLY=test_values test' basic-unit-test
leads 'ONLY=test_arguments test' parameter-unit-test
leads 'ONLY=test_flags test' escape-unit-test
leads 'ONLY=test_deep test' complex-unit-test
leads 'tests/run.py --part quick' unit-test unit-tests
leads "bench/run.sh --encode --quick $tables --rivals fleece\$" bench-10k bench3a bench6a
leads "bench/run.sh --encode --quick $tables --rivals fleece,json4lua\$" bench2 bench2-1k
leads "bench/run.sh --encode --quick $tables --rivals fleece,json4lua,luajson\$" bench3 bench3-1k
leads "bench/run.sh --encode --quick $tables --rivals json4lua,luajson\$" bench3b
leads "bench/run.sh --encode --quick $tables --rivals fleece,json4lua,luajson,yajl\$" bench4
leads "bench/run.sh --encode $tables --rivals fleece,json4lua,luajson\$" bench5
leads "bench/run.sh --encode $tables --rivals fleece\$" bench5a
leads "bench/run.sh --encode $tables --rivals json4lua,luajson\$" bench5b
leads "bench/run.sh --encode --quick $escapes --rivals fleece,json4lua,luajson\$" bench7 bench7-1k
leads "bench/run.sh --encode --quick $escapes --rivals fleece\$" bench7a
leads "bench/run.sh --encode --quick $escapes --rivals fleece,luajson\$" bench7c

# Those with the same name today.
wrong=
for goal in all test check bench clean bench-published; do
  said=$(timeout 60 make -n "$goal" ONLY=test_flags RUNTIME=lua5.4 2>&1) || wrong="$wrong$goal: ${said##*$'\n'}"$'\n'
done
verdict "make all test check bench clean bench-published" "${wrong%$'\n'}"
