-- SPDX-License-Identifier: MIT
-- binary.lua -- helpers for the tests of the binary format: bytes as hex and base64, test data, checks of a document.

local T = require "support"

local B = {}

B.codecs = T.codecs

local hex_of, byte_of = {}, {}
for i = 0, 255 do
  local byte, low, high = string.char(i), string.format("%02x", i), string.format("%02X", i)
  hex_of[byte], byte_of[low], byte_of[high] = low, byte, byte
end
function B.unhex(text) return (text:gsub("%x%x", byte_of)) end

-- Hex digits to bytes; white space is ignored.
function B.bytes(text) return B.unhex((text:gsub("%s", ""))) end

function B.hex(bytes) return (bytes:gsub(".", hex_of)) end

-- base64, RFC 4648, section 4.
local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
local value_of = {}
for i = 1, 64 do value_of[digits:byte(i)] = i - 1 end
function B.unbase64(text)
  return (text:gsub("(.)(.)(.)(.)", function(a, b, c, d)
    a, b = value_of[a:byte()], value_of[b:byte()]
    local out = string.char(a * 4 + math.floor(b / 16))
    if c == "=" then return out end
    c = value_of[c:byte()]
    out = out .. string.char(b % 16 * 16 + math.floor(c / 4))
    if d == "=" then return out end
    return out .. string.char(c % 4 * 64 + value_of[d:byte()])
  end))
end

-- A text of a test vector: case[name], or the bytes whose hex digits stand there.
function B.text_of(case, name)
  if case[name .. "_hex"] then return B.unhex(case[name .. "_hex"]) end
  return case[name]
end

-- Rewrites text of the reference in Fleece's form: the reference writes some control characters, and 7f, as \u00xx.
local short = { ["\\u0008"] = "\\b", ["\\u000c"] = "\\f", ["\\u007f"] = "\127" }
function B.our_text(s) return (s:gsub("\\\\", "\0"):gsub("\\u00%x%x", short):gsub("%z", "\\\\")) end

-- The contents of $FLEECE_DATA/name, or nil.
function B.data_file(name)
  for _, data in ipairs { os.getenv "FLEECE_DATA" or "../shared/data", "../shared/data" } do
    local file = io.open(data .. "/" .. name, "rb")
    if file then
      local text = file:read "*a"
      file:close()
      return text
    end
  end
end

-- check, open and safe.open refuse these bytes with a message that contains `text`. If check returns a position N as
-- well, the message ends with "at byte N".
function B.refused(bytes, text, options)
  for _, codec in ipairs(B.codecs) do
    local ok, message, position = codec.check(bytes, options)
    T.same(ok, nil, "check of " .. B.hex(bytes):sub(1, 80))
    T.contains(message, text)
    if position.byte then T.ends(message, " at byte " .. string.format("%d", position.byte)) end
  end
  T.raises_with(text, T.fleece.open, bytes, options)
  local doc, message = T.safe.open(bytes, options)
  T.same(doc, nil, "safe.open")
  T.contains(message, text)
end

-- The document is valid, and to_json gives this text.
function B.reads(bytes, text, options)
  for _, codec in ipairs(B.codecs) do
    local ok, message = codec.check(bytes, options)
    if ok ~= true then T.lu.fail("check of " .. B.hex(bytes):sub(1, 200) .. ": " .. tostring(message)) end
    T.same(codec.to_json(bytes, options), text, "to_json")
    T.same(codec.to_json(codec.open(bytes, options)), text, "to_json of the document")
  end
end

return B
