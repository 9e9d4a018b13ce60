-- SPDX-License-Identifier: MIT
-- tokens.lua -- the tokens of the texts that LuaJSON reads, by its rules (see decode.lua): white space, names without
-- quotes, calls, strings, numbers, words; and the place of an error.
-- Must hold: an error is raised as a table with message and place `at`. Globals are read once.

local safe_decode, decimal = require("fleece.safe").decode, require("fleece.stand_in").decimal
local error, select, tonumber, type, huge = error, select, tonumber, type, math.huge
local byte, char, find, format = string.byte, string.char, string.find, string.format
local gsub, match, sub = string.gsub, string.match, string.sub
local concat = table.concat

local T = {}

-- An error of a token: the kind is "text" or "string", which have different places.
local function fail(kind, message, at) error({ kind = kind, message = message, at = at }, 0) end

-- ---- white space -------------------------------------------------------------------------------------------

local wide = { ["\194\133"] = 2, ["\194\160"] = 2, ["\225\154\128"] = 3, ["\225\160\142"] = 3, ["\226\128\168"] = 3,
  ["\226\128\169"] = 3, ["\226\128\175"] = 3, ["\226\129\159"] = 3, ["\227\128\128"] = 3, ["\239\187\191"] = 3 }
for i = 0x80, 0x8b do wide["\226\128" .. char(i)] = 3 end

-- The position of the next token; after the text if there is none.
function T.skip(r, text, at)
  while true do
    at = find(text, "[^ \t\n\v\f\r]", at)
    if not at then return #text + 1 end
    local first, next_at = byte(text, at), nil
    if first == 47 then
      local closing = find(text, "^/%*", at) and "*/" or find(text, "^//", at) and "\n"
      local _, last = find(text, closing or "", at + 2, true)
      next_at = closing and last and last + 1
    elseif first >= 0xc2 and r.unicodeWhitespace then
      next_at = wide[sub(text, at, at + 1)] or wide[sub(text, at, at + 2)]
      next_at = next_at and at + next_at
    end
    if not next_at then return at end
    at = next_at
  end
end

-- ---- strings -----------------------------------------------------------------------------------------------

local meanings = { b = "\b", f = "\f", n = "\n", r = "\r", t = "\t", v = "\v", z = "" }

