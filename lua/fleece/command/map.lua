-- SPDX-License-Identifier: MIT
-- map.lua -- the commands map and filter.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local expression = require "fleece.command.expression"
local lines = require "fleece.command.lines"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail = files.EXIT_FINE, files.EXIT_NO, files.fail
local layout = settings.layout
local DECODED = expression.DECODED

local commands = {}

-- Returns an encode of tables which an expression has made, and one of lists of those without decoded objects. First come the names that the expression
-- has, in the order that it has them, then the others by their bytes. Decoded objects have their own order.
local function ordered_encode(code, options)
  local rank, plain = expression.ranks(code), {}
  local list = {}
  for name, place in pairs(rank) do list[place] = name end
  local listed, sorted = {}, {}
  for name, value in pairs(options) do listed[name], sorted[name] = value, value end
  listed.key_order, sorted.key_order, sorted.sort_keys = list, list, true
  local function before(a, b)
    local x, y = rank[a] or math.huge, rank[b] or math.huge
    if x == y then return a < b end
    return x < y
  end

  -- Is there a decoded object in a new table, and a name that is not in the expression?
  local function look(t, has_decoded, has_others, depth)
    if getmetatable(t) == DECODED or depth == 0 then return true, has_others end
    for name, value in next, t do
      has_others = has_others or type(name) == "string" and not rank[name]
      if type(value) == "table" then has_decoded, has_others = look(value, has_decoded, has_others, depth - 1) end
    end
    return has_decoded, has_others
  end

  -- Gives new tables their order by metatables, which is slower. These also say that a table was visited.
  local function order(t)
    local mt = getmetatable(t)
    if mt == DECODED or mt == plain or mt and mt.__jsonorder then return end
    local names, children = {}, {}
    for name, value in next, t do
      if type(name) == "string" then names[#names + 1] = name end
      if type(value) == "table" then children[#children + 1] = value end
    end
    table.sort(names, before)
    setmetatable(t, names[1] and { __jsonorder = names, __jsontype = mt and mt.__jsontype } or mt or plain)
    for _, child in ipairs(children) do order(child) end
  end

  return function(value)
    local has_decoded, has_others = look(value, false, false, 100)
    if not has_decoded then return fleece.encode(value, has_others and sorted or listed) end
    order(value)
    return fleece.encode(value, options)
  end, function(list) return fleece.encode(list, code:find("[", 1, true) and sorted or listed) end
end

-- Returns functions for the values of an expression: write(...) writes all, or returns an error; encode is for lists of values
-- without decoded objects. It is nil if there may be some, or if values are not written as encode writes them.
local function result_writers(args, add, done)
  local look, code = args.layout, args.expression
  local options = settings.policies(args, { max_depth = args.max_depth, sort_keys = look.sort_keys })
  local function plain(value) return fleece.encode(value, options) end
  local of_table, of_list = plain, plain
  if not look.sort_keys and code:find "{" then of_table, of_list = ordered_encode(code, options) end
  local put = (look.indent or look.colors) and texts.value_writer({}, args, add, done)
  local function is_raw(value) return args.raw and type(value) == "string" end
  local function write(...)
    local values, found = { ... }, {}
    for i = 1, select("#", ...) do
      local value, message = values[i], nil
      if is_raw(value) then found[i] = value
      elseif value ~= nil then
        found[i], message = (type(value) == "table" and of_table or plain)(value)
        if message then return message .. texts.AT_START end
      end
    end
    for i = 1, select("#", ...) do
      if put and found[i] and not is_raw(values[i]) then put(found[i], 1, #found[i])
      elseif found[i] then
        add(found[i])
        add "\n"
      end
    end
  end
  return write, not (put or args.raw or args.arg_json[1] or code:find "decode") and of_list or nil
end

-- Returns take and flush for row_reader: the values of some lines are encoded together.
local function row_writer(encode, add, write)
  local values, starts, n = {}, {}, 0
  local function take(text, first, last, value, ...)
    if value ~= nil then
      n = n + 1
      values[n], starts[n] = value, first
    end
    if select("#", ...) > 0 then return take(text, first, last, ...) end
  end
  -- Writes the values before the first line that has one which JSON cannot have, and returns where that line is.
  local function write_singly(list, count)
    for i = 1, count do
      if not encode(list[i]) then
        for k = 1, i - 1 do
          if starts[k] ~= starts[i] then write(list[k]) end
        end
        return starts[i]
      end
    end
    for i = 1, count do write(list[i]) end
  end
  return take, function()
    if n == 0 then return nil end
    local list, count = values, n
    values, n = {}, 0
    local text = encode(list)
    if not text then return write_singly(list, count) end
    add(program.item_lines(text))
  end
end

-- Runs work on each document of all files, or on the array of all.
local function for_all(args, output, work, done, skip)
  local bad, code = 0, args.expression
  if files.exists(code) then files.hint = (" (%s is taken for the expression, which comes before the files)"):format(code) end
  if args.slurp then
    local text, name = texts.slurp(args.files, args)
    local message = work(text, "", 0, name)
    if message then fail(files.located(name, message)) end
    done()
  else
    for _, path in ipairs(args.files) do bad = bad + texts.each_document(path, args, work, done, skip) end
  end
  output:finish()
  return bad
end

function commands.map(args)
  args.layout = layout(args)
  local output = files.create(args.output)
  local add, done = lines.buffered(output, args)
  local evaluate, row_reader = expression.new(args.expression, args)
  local write, encode_list = result_writers(args, add, done)
  local function work(fine, ...)
    if fine then return write(...) end
    return (...)
  end
  local skip = row_reader and encode_list and row_reader(row_writer(encode_list, add, write))
  local bad = for_all(args, output, function(text) return work(evaluate(text)) end, done, skip)
  return bad > 0 and EXIT_NO or EXIT_FINE
end

function commands.filter(args)
  args.layout = layout(args)
  local output = files.create(args.output)
  local add, done = lines.buffered(output, args)
  local evaluate, row_reader = expression.new(args.expression, args, true)
  local put, holds, found = texts.value_writer(output, args, add, done), expression.holds, false
  local function take(text, first, last, value)
    if not holds(value) then return end
    found = true
    put(text, first, last)
  end
  local bad = for_all(args, output, function(text)
    local fine, value = evaluate(text)
    if not fine then return value end
    take(text, text:find "[^ \t\r]", #text, value)
  end, done, row_reader and row_reader(take, function() end))
  return bad == 0 and found and EXIT_FINE or EXIT_NO
end

return commands
