-- SPDX-License-Identifier: MIT
-- model.lua -- the oracle: a slow, simple encoder and a slow, strict RFC 8259 decoder in plain Lua.
-- It shares no algorithm and no code with the module: it works byte by byte (except on runs of printable ASCII) and
-- converts numbers with the C library. The decoder returns nodes instead of Lua values, so that nothing is lost:
--   {t="array", n=, [1..n]}  {t="object", n=, keys={}, values={}}  {t="number", text=}  {t="null"}
--   and plain Lua strings and booleans.

local model = {}

local null = { t = "null" }
model.null = null

----------------------------------------------------------------------------------------------- UTF-8

-- Unicode, table 3-7: lead byte range -> range of the second byte, and the number of bytes in all.
local well_formed = {
  { 0xC2, 0xDF, 0x80, 0xBF, 2 }, { 0xE0, 0xE0, 0xA0, 0xBF, 3 }, { 0xE1, 0xEC, 0x80, 0xBF, 3 },
  { 0xED, 0xED, 0x80, 0x9F, 3 }, { 0xEE, 0xEF, 0x80, 0xBF, 3 }, { 0xF0, 0xF0, 0x90, 0xBF, 4 },
  { 0xF1, 0xF3, 0x80, 0xBF, 4 }, { 0xF4, 0xF4, 0x80, 0x8F, 4 },
}

local row_of = {} -- by lead byte
for _, row in ipairs(well_formed) do
  for lead = row[1], row[2] do row_of[lead] = row end
end

-- The sequence that starts at byte i: true and its length if it is well formed, otherwise false and the length of the
-- maximal ill-formed subpart (Unicode 3.9, D93b).
function model.sequence(s, i)
  local lead = s:byte(i)
  if lead < 0x80 then return true, 1 end
  local row = row_of[lead]
  if not row then return false, 1 end
  for k = 1, row[5] - 1 do
    local b = s:byte(i + k)
    local lo, hi = 0x80, 0xBF
    if k == 1 then lo, hi = row[3], row[4] end
    if b == nil or b < lo or b > hi then return false, k end
  end
  return true, row[5]
end

-- Position of the first byte of the first ill-formed sequence, or nil.
function model.utf8_error(s)
  local i = 1
  while i <= #s do
    local good, n = model.sequence(s, i)
    if not good then return i end
    i = i + n
  end
end

local function code_point(s, i, n)
  if n == 1 then return s:byte(i) end
  local c = s:byte(i) % (n == 2 and 0x20 or n == 3 and 0x10 or 0x08)
  for k = 1, n - 1 do c = c * 64 + s:byte(i + k) % 64 end
  return c
end

local function utf8_char(c)
  local function tail(shift) return string.char(0x80 + math.floor(c / shift) % 64) end
  if c < 0x80 then return string.char(c) end
  if c < 0x800 then return string.char(0xC0 + math.floor(c / 64)) .. tail(1) end
  if c < 0x10000 then return string.char(0xE0 + math.floor(c / 4096)) .. tail(64) .. tail(1) end
  return string.char(0xF0 + math.floor(c / 262144)) .. tail(4096) .. tail(64) .. tail(1)
end
model.utf8_char = utf8_char

--------------------------------------------------------------------------------------------- decoder

local function fail(at, what) error(string.format("model: %s at byte %d", what, at), 0) end

local short_escape = { ['"'] = '"', ["\\"] = "\\", ["/"] = "/", b = "\b", f = "\f", n = "\n", r = "\r", t = "\t" }

