#!/usr/bin/env bash
# abi.sh -- writes descriptions of the binary interface of libfleece and libfleece-lua5.4, by abidw of libabigail.
#
#   tools/abi.sh            into tests/data/abi, when a version adds functions; tests/check/abi.sh compares with them
#   tools/abi.sh FOLDER     elsewhere
#
# They hold for all of 1.x: what they describe stays as it is, functions may be added.
set -eu
cd "$(dirname "$0")/.."
to=${1:-tests/data/abi}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
mkdir -p "$to"
major=$(sed -n 's/^#define FLEECE_VERSION "\([0-9]*\).*/\1/p' src/module/version.h)

# describe NAME SOURCE [FLAG...]
describe() {
  local name=$1 source=$2
  shift 2
  ${CC:-cc} -std=gnu99 -O0 -g -DNDEBUG -fPIC -Isrc "$@" -shared \
    -Wl,-soname,"lib$name.so.$major" -o "$tmp/lib$name.so" "$source"
  abidw --headers-dir include --drop-private-types --exported-interfaces-only --no-architecture --no-corpus-path \
    --no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names "$tmp/lib$name.so" >"$to/$name.abi"
}
describe fleece src/library.c
inc=$(tools/where.sh include lua5.4) || { echo "abi.sh: no Lua 5.4, so libfleece-lua5.4 is not described" >&2; exit 0; }
describe fleece-lua5.4 src/library_lua.c -I"$inc"
