#!/usr/bin/env bash
# defines.sh -- the sizes and the character that a build may define (docs/packages.md): each shows its effect. It has
# caught nothing so far; no other build sets them.
. "$(dirname "$0")/support/lib.sh"
find_lua || { skipped "what a build may define" "not installed: no Lua with headers"; exit 0; }
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT

cat >"$tmp/show.lua" <<'LUA'
local peak = require "peak" -- counts what goes through Lua's allocator
local fleece = require "fleece"
local list = {}
for i = 1, 100000 do list[i] = 7 end -- a text of 200,001 bytes
local function first_piece(options)
  local pieces = {}
  fleece.write(function(piece) pieces[#pieces + 1] = #piece end, list, options)
  return ("%d"):format(2 ^ math.floor(math.log(pieces[1]) / math.log(2)))
end
-- Below the API a piece has twice the least size, whatever the first buffer has.
print(("pieces from %s bytes on, below the API from %s"):format(first_piece { layout = "api" }, first_piece()))
-- Strings that are short, longer than a vector, longer than a piece; alone and in tables; below the C API and above.
local purged, s = {}, ('a"b\\c/'):rep(2000)
for _, options in ipairs { {}, { precision = 14 }, { indent = 1 }, { layout = "any-cpu" }, { layout = "api" } } do
  local codec = fleece.new(options)
  for _, n in ipairs { 3, 6, 40, 100, 9000 } do
    purged[codec.json(s:sub(1, n), "E1"):match "a(.)b"] = true
    purged[codec.json({ 1, s:sub(1, n) }, "E1"):match "a(.)b"] = true
  end
end
local character = next(purged)
print("purge " .. (next(purged, character) and "several characters" or character))
fleece.json(list)
collectgarbage()
local held = peak() - collectgarbage "count" * 1024 -- outside Lua's objects
print("kept " .. (held > 200000 and "more" or "less") .. " than the text")
os.exit(true, false)
LUA

# build NAME DEFINE...: compiles the module with the words; prints what is wrong.
build() {
  local name=$1
  shift
  mkdir -p "$tmp/$name"
  # shellcheck disable=SC2086  # words
  "${CC:-cc}" -std=gnu99 -O0 -fPIC $MODULE_FLAGS -Isrc -I"$inc" "$@" -o "$tmp/$name/fleece.so" src/fleece.c 2>&1
}
# shellcheck disable=SC2086  # words
said=$("${CC:-cc}" -std=gnu99 -fPIC $MODULE_FLAGS -I"$inc" -o "$tmp/peak.so" bench/c/peak.c 2>&1)
verdict "the counting allocator compiles" "$said"

# shows NAME LINES DEFINE...: with the defines the script prints these lines.
shows() {
  local name=$1 lines=$2 dir=${1// /-} said
  shift 2
  said=$(build "$dir" "$@")
  [ -n "$said" ] || said=$(diff <(printf '%s\n' "$lines") \
    <(LUA_CPATH="$tmp/$dir/?.so;$tmp/?.so" "$lua" "$tmp/show.lua" 2>&1))
  verdict "$name" "$said"
}
shows "without defines" $'pieces from 16384 bytes on, below the API from 16384\npurge *\nkept more than the text'
shows "purge character, small pieces, nothing kept" $'pieces from 4096 bytes on, below the API from 8192\npurge _\nkept less than the text' \
  "-DFLEECE_PURGE_CHAR='_'" -DFLEECE_BUFFER_FIRST=2048 -DFLEECE_BUFFER_DRAIN=5000 -DFLEECE_BUFFER_KEEP=0 -DFLEECE_BUFFER_KEEP_LARGE=0
shows "the first buffer by its name of 2011" $'pieces from 131072 bytes on, below the API from 16384\npurge *\nkept more than the text' \
  -DFLEECE_DEFAULT_LUCKY_BUF=1000000

# What cannot work does not compile.
wrong=
for define in "FLEECE_PURGE_CHAR='\"'" FLEECE_PURGE_CHAR=10 FLEECE_PURGE_CHAR=200 FLEECE_BUFFER_FIRST=1000 \
  FLEECE_BUFFER_DRAIN=1 FLEECE_BUFFER_KEEP=-1 FLEECE_BUFFER_KEEP_LARGE=10; do
  "${CC:-cc}" -std=gnu99 -fsyntax-only -Isrc -I"$inc" "-D$define" src/fleece.c 2>/dev/null && wrong="$wrong$define"$'\n'
done
verdict "defines that cannot work are refused" "${wrong%$'\n'}"

wrong=
while read -r _ name; do
  grep -q "\`$name\`" docs/packages.md || wrong="$wrong$name"$'\n'
done < <(grep -rohE '^#ifndef FLEECE_(BUFFER_[A-Z_]+|PURGE_CHAR)' src)
verdict "docs/packages.md has all of them" "${wrong%$'\n'}"
