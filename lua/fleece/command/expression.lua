-- SPDX-License-Identifier: MIT
-- expression.lua -- expressions in Lua over the value `_` of a document: what they can reach, and how they are called.
-- Must hold: as files.lua. Without --unsafe an expression reaches no files, no programs, and no table of the command: its
-- libraries are copies, and methods of strings come from a table that nothing can name. An expression that asks only for
-- fields of `_` gets them from a picker, without the rest, and with the same result.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local fail, grammar = files.fail, settings.grammar
local unpack = table.unpack or unpack

local KEYWORDS = {}
for word in ([[and break do else elseif end false for function global goto if in local nil not or repeat return then true
  until while]]):gmatch "%a+" do KEYWORDS[word] = true end

-- ------------------------------------------------------------------------------------- what it can reach

-- Marks of new tables.
local ARRAY, OBJECT = { __jsontype = "array" }, { __jsontype = "object" }

local function marked(t, mark)
  if type(t) ~= "table" then error("a table expected, not " .. type(t), 3) end
  return setmetatable(t, mark)
end

-- Raises what fleece.safe returns as an error.
local function strict(value, message)
  if value == nil then error(message, 3) end
  return value
end

local helpers = { null = fleece.null, pairs = fleece.pairs, ipairs = fleece.ipairs }
function helpers.array(t) return marked(t, ARRAY) end
function helpers.object(t) return marked(t, OBJECT) end
function helpers.encode(value) return strict(fleece.encode(value)) end
function helpers.decode(text)
  local value, message = fleece.decode(text, { order = true })
  return strict(value, message and "decode: " .. message:gsub(" at line .*$", "")) -- the place would be in this text, not in the file
