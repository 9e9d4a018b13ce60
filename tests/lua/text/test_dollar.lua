-- SPDX-License-Identifier: MIT
-- test_dollar.lua -- `$` in key paths: the root at the beginning, alone or before `.` or `[`; elsewhere a letter.

local T = require "support"
local fleece, same = T.fleece, T.same

TestDollar = {}

local text = '{"$schema":"s","$":{"a":"in"},"a":"out","b":{"$ref":"r","$":"d"},"$$":2,"a$":3,"$.a":4,"$x":[5],"l":[{"$id":6}]}'

-- Paths and what they lead to: a JSON pointer (RFC 6901), in which `$` never means anything else.
local paths = {
  ["$schema"] = "/$schema", ["$"] = "", ["$.a"] = "/a", ["$.$"] = "/$", ["$.$.a"] = "/$/a", ["\\$"] = "/$", ["\\$.a"] = "/$/a",
  ["$.$schema"] = "/$schema", ["b.$ref"] = "/b/$ref", ["$.b.$ref"] = "/b/$ref", ["b.$"] = "/b/$", ["$$"] = "/$$", ["a$"] = "/a$",
  ["$\\.a"] = "/$.a", ["$x[0]"] = "/$x/0", ["$.$x[0]"] = "/$x/0", ["l[0].$id"] = "/l/0/$id", ["$.l[-1].$id"] = "/l/0/$id",
  ["$nothing"] = "/$nothing", [".$schema"] = "/$schema",
}

function TestDollar:test_reading()
  local view, doc = fleece.lazy(text), fleece.open(fleece.from_json(text))
  T.each_pair(paths, function(path, pointer)
    for _, options in ipairs { {}, { raw = true }, { test = "read" } } do
      local wanted = fleece.pick(pointer, options)(text)
      T.equal(fleece.pick(path, options)(text), wanted)
      T.equal(fleece.pick(fleece.path(path), options)(text), wanted)
    end
    for _, from in ipairs { view, doc } do
      same(fleece.encode { fleece.path(path)(from) }, fleece.encode { from:pointer(pointer) })
      same(fleece.to_json(from, { path = path }), fleece.to_json(from, { pointer = pointer }))
    end
  end)
  same(fleece.pick "$[0]" "[7]", 7)
  same(fleece.pick "$[-1].$ref" '[{"$ref":7}]', 7)
end

function TestDollar:test_changing()
  T.each_pair(paths, function(path, pointer)
    for _, change in ipairs { { "set", 0 }, { "remove" }, { "append", 1 }, { "insert", 1 } } do
      local wanted, message = T.safe.edit(text, { { change[1], pointer, change[2] } })
      local got, message2 = T.safe.edit(text, { { change[1], path, change[2] } })
      same(got, wanted)
      same(message2 == nil, message == nil)
    end
  end)
  same(fleece.edit("{}", { { "set", "$schema", "x" } }), '{"$schema":"x"}')
end

-- JSONPath is not read as the path of something else, in any function; the message names what reads it.
function TestDollar:test_queries_are_no_key_paths()
  local hint = ", where a name or [index] is expected; fleece.query reads JSONPath"
  for path, byte in pairs { ["$..name"] = 3, ["a..b"] = 3, [".."] = 2, ["..name"] = 2, ["a.[0]"] = 3, ["a[?@.b]"] = 2 } do
    local words = "not a key path: wrong at byte " .. byte .. (path == "a.[0]" and "" or hint)
    T.raises_with(words, fleece.pick, path)
    T.raises_with(words, fleece.path, path)
    T.raises_with(words, fleece.to_json, fleece.from_json "{}", { path = path })
    for _, change in ipairs { { "set", path, 1 }, { "insert", path, 1 }, { "append", path, 1 }, { "remove", path }, { "discard", path } } do
      T.raises_with(words, fleece.edit, "{}", { change })
    end
  end
  T.same(fleece.edit('{"a":[1]}', { { "set", ".a[0]", 2 } }), '{"a":[2]}')
  T.same(fleece.pick ".[0]" "[7]", 7)
  T.same(fleece.pick "." "7", 7)
end

-- What is wrong stays wrong.
function TestDollar:test_mistakes()
  for path, byte in pairs { ["$["] = 2, ["$[]"] = 2, ["$[1"] = 2, ["$[1]b"] = 2, ["$x["] = 3, ["$\\"] = 3 } do
    T.raises_with("wrong at byte " .. byte, fleece.pick, path)
    T.raises_with("not a key path", fleece.path, path)
  end
end
