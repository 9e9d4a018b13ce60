-- SPDX-License-Identifier: MIT
-- test_edit_space.lua -- what changes of a text do to its white space: line ends, indentation and the final newline stay
-- those of the text, in every function that changes one in place; and comments cost linear time.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same

TestEditSpace = {}

-- A text of three lines and its line end `eol`, with tabs.
local function lines(eol, ...) return table.concat({ ... }, eol) end

local ENDS = { "\n", "\r\n", "\r" }

function TestEditSpace:test_line_ends()
  for _, eol in ipairs(ENDS) do
    local text = lines(eol, "{", '\t"a": 1,', '\t"b": {}', "}", "")
    local value = lines(eol, "[", "\t  1,", "\t  {", '\t    "x": 2', "\t  }", "\t]")
    local expected = lines(eol, "{", '\t"a": ' .. value .. ",", '\t"b": {}', "}", "")
    local added = lines(eol, "{", '\t"a": 1,', '\t"b": {', '\t\t"c": 2', "\t}", "}", "")
    same(fleece.edit(text, { { "set", "a", { 1, { x = 2 } } } }, { indent = 2 }), expected)
    -- values that are texts, with line ends of their own
    for _, own in ipairs(ENDS) do
      local raw = lines(own, "[", "  1,", "  {", '    "x": 2', "  }", "]")
      same(fleece.edit(text, { { "set", "a", fleece.raw(raw) } }), expected)
      same(fleece.json_patch(text, '[{"op":"replace","path":"/a","value":' .. raw .. "}]"), expected)
      same(fleece.merge_patch(text, '{"a":' .. raw .. "}"), expected)
      same(fleece.json_patch(text, { { op = "replace", path = "/a", value = fleece.raw(raw) } }), expected)
    end
    -- what is added and removed
    same(fleece.edit(text, { { "set", "b.c", 2 } }), added)
    same(fleece.json_patch(text, { { op = "add", path = "/b/c", value = 2 } }), added)
    same(fleece.merge_patch(text, { b = { c = 2 } }), added)
    same(fleece.edit(added, { { "remove", "b.c" } }), text)
    same(fleece.merge_patch(added, { b = { c = fleece.null } }), text)
    -- the whole value: the final newline stays
    same(fleece.edit("1" .. eol, { { "set", "", { 1 } } }, { indent = 2 }), lines(eol, "[", "  1", "]", ""))
    same(fleece.merge_patch("[1]" .. eol, "2"), "2" .. eol)
  end
  -- a text without line ends: the value's
  same(fleece.edit("[0]", { { "set", "/0", fleece.raw "[\r\n1\n]" } }), "[[\r\n1\n]]")
end

