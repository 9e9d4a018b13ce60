-- SPDX-License-Identifier: MIT
-- texts.lua -- decoding: many texts of one document, each with other strings.
--
-- Lua interns short strings (Lua 5.1 and LuaJIT: all strings). A string value of an earlier call that the collector
-- has not swept yet would cost neither memory nor a copy. So each text uses its own alphabet: in the string values,
-- not in the keys, letters, digits and the last bytes of characters beyond ASCII are exchanged for others of the same
-- class. Lengths, escapes, UTF-8, and which values are equal do not change. A text is used again only after so many
-- calls that the collector has swept in between.

local texts = {}

-- Bytes of all texts together; the least number of texts (for large documents) and the largest. The collector starts
-- when memory has doubled, and the texts are part of it. So there are enough texts that their results exceed that, in
-- addition to a megabyte of libraries, and no more, because memory that is not collected soon leaves the caches.
-- Counted with lua-cjson, a later call allocates 87 to 100 % of the blocks of the first (Lua 5.1, 5.4; LuaJIT: 71 to
-- 100 %).
local TOGETHER, LEAST, MOST = 2000000, 3, 4096

local QUOTE = 34

-- Returns the position of the closing quote of the string whose opening quote is at `open`.
function texts.end_of_string(text, open)
  local at = open + 1
  while true do
    at = text:find('["\\]', at)
    if text:byte(at) == QUOTE then return at end
    at = at + 2
  end
end

-- Cuts the text into pieces: every second one is the content of a string value.
local function cut(text)
  local pieces, done, open = {}, 1, text:find('"', 1, true)
  while open do
    local close = texts.end_of_string(text, open)
    if not text:find("^%s*:", close + 1) then
      pieces[#pieces + 1] = text:sub(done, open)
      pieces[#pieces + 1] = text:sub(open + 1, close - 1)
      done = close
    end
    open = text:find('"', close + 1, true)
  end
  pieces[#pieces + 1] = text:sub(done)
  return pieces
end

-- Fills `map` with a random permutation of the bytes from..to.
local function shuffle(map, random, from, to)
  for byte = from, to do
    local other = random.int(from, byte) -- inside-out: Durstenfeld, CACM 7, 1964
    map[byte], map[other] = map[other], byte
  end
end

local function alphabet(random)
  local bytes, map = {}, {}
  shuffle(bytes, random, 48, 57) -- 0-9
  shuffle(bytes, random, 65, 90) -- A-Z
  shuffle(bytes, random, 97, 122) -- a-z
  shuffle(bytes, random, 128, 191) -- bytes that continue a UTF-8 sequence; any can be the last one
  for byte, other in pairs(bytes) do map[string.char(byte)] = string.char(other) end
  return map
end

-- Exchanges bytes outside of escapes. A segment begins with its escape, of two or six bytes.
local function exchange(value, map)
  return (value:gsub("\\?[^\\]*", function(segment)
    local skip = not segment:find("^\\") and 0 or segment:find("^\\u") and 6 or 2
    local rest = segment:sub(skip + 1):gsub("%w", map):gsub("[\128-\191]%f[^\128-\191]", map)
    return segment:sub(1, skip) .. rest
  end))
end

local function write(pieces, map)
  local out, known = {}, {}
  for i, piece in ipairs(pieces) do
    if i % 2 == 0 then
      known[piece] = known[piece] or exchange(piece, map)
      piece = known[piece]
    end
    out[i] = piece
  end
  return table.concat(out)
end

-- Returns a list of texts like `text`; the first one uses another alphabet too.
function texts.like(text, random)
  local pieces, list = cut(text), {}
  for i = 1, texts.count(text) do list[i] = #pieces == 1 and text or write(pieces, alphabet(random)) end
  return list
end

function texts.count(text)
  return math.max(LEAST, math.min(MOST, math.ceil(TOGETHER / #text)))
end

function texts.dress() end

-- Makes the calls number `from` to `to`, each with another text (or another input of the entrant).
function texts.run(task, entrant, from, to)
  local decode, inputs = entrant.call, entrant.inputs or task.texts
  local count = #inputs
  for c = from, to do decode(inputs[c % count + 1]) end
end

return texts