-- Calls a program's matcher. Returns the position after what it takes, and the text that takes its place; nil: it takes
-- nothing.
local function matched(matcher, text, at)
  local after, result = matcher(text, at)
  if not after then return nil end
  after = tonumber(after)
  if not after or not (after >= at and after <= #text + 1) then error("invalid place in the text returned", 0) end
  return after - after % 1, result
end

local function matched_escape(matcher, text, at)
  local after, result = matched(matcher, text, at)
  if after and type(result) ~= "string" and type(result) ~= "number" then
    error("invalid replacement value (a " .. type(result) .. ")", 0)
  end
  return after, result
end

-- Is there an escape whose letter is at this position?
local function is_escape(text, at)
  local letter = sub(text, at, at)
  if letter == "x" then
    return find(text, "^%x%x", at + 1) or fail("string", "Illegal hex escape", at + 1)
  elseif letter == "u" then
    return find(text, "^%x%x%x%x", at + 1) or fail("string", "Illegal unicode escape", at + 1)
  end
  return letter ~= "" and find("'\"\\/bfnrtvz", letter, 1, true)
end

-- What a program's function makes of the digits; without a result the text remains, as in a substitution of LPeg.
local function replaced(digits, n, result)
  if n == 0 then return "u" .. digits end
  if type(result) == "string" or type(result) == "number" then return result end
  error("invalid replacement value (a " .. type(result) .. ")", 0)
end
local function count(...) return select("#", ...), ... end

-- The character of the escape whose letter is at this position, and the position after it.
local function meaning(r, text, at)
  local letter = sub(text, at, at)
  if letter == "x" then return char(tonumber(sub(text, at + 1, at + 2), 16)), at + 3 end
  if letter ~= "u" then return meanings[letter] or letter, at + 1 end
  local digits = sub(text, at + 1, at + 4)
  if r.decodeUnicode then return replaced(digits, count(r.decodeUnicode(sub(digits, 1, 2), sub(digits, 3)))), at + 5 end
  local pair = find(digits, "^[dD][89abAB]") and match(text, "^\\u[dD][c-fC-F]%x%x", at + 5) or ""
  return safe_decode('"\\u' .. digits .. pair .. '"', { invalid_utf8 = "pass" }), at + 5 + #pair
end

-- The escape after the backslash before this position: its text, and the position after it; nil: it is none.
local function escape(r, text, at)
  if r.more then
    local after, result = matched_escape(r.more, text, at)
    if after then return result, after end
  end
  if r.check then
    local letter, before = matched_escape(r.check, text, at)
    if not letter or not is_escape(text, letter) then fail("string", "Illegal escape", at) end
    local result, after = meaning(r, text, letter)
    return before .. result, after
  end
  if r.escapes and not r.escapes[sub(text, at, at)] or not is_escape(text, at) then
    return r.escapes and fail("string", "Illegal escape", at) or nil
  end
  return meaning(r, text, at)
end

local function read_string(r, text, at)
  local quote, parts, n, from = sub(text, at, at), {}, 0, at + 1
  local stop = r.stops[quote]
  while true do
    local place = find(text, stop, from)
    local c = place and sub(text, place, place)
    if c ~= quote and c ~= "\\" then fail("text", "unexpected character", at) end
    parts[n + 1] = sub(text, from, place - 1)
    if c == quote then return concat(parts), place + 1 end
    local result, after = escape(r, text, place + 1)
    if not result then fail("text", "unexpected character", at) end
    parts[n + 2], from = result, after
    n = n + 2
  end
end

-- ---- other tokens ------------------------------------------------------------------------------------------

local function read_number(r, text, at)
  local hexadecimal = match(text, "^0[xX]%x+", at)
  if hexadecimal then
    if not r.hex then fail("text", "'Hexadecimal' denied by option set 'number.hex'", at) end
    return safe_decode(hexadecimal, { json5 = true }), at + #hexadecimal
  end
  local octal = match(text, "^%-?()0%d", at)
  if octal then fail("text", "'Octal numbers' denied", octal) end
  local after = match(text, "^%-?%d+()", at)
  local part = match(text, "^%.%d+()", after)
  if part and not r.frac then fail("text", "'Fractions' denied by option set 'number.frac'", after) end
  after = part or after
  part = match(text, "^[eE][+-]?%d+()", after)
  if part and not r.exp then fail("text", "'Exponents' denied by option set 'number.exp'", after) end
  after = part or after
  return decimal(sub(text, at, after - 1)), after
end

local words = { t = "true", f = "false", n = "null", u = "undefined" }

-- The token at the position: its kind ("mark", "name", "call", "value"), its value, and the position after it; of a
-- call also what is to be called. `null` and `undefined` are r.null and r.undefined.
function T.read(r, text, at)
  local c = sub(text, at, at)
  if find(c, "^[][{}:,]") or c == ")" and r.calls then return "mark", c, at + 1 end
  if at >= r.plain_until then -- before it, letters begin neither a name nor a call: a row of words is searched once
    local name, after = match(text, "^([A-Za-z_][A-Za-z_0-9]*)()", at)
    if name then
      local colon = r.identifier and T.skip(r, text, after)
      if colon and byte(text, colon) == 58 then return "name", name, colon + 1 end
      if r.allowUndefinedCalls and byte(text, after) == 40 then return "call", name, after + 1, true end
      r.plain_until = after
    end
  end
  for i = 1, r.defs and #r.defs or 0, 2 do
    local name, call = r.defs[i], r.defs[i + 1]
    local after, result
    if type(name) == "function" then after, result = matched(name, text, at)
    elseif sub(text, at, at + #name) == name .. "(" then after, result = at + #name + 1, name end
    if after then return "call", result, after, call end
  end
  if c == '"' or c == "'" and not r.strict_quotes then
    return "value", read_string(r, text, at)
  end
  if find(text, "^%-?%d", at) then return "value", read_number(r, text, at) end
  if find(text, "^[nN][aA][nN]", at) then
    if not r.nan then fail("text", "'NaN' denied by option set 'number.nan'", at) end
    return "value", 0 / 0, at + 3
  end
  local after = match(text, "^%-?[iI]nfinity()", at)
  if after then
    if not r.inf then fail("text", "'+/-Inf' denied by option set 'number.inf'", at) end
    return "value", c == "-" and -huge or huge, after
  end
  local word = words[c]
  if not word or sub(text, at, at + #word - 1) ~= word then fail("text", "unexpected character", at) end
  if c == "u" and not r.allowUndefined then
    fail("text", "'undefined' denied by option set 'others.allowUndefined'", at)
  end
  if c == "t" or c == "f" then return "value", c == "t", at + #word end
  if c == "n" then return "value", r.null, at + 4 end
  return "value", r.undefined, at + 9
end

-- ---- messages ----------------------------------------------------------------------------------------------

-- A character in quotes, as %q of Lua 5.2 and later writes it.
local function quoted(c)
  if find(c, '^[\n"\\]') then return '"\\' .. c .. '"' end
  if find(c, "^%c") then return '"\\' .. byte(c) .. '"' end
  return '"' .. c .. '"'
end

-- The message of a token's error with its place as LuaJSON counts: lines from 0; the column is the length of the piece
-- of the line that it shows.
function T.message(fault, text)
  local at, c = fault.at, sub(text, fault.at, fault.at)
  local before = sub(text, 1, at)
  local _, line = gsub(before, "\n", "\n")
  local shown = match(before, ".*\n(.+)$")
  if not shown or #shown < 2 then shown = before end
  if fault.kind == "string" then return format("%s in string [%s] @ %d:%d", fault.message, quoted(c), line, #shown) end
  return format("%s @ character: %d %d:%d [", fault.message, at, line, #shown) .. c .. "] line:\n" .. shown
end

return T
