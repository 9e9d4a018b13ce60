#!/usr/bin/env bash
# sources.sh -- generated files are what their generators write; the version stands in src/module/version.h, and all
# that repeat it say the same. What it has caught: a test file in no list (60c25c93; files are found by their names since).
. "$(dirname "$0")/support/lib.sh"

for f in $(c_files) tests/data/*.txt; do
  is_generated "$f" || continue
  tool=$(sed -n 2p "$f" | grep -oE 'tools/[a-z_]+\.[a-z]+')
  case $tool in
    *.py) with=python3 ;; *.lua) with=$(tools/where.sh lua lua5.4) || with=lua ;; *.sh) with=bash ;;
    *) verdict "$f regenerates to the same bytes" "it names no generator under tools/"; continue ;;
  esac
  if ! command -v "$with" >/dev/null 2>&1; then skipped "$f regenerates to the same bytes" "not installed: $with"; continue; fi
  verdict "$f regenerates to the same bytes" "$($with "$tool" 2>&1 | cmp - "$f" 2>&1)"
done

# The version: one place in the code. (The rock is "scm"; CHANGELOG tells the history. With mod_set_string, and in
# luajson.lua, modules tell the version of the library that they stand in for, which is never ours.)
own=$(sed -n 's/^#define FLEECE_VERSION "\(.*\)"/\1/p' src/module/version.h)
where=$(grep -rnE '"[0-9]+\.[0-9]+\.[0-9]+"' src lua bin Makefile 2>/dev/null | grep -iE 'version|_NAME' |
  grep -vE "mod_set_string\(L, \"_(VERSION|version)\", \"|^lua/fleece/luajson\.lua:" ; grep -rnF "mod_set_string" src | grep -F "\"$own\"")
if [ ! -f src/fleece.c ]; then skipped "the version stands in one place" "no checkout: src/fleece.c is not there"
else
  n=$(printf '%s' "$where" | grep -c .)
  verdict "the version stands in one place" "$([ "$n" = 1 ] || echo "$n places: $where")"
fi

# Those that repeat it.
version=$(sed -n 's/^#define FLEECE_VERSION "\([0-9]*\.[0-9]*\.[0-9]*\)"$/\1/p' src/module/version.h)
verdict "version.h has a version of three numbers" "$([ -n "$version" ] || echo "it has none")"
IFS=. read -r major minor patch <<<"$version"

# same FILE WANTED GOT
same() { verdict "$1 says $2" "$([ "$3" = "$2" ] || echo "it says '$3'")"; }
same include/fleece.h "$version" "$(sed -n 's/^#define FLEECE_VERSION "\(.*\)"$/\1/p' include/fleece.h)"
same include/fleece.h $((10000 * major + 100 * minor + patch)) \
  "$(sed -n 's/^#define FLEECE_VERSION_NUMBER \([0-9]*\) .*/\1/p' include/fleece.h)"
same debian/changelog "$version" "$(sed -n '1s/^fleece (\([^)]*\)).*/\1/p' debian/changelog)"
same man/fleece.1 "Fleece $version" "$(sed -n 's/^\.Os //p' man/fleece.1)"
same CHANGELOG.md "$version" "$(sed -n 's/^## \([0-9.]*\)$/\1/p' CHANGELOG.md | head -n 1)"
same README.md "$version" "$(sed -n 's/^This is version \([0-9.]*[0-9]\)\..*/\1/p' README.md)"
same docs/c.md ".so.$major" "$(grep -o '\.so\.[0-9][0-9]*' docs/c.md | sort -u)"
same docs/c.md "find_package(fleece $major.$minor" "$(grep -o 'find_package(fleece [0-9.]*' docs/c.md)"

# What is made from it: names of shared objects, and CMake's version.
same "make lib" "libfleece.so.$major" \
  "$(make -n -B RUNTIME=none lib 2>/dev/null | grep -o 'libfleece\.so\.[0-9]*' | sort -u)"
verdict "library.cmake has no number of its own" "$(grep -nE 'FLEECE_ABI [0-9]|VERSION [0-9]' tools/library.cmake)"

# The addresses of the project, which are not settled: those of tools/release.txt, nowhere else.
said=$(sed -n 's/^packager *//p' tools/release.txt)
same debian/control "$said" "$(sed -n 's/^Maintainer: //p' debian/control)"
same debian/changelog "$said" "$(sed -n '/^ -- /{s/^ -- //; s/  .*//p; q}' debian/changelog)"
addresses=$(sed -n 's|^[a-z]* *\(https://[^/]*\).*|\1|p' tools/release.txt | sort -u)
verdict "addresses of the project stand in tools/release.txt only" "$([ -n "$addresses" ] || echo "it has none"
  git grep -nF "$addresses" -- ':!tools/release.txt' 2>/dev/null)"