local function read_string(s, i) -- i: after the opening quote
  local out = {}
  while true do
    local after = s:match("^[ !#-[%]^-~]*()", i) -- ASCII that needs no decoding
    if after > i then
      out[#out + 1] = s:sub(i, after - 1)
      i = after
    end
    local c = s:sub(i, i)
    if c == "" then fail(i, "unterminated string") end
    if c == '"' then return table.concat(out), i + 1 end
    if c:byte() < 32 then fail(i, "control character") end
    if c ~= "\\" then
      local good, n = model.sequence(s, i)
      if not good then fail(i, "ill-formed UTF-8") end
      out[#out + 1] = s:sub(i, i + n - 1)
      i = i + n
    elseif s:sub(i + 1, i + 1) == "u" then
      local unit = s:match("^%x%x%x%x", i + 2) or fail(i, "bad \\u escape")
      unit = tonumber(unit, 16)
      i = i + 6
      if unit >= 0xDC00 and unit <= 0xDFFF then fail(i, "lone low surrogate") end
      if unit >= 0xD800 and unit <= 0xDBFF then
        local low = tonumber(s:match("^\\u(%x%x%x%x)", i) or fail(i, "lone high surrogate"), 16)
        if low < 0xDC00 or low > 0xDFFF then fail(i, "lone high surrogate") end
        unit = 0x10000 + (unit - 0xD800) * 1024 + (low - 0xDC00)
        i = i + 6
      end
      out[#out + 1] = utf8_char(unit)
    else
      out[#out + 1] = short_escape[s:sub(i + 1, i + 1)] or fail(i, "bad escape")
      i = i + 2
    end
  end
end

local function skip(s, i) return s:match("^[ \t\r\n]*()", i) end

local function read_number(s, i)
  local j = s:match("^%-?[1-9]%d*()", i) or s:match("^%-?0()", i) or fail(i, "no value")
  if s:find("^[.eE]", j) then
    j = s:match("^%.%d+()", j) or j
    j = s:match("^[eE][+-]?%d+()", j) or j
  end
  return { t = "number", text = s:sub(i, j - 1) }, j
end

local read_value

local function read_list(s, i, close, item)
  i = skip(s, i)
  if s:sub(i, i) == close then return i + 1 end
  while true do
    i = skip(s, item(skip(s, i)))
    local c = s:sub(i, i)
    i = i + 1
    if c == close then return i end
    if c ~= "," then fail(i - 1, "no comma") end
  end
end

function read_value(s, i)
  local c = s:sub(i, i)
  if c == "[" then
    local node = { t = "array", n = 0 }
    return node, read_list(s, i + 1, "]", function(at)
      node.n = node.n + 1
      node[node.n], at = read_value(s, at)
      return at
    end)
  elseif c == "{" then
    local node = { t = "object", n = 0, keys = {}, values = {} }
    return node, read_list(s, i + 1, "}", function(at)
      if s:sub(at, at) ~= '"' then fail(at, "no key") end
      local n = node.n + 1
      node.n = n
      node.keys[n], at = read_string(s, at + 1)
      at = skip(s, at)
      if s:sub(at, at) ~= ":" then fail(at, "no colon") end
      node.values[n], at = read_value(s, skip(s, at + 1))
      return at
    end)
  elseif c == '"' then
    return read_string(s, i + 1)
  elseif c ~= "t" and c ~= "f" and c ~= "n" then
    return read_number(s, i)
  elseif s:sub(i, i + 3) == "true" then
    return true, i + 4
  elseif s:sub(i, i + 4) == "false" then
    return false, i + 5
  elseif s:sub(i, i + 3) == "null" then
    return null, i + 4
  end
  return read_number(s, i)
end

function model.decode(s)
  local node, i = read_value(s, skip(s, 1))
  i = skip(s, i)
  if i <= #s then fail(i, "text after the value") end
  return node
end

--------------------------------------------------------------------------------------------- numbers

local math_type = math.type or function(v) return type(v) == "number" and "float" or nil end

local function increment(digits)
  local last = #digits
  while last > 0 and digits:sub(last, last) == "9" do last = last - 1 end
  if last == 0 then return nil end
  return digits:sub(1, last - 1) .. string.char(digits:byte(last) + 1) .. ("0"):rep(#digits - last)
end

-- 91 digits of v, and the exponent of the first one.
local function all_digits(v)
  local int, frac, e = string.format("%.90e", math.abs(v)):match("^(%d)%D?(%d*)e([+-]%d+)$")
  return int .. frac, tonumber(e)
end

-- v rounded to n digits, ties to even as IEEE 754 requires, and the exponent of the first digit. It starts from 91
-- digits because LuaJIT prints numbers with its own code: that rounds some ties up, and the newest version prints one
-- double in 300,000 wrong at the 14th digit (2.4928209492456508e+245 as 2.4928209492456e+245). `all` and `x` are the
-- results of all_digits(v), if the caller has them.
local function rounded(v, n, all, x)
  if not all then all, x = all_digits(v) end
  local digits, rest = all:sub(1, n), all:sub(n + 1)
  local half = "5" .. ("0"):rep(#rest - 1)
  if rest < half or rest == half and digits:byte(-1) % 2 == 0 then return digits, x end
  local up = increment(digits)
  if up then return up, x end
  return "1" .. ("0"):rep(n - 1), x + 1
end

-- Lays out digits (without trailing zeros), whose first one has exponent x, as C's %g does; uses the exponent form if x
-- is below `low` or at least `high`. `integral` is appended if there is no fraction.
local function lay_out(v, digits, x, low, high, integral)
  local sign, n = v < 0 and "-" or "", #digits
  if x < low or x >= high then
    local text = sign .. digits:sub(1, 1) .. (n > 1 and "." .. digits:sub(2) or "")
    return text .. string.format("e%s%02d", x < 0 and "-" or "+", math.abs(x))
  end
  if x < 0 then return sign .. "0." .. ("0"):rep(-x - 1) .. digits end
  if n <= x + 1 then return sign .. digits .. ("0"):rep(x + 1 - n) .. integral end
  return sign .. digits:sub(1, x + 1) .. "." .. digits:sub(x + 2)
end

-- v in the form of C's %.<precision>g (C11, 7.21.6.1).
function model.printf_g(v, precision)
  if v == 0 then return string.format("%g", v) end
  local digits, x = rounded(v, precision)
  return lay_out(v, digits:gsub("0+$", ""), x, -4, precision, "")
end

-- The shortest digits that read back as v, the closest to v among them, and the exponent of the first one. For each
-- length it tries the correctly rounded text, then the next one up: at a power of two the gap below is half the gap
-- above, so the nearer text may be outside and the farther one inside. If up to 15 digits identify a normal double,
-- its nearest 15 digits do too (DBL_DIG, C11 5.2.4.2.2); so the search starts at 15 and drops trailing zeros.
local function shortest(v)
  local all, first = all_digits(v)
  for n = v >= 2.3e-308 and 15 or 1, 17 do
    local digits, x = rounded(v, n, all, first)
    for _, text in ipairs { digits, increment(digits) } do
      if tonumber(text:sub(1, 1) .. "." .. text:sub(2) .. "0e" .. x) == v then return text:gsub("0+$", ""), x end
    end
  end
end

function model.number(v, o)
  o = o or {}
  if math_type(v) == "integer" then return string.format("%d", v) end
  local is_whole = v == math.floor(v)
  if o.precision and not (is_whole and math.abs(v) <= 2^53) then
    local text = model.printf_g(v, o.precision)
    if o.float_integers and not text:find("[.e]") then text = text .. ".0" end
    return text
  end
  if is_whole and v >= -2^63 and v < 2^64 then -- an integer of 64 bits
    local all, x = all_digits(v)
    local text = v == 0 and string.format("%.0f", v) or (v < 0 and "-" or "") .. all:sub(1, x + 1)
    return o.float_integers and text .. ".0" or text
  end
  local digits, x = shortest(math.abs(v))
  return lay_out(v, digits, x, -5, 17, ".0")
end

---------------------------------------------------------------------------------------------- quoting

local named = { [8] = "\\b", [9] = "\\t", [10] = "\\n", [12] = "\\f", [13] = "\\r" }

-- Escapes by the flags "E0" ... "E4" of fleece.json.
function model.escape_flag(s, flag)
  local level = ({ E = 4, E0 = 0, E1 = 1, E2 = 2, E3 = 3, E4 = 4 })[flag or "E0"]
  return (s:gsub(".", function(c)
    local b = c:byte()
    if c == '"' or c == "\\" then return level == 0 and c or level == 1 and "*" or "\\" .. c end
    if c == "/" and level >= 3 then return "\\/" end
    if level == 4 and (b < 32 or b == 127) then return named[b] or string.format("\\u%04x", b) end
    return c
  end))
end

local function unit(c)
  if c < 0x10000 then return string.format("\\u%04x", c) end
  c = c - 0x10000
  return string.format("\\u%04x\\u%04x", 0xD800 + math.floor(c / 1024), 0xDC00 + c % 1024)
end

-- The text that fleece.encode writes between the quotes.
function model.escape(s, o)
  o = o or {}
  local out, i = {}, 1
  while i <= #s do
    local after = s:match("^[%w _.]*()", i) -- no option changes these
    if after > i then
      out[#out + 1] = s:sub(i, after - 1)
      i = after
      if i > #s then break end
    end
    local good, n = model.sequence(s, i)
    local piece, c = s:sub(i, i + n - 1), good and code_point(s, i, n)
    if not good then
      local policy = o.invalid_utf8 or "error"
      if policy == "error" then error("model: invalid UTF-8", 0) end
      if policy == "replace" then
        piece = o.ascii and "\\ufffd" or utf8_char(0xFFFD)
      elseif policy == "escape" or o.ascii then
        piece = piece:gsub(".", function(b) return unit(b:byte()) end)
      end
    elseif piece == '"' or piece == "\\" then
      piece = "\\" .. piece
    elseif c < 32 then
      piece = named[c] or unit(c)
    elseif piece == "/" and o.escape_slash then
      piece = "\\/"
    elseif o.html and (piece == "<" or piece == ">" or piece == "&" or c == 0x2028 or c == 0x2029) then
      piece = unit(c)
    elseif c > 127 and o.ascii then
      piece = unit(c)
    end
    out[#out + 1] = piece
    i = i + n
  end
  return table.concat(out)
end

return model
