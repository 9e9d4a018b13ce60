-- SPDX-License-Identifier: MIT
-- test_decode_tables.lua -- the tables that decode makes, of every size, shape and depth, work like any others, by each
-- decoder.
-- runs: in one layout

local T = require "support"
local D = require "decoding"
local lu, fleece, same = T.lu, T.fleece, T.same

TestDecodeTables = {}

local function each_layout(f)
  for _, layout in ipairs { "auto", "api" } do
    local options = { layout = layout, max_depth = 10000000 }
    f(fleece.new(options), T.safe.new(options))
  end
end

function TestDecodeTables:test_array_sizes()
  for _, n in ipairs { 0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 1000, 3999,
    4000, 4001, 4063, 4064, 5000, 8191, 8192, 20000 } do
    local items = {}
    for i = 1, n do items[i] = tostring(i) end
    local text = "[" .. table.concat(items, ",") .. "]"
    each_layout(function(codec)
      local list = codec.decode(text)
      same(#list, n)
      for i = 1, n do if list[i] ~= i then lu.fail("item " .. i .. " of " .. n) end end
      same(next(list, n > 0 and n or nil), nil)
      list[n + 1] = "more"
      same(#list, n + 1)
      local both = codec.decode('{"a":' .. text .. ',"b":[0,' .. text .. ',' .. text .. ']}')
      same(#both.a, n)
      same(#both.b[2], n)
      same(both.b[3][n], n > 0 and n or nil)
    end)
  end
end

-- Each in a coroutine of its own, whose stack has only what decode asks for.
function TestDecodeTables:test_long_arrays_of_all_kinds()
  local n = 30000
  for text, check in pairs {
    ["[]"] = function(v) return type(v) == "table" and next(v) == nil end,
    ["[[],[]]"] = function(v) return #v == 2 and type(v[2]) == "table" end,
    ['{"a":[1]}'] = function(v) return v.a[1] == 1 end,
    ['"a string"'] = function(v) return v == "a string" end,
    ['"esc\\n,]\\""'] = function(v) return v == 'esc\n,]"' end,
    ["true"] = function(v) return v == true end,
    ["null"] = function(v) return v == fleece.null end,
    ["-0.5"] = function(v) return v == -0.5 end,
    ["18446744073709551616"] = function(v) return v == 2 ^ 64 end,
  } do
    for _, close in ipairs { "", ",1]", "]" } do -- incomplete, then complete
      local whole = "[" .. (text .. ","):rep(n - 1) .. text .. close
      each_layout(function(codec)
        if close == "" then
          D.refuses_alike(whole)
        else
          local list = coroutine.wrap(function() return codec.decode(whole) end)()
          same(#list, close == "]" and n or n + 1)
          for i = 1, n do if not check(list[i]) then lu.fail(text .. " at " .. i) end end
        end
      end)
    end
  end
end

-- Tables have the room that a constructor gives them, and no more. The median of several measurements, because now and
-- then something else is freed, too.
function TestDecodeTables:test_memory()
  local n = 1024
  local function bytes_of(make)
    local bytes = {}
    for i = 1, 9 do
      collectgarbage()
      collectgarbage()
      local before = collectgarbage "count"
      local kept = make()
      collectgarbage()
      collectgarbage()
      bytes[i] = (collectgarbage "count" - before) * 1024
      same(#kept, n)
    end
    table.sort(bytes)
    return bytes[5]
  end
  for text, make in pairs {
    ["[]"] = function() return {} end,
    ["[1,2,3]"] = function(i) return { i, 2, 3 } end,
    ['{"a":1}'] = function(i) return { a = i } end,
    ['{"a":1,"b":2,"c":3,"d":4}'] = function(i) return { a = i, b = 2, c = 3, d = 4 } end,
  } do
    local whole = "[" .. (text .. ","):rep(n - 1) .. text .. "]"
    local expected = bytes_of(function()
      local list = {}
      for i = 1, n do list[i] = make(i) end
      return list
    end)
    each_layout(function(codec)
      local got = bytes_of(function() return codec.decode(whole) end)
      if got > expected * 1.06 then lu.fail(("%s: %d bytes, not %d"):format(text, got, expected)) end
    end)
  end
end

-- Long arrays inside long arrays: the outer ones are unfinished while the inner ones are read.
function TestDecodeTables:test_long_arrays_in_long_arrays()
  local row = {}
  for i = 1, 4500 do row[i] = i end
  local text = table.concat(row, ",")
  each_layout(function(codec)
    local v = codec.decode("[" .. text .. ",[" .. text .. ",[" .. text .. ",{\"x\":[" .. text .. "]}," .. text ..
      "]," .. text .. "]," .. text .. "]")
    for _ = 1, 3 do
      same(#v, 9001)
      same(v[4500], 4500)
      same(v[4502], 1)
      same(v[9001], 4500)
      v = v[4501]
    end
    same(#v.x, 4500)
  end)
end

-- Objects of the same shape, some with missing or additional members or in another order.
function TestDecodeTables:test_shapes()
  local names = { "id", "name", "a name that is longer than sixteen", "x", "value", "tags", "é", "", "0", "__index",
    "k1", "k2", "k3" }
  local function object(seed, count)
    local members, wanted = {}, {}
    for i = 1, count do
      local name = names[(seed * 7 + i * (seed % 5 + 1)) % #names + 1]
      members[#members + 1] = ("%q:%d"):format(name, seed + i)
      wanted[name] = seed + i
    end
    return "{" .. table.concat(members, ",") .. "}", wanted
  end
  each_layout(function(codec)
    for round = 1, 3 do
      local texts, all = {}, {}
      for i = 1, 400 do texts[i], all[i] = object(i % 23, i % 11 + (i % 17 == 0 and 3 or 0)) end
      local list = codec.decode("[" .. table.concat(texts, ",") .. "]")
      for i = 1, 400 do
        for name, value in pairs(all[i]) do
          if list[i][name] ~= value then lu.fail(texts[i] .. " round " .. round) end
        end
        for name in pairs(list[i]) do if all[i][name] == nil then lu.fail("more in " .. texts[i]) end end
      end
    end
  end)
end

function TestDecodeTables:test_object_sizes()
  for n = 0, 70 do
    local members = {}
    for i = 1, n do members[i] = ('"key%d":%d'):format(i, i) end
    local text = "{" .. table.concat(members, ",") .. "}"
    each_layout(function(codec)
      for _ = 1, 4 do
        local t, count = codec.decode(text), 0
        for k, v in pairs(t) do
          if k ~= "key" .. v then lu.fail(k) end
          count = count + 1
        end
        same(count, n)
        for i = 1, n do t["other" .. i] = -i end -- grows past its size
        for i = 1, n do if t["key" .. i] ~= i or t["other" .. i] ~= -i then lu.fail("after growing: " .. i) end end
        for k in pairs(t) do t[k] = nil end
        same(next(t), nil)
        t.again = 1
        same(t.again, 1)
      end
    end)
  end
end

function TestDecodeTables:test_maps()
  local members = {}
  for i = 1, 20000 do members[i] = ('"user-%d":{"n":%d}'):format(i, i) end
  each_layout(function(codec)
    local map = codec.decode("{" .. table.concat(members, ",") .. "}")
    for i = 1, 20000 do if map["user-" .. i].n ~= i then lu.fail(i) end end
    local nested = codec.decode("[[1,2," .. ("3,"):rep(100) .. "{" .. table.concat(members, ",", 1, 200) .. "}]]")[1]
    same(nested[103]["user-200"].n, 200)
  end)
end

function TestDecodeTables:test_names()
  -- names of every length; equal in the first and last 8 bytes; escaped and plain; one a prefix of the other
  for n = 0, 100 do
    local name = ("n"):rep(n)
    D.decode_by_model(('[{"%s":1},{"%s":2},{"%s":3},{"%s":4,"%sx":5},{"%s":6}]'):format(name, name, name, name, name,
      name))
    if n >= 17 then
      local list = {}
      for c = 97, 122 do list[#list + 1] = '"abcdefgh' .. string.char(c):rep(n - 16) .. 'stuvwxyz":' .. c end
      D.decode_by_model("[{" .. table.concat(list, ",") .. "},{" .. table.concat(list, ",", 3) .. "}]")
    end
  end
  for _ = 1, 4 do
    D.decode_by_model [=[[{"a":1,"b":2},{"\u0061":3,"b":4},{"a":5,"\u0062":6},{"a\"":7},{"a\"b":8},{"a":9,"b":10}]]=]
    D.refuses('{"a"b":1}', "expected ':'", 1, 5, 5)
    D.refuses('{"a\\"":1,"a""b":2}', "expected ':'", 1, 13, 13)
  end
  D.decode_by_model('{"' .. ("é"):rep(8) .. '":1,"' .. ("é"):rep(20) .. '":2}')
end

-- Lua caches in a table which metamethods are missing: decode must clear that cache when it adds names.
function TestDecodeTables:test_as_metatables()
  each_layout(function(codec)
    for _ = 1, 5 do
      local mt = codec.decode '{"__index":{"found":42},"__newindex":{},"__call":1,"__len":2,"__eq":3,"__mode":"k"}'
      local t = setmetatable({}, mt)
      same(t.found, 42)
      t.stored = 1
      same(rawget(t, "stored"), nil)
      same(mt.__newindex.stored, 1)
      local weak = setmetatable({ [{}] = true }, codec.decode '{"__mode":"k","x":1}')
      collectgarbage()
      collectgarbage()
      same(next(weak), nil)
    end
  end)
end

function TestDecodeTables:test_deep()
  for _, depth in ipairs { 1, 31, 32, 33, 63, 64, 65, 1000, 10102, 100000 } do
    T.each({
      { open = "[", inner = "", close = "]" },
      { open = "[1,", inner = "0", close = ",2]" },
      { open = '{"a":', inner = "0", close = "}" },
      { open = '{"a":1,"b":', inner = "0", close = ',"c":2}' },
    }, function(shape)
      local text = shape.open:rep(depth) .. shape.inner .. shape.close:rep(depth)
      each_layout(function(codec, safe)
        local v, n = codec.decode(text), 0
        while type(v) == "table" do
          n = n + 1
          if shape.open == "[1," and (v[1] ~= 1 or v[3] ~= 2) then lu.fail("depth " .. n) end
          if v.c and (v.a ~= 1 or v.c ~= 2) then lu.fail("depth " .. n) end
          v = v.b or v.a or v[2] or v[1]
        end
        same(n, depth)
        same(safe.decode(text, { max_depth = depth - 1 > 0 and depth - 1 or nil }) == nil, depth > 1)
      end)
    end)
  end
end

function TestDecodeTables:test_hostile()
  local function bounded(text, options) return T.safe.decode(text, options), T.safe_api.decode(text, options) end
  bounded(("["):rep(1000000))
  bounded(('{"a":'):rep(1000000))
  bounded('"' .. ("\\"):rep(1000001))
  bounded('{"' .. ("k"):rep(1000000) .. '":1}')
  bounded("[" .. ("1e999999999,"):rep(100000) .. "1]", { big_numbers = "string" })
  bounded(("9"):rep(1000000))
  bounded("0." .. ("9"):rep(1000000))
  bounded("[" .. ("[],"):rep(300000) .. "1]")
  each_layout(function(codec)
    same(#codec.decode("[" .. ('{"a":1,"a":2},'):rep(100000) .. "1]"), 100001)
    same(codec.decode("{" .. ('"a":1,'):rep(200000) .. '"a":2}').a, 2)
  end)
  bounded("[" .. ('"\\ud83d\\ude00",'):rep(100000) .. "1]")
  bounded(("[" .. "/*" .. ("*"):rep(1000000)), { comments = true })
  bounded((" "):rep(3000000) .. "1")
end

-- All codecs of a state share a cache of names; a likely name is compared with the text instead of being read. Names
-- from binary documents and lenient texts may contain bytes that a strict text must not.
function TestDecodeTables:test_cached_names_that_a_text_cannot_have()
  for _, name in ipairs { "a\\n", 'x"y', "\0", "tab\t", "\127\\u0041 and more than sixteen bytes", "b\255",
    "\237\160\128", ("long"):rep(5) .. '"' .. ("name"):rep(4) } do
    local text = '{"' .. name .. '":1}'
    local value, message = T.safe_api.decode(text)
    for _ = 1, 3 do
      local ok, bytes = pcall(fleece.pack, { [name] = 2 })
      if ok then same(fleece.unpack(bytes)[name], 2) end
      require "fleece.cjson".new().decode '{"b\255":1}'
      require "fleece.cjson".new().decode '{"\237\160\128":1}'
      local decoded, why = T.safe.decode(text)
      same(why, message)
      same(decoded and fleece.encode(decoded), value and fleece.encode(value))
      same(decoded and next(decoded), value and next(value))
    end
  end
  each_layout(function(codec)
    same(next(codec.decode '{"a\\n":1}'), "a\n")
    for i = 1, 100 do -- must not read beyond the end of the text
      codec.unpack(codec.pack { ["\0"] = i })
      T.raises_with("unexpected end", codec.decode_prefix, '{"')
    end
  end)
end
