-- load.lua -- loads the module into this Lua and compares its two walks: `lua load.lua WANT LAYOUT`. WANT is raw
-- (LAYOUT is in use), api (no layout is proven) or refuse (the module does not load). Prints errors, then "done", so
-- that a crash differs from success.
local want, layout = arg[1], arg[2]
local wrong = 0
local function complain(...)
  wrong = wrong + 1
  if wrong <= 5 then print(...) end
end

local loaded, fleece = pcall(require, "fleece")
if want == "refuse" then
  if loaded then complain("it loads")
  elseif type(fleece) ~= "string" or #fleece < 20 then complain("no reason given", tostring(fleece)) end
  print("done")
  os.exit(wrong == 0 and 0 or 1)
end
if not loaded then
  print(fleece)
  os.exit(1)
end

local info = fleece.info()
if want == "raw" then
  if info.layout ~= layout then complain("layout", tostring(info.layout), tostring(info.reason)) end
elseif info.layout ~= "api" or type(info.reason) ~= "string" then
  complain("layout", tostring(info.layout), tostring(info.reason))
end

local unpack = unpack or table.unpack
local loadstring = loadstring or load
local compared = 0

-- Both walks give the same result or error.
local function compare(name, value, options)
  local raw, api = {}, {layout = "api"}
  for k, v in pairs(options or {}) do raw[k], api[k] = v, v end
  local r = {pcall(fleece.encode, value, raw)}
  local a = {pcall(fleece.encode, value, api)}
  compared = compared + 1
  if r[1] ~= a[1] or r[2] ~= a[2] then
    complain(name, tostring(r[2]):sub(1, 300), tostring(a[2]):sub(1, 300))
  end
end

-- The result is also compared with a known one, in case both walks are wrong.
local function expect(text, value)
  compare(text, value)
  local ok, got = pcall(fleece.encode, value)
  if got ~= text then complain("expected", text, tostring(got)) end
end

expect('[1,-2.5,"x",true,false,null]', {1, -2.5, "x", true, false, fleece.null})
expect('{"a":{"b":[[]]}}', {a = {b = {{}}}})
expect('[1e+300,0.1,123456789012345]', {1e300, 0.1, 123456789012345})
expect('"' .. ("long "):rep(100) .. '"', ("long "):rep(100))
expect('[]', {})
expect('{"' .. ("k"):rep(41) .. '":1}', {[("k"):rep(41)] = 1})

local seed = 20240229
local function random(n)
  seed = (seed * 16807) % 2147483647
  return seed % n
end

-- Strings of every length around the limits of the vector code, as values and as keys.
for n = 0, 300 do
  local s = ("abcdefghijklmnopqrstuvwxyz\"\\\n\1\127\195\164"):rep(10):sub(1, n)
  compare("string " .. n, {s, [s .. "k"] = s})
  compare("string " .. n, s)
end

-- Numbers: random doubles of every size, integers around the powers of two.
for _ = 1, 300 do
  local x = (random(2147483646) + random(1000000) / 1000000) * 2 ^ (random(1200) - 600)
  compare("number", {x, -x, [tostring(x)] = x})
  compare("precision", {x}, {precision = 1 + random(17)})
end
for e = 0, 64 do
  local x = 2 ^ e
  compare("power", {x - 1, x, x + 1, -x, -x - 1})
  if math.tointeger and e < 63 then
    local i = math.tointeger(x)
    compare("power", {i - 1, i, i + 1, -i, math.mininteger, math.maxinteger, [i] = 1})
  end
end
compare("infinite", {1 / 0})
compare("NaN", {0 / 0}, {invalid_numbers = "literal"})

