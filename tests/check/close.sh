#!/usr/bin/env bash
# close.sh -- a program ends: the finalizer of a value that is older than the module may still use it. The package
# library of Lua 5.1 and LuaJIT has unloaded its objects by then; ours must have stayed.
. "$(dirname "$0")/support/lib.sh"

tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/close.lua" <<'LUA'
local function last()
  local f = require "fleece"
  local text = f.encode { 1, { 2, ("x"):rep(100) } }
  local bytes = f.pack(f.decode(text))
  io.write(f.to_json(bytes) == text and f.encode(f.unpack(bytes)) == text and "saved" or "wrong")
end
local old = newproxy and newproxy(true) or setmetatable({}, { __gc = last })
getmetatable(old).__gc = last
require "fleece"
keep = old
LUA
for r in lua5.1 lua5.2 lua5.3 lua5.4 lua5.5 luajit; do
  [ -f "build/$r/fleece.so" ] || continue
  lua=$(tools/where.sh lua "$r") || { skipped "$r: a finalizer at the end" "not installed: no interpreter"; continue; }
  said=$(LUA_CPATH="build/$r/?.so" "$lua" "$tmp/close.lua" 2>&1); code=$?
  [ "$code:$said" = 0:saved ] && wrong='' || wrong="exit code $code: $said"
  verdict "$r: a finalizer at the end" "$wrong"
done