end
function helpers.tostring(value) return value == fleece.null and "null" or tostring(value) end
function helpers.each(list) return unpack(list, 1, #list) end

function helpers.sum(list)
  local total = 0
  for i = 1, #list do
    local x = list[i]
    if type(x) ~= "number" then error("sum: numbers expected, not " .. type(x), 2) end
    local before = total
    total = total + x
    if (x >= 0) ~= (total >= before) and x == x then total = before + 0.0 + x end -- beyond the integers
  end
  return total
end

function helpers.keys(t)
  local names = {}
  for name in fleece.pairs(t) do names[#names + 1] = name end
  return setmetatable(names, ARRAY)
end

-- map(list, f): the list of the results that are not nil. filter(list, f): the list of the items of which f holds.
function helpers.map(list, f)
  if type(list) == "table" and list[1] == nil and next(list) ~= nil then
    error("a list expected, not an object: pairs goes through its members", 2)
  end
  local results = {}
  for i = 1, #list do results[#results + 1] = f(list[i]) end
  return setmetatable(results, ARRAY)
end

local function holds(value) return value ~= nil and value ~= false and value ~= fleece.null end

function helpers.filter(list, f)
  return helpers.map(list, function(item) if holds(f(item)) then return item end end)
end

function helpers.select(n, ...)
  if type(n) ~= "number" and n ~= "#" then error("select of jq is the command filter, or filter(list, function) in map", 2) end
  return select(n, ...)
end

local function copy(library, without)
  local t = {}
  for name, value in pairs(library) do
    if name ~= without then t[name] = value end
  end
  return t
end

local LIBRARIES = { "math", "table", "utf8", "bit32", "bit" }
local FUNCTIONS = { "assert", "error", "next", "pcall", "rawequal", "tonumber", "type", "unpack" }

-- Returns the globals of an expression. From here on a field of nil, a number, a boolean or null is nil, so that paths
-- through what is missing are nil. `drop` says that null is nil, also as an item that a function of map or filter gets.
local function globals(args, drop)
  local env, is_nil = copy(helpers), { null = drop }
  if drop then
    env.null = nil
    for _, name in ipairs { "map", "filter" } do
      env[name] = function(list, f)
        return helpers[name](list, function(item)
          if item == fleece.null then item = nil end
          return f(item)
        end)
      end
    end
  end
  if not args.unsafe then
    for _, name in ipairs(LIBRARIES) do env[name] = type(_G[name]) == "table" and copy(_G[name]) or nil end
    for _, name in ipairs(FUNCTIONS) do env[name] = _G[name] end
    env.string = copy(string, "dump")
    getmetatable("").__index = copy(string, "dump")
  end
  local nothing = { __index = function() end }
  debug.setmetatable(nil, nothing)
  debug.setmetatable(0, nothing)
  debug.setmetatable(true, nothing)
  debug.setmetatable(fleece.null, nothing)
  local function argument(text, option, value_of)
    local name, value = text:match "^([%a_][%w_]*)=(.*)$"
    if not name or KEYWORDS[name] or name == "_" then fail("%s: NAME=VALUE expected, not %s", option, text) end
    env[name] = value_of(value)
    if drop and env[name] == fleece.null then env[name], is_nil[name] = nil, true end
  end
  for _, text in ipairs(args.arg) do argument(text, "--arg", function(value) return value end) end
  for _, text in ipairs(args.arg_json) do
    argument(text, "--arg-json", function(value)
      local decoded, message = fleece.decode(value, { order = true })
      if decoded == nil then fail("--arg-json: %s: %s", text, message) end
      return decoded
    end)
  end
  return setmetatable(env, { __index = function(_, name)
    local value = args.unsafe and _G[name]
    if is_nil[name] or value ~= nil and value ~= false then return value or nil end
    error(("there is no %s; a field of the value is _.%s"):format(name, name), 2)
  end })
end

-- Compiles a text, never bytecode, with these globals. Returns the function; nil and what is wrong.
local function compile(code, env)
  if setfenv then
    if code:byte() == 27 then return nil, "bytecode" end
    local made, message = loadstring(code, "=EXPR")
    return made and setfenv(made, env), message
  end
  return load(code, "=EXPR", "t", env)
end

-- ------------------------------------------------------------------------------------- the fields it asks for

-- Returns the text with each string replaced by as many bytes that are no words; nil if it has long strings or comments.
local function without_strings(code)
  if code:find "%-%-" or code:find "%[=*%[" then return nil end
  local pieces, at = {}, 1
  while true do
    local open, _, quote = code:find("([\"'])", at)
    if not open then return table.concat(pieces) .. code:sub(at) end
    local close = open + 1
    while close <= #code and code:sub(close, close) ~= quote do close = close + (code:sub(close, close) == "\\" and 2 or 1) end
    pieces[#pieces + 1] = code:sub(at, open - 1) .. ("\0"):rep(close - open + 1)
    at = close + 1
  end
end

-- Reads the fields after `_` that begin at code[at], such as .user["name"][1]. Returns their key path, and what follows.
local function read_path(code, at)
  local path = ""
  while true do
    local name, after = code:match("^%.([%a_][%w_]*)()", at)
    if not name then
      local number
      number, after = code:match("^%[([1-9]%d?%d?%d?%d?)%]()", at)
      name = number and ("[%d]"):format(number - 1)
    elseif KEYWORDS[name] then return nil
    else name = "." .. name end
    if not name then
      name, after = code:match("^%[\"([%w_ -]+)\"%]()", at)
      name = name and (name:find "^[%a_][%w_]*$" and "." .. name or "['" .. name .. "']")
    end
    if not name then break end
    path, at = path .. name, after
  end
  return path, at
end

local MOST = 32 -- fields

-- Returns the code with each `_.a.b` replaced by the name of an argument; these names and the paths, in the same order; and
-- by the names what stood there. Returns nil if it asks for `_` in another way, or for a field and for a part of it: then it gets the whole value.
local function fields(code)
  local blind = without_strings(code)
  if not blind or blind:find "field%d" or blind:find("...", 1, true) then return nil end
  local paths, names, shown, by_path, pieces, from = {}, {}, {}, {}, {}, 1
  for at in blind:gmatch "()%f[%w_]_%f[^%w_]" do
    local path, after = read_path(code, at + 1)
    if not path or path == "" or blind:sub(1, at - 1):find "%f[.]%.%s*$" then return nil end -- a.b._ is another field
    local name = by_path[path]
    if not name then
      name = ("field%d"):format(#paths + 1)
      paths[#paths + 1], names[#names + 1], by_path[path] = path, name, name
      shown[name] = code:sub(at, after - 1)
    end
    pieces[#pieces + 1] = code:sub(from, at - 1) .. name
    from = after
  end
  if #paths == 0 or #paths > MOST then return nil end
  for _, path in ipairs(paths) do
    for _, other in ipairs(paths) do
      if #other > #path and other:sub(1, #path) == path and other:find("^[.%[]", #path + 1) then return nil end
    end
  end
  return table.concat(pieces) .. code:sub(from), names, paths, shown
end

-- Returns the names in an expression, in their order: of {a = _.x} a, x.
local function names_of(code)
  local names, known = {}, {}
  for name in code:gmatch "[%a_][%w_]*" do
    if not known[name] then
      known[name], names[#names + 1] = true, name
    end
  end
  return names
end

-- ------------------------------------------------------------------------------------- the expression

-- Makes members that are null missing, in the value and in what is in it.
local function drop_nulls(value)
  local open, n = { value }, 1
  while n > 0 do
    local t = open[n]
    open[n], n = nil, n - 1
    for k, v in next, t do
      if v == fleece.null then
        if type(k) == "string" then t[k] = nil end
      elseif type(v) == "table" then
        n = n + 1
        open[n] = v
      end
    end
  end
  return value
end

local HERE = debug.getinfo(1, "S").short_src

-- The error of an expression, with its place: that of the document.
local function explain(message, shown)
  message = type(message) == "string" and message:gsub("^EXPR:1: ", "") or "error of type " .. type(message)
  if message:sub(1, #HERE) == HERE then message = message:sub(#HERE + 1):gsub("^:%d+: ", "") end
  if shown then message = message:gsub("%a+ '(field%d+)'", shown) end
  return message .. texts.AT_START
end

local DEPTH = 1000 -- that of decode

local ROWS = 200 -- lines whose fields are in memory

-- Returns a maker of functions for each_line that process many lines: the maker's take(row, text, first, last, ...) gets
-- the number of a line, where it is, and the results of `body` for what `pick` finds; flush(bad, is_new) is called after
-- some lines. `is_new` says that nothing was decoded for them. Lines that are not valid are left to be processed alone.
local function row_reader(body, pick, width, decode, shown, may_decode)
  local values, text, current, row = {}, program.text(), nil, 0
  local step = width + 2
  local function run(take, piece, rows)
    while row < rows do
      local i = row * step
      local first, last = values[i + width + 1], values[i + width + 2]
      if width == 1 then take(row, piece, first, last, body(values[i + 1]))
      elseif width == 2 then take(row, piece, first, last, body(values[i + 1], values[i + 2]))
      else take(row, piece, first, last, body(unpack(values, i + 1, i + width))) end
      row = row + 1
    end
  end
  return function(take, flush)
    return function(piece, at, bad_line)
      if piece ~= current then
        text:set(piece)
        current = piece
      end
      local total = 0
      local function bad(number, message) bad_line(total + number, message) end
      while at <= #piece do
        local next_at, rows, decoded = program.pick_lines(pick, text, at, values, ROWS, decode)
        if rows == 0 then break end
        row = 0
        repeat
          local ran, message = pcall(run, take, piece, rows)
          flush(bad, decoded == 0 and not may_decode)
          if files.is_failure(message) then error(message, 0) end
          if not ran then
            bad(row, explain(message, shown))
            row = row + 1
          end
        until ran
        at, total = next_at, total + rows
      end
      return at, total
    end
  end
end

-- The same for a body that gets whole values, for the rest of pieces that end with a line. alone(text) processes one line, and returns
-- an error.
local function document_reader(body, options, alone)
  return function(take, flush)
    return function(piece, at, bad_line)
      if at > 1 then piece = piece:sub(at) end
      local places, count, passed, number = {}, 0, 1, 0
      local function bad_at(place, message)
        number = number + program.count_lines(piece, passed, place - 1)
        passed = place
        bad_line(number, message)
      end
      local function bad(row, message) bad_at(places[row], message) end
      options.on_error = function(text, failure)
        flush(bad)
        local message = alone(text)
        if message then bad_at(failure.byte, message) end
      end
      local reader = fleece.documents(piece, options)
      local function run()
        for value, place in reader do
          count = count + 1
          places[count] = place
          take(count, piece, place, nil, body(value))
          if count == ROWS then return true end
        end
      end
      if jit then jit.off(run) end -- a compiled loop leaves the collector behind the tables that the reader makes
      repeat
        local ran, more = pcall(run)
        flush(bad)
        if files.is_failure(more) or not ran and count == 0 then error(more, 0) end
        if not ran then bad(count, explain(more)) end
        count = 0
      until ran and not more
      return #piece + at, number + program.count_lines(piece, passed, #piece)
    end
  end
end

local COMPARES = "== compares, and return gives a result"

-- What other languages write, and Lua's words for it. Strings are not looked at.
local OTHERS = {
  { "!=", "not equal is ~= in Lua" }, { "&&", "&& is `and` in Lua" }, { "||", "|| is `or` in Lua" }, { "!", "! is `not` in Lua" },
  { "^%.[%a_[]", "a field of the value is _.name" }, { "[%s(,{]%.[%a_[]", "a field of the value is _.name" },
  { "%f[%w_]_[^=<>~%s,{}]*%s*=[^=]", COMPARES },
}

-- Returns in parentheses what to write instead; "" if that is not known.
local function hint(code)
  local blind = without_strings(code) or ""
  for _, other in ipairs(OTHERS) do
    if blind:find(other[1]) then return (" (%s)"):format(other[2]) end
  end
  return ""
end

-- Returns evaluate(text): for the text of a document, which is strict JSON, true and the results of the code; or false and
-- an error. The code is an expression, or statements with `return`. `drop` says that members which are null are missing.
-- Also returns a maker as of row_reader; and for an expression that is only `_` or a field of it the picker of its text.
local function new(code, args, drop)
  local env = globals(args, drop)
  local options = grammar(args, drop and {} or { order = true })
  local body, wrong = compile("local _ = ...; return " .. code, env)
  local start = body and "return " or ""
  if not body then
    local message
    body, message = compile("local _ = ...; " .. code, env)
    if code:find "%f[%w_]return%f[^%w_]" then wrong = message
    elseif body and not args.unsafe then fail("not an expression: %s: a statement (%s)", code, COMPARES) end
  end
  if not body then fail("not an expression: %s: %s%s", code, (wrong:gsub("^EXPR:1: ", "")), hint(code)) end
  local short, names, paths, shown
  if not args.unsafe then short, names, paths, shown = fields(code) end
  if short then body = compile("local " .. table.concat(names, ", ") .. " = ...; " .. start .. short, env) end
  -- a function without `...` is called faster
  local made = compile(("return function(%s) %s%s\nend"):format(short and table.concat(names, ", ") or "_", start, short or code), env)
  if made then body = made() end

  local function finish(fine, ...)
    if fine then return true, ... end
    return false, explain((...), shown)
  end
  local function prepare(value)
    if value == fleece.null then return nil end
    return type(value) == "table" and drop_nulls(value) or value
  end
  local function prepare_all(value, ...)
    if drop then value = prepare(value) end
    if select("#", ...) == 0 then return value end
    return value, prepare_all(...)
  end
  if not short then
    local function evaluate(text)
      local value, message = fleece.decode(text, options)
      if value == nil then return false, message end
      return finish(pcall(body, prepare_all(value)))
    end
    local function alone(text) return select(2, evaluate(text)) end
    local its = copy(options)
    its.lines = true
    return evaluate, document_reader(drop and function(value) return body(prepare(value)) end or body, its, alone),
      code:find "^%s*_%s*$" and fleece.pick("", grammar(args, { raw = true }))
  end
  -- For the arrays and objects of many lines.
  options.max_depth = (args.max_depth or DEPTH) + 1
  local decode_list = fleece.new(options).decode
  options.max_depth = args.max_depth
  local function decode(text)
    local list = decode_list(text)
    return list and drop and drop_nulls(list) or list
  end
  local keys = {}
  for i, path in ipairs(paths) do keys[i] = path:gsub("^%.", "") end
  local function picker(its)
    local arguments = copy(keys)
    arguments[#arguments + 1] = its
    return fleece.pick(unpack(arguments))
  end
  local rows = row_reader(body, picker(grammar(args, { null = drop and "nil" or nil })), #keys, decode, shown,
    args.arg_json[1] or code:find "decode")
  local pick = picker(options)
  local function call(fine, ...)
    if not fine then return false, (...) end
    return finish(pcall(body, prepare_all(...)))
  end
  return function(text) return call(pick(text)) end, rows, short:find "^%s*field1%s*$" and picker(grammar(args, { raw = true }))
end

return { new = new, names_of = names_of, holds = holds }
