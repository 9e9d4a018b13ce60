-- SPDX-License-Identifier: MIT
-- partial_model.lua -- what decode with partial = true must return for a beginning of a valid strict JSON text, by the
-- rules of docs/unfinished.md and nothing else. Finished strings and numbers are read by decode itself.
--
--   model(text, unfinished) -> value, "open" or "complete"

local fleece = require "fleece"

local NOTHING = {} -- no value has begun, or what has begun does not count

local numbers = { "^%-?%d+$", "^%-?%d+%.%d+$", "^%-?%d+[eE][-+]?%d+$", "^%-?%d+%.%d+[eE][-+]?%d+$" }

-- The longest beginning of s that is a number, or nil.
local function number_so_far(s)
  for n = #s, 1, -1 do
    for _, pattern in ipairs(numbers) do
      if s:sub(1, n):find(pattern) then return fleece.decode(s:sub(1, n)) end
    end
  end
end

-- What a string that begins with these bytes, without its quotes, means so far.
local function string_so_far(s)
  local whole, at = {}, 1
  while at <= #s do
    local c, part = s:sub(at, at), nil
    if c == "\\" then
      part = s:match("^\\[^u]", at) or s:match("^\\u%x%x%x%x", at)
      if not part then break end
      if part:find "^\\u[dD][89abAB]" then
        local second = s:match("^\\u%x%x%x%x", at + 6)
        if not second then break end
        part = part .. second
      end
    else
      local byte = c:byte()
      local length = byte < 0x80 and 1 or byte < 0xe0 and 2 or byte < 0xf0 and 3 or 4
      if at + length - 1 > #s then break end
      part = s:sub(at, at + length - 1)
    end
    whole[#whole + 1] = part
    at = at + #part
  end
  return fleece.decode('"' .. table.concat(whole) .. '"')
end

return function(text, unfinished)
  local at = 1
  local value

  local function skip() at = text:find("[^ \t\r\n]", at) or #text + 1 end

  -- The string at `at`; has it ended?
  local function string()
    local from = at + 1
    at = from
    while at <= #text do
      local c = text:sub(at, at)
      if c == '"' then
        at = at + 1
        return fleece.decode(text:sub(from - 1, at - 1)), true
      end
      at = at + (c == "\\" and 2 or 1)
    end
    at = #text + 1
    return string_so_far(text:sub(from)), false
  end

  local function array()
    local list, n = {}, 0
    at = at + 1
    while true do
      skip()
      if text:sub(at, at) == "]" then
        at = at + 1
        return list, true
      end
      local item, ended = value()
      if item ~= NOTHING then
        n = n + 1
        list[n] = item
      end
      if not ended then return list, false end
      skip()
      if text:sub(at, at) == "," then at = at + 1 end
    end
  end

  local function object()
    local map = {}
    at = at + 1
    local function result(ended) return next(map) == nil and fleece.object(map) or map, ended end
    while true do
      skip()
      if text:sub(at, at) == "}" then
        at = at + 1
        return result(true)
      end
      if at > #text then return result(false) end
      local name, ended = string()
      skip()
      if not ended or at > #text then return result(false) end
      at = at + 1 -- the colon
      local member
      member, ended = value()
      if member ~= NOTHING then map[name] = member end
      if not ended then return result(false) end
      skip()
      if text:sub(at, at) == "," then at = at + 1 end
    end
  end

  function value()
    skip()
    local c = text:sub(at, at)
    if c == "" then return NOTHING, false end
    if c == "[" then return array() end
    if c == "{" then return object() end
    if c == '"' then
      local s, ended = string()
      if not ended and not unfinished then s = NOTHING end
      return s, ended
    end
    local word = text:match("^%a+", at)
    if word then
      at = at + #word
      if word == "true" then return true, true end
      if word == "false" then return false, true end
      if word == "null" then return fleece.null, true end
      return NOTHING, false
    end
    local number = text:match("^[-+.%deE]+", at)
    at = at + #number
    if at <= #text then return fleece.decode(number), true end
    local so_far = unfinished and number_so_far(number)
    return so_far or NOTHING, false
  end

  local result, ended = value()
  if result == NOTHING then result = nil end
  return result, ended and "complete" or "open"
end
