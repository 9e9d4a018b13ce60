-- SPDX-License-Identifier: MIT
-- regex_model.lua -- random regular expressions as trees, their texts, and a slow, simple matcher for them. The matcher
-- follows the definition: from the set of places where a part can begin it computes the set of places where it can end
-- (ECMA 262, 15.10.2, without the order of matches). It never parses a pattern.

local T = require "support"
local random, pick = T.random, T.pick

local M = {}

-- Code points to UTF-8 (RFC 3629, section 3).
local function utf8(c)
  if c < 0x80 then return string.char(c) end
  if c < 0x800 then return string.char(0xc0 + math.floor(c / 64), 0x80 + c % 64) end
  if c < 0x10000 then return string.char(0xe0 + math.floor(c / 4096), 0x80 + math.floor(c / 64) % 64, 0x80 + c % 64) end
  return string.char(0xf0 + math.floor(c / 262144), 0x80 + math.floor(c / 4096) % 64, 0x80 + math.floor(c / 64) % 64,
    0x80 + c % 64)
end
M.utf8 = utf8

local PLAIN = { 97, 98, 99, 0x5f, 0x30, 0xe9, 0x20ac, 0x1f600 }
local ANY = { 97, 98, 99, 0x5f, 0x30, 0x2d, 0x20, 0x5c, 0x5d, 0x5e, 0x28, 0x2e, 10, 0, 8, 0xa0, 0xe9, 0x2028, 0x20ac,
  0xffff, 0x10000, 0x1f600 }

-- ---- classes of characters ---------------------------------------------------------------------------------

local function is_digit(c) return c >= 48 and c <= 57 end
local function is_word(c) return is_digit(c) or (c >= 65 and c <= 90) or c == 95 or (c >= 97 and c <= 122) end
local SPACES = { [9] = 1, [10] = 1, [11] = 1, [12] = 1, [13] = 1, [32] = 1, [0xa0] = 1, [0x1680] = 1, [0x2028] = 1,
  [0x2029] = 1, [0x202f] = 1, [0x205f] = 1, [0x3000] = 1, [0xfeff] = 1 }
local function is_space(c) return SPACES[c] ~= nil or (c >= 0x2000 and c <= 0x200a) end
local SETS = { d = is_digit, w = is_word, s = is_space,
  D = function(c) return not is_digit(c) end, W = function(c) return not is_word(c) end,
    S = function(c) return not is_space(c) end }

-- ---- random trees ------------------------------------------------------------------------------------------

local ESCAPES = { [8] = false, [9] = "\\t", [10] = "\\n", [11] = "\\v", [12] = "\\f", [13] = "\\r" }

-- One of the ways to write a character; if `plain`, one that RapidJSON knows.
local function written(c, plain, in_class)
  if (in_class and ("\\]^-"):find(utf8(c), 1, true)) or ("^$\\.*+?()[]{}|"):find(utf8(c), 1, true) then
    return "\\" .. utf8(c)
  end
  if plain then return utf8(c) end
  local kind = random(1, 8)
  if kind == 1 and ESCAPES[c] then return ESCAPES[c] end
  if kind == 2 and c < 256 then return ("\\x%02x"):format(c) end
  if kind == 3 and c < 0x10000 then return ("\\u%04X"):format(c) end
  if kind == 3 then
    return ("\\ud%03x\\ud%03x"):format(0x800 + math.floor((c - 0x10000) / 1024), 0xc00 + (c - 0x10000) % 1024)
  end
  if kind == 4 then return ("\\u{%x}"):format(c) end
  if kind == 5 and c > 0 and c <= 26 then return "\\c" .. string.char(64 + c) end
  if kind == 6 and c == 45 then return "\\-" end
  if c == 8 and in_class then return "\\b" end
  return utf8(c)
end

local function class(plain)
  local items, parts, negated = {}, {}, random(1, 3) == 1
  for i = 1, random(1, 3) do
    local kind, a, b = random(1, plain and 4 or 6), pick(plain and PLAIN or ANY), pick(plain and PLAIN or ANY)
    if kind == 1 then
      items[i] = function(c) return c >= math.min(a, b) and c <= math.max(a, b) end
      parts[i] = written(math.min(a, b), plain, true) .. "-" .. written(math.max(a, b), plain, true)
    elseif kind <= 4 then
      items[i] = function(c) return c == a end
      parts[i] = written(a, plain, true)
    else
      local letter = pick { "d", "D", "w", "W", "s", "S" }
      items[i], parts[i] = SETS[letter], "\\" .. letter
    end
  end
  return {
    is = "one", text = "[" .. (negated and "^" or "") .. table.concat(parts) .. "]",
    fits = function(c)
      for _, item in ipairs(items) do if item(c) then return not negated end end
      return negated
    end,
  }
