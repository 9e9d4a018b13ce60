#!/usr/bin/env bash
# sources.sh -- generated files are what their generators write, and facts that stand once stand once.
. "$(dirname "$0")/lib.sh"

for f in $(c_files) tests/data/*.txt; do
  is_generated "$f" || continue
  tool=$(sed -n 2p "$f" | grep -oE 'tools/[a-z_]+\.[a-z]+')
  case $tool in
    *.py) with=python3 ;; *.lua) with=$(tools/where.sh lua lua5.4) || with=lua ;; *.sh) with=bash ;;
    *) verdict "$f regenerates to the same bytes" "it names no generator under tools/"; continue ;;
  esac
  if ! command -v "$with" >/dev/null 2>&1; then skipped "$f regenerates to the same bytes" "$with is missing"; continue; fi
  verdict "$f regenerates to the same bytes" "$($with "$tool" 2>&1 | cmp - "$f" 2>&1)"
done

# The version: one place in the code. (The rock is "scm"; CHANGELOG tells the history. With mod_set_string modules tell
# the version of the library that they stand in for, which is never ours.)
own=$(sed -n 's/^#define FLEECE_VERSION "\(.*\)"/\1/p' src/module/core/version.h)
where=$(grep -rnE '"[0-9]+\.[0-9]+\.[0-9]+"' src lua bin Makefile 2>/dev/null | grep -iE 'version|_NAME' |
  grep -vE "mod_set_string\(L, \"_(VERSION|version)\", \"" ; grep -rnF "mod_set_string" src | grep -F "\"$own\"")
if [ ! -f src/fleece.c ]; then skipped "the version stands in one place" "src/fleece.c is not there"
else
  n=$(printf '%s' "$where" | grep -c .)
  verdict "the version stands in one place" "$([ "$n" = 1 ] || echo "$n places: $where")"
fi

# The modes git knows: what is run as a program can be.
wrong=
for f in bin/fleece tools/program.sh tools/install.sh tools/runtimes.sh tools/where.sh tools/hosts.sh tests/run.py .ci/run; do
  [ -x "$f" ] || wrong="$wrong$f is not executable"$'\n'
done
verdict "scripts are executable" "${wrong%$'\n'}"
