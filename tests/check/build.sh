#!/usr/bin/env bash
# build.sh -- the other ways to build: as lua-cjson's Makefile, as LuaRocks calls it, install and uninstall. What it
# has caught: an object that was made for another Lua was installed (92e90ff5); folders that uninstall left
# (d56c4ab0).
. "$(dirname "$0")/support/lib.sh"
if [ ! -f src/fleece.c ]; then skipped "ways to build" "no checkout: src/fleece.c is not there"; exit 0; fi
find_lua || { skipped "ways to build" "not installed: no Lua with headers"; exit 0; }
v=${found#lua} here=$PWD
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH LUA_INIT

# A tree of its own, as an unpacked archive would be: only what the build reads.
tree() { rm -rf "$tmp/tree"; mkdir -p "$tmp/tree"; cp -R Makefile src bin man tools fleece-scm-1.rockspec LICENSE "$tmp/tree"; [ ! -d lua ] || cp -R lua "$tmp/tree"; cp -R compat "$tmp/tree"; cd "$tmp/tree" || exit 1; }
loads() { [ "$(cd / && LUA_CPATH="$1/?.so" "$lua" -e 'io.write(require("fleece").json({1, 2}))' 2>&1)" = "[1,2]" ]; }
# The stand-ins for other libraries, as installed: found on LUA_PATH alone. $1: objects, $2: Lua modules.
program_runs() { [ "$(cd / && printf '[1, 2]' | "$@" min 2>&1)" = "[1,2]" ]; }
has_argparse() { "$lua" -e 'require "argparse"' 2>/dev/null; }
stands_in() {
  [ "$(cd / && LUA_CPATH="$1/?.so" LUA_PATH="$2/fleece/compat/?.lua" "$lua" -e \
    'io.write(require("cjson").encode {"/"}, tostring(require("cjson.safe").decode "x"))' 2>&1)" = '["\/"]nil' ] &&
  [ "$(cd / && LUA_CPATH="$1/?.so" LUA_PATH="$2/fleece/compat/2011/?.lua" "$lua" -e \
    'require("fleece") io.write(fleece.json {1, 2})' 2>&1)" = '[1,2]' ] &&
  [ "$(cd / && LUA_CPATH="$1/?.so" LUA_PATH="$2/?.lua" "$lua" -e \
    'io.write(require("fleece.luajson").encode {1}, require("fleece.json4lua").encode {2})' 2>&1)" = '[1][2]' ]
}
problem() { "$@" >"$tmp/log" 2>&1 || tail -n 5 "$tmp/log"; }

(tree
said=$(problem make LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" TARGET=fleece.so PREFIX=/usr CFLAGS="-O0")
[ -n "$said" ] || said=$(problem make install LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" PREFIX=/usr DESTDIR="$tmp/a")
[ -n "$said" ] || loads "$tmp/a/usr/lib/lua/$v" || said="the installed module does not load"
[ -n "$said" ] || stands_in "$tmp/a/usr/lib/lua/$v" "$tmp/a/usr/share/lua/$v" || said="compat/ does not work as installed"
[ -n "$said" ] || ! has_argparse || LUA_PATH="$tmp/a/usr/share/lua/$v/?.lua;;" LUA_CPATH="$tmp/a/usr/lib/lua/$v/?.so;;" \
  program_runs "$tmp/a/usr/bin/fleece" || said="the installed program does not run"
[ -n "$said" ] || [ -f "$tmp/a/usr/share/man/man1/fleece.1" ] || said="no manual page"
[ -n "$said" ] || [ -s "$tmp/a/usr/share/bash-completion/completions/fleece" ] || said="no completion"
[ -n "$said" ] || said=$(problem make uninstall LUA_VERSION="$v" PREFIX=/usr DESTDIR="$tmp/a")
[ -n "$said" ] || said=$(find "$tmp/a" -type f -o -name lua -o -name fish)
own="LUA_VERSION=$v LUA_CMODULE_DIR=/c/mod LUA_MODULE_DIR=/lua/mod"
# shellcheck disable=SC2086  # words
[ -n "$said" ] || said=$(problem make install $own LUA_INCLUDE_DIR="$inc" CFLAGS=-O0 DESTDIR="$tmp/b")
[ -n "$said" ] || loads "$tmp/b/c/mod" || said="the module installed into LUA_CMODULE_DIR does not load"
[ -n "$said" ] || stands_in "$tmp/b/c/mod" "$tmp/b/lua/mod" || said="compat/ does not work in LUA_MODULE_DIR"
# shellcheck disable=SC2086  # words
[ -n "$said" ] || said=$(problem make uninstall $own DESTDIR="$tmp/b")
[ -n "$said" ] || said=$(find "$tmp/b" -type f)
verdict "builds, installs and uninstalls as lua-cjson's Makefile does" "$said")

(tree
said=$(problem make CC="${CC:-cc}" CFLAGS="-O0 -fPIC" LIBFLAG="-shared" LUA_INCDIR="$inc" LUA_LIBDIR=/usr/lib LUA_BINDIR=/usr/bin)
[ -n "$said" ] || said=$(problem make install LUA_INCDIR="$inc" INST_PREFIX="$tmp/r" INST_LIBDIR="$tmp/r/lib" \
  INST_LUADIR="$tmp/r/lua" INST_BINDIR="$tmp/r/bin" INST_CONFDIR="$tmp/r/conf")
[ -n "$said" ] || loads "$tmp/r/lib" || said="the installed module does not load"
verdict "builds and installs with the variables of LuaRocks" "$said")

(tree
said=$(problem make RUNTIME="$found" CFLAGS=-O0)
[ -n "$said" ] || said=$(problem make install RUNTIME="$found" PREFIX=/opt/x DESTDIR="$tmp/p")
[ -n "$said" ] || loads "$tmp/p/opt/x/lib/lua/$v" || said="the installed module does not load"
[ -n "$said" ] || said=$(problem make install RUNTIME="$found" PREFIX="$tmp/q")
[ -n "$said" ] || ! has_argparse || program_runs "$tmp/q/bin/fleece" || said="the program does not find its modules"
[ -n "$said" ] || said=$(problem make uninstall PREFIX=/opt/x DESTDIR="$tmp/p")
[ -n "$said" ] || said=$(find "$tmp/p" -type f -o -name lua -o -name fish)
verdict "builds, installs and uninstalls one runtime" "$said")

(tree
mkdir -p "$tmp/no/bin" "$tmp/no/lua"
printf 'error "not here"\n' >"$tmp/no/lua/argparse.lua"
# shellcheck disable=SC2016  # for the other shell
printf '#!/bin/sh\nexport LUA_PATH="%s/?.lua;$LUA_PATH"\nexec "%s" "$@"\n' "$tmp/no/lua" "$lua" >"$tmp/no/bin/lua$v"
chmod +x "$tmp/no/bin/lua$v"
said=$(problem make LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" CFLAGS=-O0)
[ -n "$said" ] || said=$(PATH="$tmp/no/bin:$PATH" problem make install LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" PREFIX=/usr DESTDIR="$tmp/n")
[ -n "$said" ] || [ -s "$tmp/n/usr/share/fish/vendor_completions.d/fleece.fish" ] || said=$(cat "$tmp/log")
verdict "make install writes completions without argparse" "$said")

# An object in the tree that was made for another Lua is not installed; one that `install` is told nothing against is.
other=
for r in lua5.4 lua5.3 lua5.2 lua5.1; do
  [ "$r" != "$found" ] && inc2=$(tools/where.sh include $r) && lua2=$(tools/where.sh lua $r) || continue
  other=${r#lua}
  break
done
name="make install makes an object for another Lua anew"
if [ -z "$other" ]; then skipped "$name" "this system: no second Lua with headers"
else
  case $inc2 in /*) ;; *) inc2=$PWD/$inc2 ;; esac
  case $lua2 in /*) ;; *) lua2=$PWD/$lua2 ;; esac
  (tree
  install="make install NO_PROGRAM=yes CFLAGS=-O0"
  said=$(problem make LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" CFLAGS=-O0)
  touch -d '2037-01-01' fleece.so
  for words in "LUA_VERSION=$v" "LUA_INCDIR=$inc" "LUA_CMODULE_DIR=/c"; do
    # shellcheck disable=SC2086  # words
    [ -n "$said" ] || said=$(problem $install $words DESTDIR="$tmp/same")
    [ -n "$said" ] || [ "$(date -r fleece.so +%Y)" = 2037 ] || said="made anew for the same Lua: $words"
  done
  own="LUA_VERSION=$other LUA_INCLUDE_DIR=$inc2 LUA_CMODULE_DIR=$tmp/other"
  # shellcheck disable=SC2086  # words
  [ -n "$said" ] || said=$(problem $install $own)
  [ -n "$said" ] || lua=$lua2 loads "$tmp/other" || said="an object for Lua $v is installed for $other"
  verdict "$name" "$said")
fi

# The line of README.md that needs no make, with the headers and the object of this test.
(tree
# shellcheck disable=SC2016  # backquotes of Markdown
line=$(sed -n 's/^| a compiler alone | `\(cc .*\)` |$/\1/p' "$here/README.md")
said=$(problem sh -c "$(sed "s|/usr/include/lua5.4|$inc|; s|-O2|-O0|" <<<"$line")")
[ -n "$line" ] || said="README.md has no such line"
[ -n "$said" ] || loads "$PWD" || said="the module does not load"
verdict "README.md: a compiler alone" "$said")

# What docs/packages.md types, in a folder of ours.
block=$(awk '/^<!-- test: make -->/ {on = 1} on && /^```$/ {exit} on && !/^(<!--|```)/' docs/packages.md)
if ! command -v lua5.4 >/dev/null || ! tools/where.sh include lua5.4 >/dev/null; then skipped "docs/packages.md: make" "not installed: no lua5.4"
else
  (tree
  printed=$(printf '%s\n' "${block//\/tmp\/stage/$tmp/stage}" | sh -e 2>"$tmp/log" | grep -c '^\[1,2\]$')
  said=$([ "$printed" = 1 ] || { echo "[1,2] is not printed once"; tail -n 5 "$tmp/log"; })
  [ -n "$said" ] || said=$(find "$tmp/stage" -type f)
  verdict "docs/packages.md: make" "$said")
fi

if ! command -v luarocks >/dev/null 2>&1; then skipped "luarocks make, offline" "not installed: luarocks"
else
  (tree
  said=$(problem env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 \
    luarocks --lua-version "$v" --tree "$tmp/rocks" make fleece-scm-1.rockspec CFLAGS=-O0)
  [ -n "$said" ] || loads "$tmp/rocks/lib/lua/$v" || said="the rock does not load"
  [ -n "$said" ] || stands_in "$tmp/rocks/lib/lua/$v" "$tmp/rocks/share/lua/$v" || said="compat/ is not in the rock"
  [ -n "$said" ] || ! has_argparse || program_runs "$tmp/rocks/bin/fleece" || said="the rock's program does not run"
  [ -n "$said" ] || said=$(cd compat && find . -name '*.lua' | while read -r f; do
    [ -f "$tmp/rocks/share/lua/$v/fleece/compat/$f" ] || echo "not in the rock: compat/$f"; done)
  verdict "luarocks make, offline" "$said")
fi

if ! command -v cmake >/dev/null 2>&1; then skipped "CMake builds and installs" "not installed: cmake"
else
  (tree
  cp "$here/CMakeLists.txt" .
  said=$(problem cmake -B "$tmp/cmake" -DLUA_INCLUDE_DIR="$inc" -DLUA_VERSION="$v" -DCMAKE_BUILD_TYPE=None)
  [ -n "$said" ] || said=$(problem cmake --build "$tmp/cmake")
  [ -n "$said" ] || said=$(problem cmake --install "$tmp/cmake" --prefix "$tmp/m")
  [ -n "$said" ] || loads "$tmp/m/lib/lua/$v" || said="the installed module does not load"
  [ -n "$said" ] || stands_in "$tmp/m/lib/lua/$v" "$tmp/m/share/lua/$v" || said="compat/ does not work as installed"
  verdict "CMake builds and installs" "$said")
fi
