-- SPDX-License-Identifier: MIT
-- hard.lua -- what people have and other workloads lack: strings full of escapes, other scripts, short strings, names
-- that are never the same, numbers with more digits than a double, tables that shrank or were filled backwards, texts
-- that are tiny or large.

local verify = require "measure.verify"

local CHINESE = "每一次请求都把数据从一种形式变成另一种形式，所以时间很重要。"
local RUSSIAN = "Каждый запрос превращает данные из одного вида в другой. "

local function times(count, make)
  local t = {}
  for i = 1, count do t[i] = make(i) end
  return t
end

local function list(items) return "[" .. table.concat(items, ",") .. "]" end

-- A case of a document that is encoded, and decoded if `decode`.
local function case(key, name, build, decode)
  return { name = name, key = key, decode = decode, build = function(random) return { doc = build(random) } end }
end

-- A case of a text that is decoded, and whose value is encoded if `encode`.
local function text(key, name, make, encode)
  return {
    name = name, key = key, text = make, decode_only = not encode,
    build = function() return { doc = verify.decoder(true)(make()) } end,
  }
end

local cases = {
  case("quotes", "quotes in strings", function()
    return times(20, function() return "letters" .. ('"'):rep(1000) end)
  end, true),
  case("chinese", "Chinese", function(random)
    return times(200, function() return random.word(1, 8) .. CHINESE:rep(random.int(1, 4)) end)
  end, true),
  case("russian", "Russian", function(random)
    return times(200, function() return random.word(1, 8) .. RUSSIAN:rep(random.int(1, 4)) end)
  end, true),
  case("short", "words of 4 letters", function(random)
    return times(1000, function() return random.word(4, 4) end)
  end, true),
  case("names", "names of their own", function(random)
    return times(100, function()
      local t = {}
      for _ = 1, 10 do t[random.word(8, 12)] = random.int(1, 1000) end
      return t
    end)
  end, true),
  case("shrunk", "arrays that shrank", function()
    return times(20, function()
      local t = times(1000, function(i) return i end)
      for i = 1000, 6, -1 do t[i] = nil end
      return t
    end)
  end),
  case("backwards", "arrays filled backwards", function()
    return times(20, function()
      local t = {}
      for i = 100, 1, -1 do t[i] = i end
      return t
    end)
  end),
  case("one", "[1]", function() return { 1 } end, true),
  case("member", '{"a":1}', function() return { a = 1 } end, true),
  case("log", "records, 7 MB", function(random)
    return times(50000, function(i)
      return {
        id = i, time = 1.7e9 + i / 8, level = random.pick { "info", "warning", "error" }, user = random.word(4, 12),
        message = random.word(5, 10) .. " took longer than " .. random.int(1, 999) .. " ms",
        tags = { "a", "b", random.word(3, 3) },
      }
    end)
  end, true),
  text("halfway", "numbers of 770 digits", function()
    local zeros = ("0"):rep(753)
    return list(times(20, function(i) return ("90071992547409%d.%s1"):format(91 + 2 * (i % 4), zeros) end))
  end),
  text("digits", "numbers of 200 digits", function()
    return list(times(50, function(i) return i .. "." .. ("3141592653"):rep(20) end))
  end),
  text("repeated", "names that repeat", function()
    return list(times(200, function() return '{"name":"letters","name":"others","name":"more"}' end))
  end),
}
local SHOWN = { Chinese = "Chinese as \\u", Lua = "source in strings" }
for _, escaped in ipairs(require "workloads.escaped") do
  local name = SHOWN[escaped.name]
  if name then
    cases[#cases + 1] = text("escaped-" .. escaped.name:lower(), name, function()
      return '["letters","' .. escaped.text .. '","letters","letters"]'
    end, escaped.name == "Lua")
  end
end
return cases
