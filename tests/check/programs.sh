#!/usr/bin/env bash
# programs.sh -- programs of the distribution, as they are, on the stand-ins of compat/: they must not notice. It has
# caught nothing since the stand-ins passed it; the tests of the stand-ins do not know these programs.
. "$(dirname "$0")/support/lib.sh"

# Lmod's spider writes its list of modules by `require "json"`: of Debian that is lua-json; it also takes what encodes
# and decodes as json.lua does. It sets package.path itself, so it gets json by package.preload. FLEECE_LMOD: where
# Debian's lmod, lua-posix and lua-filesystem are unpacked, if they are not installed.
for stand_in in rxi luajson; do
name="Lmod lists modules through fleece.$stand_in"
spider=$(find "${FLEECE_LMOD:-}/usr/share/lmod" -path '*/libexec/spider' 2>/dev/null | head -n 1)
if [ -z "$spider" ] || [ ! -f build/lua5.3/fleece.so ]; then skipped "$name" "not installed: no Lmod, or no lua5.3 to run it"
else
  folder=$(mktemp -d)
  mkdir -p "$folder/modules/hello"
  printf '%s\n' 'help([[a "quoted" / text]])' >"$folder/modules/hello/1.0.lua"
  cat >"$folder/init.lua" <<'LUA'
local so, path = os.getenv "FLEECE_SO", package.path
package.preload.fleece = package.loadlib(so, "luaopen_fleece")
package.preload["fleece.safe"] = package.loadlib(so, "luaopen_fleece_safe")
package.path = os.getenv "FLEECE_LUA" .. "/?.lua;" .. path
local json = assert(package.loadlib(so, "luaopen_fleece_" .. os.getenv "STAND_IN"))()
package.path, package.preload.json = path, function() return json end
local root = (os.getenv "FLEECE_LMOD" or "") .. "/usr/"
table.insert(package.searchers, function(name)
  local path = package.searchpath(name, root .. "share/lua/5.3/?.lua;" .. root .. "share/lua/5.3/?/init.lua")
  if path then return assert(loadfile(path)) end
  for path in io.popen("ls " .. root .. "lib/*/lua/5.3/" .. name:match "^[^.]+" .. ".so 2>/dev/null"):lines() do
    return assert(package.loadlib(path, "luaopen_" .. name:gsub("%.", "_")))
  end
end)
LUA
  said=$(cd "$(dirname "$spider")" && unset LUA_PATH LUA_CPATH LUA_INIT_5_3 MODULEPATH &&
    STAND_IN=$stand_in FLEECE_SO="$OLDPWD/build/lua5.3/fleece.so" FLEECE_LUA="$OLDPWD/lua" LUA_INIT="@$folder/init.lua" lua5.3 ./spider -o jsonSoftwarePage "$folder/modules" 2>&1)
  said=$(printf '%s' "$said" | LUA_CPATH="build/lua5.3/?.so" lua5.3 -e '
    local text = io.read "*a"
    local ok, list = pcall(require("fleece").decode, text)
    if not ok then print(list, text)
    elseif #list ~= 1 or list[1].package ~= "hello" or list[1].versions[1].help ~= "a \"quoted\" / text" then print(text) end' 2>&1)
  verdict "$name" "$said"
  rm -rf "$folder"
fi
done

# No package of Debian 12 depends on lua-cjson; LuaRocks takes it for `config --json` when it is there.
name="LuaRocks writes its configuration through compat/cjson"
rocks=$(command -v luarocks)
if [ -z "$rocks" ] || ! head -n 1 "$rocks" | grep -q lua; then skipped "$name" "this system: no luarocks that is a Lua script"; exit 0; fi
unset LUA_INIT LUA_PATH_5_2 LUA_PATH_5_3 LUA_PATH_5_4 LUA_CPATH_5_2 LUA_CPATH_5_3 LUA_CPATH_5_4
ran=
for r in lua5.1 lua5.2 lua5.3 lua5.4; do
  [ -f "build/$r/fleece.so" ] && lua=$(tools/where.sh lua "$r") || continue
  (unset LUA_PATH LUA_CPATH; "$lua" "$rocks" --version >/dev/null 2>&1) || continue
  ran=yes
  ours=$(LUA_PATH="compat/?.lua;;" LUA_CPATH="build/$r/?.so" "$lua" "$rocks" config --json 2>&1)
  # The slashes say that it was cjson's writing; a value, that all of it is there.
  said=$(printf '%s' "$ours" | LUA_PATH=';;' LUA_CPATH="build/$r/?.so" "$lua" -e '
    local text = io.read "*a"
    local t = require("fleece").decode(text)
    if not text:find("\\/", 1, true) then print "no \\/ in it" end
    if t.lua_version ~= _VERSION:sub(5) then print("lua_version is " .. tostring(t.lua_version)) end
    if #t.rocks_servers == 0 then print "no rocks_servers" end' 2>&1)
  verdict "$name, $r" "$said"
  # Without a seed in its hashes, Lua 5.1 orders the members alike in each process: byte for byte the same.
  [ "$r" = lua5.1 ] || continue
  if ! (unset LUA_PATH LUA_CPATH; "$lua" -e 'require "cjson"' 2>/dev/null); then
    skipped "the same bytes as through lua-cjson" "not installed: lua-cjson"
  else
    theirs=$(unset LUA_PATH LUA_CPATH; "$lua" "$rocks" config --json 2>&1)
    verdict "the same bytes as through lua-cjson, $r" "$([ "$ours" = "$theirs" ] || { echo "ours: $ours"; echo "theirs: $theirs"; })"
  fi
done
[ -n "$ran" ] || skipped "$name" "this system: no Lua that was built for runs it"

# busted writes its results as JSON by dkjson.
name="busted writes its results through compat/dkjson"
busted=$(command -v busted)
if [ -z "$busted" ]; then skipped "$name" "not installed: busted"; exit 0; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat >"$work/small_spec.lua" <<'SPEC'
describe("small", function()
  it("succeeds", function() assert.is_true(package.loaded["fleece.dkjson"] ~= nil) end)
  it("fails", function() assert.are.equal(1, "a/\127") end)
end)
SPEC
ran=
for r in lua5.1 lua5.2 lua5.3 lua5.4; do
  [ -f "build/$r/fleece.so" ] && lua=$(tools/where.sh lua "$r") || continue
  (unset LUA_PATH LUA_CPATH; "$lua" "$busted" --version >/dev/null 2>&1) || continue
  ran=yes
  out=$(LUA_PATH="$PWD/compat/?.lua;;" LUA_CPATH="$PWD/build/$r/?.so;;" "$lua" "$busted" -o json "$work" 2>&1)
  said=$(printf '%s' "$out" | LUA_CPATH="build/$r/?.so" "$lua" -e '
    local ok, t = pcall(require("fleece").decode, io.read "*a")
    if not ok then print(t) elseif #t.successes ~= 1 or #t.failures ~= 1 then print "not one success and one failure" end' 2>&1)
  verdict "$name, $r" "$said"
done
[ -n "$ran" ] || skipped "$name" "this system: no Lua that was built for runs it"
