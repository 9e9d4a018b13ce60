#!/usr/bin/env bash
# windows.sh -- a DLL from MinGW, loaded by a Lua for Windows under wine: tests/hosts/use.lua, and files that are
# mapped. Debian: gcc-mingw-w64-x86-64, wine64. They are large, so `make test` takes them only where they are. And
# what clang says of the sources when it is Visual C: nothing is linked or run, and the headers are MinGW's. What it
# has caught: a failed append kept its file open, so that it could not be replaced (2d790af7); names that windows.h
# has as macros (dc333923).
. "$(dirname "$0")/support/lib.sh"
if ! zig=$(zig_program); then skipped "the sources are compiled as by Visual C" "not installed: no zig (tools/install.sh zig)"
elif [ ! -f build/sources/lupa/third-party/lua54/lua.h ]; then skipped "the sources are compiled as by Visual C" "not installed: no sources of Lua"
else
  # Strict C11, and no extension of GNU: neither is in Visual C. What it has, too: __forceinline, macros with an empty "...".
  for f in fleece library library_lua; do
    verdict "src/$f.c is compiled as by Visual C, without a warning" "$(
      "$zig" clang --target=x86_64-pc-windows-msvc -fsyntax-only -std=c11 -Wall -Wextra -Wpedantic -Wgnu -Wvla \
        -Wno-language-extension-token -Wno-variadic-macro-arguments-omitted -Wno-unused-function \
        -nostdlibinc -isystem "${zig%/*}/lib/include" -isystem "${zig%/*}/lib/libc/include/any-windows-any" \
        -include tests/check/support/msvc.h -Isrc -Iinclude -Ibuild/sources/lupa/third-party/lua54 "src/$f.c" 2>&1 | head -n 12)"
  done
fi
name="a DLL for Windows"
cc=x86_64-w64-mingw32-gcc lua=build/sources/lupa/third-party/lua54
wine=$(command -v wine64 || command -v wine || ls /usr/lib/wine/wine64 2>/dev/null)
command -v $cc >/dev/null || { skipped "$name" "not packaged: no $cc"; exit 0; }
[ -n "$wine" ] || { skipped "$name" "not packaged: no wine"; exit 0; }
[ -f $lua/lua.c ] || { skipped "$name" "not installed: the sources of Lua are not in build/sources (tools/runtimes.sh fetches them)"; exit 0; }
tmp=$(mktemp -d)
export WINEPREFIX=$tmp/prefix WINEDEBUG=-all
unset LUA_PATH LUA_INIT DISPLAY
trap '"${wine%/*}/wineserver" -k 2>/dev/null; rm -rf "$tmp"' EXIT
problem() { "$@" >"$tmp/log" 2>&1 || tail -n 5 "$tmp/log"; }

parts=$(find $lua -maxdepth 1 -name '*.c' | grep -vE '/(lua|luac|onelua|ltests)\.c$')
# shellcheck disable=SC2086  # a list of files
said=$(problem $cc -std=gnu99 -O1 -DLUA_BUILD_AS_DLL -shared -o "$tmp/lua54.dll" $parts &&
  problem $cc -std=gnu99 -O1 -DLUA_BUILD_AS_DLL -o "$tmp/lua.exe" $lua/lua.c "$tmp/lua54.dll" &&
  problem $cc -std=gnu99 -O2 -Wall -Wextra -Werror -DNDEBUG -Isrc -I$lua -shared -o "$tmp/fleece.dll" src/fleece.c "$tmp/lua54.dll")
verdict "$name is built" "$said"
[ -z "$said" ] || exit 0

cat >"$tmp/files.lua" <<'LUA'
local fleece, safe = require "fleece", require "fleece.safe"
local function write(bytes)
  local file = assert(io.open("t.fleece", "wb"))
  file:write(bytes)
  file:close()
end
for _, map in ipairs { true, false } do
  write(fleece.pack { 1, { x = "y" } })
  local doc = fleece.open_file("t.fleece", { map = map })
  assert(doc.root[2].x == "y")
  local shorter = io.open("t.fleece", "wb")
  assert((shorter == nil) == map, "what is mapped, and only that, cannot be made shorter")
  if shorter then shorter:close() end
  doc:close()
  assert(os.remove "t.fleece")
end
write ""
assert(select(2, safe.open_file "t.fleece"):find "length must be even")
assert(os.remove "t.fleece")
assert(select(2, safe.open_file "t.fleece"):find "No such file")
assert(select(2, safe.open_file "."):find "Permission denied")
print "fine"
LUA
cat >"$tmp/framed.lua" <<'LUA'
local fleece, safe = require "fleece", require "fleece.safe"
local path = "s.fleece"
assert(fleece.save(path, { a = 1 }))
local doc = fleece.open_file(path, { frame = "required" })
local new = doc:append(function(m) m.a = 2 end)
assert(new.root.a == 2 and doc.root.a == 1, "an amendment, while the file is mapped")
assert(select(2, pcall(doc.append, doc, function(m) m.a = 3 end)):find "open it again")
assert(fleece.open_file(path, { map = false }).root.a == 2)
local fine, message = safe.save(path, { a = 4 }) -- what is mapped cannot be replaced; under Wine it can
assert(fine or message:find "Permission denied", message)
assert(fleece.open_file(path, { map = false }).root.a == (fine and 4 or 2))
doc:close()
new:close()
assert(fleece.save(path, { a = 5 }) and fleece.open_file(path, { map = false }).root.a == 5)
doc = fleece.open_file(path, { map = false })
for i = 1, 20 do doc = doc:append(function(m) m.a = i end) end
local now, before = fleece.compact(path)
assert(now < before and fleece.open_file(path, { map = false }).root.a == 20)
local file = assert(io.open(path, "rb"))
local bytes = file:read "*a"
file:close()
file = assert(io.open(path, "wb"))
file:write(bytes:sub(1, -2))
file:close()
assert(select(2, safe.open_file(path)):find "cut off")
assert(fleece.write_file("t.json", { 1, 2 }) and fleece.decode_file("t.json")[2] == 2)
assert(os.remove(path) and os.remove "t.json")
for name in io.popen("dir /b"):lines() do
  assert(not name:find "%.lock" and not name:find "%.tmp", name .. " is left")
end
print "fine"
LUA
cp tests/hosts/use.lua tests/hosts/run_use.lua "$tmp"
cd "$tmp" || exit 1
said=$(timeout 120 "$wine" ./lua.exe run_use.lua 2>&1 </dev/null)
verdict "$name does all of use.lua" "$(case $said in *'"wrong":[]'*) ;; *) echo "$said" ;; esac)"
said=$(timeout 120 "$wine" ./lua.exe files.lua 2>&1 </dev/null | tr -d '\r')
verdict "$name maps files" "$([ "$said" = fine ] || echo "$said")"
said=$(timeout 120 "$wine" ./lua.exe framed.lua 2>&1 </dev/null | tr -d '\r')
verdict "$name saves files and appends to them" "$([ "$said" = fine ] || echo "$said")"
