#!/usr/bin/env bash
# dropins.sh -- stand-ins for other libraries are rooms that can be left out: the core names no library, each stand-in
# works without the others, and a module that was left out says so. What it has caught: names of libraries in the scanner,
# the encoder and the options (8c0d7eaa listed them, f0c3f6f0 took the last).
. "$(dirname "$0")/support/lib.sh"

# ---- names. One file of the core may have them: what encode understands of others. Names of LuaJIT's sources are no
# library's.
libraries='lua-?cjson|cjson|dkjson|lua-?rapidjson|rapidjson|luajson|json4lua|json\.lua|rxi'
wrong=
for f in $(c_files); do
  case $f in src/dropin/*|src/parts/dropin.c|src/encode/face/foreign_marks.*) continue ;; esac
  wrong="$wrong$(sed -E 's/\b(lj_[a-z0-9_]+|LJ_[A-Z0-9_]+)\b//g' "$f" |
    grep -niE "(^|[^a-z])($libraries)([^a-z]|\$)|(^|[^a-z])(dk|rj|j4|lj)([^a-z0-9]|\$)" | cut -c1-100 | sed "s|^|$f:|")"$'\n'
done
verdict "the core names no other library" "$(echo "$wrong" | grep .)"

wrong=
for f in $(c_files); do
  case $f in src/dropin/*/*) ;; *) continue ;; esac
  own=${f#src/dropin/} own=${own%%/*}
  wrong="$wrong$(grep -nE '#include "(\.\./)+' "$f" | grep -E "\"(\.\./)+($libraries)/" | grep -v "/$own/" | sed "s|^|$f:|")"$'\n'
done
verdict "a stand-in includes no other, but for dropin/shared" "$(echo "$wrong" | grep .)"

all=$(sed -n 's/^  X(\([a-z0-9]*\), .*/\1/p' src/dropin/list.h | uniq)
verdict "list.h has each folder" "$(diff <(echo "$all" | sort) \
  <(find src/dropin -mindepth 1 -maxdepth 1 -type d ! -name shared | sed 's/.*\///' | sort))"

# ---- builds
r=lua5.4
inc=$(tools/where.sh include $r) && lua=$(tools/where.sh lua $r) || { skipped "builds with some stand-ins" "not installed: no $r"; exit 0; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/use.lua" <<'LUA'
-- use.lua CHOICE NAME=LIBRARY...: each module of a library that was chosen works, each other one says what to do.
local chosen = "+" .. arg[1] .. "+"
local fleece = require "fleece"
assert(fleece.encode(fleece.decode '{"a":[1,2.5,null,"b"]}') == '{"a":[1,2.5,null,"b"]}')
for i = 2, #arg do
  local name, library = arg[i]:match "^(.*)=(.*)$"
  local there, module = pcall(require, name)
  if chosen:find("+" .. library .. "+", 1, true) then
    assert(there, module)
    local text = module.encode { 1, "two", { 3 } }
    local value = module.decode(text)
    assert(text == '[1,"two",[3]]' and value[2] == "two" and value[3][1] == 3, name .. ": " .. text)
  else
    local wanted = name .. " is not in this build of Fleece, which was made with FLEECE_DROPINS=" .. arg[1] ..
                   "; build Fleece with FLEECE_DROPINS=" .. library .. ", or without FLEECE_DROPINS to have all"
    assert(not there and module == wanted, tostring(module))
  end
end
LUA
modules=$(sed -nE 's/^  X\(([a-z0-9]*), "([a-z0-9.]*)".*/\2=\1/p' src/dropin/list.h)

# compile FILE FLAG...: prints what is wrong, warnings too.
compile() {
  local to=$1
  shift
  mkdir -p "$(dirname "$to")"
  # shellcheck disable=SC2086  # words
  "${CC:-cc}" -std=gnu99 -Wall -Wextra -fPIC $MODULE_FLAGS -Isrc -I"$inc" "$@" -o "$to" src/fleece.c 2>&1
}
size() { strip -o "$tmp/stripped" "$1" && wc -c <"$tmp/stripped" | tr -d ' '; }

# Alone, each one compiles without a warning: a function that a left-out file had would be "used but never defined".
for choice in $all; do
  verdict "FLEECE_DROPINS=$choice compiles" "$("${CC:-cc}" -std=gnu99 -Wall -Wextra -fsyntax-only -Isrc -I"$inc" \
    "-DFLEECE_DROPINS=$choice" src/fleece.c 2>&1)"
done
# shellcheck disable=SC2086  # words
for choice in none cjson+dkjson ${all//$'\n'/+}; do
  said=$(compile "$tmp/$choice/fleece.so" -O0 -DNDEBUG "-DFLEECE_DROPINS=$choice")
  [ -n "$said" ] || said=$(LUA_CPATH="$tmp/$choice/?.so" "$lua" "$tmp/use.lua" $choice $modules 2>&1)
  verdict "FLEECE_DROPINS=$choice works" "$said"
done

# What is not used is not there. In bytes, because the core grows.
gain=75000
if command -v strip >/dev/null 2>&1 && [ "$(uname -sm)" = "Linux x86_64" ] && "${CC:-cc}" --version | grep -q "Free Software"; then
  most=$(size "$tmp/${all//$'\n'/+}/fleece.so") least=$(size "$tmp/none/fleece.so") said=
  echo "# without optimization $most bytes with all stand-ins, $least bytes with none"
  [ $((most - least)) -ge $gain ] || said="$least of $most bytes"
  verdict "with none the object is at least $gain bytes smaller" "$said"
else
  skipped "with none the object is at least $gain bytes smaller" "this system: no gcc for x86-64"
fi

wrong=
for choice in cjsn cjson+rxy 1 cjson+cjson all; do
  "${CC:-cc}" -std=gnu99 -fsyntax-only -Isrc "-DFLEECE_DROPINS=$choice" -x c src/dropin/list.h 2>/dev/null && wrong="$wrong$choice"$'\n'
done
make -n FLEECE_DROPINS="cjson rxy" all >/dev/null 2>&1 && wrong="${wrong}make takes rxy"
verdict "unknown stand-ins are refused" "${wrong%$'\n'}"
verdict "names of stand-ins that are Lua files are taken" "$("${CC:-cc}" -std=gnu99 -fsyntax-only -Isrc \
  -DFLEECE_DROPINS=cjson+luajson+json4lua -x c src/dropin/list.h 2>/dev/null || echo refused)"

# ---- make: another choice compiles again, the same one does not, nor does an installation that is told nothing
mkdir -p "$tmp/tree" && cp -r Makefile tools src "$tmp/tree"
cat >"$tmp/cc" <<'SH'
#!/bin/sh
# Stands in for a compiler: writes what it is called with, and makes the file.
echo "$*" >>"$LOG"
while [ $# -gt 1 ]; do [ "$1" = -o ] && : >"$2"; shift; done
SH
chmod +x "$tmp/cc"
export LOG="$tmp/log"
# runs WANTED WORD...: does make, told these words, compile with the choice WANTED ("-": not at all)?
runs() {
  local wanted=$1 got
  shift
  : >"$LOG"
  env -u MAKEFLAGS -u MAKELEVEL make -C "$tmp/tree" "CC=$tmp/cc" "$@" >/dev/null 2>&1 || echo "make $*: failed"
  got=$(grep -E 'fleece.c|parts/dropin.c' "$LOG" | sed -E 's/.*-DFLEECE_DROPINS=([^ ]*).*/\1/; t; s/.*/all/')
  [ "${got:--}" = "$wanted" ] || echo "make $*: compiles ${got:--}, not $wanted"
}
verdict "make compiles for another choice" "$(
  runs all RUNTIME=$r
  runs - RUNTIME=$r
  runs cjson+dkjson RUNTIME=$r "FLEECE_DROPINS=cjson dkjson"
  runs - RUNTIME=$r FLEECE_DROPINS=cjson+dkjson
  runs cjson+luajson RUNTIME=$r "FLEECE_DROPINS=cjson luajson"
  runs all RUNTIME=$r
  runs none LUA_VERSION=5.4 FLEECE_DROPINS=none
  runs - install LUA_VERSION=5.4 NO_PROGRAM=yes "DESTDIR=$tmp/root"
  runs all LUA_VERSION=5.4)"
if command -v cmake >/dev/null 2>&1; then
  said=$(cmake -S . -B "$tmp/cmake" "-DLUA_INCLUDE_DIR=$inc" "-DFLEECE_DROPINS=cjson;dkjson" 2>&1) && said=
  [ -n "$said" ] || grep -rqF "FLEECE_DROPINS=cjson+dkjson" "$tmp/cmake/CMakeFiles" || said="the definition is not there"
  verdict "CMake takes a list" "$said"
else
  skipped "CMake takes a list" "not installed: no cmake"
fi