end

local function character(plain)
  local c = pick(plain and PLAIN or ANY)
  return { is = "one", text = written(c, plain), fits = function(x) return x == c end }
end

local function single(plain)
  local kind = random(1, plain and 7 or 12)
  if kind <= 5 then return character(plain) end
  if kind <= 7 then return class(plain) end
  if kind == 8 then
    return { is = "one", text = ".", fits = function(c) return c ~= 10 and c ~= 13 and c ~= 0x2028 and c ~= 0x2029 end }
  end
  if kind <= 10 then
    local letter = pick { "d", "D", "w", "W", "s", "S" }
    return { is = "one", text = "\\" .. letter, fits = SETS[letter] }
  end
  return { is = "place", text = pick { "^", "$", "\\b", "\\B" }, empty = true }
end

local function repeated(node, plain)
  local least, most, text = 0, random(1, 4), nil
  local kind = random(1, 6)
  if plain and node.empty then kind = 1 end -- RapidJSON crashes on a loop over an empty match
  if kind == 1 then
    most, text = 1, "?"
  elseif kind == 2 then
    most, text = nil, "*"
  elseif kind == 3 then
    least, most, text = 1, nil, "+"
  elseif kind == 4 then
    least, most, text = most, nil, "{" .. most .. ",}"
  elseif kind == 5 then
    least = random(0, most)
    text = "{" .. least .. "," .. most .. "}"
  else
    if not plain and random(1, 5) == 1 then most = 0 end
    least, text = most, "{" .. most .. "}"
  end
  if not plain and random(1, 3) == 1 then text = text .. "?" end
  return { is = "repeat", node, least = least, most = most, text = node.text .. text, empty = least == 0 or node.empty }
end

-- A random expression; if `plain`, without what RapidJSON does not know or gets wrong.
local function alternatives(depth, plain)
  local all, texts = { is = "any of" }, {}
  for i = 1, random(1, 4) > 3 and random(2, 3) or 1 do
    local parts, text = { is = "row", empty = true }, {}
    for j = 1, random(plain and 1 or 0, 3) do
      local part
      if depth > 0 and random(1, 3) == 1 then
        local inner = alternatives(depth - 1, plain)
        part = { is = "any of", inner, empty = inner.empty,
          text = pick(plain and { "(" } or { "(", "(?:", "(?<name>" }) .. inner.text .. ")" }
      else
        part = single(plain)
      end
      if part.is ~= "place" and random(1, 3) == 1 then part = repeated(part, plain) end
      parts[j], text[j] = part, part.text
      parts.empty = parts.empty and part.empty
    end
    all[i], texts[i] = parts, table.concat(text)
    all.empty = all.empty or parts.empty
  end
  all.text = table.concat(texts, "|")
  return all
end

function M.expression(plain) return alternatives(random(1, 3), plain) end

-- A text as a list of characters, and in UTF-8.
function M.text(plain)
  local list, bytes = {}, {}
  for i = 1, random(0, 6) do
    list[i] = pick(random(1, 2) == 1 and { 97, 98 } or plain and PLAIN or ANY)
    bytes[i] = utf8(list[i])
  end
  return list, table.concat(bytes)
end

-- ---- matching ----------------------------------------------------------------------------------------------

local function is_place(text, list, at)
  if text == "^" then return at == 1 end
  if text == "$" then return at == #list + 1 end
  local before, after = at > 1 and is_word(list[at - 1]), at <= #list and is_word(list[at])
  return (before ~= after) == (text == "\\b")
end

local function union(a, b)
  local grew = false
  for at in pairs(b) do grew, a[at] = grew or not a[at], true end
  return grew
end

local function ends(node, list, starts)
  local found = {}
  if node.is == "one" then
    for at in pairs(starts) do if at <= #list and node.fits(list[at]) then found[at + 1] = true end end
  elseif node.is == "place" then
    for at in pairs(starts) do if is_place(node.text, list, at) then found[at] = true end end
  elseif node.is == "row" then
    found = starts
    for _, part in ipairs(node) do found = ends(part, list, found) end
  elseif node.is == "any of" then
    for _, part in ipairs(node) do union(found, ends(part, list, starts)) end
  else
    local now, times = starts, 0
    while times < node.least do now, times = ends(node[1], list, now), times + 1 end
    union(found, now)
    while times ~= node.most do
      now, times = ends(node[1], list, now), times + 1
      if not union(found, now) and not node.most then break end
    end
  end
  return found
end

-- Does the expression match a part of the list?
function M.matches(node, list)
  local starts = {}
  for at = 1, #list + 1 do starts[at] = true end
  return next(ends(node, list, starts)) ~= nil
end

-- Does it match the whole list?
function M.matches_whole(node, list) return ends(node, list, { true })[#list + 1] == true end

return M
