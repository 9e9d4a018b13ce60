#!/usr/bin/env bash
# abi.sh -- programs that were linked with an earlier 1.x run with this one: the functions and types of the C
# interface are those that tests/data/abi describes, and more at most. It has caught nothing so far; no compiler knows
# an earlier release.
. "$(dirname "$0")/support/lib.sh"
declared() { sed -n 's/^FLEECE_API.*[ *]\([a-z0-9_]*\)(.*/\1/p' "$@" | sort; }
described() { sed -n "s/.*<elf-symbol name='\([a-z0-9_]*\)'.*/\1/p" "$1" | sort; }
major=$(sed -n 's/^#define FLEECE_VERSION "\([0-9]*\).*/\1/p' src/module/version.h)
for pair in "fleece:include/fleece.h include/fleece-text.h" fleece-lua5.4:include/fleece-lua.h; do
  stored=tests/data/abi/${pair%%:*}.abi
  read -ra headers <<<"${pair#*:}"
  verdict "the headers still declare each function of $stored" "$(comm -13 <(declared "${headers[@]}") <(described "$stored"))"
  verdict "$stored has each function (if not: tools/abi.sh)" "$(comm -23 <(declared "${headers[@]}") <(described "$stored"))"
  verdict "$stored is of this major version" \
    "$(grep -q "soname='lib${pair%%:*}.so.$major'" "$stored" || echo "it is of another")"
done

name="functions and types are as described"
if ! command -v abidiff >/dev/null || ! command -v abidw >/dev/null; then
  skipped "$name" "not installed: abidiff (Debian: abigail-tools)"; exit 0
fi
if [ "$(uname -sm)" != "Linux x86_64" ]; then
  skipped "$name" "this system: the descriptions are of Linux on x86-64"; exit 0
fi
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
if ! said=$(tools/abi.sh "$tmp" 2>&1); then verdict "tools/abi.sh" "$said"; exit 0; fi
for new in "$tmp"/*.abi; do
  stored=tests/data/abi/$(basename "$new")
  verdict "$(basename "$new" .abi): $name" "$(abidiff --no-added-syms --no-architecture "$stored" "$new" 2>&1)"
done
# The comparison can fail: a struct that has grown, a function that is gone.
sed "s/\(<class-decl name='fleece_error'.*size-in-bits='\)[0-9]*/\1640/" "$tmp/fleece.abi" >"$tmp/grown"
sed "/<elf-symbol name='fleece_at'/d" "$tmp/fleece.abi" >"$tmp/gone"
for change in grown gone; do
  verdict "it sees what is $change" \
    "$(abidiff --no-added-syms "$tmp/fleece.abi" "$tmp/$change" 2>&1 |
      grep -qE "to 640 |Removed function:" || echo "it does not")"
done
