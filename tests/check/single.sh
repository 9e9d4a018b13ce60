#!/usr/bin/env bash
# single.sh -- the one file of `make single`: it is the library, and programs are built from it alone. What it has
# caught: the file had the part schema without its face (8b7c75db).
. "$(dirname "$0")/support/lib.sh"
root=$PWD cc=${CC:-cc}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH LUA_INIT
problem() { "$@" >"$tmp/log" 2>&1 || { head -n 8 "$tmp/log"; echo "exit code not 0"; }; }
warn="-Wall -Wextra -Werror"
inc=$(tools/where.sh include lua5.4) && lib=$(tools/where.sh lib lua5.4) && lua=$(tools/where.sh lua lua5.4) || inc=
case ${inc:-/} in /*) ;; *) inc=$root/$inc ;; esac
case ${lib:-/} in /*|-*) ;; *) lib=$root/$lib ;; esac
case ${lua:-/} in /*) ;; *) lua=$root/$lua ;; esac

said=$(problem tools/single.py "$tmp/single")
[ -n "$said" ] || said=$(problem tools/single.py "$tmp/again")
[ -n "$said" ] || said=$(diff -rq "$tmp/single" "$tmp/again")
verdict "tools/single.py writes four files, always the same bytes" \
  "$said$(cd "$tmp/single" 2>/dev/null && echo ./* | diff <(echo ./fleece-lua.h ./fleece-text.h ./fleece.c ./fleece.h) -)"
cd "$tmp/single" || exit 0
verdict "it includes nothing of ours but its headers, and names no folder of this machine" \
  "$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]' ./* |
    grep -vE 'include <[a-z0-9_/]+\.h>|include "fleece(-lua|-text)?\.h"'; grep -nF "$root" ./*)"

# What the compiler sees is what it sees of the files apart.
tokens() { "$cc" -E -P -DNDEBUG -D_GNU_SOURCE=1 "$@" | tr -s ' \n' '\n' | sed '/^$/d'; }
verdict "without Lua it is src/library.c, token by token" \
  "$(diff <(tokens -DFLEECE_NO_LUA fleece.c) <(tokens -I"$root/src" "$root/src/library.c") | head -n 5)"
if [ -n "$inc" ]; then
  luas() { tokens -I"$inc" "$@" | sed '/^;$/d' | sort; }
  # With Lua it is both libraries; what they share stands once.
  luas fleece.c | uniq >"$tmp/ours"
  for f in library library_lua; do luas -I"$root/src" "$root/src/$f.c"; done | sort | uniq >"$tmp/theirs"
  verdict "with Lua it has every word of both libraries, and no other" "$(diff "$tmp/ours" "$tmp/theirs" | head -n 5)"
fi

declared() { sed -n 's/^FLEECE_API.*[ *]\([a-z0-9_]*\)(.*/\1/p' "$@" | sort; }
exported() { nm -g --defined-only "$1" | awk '{sub(/^_/, "", $NF); print $NF}' | sort; }

# A folder with the three files and a program, as another project would have it.
mkdir "$tmp/plain" "$tmp/host"
cp ./* "$root/examples/embed/binary.c" "$tmp/plain"
cp ./* "$root/examples/embed/host.c" "$tmp/host"
cd "$tmp/plain" || exit 1
# shellcheck disable=SC2086  # words
said=$(problem "$cc" $warn -O0 -DNDEBUG -DFLEECE_NO_LUA -c fleece.c)
[ -n "$said" ] || said=$(exported fleece.o | diff - <(declared fleece.h fleece-text.h))
verdict "without Lua it compiles without warnings, and exports what fleece.h declares" "$said"
[ -n "$said" ] || said=$(problem "$cc" -I. -o program binary.c fleece.o)
[ -n "$said" ] || said=$(./program 2>&1 | head -n 2 |
  diff <(printf 'the last one is Alan\nAda (1815), Alan (1912)\n') -)
verdict "a program without Lua is built from it" "$said"

name="a host with Lua 5.4 is built from it"
if [ -z "$inc" ]; then skipped "$name" "not installed: no Lua 5.4"; exit 0; fi
cd "$tmp/host" || exit 1
# shellcheck disable=SC2086  # words
said=$(problem "$cc" $warn -O0 -DNDEBUG -fPIC -I"$inc" -c fleece.c)
[ -n "$said" ] || said=$(exported fleece.o | diff - <(declared fleece.h fleece-text.h fleece-lua.h))
verdict "with Lua it compiles without warnings, and exports what both headers declare" "$said"
# shellcheck disable=SC2086  # words
[ -n "$said" ] || said=$(problem "$cc" -I. -I"$inc" -o host host.c fleece.o $lib -lm -ldl)
[ -n "$said" ] || said=$(./host 2>&1 |
  diff <(printf '{"id":"x1","none":[],"sum":42}\ncannot encode a function at the root\n') -)
verdict "$name" "$said"
# shellcheck disable=SC2086  # words
said=$(problem "$cc" $MODULE_FLAGS -o fleece.so fleece.o)
[ -n "$said" ] || said=$(LUA_CPATH="$PWD/?.so" "$lua" -e 'local f = require "fleece"
  local t = f.decode [[{"a": [1, 2.5, "x"]}]]
  io.write(f.encode(t), f.to_json(f.pack(t)), require("fleece.safe").encode(print) == nil and "nil" or "")' 2>&1 |
  diff <(printf '{"a":[1,2.5,"x"]}{"a":[1,2.5,"x"]}nil') -)
verdict "Lua loads it as a module" "$said"