-- What a patch brings has the indentation of its place, not that which it had in the patch: as edit writes it. Each form
-- of the patch: tables, views, and texts with several layouts.
function TestEditSpace:test_values_of_patches()
  local value = { k = { 1 } }
  local function forms(codec, patch)
    local view = fleece.open(fleece.pack(patch))
    local list = { patch, view, codec.encode(patch) }
    for _, indent in ipairs { 2, 4, "\t" } do
      local text = fleece.encode(patch, { indent = indent })
      list[#list + 1] = text
      list[#list + 1] = " \n   " .. text:gsub("\n", "\n   ") .. "\n"
      list[#list + 1] = (text:gsub("\n", "\r\n"))
    end
    return list
  end
  for _, eol in ipairs(ENDS) do
    for _, indent in ipairs { 2, 4, "\t" } do
      local codec = fleece.new { indent = indent }
      local by = type(indent) == "string" and indent or (" "):rep(indent)
      -- at the end of the whole text, in an object of it, and as an item
      for _, case in ipairs {
        { lines(eol, "{", '  "a": 1', "}"), "/q", { q = value }, "  ", lines(eol, "{", '  "a": 1,', '  "q": @', "}") },
        { lines(eol, "{", '  "a": 1', "}"), "/a", { a = value }, "  ", lines(eol, "{", '  "a": @', "}") },
        { lines(eol, "{", '\t"o": {', '\t\t"a": 1', "\t}", "}"), "/o/q", { o = { q = value } }, "\t\t",
          lines(eol, "{", '\t"o": {', '\t\t"a": 1,', '\t\t"q": @', "\t}", "}") },
        { lines(eol, "[", "  1", "]"), "/0", nil, "  ", lines(eol, "[", "  @,", "  1", "]") },
        { "1" .. eol, "", value, "", "@" .. eol },
        -- in the line of another member, which has the indentation
        { lines(eol, "{", '    "a": 1, "b": 2', "}"), "/q", { q = value }, "    ", lines(eol, "{", '    "a": 1, "b": 2, "q": @', "}") },
        { lines(eol, "{", '  "o": {', '    "a": 1, "q": 2 }', "}"), "/o/q", { o = { q = value } }, "    ",
          lines(eol, "{", '  "o": {', '    "a": 1, "q": @ }', "}") },
      } do
        local text, path, merge, outside, expected = T.unpack(case, 1, 5)
        local function written(step)
          local shown = lines(eol .. outside, "{", step .. '"k": [', step .. step .. "1", step .. "]", "}")
          return (expected:gsub("@", function() return shown end))
        end
        if path ~= "/0" then same(codec.edit(text, { { "set", path, value } }), written(by)) end
        for _, kind in ipairs { "merge_patch", "json_patch" } do
          local patch = merge
          if kind == "json_patch" then patch = { { op = "add", path = path, value = value } } end
          for i, form in ipairs(patch and forms(codec, patch) or {}) do
            local step = i <= 3 and by or ({ "  ", "    ", "\t" })[math.ceil((i - 3) / 3)]
            same(codec[kind](text, form), written(step))
          end
        end
      end
    end
  end
  -- lines that begin before the one of their value lose what they have of it; values of one line stay as they are
  same(fleece.merge_patch('{"a": 0, "b": 0}', '{\n    "a": [\n  1,\n\t2\n\n    ], "b": [ 3 ]}'),
    '{"a": [\n1,\n\t2\n\n], "b": [ 3 ]}')
end

-- A member of a merge patch that is null is not written, nor its comma; all around it stays.
function TestEditSpace:test_nulls_of_merge_patches()
  T.each({
    { '{"x":null}', "{}" }, { '{ "x": null }', "{}" }, { '{"x":null,"y":null}', "{}" },
    { '{ "x": null , "y": 1 }', '{ "y": 1 }' }, { '{ "y": 1 , "x": null }', '{ "y": 1 }' },
    { '{ "y" : 1.50 ,"x": null, "z":"\\u0041" }', '{ "y" : 1.50, "z":"\\u0041" }' },
    { '{"a":null,"b":null,"c":1,"d":null,"e":null,"f":2,"g":null,"h":null}', '{"c":1,"f":2}' },
    { '{"a":{"x":null},"b":{"y":{"z":null}, "x":null},"c":null}', '{"a":{},"b":{"y":{}}}' },
    { '{"a":null,"b":{"x":null,"y":2}}', '{"b":{"y":2}}' }, { '{"b":{"x":1},"y":null}', '{"b":{"x":1}}' },
    { '[null, {"x": null}]', '[null, {"x": null}]' }, { '{"x":null,"a":[null,{"b":null}]}', '{"a":[null,{"b":null}]}' },
    { '{"a":[],"x":null,"b":{}}', '{"a":[],"b":{}}' }, { '{"a,}":null,"\\"":"null,"}', '{"\\"":"null,"}' },
    { '{\n    "x": null,\n    "k": [\n      1\n    ],\n    "y": null\n  }', '{\n  "k": [\n    1\n  ]\n}', indent = true },
  }, function(case)
    local patch, expected = case[1], case[2]
    if case.indent then patch = '{\n  "q": ' .. patch .. "\n}" else patch = '{"q":' .. patch .. "}" end
    same(fleece.merge_patch("{}", patch), '{"q":' .. expected .. "}")
    if not case.indent and case[1]:find "^{" then same(fleece.merge_patch("1", case[1]), expected) end
  end)
end

-- A line end that a comment needs is one of the text.
function TestEditSpace:test_line_ends_after_comments()
  local codec = fleece.new { comments = true }
  for _, eol in ipairs(ENDS) do
    same(codec.edit("[// none" .. eol .. "]", { { "append", "", 1 } }), "[// none" .. eol .. "1]")
    same(codec.edit("[1,//x" .. eol .. "2]", { { "remove", "/1" } }), "[1//x" .. eol .. "]")
    same(codec.edit("[1, 2 // b" .. eol .. "]", { { "append", "", 3 } }), "[1, 2, // b" .. eol .. " 3" .. eol .. "]")
  end
end

local function repeated(n, f)
  local list = {}
  for i = 1, n do list[i] = f(i) end
  return list
end

-- Text and changes for n, which must cost linear time.
local LINEAR = {
  remove_first = function(n) return "[" .. ("1,/*x*/"):rep(n) .. "1]", repeated(n, function() return { "remove", "/0" } end) end,
  remove_second = function(n) return "[" .. ("1 /*x*/,"):rep(n) .. "1]", repeated(n - 1, function() return { "remove", "/1" } end) end,
  remove_last = function(n) return "[" .. ("1 // x\n,"):rep(n) .. "1]", repeated(n, function() return { "remove", "[-1]" } end) end,
  remove_by_index_from_the_end = function(n)
    return "[" .. ("1 /*x*/,"):rep(n) .. "1]", repeated(n, function(i) return { "remove", "/" .. n - i + 1 } end)
  end,
  remove_from_the_end_and_append = function(n) -- the third change of three appends what the next one removes
    return "[" .. ("1 /*x*/,"):rep(n) .. "1]", repeated(3 * (n - 2), function(i)
      return i % 3 == 0 and { "append", "", 1 } or { "discard", "/" .. n - (i - 1 - (i - 1) % 3) / 3 - (i - 1) % 3 }
    end)
  end,
  insert_at_one_place = function(n)
    return "[\n" .. ("/*x*/"):rep(n) .. "1]", repeated(n, function(i) return { "insert", "/" .. i - 1, 1 } end)
  end,
  insert_and_remove = function(n)
    return "[" .. ("1,//x\n"):rep(n) .. "1]", repeated(2 * n, function(i) return i % 2 == 0 and { "remove", "/0" } or { "insert", "/0", 1 } end)
  end,
  empty_and_fill = function(n)
    return "[1" .. ("/*x*/"):rep(n) .. "]", repeated(2 * n, function(i) return i % 2 == 1 and { "remove", "/0" } or { "append", "", 1 } end)
  end,
  long_blanks = function(n) return "[1,\n" .. ("\t"):rep(50 * n) .. "1]", repeated(n, function(i) return { "insert", "/" .. i, fleece.raw "[\n1]" } end) end,
  append_before_blanks = function(n) return "[1" .. (" "):rep(50 * n) .. "]", repeated(n, function() return { "append", "", 1 } end) end,
}

-- The comments above a removed member, and after it in its line, stay, each on a line of its own.
function TestEditSpace:test_comments_of_what_is_removed()
  local text = '{\n  // font\n  "size": 14, // px\n  // tabs\n  "tab": 4, /* four */\n\n  "theme": "dark" // last\n  // end\n}\n'
  T.each({
    { '{\n  // font\n  // px\n  // tabs\n  "tab": 4, /* four */\n\n  "theme": "dark" // last\n  // end\n}\n', "size" },
    { '{\n  // font\n  "size": 14, // px\n  // tabs\n  /* four */\n\n  "theme": "dark" // last\n  // end\n}\n', "tab" },
    { '{\n  // font\n  "size": 14, // px\n  // tabs\n  "tab": 4 /* four */ // last\n  // end\n}\n', "theme" },
    { '{\n  // font\n  // px\n  // tabs\n  /* four */ // last\n  // end\n}\n', "size", "tab", "theme" },
  }, function(case)
    local changes, operations, merge = {}, {}, {}
    for i = 2, #case do
      changes[i - 1] = { "remove", case[i] }
      operations[i - 1] = { op = "remove", path = "/" .. case[i] }
      merge[case[i]] = fleece.null
    end
    local codec = fleece.new { comments = true }
    same(codec.edit(text, changes), case[1])
    same(codec.json_patch(text, operations), case[1])
    if #changes == 1 then same(codec.merge_patch(text, merge), case[1]) end
  end)
end

function TestEditSpace:test_many_changes_beside_comments_are_linear()
  for name, make in pairs(LINEAR) do
    T.linear(function(n)
      local text, changes = make(n)
      local start = os.clock()
      local result = fleece.edit(text, changes, { comments = true })
      local seconds = os.clock() - start
      local _, before = text:gsub("x", "")
      same(select(2, result:gsub("x", "")), before, name) -- comments stay
      lu.assertTrue((pcall(fleece.decode, result, { comments = true })), name)
      return seconds
    end, 500, 5000, 40)
  end
end

function TestEditSpace:test_patches_beside_comments_are_linear()
  local codec = fleece.new { comments = true }
  T.linear(function(n)
    local text = "{" .. table.concat(repeated(n, function(i) return ('/*x*/"a%d":1 //y\n'):format(i) end), ",") .. "}"
    local operations = repeated(n, function(i) return { op = "move", from = "/a" .. i, path = "/b" .. i } end)
    local start = os.clock()
    local result = codec.json_patch(text, operations)
    local seconds = os.clock() - start
    same(select(2, result:gsub("[xy]", "")), 2 * n)
    same(codec.decode(result)["b" .. n], 1)
    return seconds
  end, 300, 3000, 40)
end

function TestEditSpace:test_patches_from_the_end_are_linear()
  local OPERATIONS = {
    remove = function(at) return { op = "remove", path = at } end,
    move = function(at) return { op = "move", from = at, path = "/b/-" } end,
  }
  for _, codec in ipairs { fleece, fleece.new { comments = true } } do
    for name, operation in pairs(OPERATIONS) do
      T.linear(function(n)
        local text = '{"a":[' .. table.concat(repeated(n, tostring), ",") .. '],"b":[]}'
        local operations = repeated(n, function(i) return operation("/a/" .. n - i) end)
        local start = os.clock()
        local result = codec.json_patch(text, operations)
        local seconds = os.clock() - start
        local moved = repeated(name == "move" and n or 0, function(i) return n - i + 1 end)
        same(result, '{"a":[],"b":[' .. table.concat(moved, ",") .. "]}")
        return seconds
      end, 500, 5000, 40)
    end
  end
end
