-- SPDX-License-Identifier: MIT
-- test_text_arguments.lua -- what stands for a text: the head of docs/reference/functions.md. Each function that reads one, with
-- each kind of value.
-- runs: in one layout

local T = require "support"
local fleece = T.fleece

TestTextArguments = {}

local function collect(reader)
  local found = {}
  for a in reader do found[#found + 1] = a end
  return found[1]
end
local texts = {
  decode = fleece.decode, decode_prefix = fleece.decode_prefix, format = fleece.format, lazy = fleece.lazy,
  from_json = function(...) return fleece.unpack((fleece.from_json(...))) end,
  documents = function(...) return collect(fleece.documents(...)) end,
  tokens = function(...) local _, value = fleece.tokens(...)() return value end,
  picker = function(...) return fleece.pick ""(...) end,
  format_stream = function(...)
    local sink, text = T.collector()
    fleece.format_stream(..., sink)
    return text()
  end,
  feed = function(...) return fleece.parser():feed(...):finish() end,
  json = function(...) return fleece.unpack(fleece.encoder():json(...):finish()) end,
  raw = function(...) return fleece.encode(fleece.raw(...)) end,
  edit = function(text) return fleece.edit(text, {}) end,
}
local bytes = { open = fleece.open, check = fleece.check, unpack = fleece.unpack, to_json = fleece.to_json, dump = fleece.dump, keys = fleece.keys }

-- What Lua's own functions say of the value.
local others = { { nil, "nil" }, { true, "boolean" }, { {}, "table" }, { coroutine.create(function() end), "thread" } }

function TestTextArguments:test_numbers_are_texts()
  for name, f in pairs(texts) do T.same(tostring((f(22))), "22", name) end
end

function TestTextArguments:test_numbers_are_no_bytes()
  for name, f in pairs(bytes) do T.contains(T.error_of(f, 22), "bad argument #1 to '" .. name .. "' (") end
  for name, f in pairs(bytes) do T.ends(T.error_of(f, 22), " expected, got number)", name) end
end

function TestTextArguments:test_other_values()
  for _, list in ipairs { texts, bytes } do
    for name, f in pairs(list) do
      for i, other in ipairs(others) do
        local is_options = other[2] == "table" and (name == "documents" or name == "tokens" or name == "items") -- it is fed
        if (i > 1 or name ~= "keys") and not is_options then
          local message = T.error_of(f, other[1])
          T.contains(message, "bad argument #1 to '" .. name .. "' (")
          T.ends(message, " expected, got " .. other[2] .. ")", name)
        end
      end
    end
  end
  for _, name in ipairs { "decode", "format", "lazy", "from_json", "open", "check", "path" } do
    T.ends(T.error_of(fleece[name]), "bad argument #1 to '" .. name .. "' (string expected, got no value)")
  end
  T.ends(T.error_of(fleece.patch, "x"), "bad argument #2 to 'patch' (value expected)")
  T.ends(T.error_of(fleece.pick, { "a", "b" }), "bad argument #1 to 'pick' (path expected, got table)")
  T.ends(T.error_of(fleece.decode, "1", { "comments" }), "bad argument #2 to 'decode' (options expected, got a list)")
end

-- The name is that of the function wherever it was found, and metamethods have no arguments.
function TestTextArguments:test_names()
  local name = "decode"
  T.ends(T.error_of(function()
    local value = fleece[name](true)
    return value
  end), "bad argument #1 to 'decode' (string expected, got boolean)")
  local m = fleece.open(fleece.pack { a = 1 }):mutable()
  local message = T.error_of(function() m[1] = 2 end)
  T.ends(message, ": a dict's names are strings")
end
