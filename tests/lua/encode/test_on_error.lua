-- SPDX-License-Identifier: MIT
-- test_on_error.lua -- the handler's result replaces the whole value, wherever in the value the error is and however
-- the text is delivered: as a string, to a file, to a function, in pieces.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestOnError = {}

local function x() return "X" end

local function to_function(codec, value, options)
  local sink, result = T.collector()
  codec.write(sink, value, options)
  return result()
end

local ways = {
  file = function(codec, value, options)
    return T.file_text(function(file) same(codec.write(file, value, options), true) end)
  end,
  ["function"] = to_function,
  pieces = function(codec, value, options) return T.writer_text(codec, value, options, 1000) end,
  string = function(codec, value, options) return codec.encode(value, options) end,
}

local function replaced(value, expected, options)
  options = options or {}
  options.on_error = x
  for _, codec in ipairs(T.codecs) do
    for name, way in pairs(ways) do same(way(codec, value, options), expected, name) end
  end
  for _, layout in ipairs { "auto", "api" } do
    local codec = fleece.new { on_error = x, max_depth = options.max_depth, layout = layout }
    same(codec.size(value), #codec.json(value))
  end
end

-- Documents whose encoding fails after about `bytes` of text.
local function views(bytes)
  local infinite, deep = {}, {}
  for i = 1, bytes / 20 do
    infinite[i] = "string number " .. i
    deep[i] = i
  end
  infinite[#infinite + 1] = 1 / 0
  deep[#deep + 1] = { { { { { 1 } } } } }
  return fleece.open(fleece.pack(infinite)), fleece.open(fleece.pack(deep))
end

function TestOnError:test_views_that_fail_late()
  for _, bytes in ipairs { 20, 5000, 40000, 700000 } do
    local infinite, deep = views(bytes)
    replaced({ "before", infinite.root, "after" }, '["before","X","after"]')
    replaced({ "before", deep.root, "after" }, '["before","X","after"]', { max_depth = 4 })
    replaced({ a = { infinite } }, '{"a":["X"]}')
    replaced(infinite, '"X"')
    replaced({ infinite.root:mutable(), ("y"):rep(30000) }, '["X","' .. ("y"):rep(30000) .. '"]')
  end
end

function TestOnError:test_views_in_an_encode_inside_a_hook()
  local infinite = views(400000)
  local value = setmetatable({}, { __tojson = function()
    return fleece.encode({ "before", infinite.root, "after" }, { on_error = x })
  end })
  for _ = 1, 3 do same(fleece.encode { value, 1 }, '[["before","X","after"],1]') end
end

-- A string that is invalid only at its end, and a long cycle that the raw walk finds late: nothing of the value may
-- have been delivered by then.
function TestOnError:test_values_that_fail_late()
  for _, n in ipairs { 10, 5000, 100000, 1000000 } do
    local bad = ("x"):rep(n) .. "\255"
    replaced({ bad, "tail" }, '["X","tail"]')
    replaced(bad, '"X"')
    replaced({ [bad] = 1 }, '{"X":1}')
  end
  local ring, last = {}, nil
  last = ring
  for i = 1, 9 do
    local t = { ("y"):rep(20000) .. i }
    last[2], last = t, t
    ring[1] = "first"
  end
  last[2] = ring
  replaced(ring, fleece.encode(ring, { on_error = x }))
end

function TestOnError:test_the_handler_is_called_once()
  local t = { 0 / 0, 2, nil, 4 }
  t.x = 1 -- now it has as many pairs as its length says
  for _, codec in ipairs(T.codecs) do
    local asked = {}
    codec.encode(t, { on_error = function(_, path)
      asked[#asked + 1] = path
      return 0
    end })
    same(table.concat(asked, " "), "[1]")
  end
end

-- If __index raises an error for an item, the handler gets nil as its value.
function TestOnError:test_errors_of_index()
  local function list(n, index) return setmetatable({}, { __len = function() return n end, __index = index }) end
  local function odd(_, i) return i % 2 == 1 and i or error("even", 0) end
  replaced(list(5, odd), '[1,"X",3,"X",5]')
  replaced({ a = { list(2, odd), "after" } }, '{"a":[[1,"X"],"after"]}')
  replaced({ list(2, odd) }, '[\n [\n  1,\n  "X"\n ]\n]', { indent = 1 })
  replaced(list(2, function() error {} end), '["X","X"]')
  for _, codec in ipairs(T.codecs) do
    local asked = {}
    local function handler(value, path, message)
      asked[#asked + 1] = tostring(value) .. path .. message
      return list(1, odd)
    end
    same(codec.encode({ list(2, odd) }, { on_error = handler }), "[[1,[1]]]")
    same(table.concat(asked, " "), "nil[1][2]even at [1][2]")
    T.raises_ending("even at [1][2]", codec.encode, { list(2, odd) }, { on_error = function() end })
    T.raises_ending("mine", codec.encode, { list(1, error) }, { on_error = function() error("mine", 0) end })
    same(fleece.to_json(codec.pack({ list(3, odd) }, { on_error = x })), '[[1,"X",3]]')
  end
  same(select(2, T.safe.encode { list(2, odd) }), "even at [1][2]")
end

-- Sorted names that the handler makes equal are in the order of the keys' own bytes, and the handler is asked in that
-- order, whatever order `next` has: tables are filled in many orders, because that is what it depends on.
function TestOnError:test_equal_names_are_in_the_order_of_their_keys()
  local keys = {}
  for i = 1, 9 do keys[i] = "\255" .. i end
  keys[10], keys[11], keys[12] = "a", "z", false
  keys[13] = true
  local text = '{"a":10,"k":12,"k":13,"k":1,"k":2,"k":3,"k":4,"k":5,"k":6,"k":7,"k":8,"k":9,"z":11}'
  for _ = 1, 60 do
    local order, t, asked = {}, {}, {}
    for i = 1, #keys do table.insert(order, T.random(1, i), i) end
    for _, i in ipairs(order) do t[keys[i]] = i end
    local function handler(key)
      asked[#asked + 1] = tostring(key)
      return "k"
    end
    for _, codec in ipairs(T.codecs) do
      asked = {}
      same(codec.encode(t, { sort_keys = true, on_error = handler }), text)
      same(table.concat(asked, " "), "false true \2551 \2552 \2553 \2554 \2555 \2556 \2557 \2558 \2559")
      same(codec.encode({ t }, { sort_keys = true, on_error = handler, key_order = { "z" } }), '[{"z":11,' ..
        text:sub(2, -9) .. "}]")
    end
  end
end
