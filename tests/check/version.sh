#!/usr/bin/env bash
# version.sh -- the version stands in src/module/core/version.h; all that repeat it say the same.
. "$(dirname "$0")/lib.sh"
version=$(sed -n 's/^#define FLEECE_VERSION "\([0-9]*\.[0-9]*\.[0-9]*\)"$/\1/p' src/module/core/version.h)
verdict "version.h has a version of three numbers" "$([ -n "$version" ] || echo "it has none")"
IFS=. read -r major minor patch <<<"$version"

# same FILE WANTED GOT
same() { verdict "$1 says $2" "$([ "$3" = "$2" ] || echo "it says '$3'")"; }
same include/fleece.h "$version" "$(sed -n 's/^#define FLEECE_VERSION "\(.*\)"$/\1/p' include/fleece.h)"
same include/fleece.h $((10000 * major + 100 * minor + patch)) \
  "$(sed -n 's/^#define FLEECE_VERSION_NUMBER \([0-9]*\) .*/\1/p' include/fleece.h)"
same debian/changelog "$version" "$(sed -n '1s/^fleece (\([^)]*\)).*/\1/p' debian/changelog)"
same man/fleece.1 "Fleece $version" "$(sed -n 's/^\.Os //p' man/fleece.1)"
same CHANGELOG.md "$version" "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)"
same README.md "$version" "$(sed -n 's/^This is version \([0-9.]*[0-9]\)\..*/\1/p' README.md)"
same docs/c.md ".so.$major" "$(grep -o '\.so\.[0-9][0-9]*' docs/c.md | sort -u)"
same docs/c.md "find_package(fleece $major.$minor" "$(grep -o 'find_package(fleece [0-9.]*' docs/c.md)"

# What is made from it: names of shared objects, and CMake's version.
same "make lib" "libfleece.so.$major" \
  "$(make -n -B RUNTIME=none lib 2>/dev/null | grep -o 'libfleece\.so\.[0-9]*' | sort -u)"
verdict "library.cmake has no number of its own" "$(grep -nE 'FLEECE_ABI [0-9]|VERSION [0-9]' tools/library.cmake)"