-- Arrays of every size, filled in every way; 5.4 stores a hint for the length in the field of the size.
local function lists(n)
  local up, down, holes, zero, shrunk, made = {}, {}, {}, {}, {}, {}
  for i = 1, n do up[i] = i end
  for i = n, 1, -1 do down[i] = i + 0.5 end
  for i = 1, n, 1 + random(3) do holes[i] = tostring(i) end
  for i = 0, n do zero[i] = i % 2 == 0 end
  for i = 1, n + 9 do shrunk[i] = i end
  for i = n + 9, n + 1, -1 do shrunk[i] = nil end
  made = {unpack(up, 1, n < 200 and n or 200)}
  made[#made] = nil
  return {up, down, holes, zero, shrunk, made, #up, #down, #shrunk, #made}
end
for n = 0, 70 do
  local all = lists(n)
  for i = 1, 6 do
    compare("list " .. n, all[i])
    compare("list " .. n, all[i], {sparse = "null"})
    table.insert(all[i], "last")
    if #all[i] > 0 then compare("inserted " .. n, all[i]) end
    table.remove(all[i], 1)
    compare("removed " .. n, all[i])
  end
  compare("lists " .. n, all)
end

-- Tables of every shape, with keys of every kind, after deletions and collections.
local keys = {
  function() return "k" .. random(40) end,
  function() return random(30) - 3 end,
  function() return ("long key "):rep(6) .. random(20) end,
  function() return 2 ^ 53 + random(5) * 2 end,
  function() return random(4) + 0.5 end,
  function() return random(2) == 0 end,
}
local function value(depth)
  local kind = random(depth > 0 and 12 or 8)
  if kind == 0 then return random(1000) end
  if kind == 1 then return random(100000) / 64 end
  if kind == 2 then return random(2) == 0 end
  if kind == 3 then return fleece.null end
  if kind < 8 then return ("x"):rep(random(60)) end
  local t, most = {}, kind == 8 and 6 or 1 + random(2)
  for _ = 1, random(25) do t[keys[most == 6 and 1 + random(6) or most]()] = value(depth - 1) end
  for k in pairs(t) do
    if random(5) == 0 then t[k] = nil end
  end
  return t
end
for i = 1, 500 do
  local v = value(4)
  compare("random " .. i, v)
  compare("random " .. i, v, {sort_keys = true, indent = 2})
  if i % 100 == 0 then collectgarbage() end
  if i == 200 and collectgarbage and _VERSION >= "Lua 5.4" then collectgarbage("generational") end
end

-- Values that end the raw walk or the encoding.
local deep, self = {}, {}
for _ = 1, 900 do deep = {deep} end
self.self = self
compare("deep", deep)
compare("deeper", deep, {max_depth = 100})
compare("cycle", self)
compare("function", {1, {print}})
compare("thread", {coroutine.create(function() end)})
compare("userdata", {io.stdout})
compare("marked", {fleece.array(), fleece.object(), fleece.array {1, nil, 3}})
compare("hooks", {setmetatable({}, {__tojson = function() return "1" end}), setmetatable({1}, {__jsontype = "object"})})
compare("weak", setmetatable({{}, {}, a = {}}, {__mode = "kv"}))
compare("invalid", {"\255"})
compare("globals", {_G}, {skip_unsupported = true})

if jit then
  local text = "return {1LL, -1LL, 0x7fffffffffffffffLL, 18446744073709551615ULL, {x = -9223372036854775807LL - 1}}"
  local boxed = loadstring(text)
  if boxed then
    compare("64-bit", boxed())
    expect("[1,-1,9223372036854775807,18446744073709551615,{\"x\":-9223372036854775808}]", boxed())
  end
  local ok, ffi = pcall(require, "ffi")
  if ok then
    compare("int64_t", {ffi.new("int64_t", 7), ffi.new("uint64_t", 7), ffi.typeof("int64_t")(-7)})
    compare("int", {ffi.new("int", 7)})
    compare("long", {ffi.new("long", 7)})
    compare("double", {ffi.new("double", 7.5)})
    compare("pointer", {ffi.new("void *")})
    compare("struct", {ffi.new("struct { int x; }")})
    compare("const", {ffi.new("const int64_t", 5)})
  end
  local clear, new = pcall(require, "table.new")
  if clear then
    local t = new(10, 10)
    compare("table.new", t)
    t[0], t[3], t.x = 1, 2, 3
    compare("table.new", t)
    t[0] = nil
    compare("table.new", t)
  end
end

if wrong > 0 then print(wrong .. " of " .. compared .. " differ") end
print("done")
os.exit(wrong == 0 and 0 or 1)
