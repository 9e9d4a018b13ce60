-- SPDX-License-Identifier: MIT
-- test_text_views.lua -- fleece.lazy: views of a text before and after they become views of a document, what they write,
-- and changed ones. Values are compared with those of decode, texts with parts of the text itself.

local T = require "support"
local R = require "random_text"
local lu, fleece, same, random = T.lu, T.fleece, T.same, T.random

TestTextViews = {}

-- What makes a view one of a document.
local function settle(view) for _ in fleece.pairs(view) do return view end return view end

-- Is a view the same value as a table?
local function must_equal(view, value, what)
  if type(value) ~= "table" then
    if view ~= value or T.math_type(view) ~= T.math_type(value) then lu.fail(what .. ": " .. tostring(view)) end
    return
  end
  if fleece.type(view) == "array" then same(#view, #value) end
  for key, item in next, value do must_equal(view[key], item, what .. "." .. tostring(key)) end
end

function TestTextViews:test_values()
  for _ = 1, 300 do
    local text = R.text(4, 40)
    local value, view = fleece.decode(text), fleece.lazy(text)
    if type(value) == "table" then
      must_equal(view, value, text)
      must_equal(view, value, text) -- from members that are known by now
      settle(view)
      must_equal(view, value, text)
    end
  end
end

-- Members of a text of less than 256 bytes, of 1 KB and of more are remembered in different ways; so are 17, and names
-- with escapes.
function TestTextViews:test_sizes()
  for _, count in ipairs { 0, 1, 4, 15, 16, 17, 40 } do
    for name = 0, 33, 3 do
      for _, value in ipairs { '"v"', '"\\n\\u00e9"', "12.5", '{"in":[1,"\\t"]}', '"' .. ("x"):rep(40) .. '"' } do
        local members, names = {}, {}
        for i = 1, count do
          names[i] = ("n"):rep(name) .. i
          members[i] = ("%q: %s"):format(names[i], value)
        end
        local text = " {" .. table.concat(members, ", ") .. "}\n"
        local view, table_ = fleece.lazy(text), fleece.decode(text)
        for i = 1, count do must_equal(view[names[i]], table_[names[i]], text) end
        lu.assertEquals({ view.x, view[1], view[("n"):rep(name)], view.n0 }, {})
        view = fleece.lazy("[" .. (value .. ","):rep(count) .. "null]")
        for i = 1, count do must_equal(view[i], fleece.decode(value), text) end
        lu.assertEquals({ view[count + 1], view[count + 2], view.x, view[0] }, { fleece.null })
      end
    end
  end
  local rest = '"abcdefgh12345678":5,"abcdefgh1234567x":6,"abcd1":7,"abcd2":8}'
  local view = fleece.lazy('{"a":1,"b":2,"a":3,"\\u0062":4,' .. rest)
  lu.assertEquals({ view.a, view.b, view.abcdefgh12345678, view.abcdefgh1234567x, view.abcd1, view.abcd2, view.abcd3 },
    { 3, 4, 5, 6, 7, 8 })
  view = fleece.lazy('{"a":1,"b":2,"a":3,' .. rest)
  lu.assertEquals({ view.a, view.b, view.abcdefgh12345678, view.abcdefgh1234567x, view.abcd1, view.abcd2, view.abcd3 },
    { 3, 2, 5, 6, 7, 8 })
end

-- A finalizer makes a document of a view that is just being made one.
function TestTextViews:test_settled_by_finalizers()
  local said = T.alone("finalizing.lua", "settle")
  if not tonumber(said) then lu.fail(said) end
  lu.assertTrue(tonumber(said) > 0)
end

function TestTextViews:test_settling_keeps_parts()
  local text = '{"a":[1,{"b":[ ]}],"c":{"d":{"e":"f"}},"g":[]}'
  for _, first in ipairs { "a", "c", "g" } do
    local view = fleece.lazy(text)
    local part = view[first]
    local deeper = first == "a" and part[2].b or first == "c" and part.d or part
    settle(view)
    same(fleece.encode(deeper), ({ a = "[ ]", c = '{"e":"f"}', g = "[]" })[first])
    same(fleece.type(deeper), first == "c" and "dict" or "array")
    same(#settle(deeper), first == "c" and 1 or 0)
    same(fleece.encode(part), fleece.encode(view[first]))
    same(part == view[first], true)
    lu.assertEquals(fleece.unpack(part), fleece.decode(text)[first])
  end
end

-- More readings than the text may take: it becomes a document meanwhile.
function TestTextViews:test_many_readings()
  local list = {}
  for i = 1, 300 do list[i] = { id = i, name = "n" .. i, tags = { "x", i } } end
  local view = fleece.lazy(fleece.encode { list = list, other = {} })
  local kept = view.list[7]
  for i = 300, 1, -1 do
    same(view.list[i].id, i)
    same(view.list[i].tags[2], i)
  end
  same(view.list[301], nil)
  same(#view.list, 300)
  same(kept.name, "n7")
  same(fleece.encode(kept), fleece.encode(view.list[7]))
end

function TestTextViews:test_ways()
  local long = {}
  for i = 1, 40 do long[i] = i end
  local text = '{"a":[{"b":1},{"b":[10,20,{"c":"\\u00e9\\n"}]}],"n":null,"t":true,"long":' .. fleece.encode(long) .. "}"
  for _, prepare in ipairs { function(v) return v end, settle } do
    local view = prepare(fleece.lazy(text))
    same(view:get("a", 2, "b", 3, "c"), "é\n")
    same(view:get("a", 2, "b", -1), nil)
    same(view:get("a", "x"), nil)
    same(view:get("a", 1, "b", "c"), nil)
    same(view:get("n"), fleece.null)
    same(view:get({}), nil)
    same(view:get() == view, true)
    same(view:pointer "/a/1/b/2/c", "é\n")
    same(view:pointer "/a/01", nil)
    same(view:pointer "/long/39", 40)
    same(view:pointer "" == view, true)
    same(fleece.path "a[-1].b[0]"(view), 10)
    same(fleece.path "long[-1]"(view), 40)
    same(fleece.path "long[40]"(view), nil)
    same(view.long[40], 40)
    same(view.long[41], nil)
    same(#view.long, 40)
    same(#view, 4)
    same(view.t, true)
    T.raises_with("cannot be changed", function() view.t = 1 end)
    same(tostring(view):match "^fleece%.dict: " ~= nil, true)
    same(view.get ~= nil and view.totable ~= nil, true)
    lu.assertEquals(fleece.unpack(view), fleece.decode(text))
  end
end

function TestTextViews:test_duplicate_names()
  local text = '{"a":1,"b":{"x":1},"a":[2],"b":{"y":2}}'
  for _, prepare in ipairs { function(v) return v end, settle } do
    local view = prepare(fleece.lazy(text))
    same(view.a[1], 2)
    same(view.b.x, nil)
    same(view:get("b", "y"), 2)
    same(view:get("b", "x"), nil)
    same(fleece.encode(view), text)
  end
  -- Too many members to be known, and names with escapes.
  local many = {}
  for i = 1, 30 do many[i] = ('"m%d":%d'):format(i, i) end
  local view = fleece.lazy("{" .. table.concat(many, ",") .. ',"m3":"again"}')
  same(view.m3, "again")
  same(view.m30, 30)
  same(fleece.lazy('{"\\u0061":1}').a, 1)
  same(fleece.lazy('{"\\u0061":1,"a":2}').a, 2)
  same(fleece.lazy('{"a":2,"\\u0061":1}').a, 1)
end

-- Without options that change text, a view is written as it stands, and so is each part, whatever was read before.
function TestTextViews:test_written_as_it_stands()
  local text = ' {"z" : [ 1.50, 1e2, {"b":"\\u0061", "a":-0 } ],\n "e":[ ], "o":{\t}, "s":"\\/"}\n'
  local whole = text:match "^%s*(.-)%s*$"
  local parts = { z = '[ 1.50, 1e2, {"b":"\\u0061", "a":-0 } ]', e = "[ ]", o = "{\t}" }
  for _, prepare in ipairs { function(v) return v end, settle } do
    local view = prepare(fleece.lazy(text))
    same(fleece.encode(view), whole)
    same(fleece.encode { view, x = nil }, "[" .. whole .. "]")
    for name, part in pairs(parts) do
      same(fleece.encode(view[name]), part)
      same(fleece.encode { k = view[name] }, '{"k":' .. part .. "}")
    end
    same(fleece.encode(view.z[3]), '{"b":"\\u0061", "a":-0 }')
    for _, item in fleece.ipairs(view.z) do
      if fleece.type(item) == "dict" then same(fleece.encode(item), '{"b":"\\u0061", "a":-0 }') end
    end
    -- Any option that changes text writes it anew.
    same(fleece.encode(view, { sort_keys = true }), '{"e":[],"o":{},"s":"/","z":[1.5,100,{"a":-0,"b":"a"}]}')
    same(fleece.encode(view.z, { indent = 1 }):match '^%[\n 1.5,' ~= nil, true)
    lu.assertEquals(fleece.decode(fleece.encode(view, { ascii = true })), fleece.decode(text))
    same(fleece.json(view.e), "[]")
  end
end

function TestTextViews:test_depth_of_a_text()
  local deep = ("["):rep(600) .. ("]"):rep(600)
  same(fleece.encode(fleece.lazy(deep)), deep)
  local view = fleece.lazy(deep)
  local around = view
  for _ = 1, 500 do around = { around } end
  T.raises_with("deep", fleece.encode, around)
  same(#fleece.encode(around, { max_depth = 1100 }), 1200 + 1000)
  T.raises_with("deep", fleece.encode, view, { max_depth = 599 })
  same(fleece.encode(view, { max_depth = 600 }), deep)
  T.raises_with("nesting too deep", fleece.lazy, deep, { max_depth = 599 })
  local inner = view
  for _ = 1, 599 do inner = inner[1] end
  same(#inner, 0)
  same(inner[1], nil)
end

-- Errors are those of decode, and texts of other grammars are read at once.
function TestTextViews:test_other_texts()
  for _, text in ipairs { "", " ", "[1,]", '{"a":1', "[1e400]", '["\255"]', "[1] 2", '{"a" 1}', "[01]" } do
    local wanted = T.error_of(fleece.decode, text):gsub(" %(big_numbers .*", "") -- an option that lazy does not have
    same(T.error_of(fleece.lazy, text), wanted)
  end
  same(fleece.lazy " 12 ", 12)
  same(fleece.lazy '"x"', "x")
  same(fleece.encode(fleece.lazy("[1,/**/2,]", { json5 = true })), "[1,2]")
  same(fleece.lazy("\239\187\191[7]", { bom = true })[1], 7)
end

function TestTextViews:test_changed()
  local text = '{\n  "model": "a" ,\n  "list": [1.50, 2e0, {"x" : "\\u0061", "y":[ ]}, 4],\n  "n": 1.0\n}'
  local function changed(fn)
    local m = fleece.lazy(text):mutable()
    fn(m)
    return fleece.encode(m)
  end
  same(changed(function() end), text)
  same(changed(function(m) m.model = "b" end), (text:gsub('"a" ,', '"b" ,')))
  same(changed(function(m) m.n = nil end), (text:gsub(',\n  "n": 1.0', "")))
  same(changed(function(m) m.model = nil end), (text:gsub('"model": "a" ,\n  ', "")))
  same(changed(function(m) m.new = { 1, k = nil } end), (text:gsub("1%.0\n", '1.0,\n  "new": [1]\n')))
  same(changed(function(m) m.list[2] = true end), (text:gsub("2e0", "true")))
  same(changed(function(m) m.list[3].x = 7 end), (text:gsub('"\\u0061"', "7")))
  same(changed(function(m) m.list[3].y[1] = "z" end), (text:gsub("%[ %]", '["z"]')))
  same(changed(function(m) m.list[1] = nil end), (text:gsub("1%.50, ", "")))
  same(changed(function(m) m.list[4] = nil end), (text:gsub(", 4", "")))
  same(changed(function(m) m.list:insert(1, 0) end), (text:gsub("%[1%.50", "[0, 1.50")))
  same(changed(function(m) m.list[5] = 5 end), (text:gsub("4%]", "4, 5]")))
  same(changed(function(m) m.list[1] = nil; m.list[3] = "last" end),
    (text:gsub('1%.50, (.*), 4', '%1, "last"')))
  same(changed(function(m) m.x = 1; m.x = nil end), text)
  same(fleece.encode(fleece.lazy(text).list:mutable()), '[1.50, 2e0, {"x" : "\\u0061", "y":[ ]}, 4]')
  -- a value that is put in, and changed there
  same(changed(function(m) m.model = { a = { 1 } }; m.model.a[1] = 2 end), (text:gsub('"a" ,', '{"a":[2]} ,')))
  -- options write it anew, and a name that occurs twice too
  local m = fleece.lazy('{"a":1,"a":2}'):mutable()
  m.a = 3
  same(fleece.encode(m), '{"a":3}')
  m = fleece.lazy(text):mutable()
  m.n = 2
  same(fleece.encode(m.list, { sort_keys = true }), '[1.5,2,{"x":"a","y":[]},4]')
end

-- Where the buffer is drained or moves meanwhile, and the text turns out to be nested too deep.
function TestTextViews:test_changed_in_pieces()
  local m = fleece.lazy('{"a":[1.50,{"x": [ ]}],"pad":"' .. ("p"):rep(100000) .. '"}'):mutable()
  m.a[2].x = fleece.decode(("["):rep(700) .. ("]"):rep(700))
  T.raises_with("deep", fleece.encode, m, { max_depth = 600 })
  local value, pieces = { ("z"):rep(50000), { m, m, m } }, {}
  fleece.write(function(piece) pieces[#pieces + 1] = piece end, value)
  same(table.concat(pieces), fleece.encode(value))
  T.raises_with("full", fleece.write, function() return nil, "full" end, value)
end

-- Random changes: the text has the values of the mutable view, and without changes it is as it was.
function TestTextViews:test_random_changes()
  for _ = 1, 150 do
    local text = R.text(4, 12)
    local view = fleece.lazy(text)
    if type(fleece.decode(text)) == "table" then
      local m = view:mutable()
      same(fleece.encode(m), text:match "^%s*(.-)%s*$")
      for _ = 1, random(1, 6) do
        local at = m
        for _ = 1, random(0, 3) do
          local inside = {}
          if fleece.type(at) == "array" then
            for _, item in fleece.ipairs(at) do inside[#inside + 1] = item end
          else
            for _, item in fleece.pairs(at) do inside[#inside + 1] = item end
          end
          local to = #inside > 0 and inside[random(1, #inside)]
          if type(to) == "userdata" and to ~= fleece.null then at = to end
        end
        local value = T.pick { 1, "s", true, { 1, 2 }, { k = "v" }, fleece.null }
        if fleece.type(at) == "array" then
          local what = random(1, 3)
          if what == 1 then at:insert(random(1, #at + 1), value)
          elseif what == 2 then at[random(1, #at + 1)] = value
          elseif #at > 0 then at[random(1, #at)] = nil end
        else
          local names = { "new", "k" }
          for name in fleece.pairs(at) do names[#names + 1] = name end
          local name = names[random(1, #names)]
          if random(1, 3) == 1 then at[name] = nil else at[name] = value end
        end
      end
      local spliced, anew = fleece.encode(m), fleece.encode(m, { sort_keys = true })
      same(fleece.encode(fleece.decode(spliced), { sort_keys = true }),
        fleece.encode(fleece.decode(anew), { sort_keys = true }))
    end
  end
end
