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
local unpack = table.unpack or unpack

local commands = {}

-- Returns an encode of values with tables which an expression has made. First come the names that the expression has, in the
-- order that it has them, then the others by their bytes. Decoded objects have their own order; `is_new` says that there are none.
local function ordered_encode(code, options)
  local names, encode = expression.names_of(code), fleece.new(options).encode
  options.key_order, options.sort_keys = names, code:find("[", 1, true) ~= nil
  local encode_new = fleece.new(options).encode
  fleece.decode("[]", { order = true }) -- what program.order needs
  return function(value, is_new)
    if is_new then return encode_new(value) end
    program.order(value, names)
    return encode(value)
  end
end

-- Returns functions for the values of an expression: write(...) writes all, or returns an error; encode is for lists of
-- values, nil if each must be seen or values are not written as encode writes them; last() returns the last value.
local function result_writers(args, add, done)
  local look, code = args.layout, args.expression
  local options = settings.policies(args, { max_depth = args.max_depth, sort_keys = look.sort_keys })
  local plain = fleece.new(options).encode
  local function encode(value) return plain(value) end
  if not look.sort_keys and code:find "{" then encode = ordered_encode(code, options) end
  local put = (look.indent or look.colors) and texts.value_writer({}, args, add, done)
  local is_text, last = args.raw or args.join_output, nil
  local function is_raw(value) return is_text and type(value) == "string" end
  local function write(...)
    local values, found = { ... }, {}
    for i = 1, select("#", ...) do
      local value, message = values[i], nil
      if is_raw(value) then found[i] = value
      elseif value ~= nil then
        found[i], message = encode(value)
        if message then return message .. texts.AT_START end
      end
    end
    for i = 1, select("#", ...) do
      if found[i] then last = values[i] end
      if put and found[i] and not is_raw(values[i]) then put(found[i], 1, #found[i])
      elseif found[i] then
        add(found[i])
        if not args.join_output then add "\n" end
      end
    end
  end
  return write, not (put or is_text or args.exit_status) and encode or nil, function() return last end
end

-- Returns take and flush for row_reader: the values of some lines are encoded together if there is an encode for lists.
local function row_writer(encode, add, write)
  local values, rows, n = {}, {}, 0
  local function take(row, text, first, last, value, ...)
    if value ~= nil then
      n = n + 1
      values[n], rows[n] = value, row
    end
    if select("#", ...) > 0 then return take(row, text, first, last, ...) end
  end
  return take, function(bad, is_new)
    local list, count, from = values, n, 1
    if count == 0 then return end
    values, n = {}, 0
    local text = encode and encode(list, is_new)
    if text then return add(program.item_lines(text)) end
    while from <= count do -- the values of one line, which may have one that JSON cannot have
      local to = from
      while to < count and rows[to + 1] == rows[from] do to = to + 1 end
      local message = write(unpack(list, from, to))
      if message then bad(rows[from], message) end
      from = to + 1
    end
  end
end

-- Returns a reader of lines, as `rows` is, for the values that `pick` finds: it adds what it can as text.
local FEW = 8 -- simple lines: with fewer at once `rows` is faster
local function text_reader(pick, rows, add)
  local input, out, current = program.text(), program.text(), nil
  return function(piece, at, bad)
    if piece ~= current then
      input:set(piece)
      current = piece
    end
    local next_at, simple = program.get_lines(pick, input, at, out, "encoded")
    if #out > 0 then
      add(out:sub(1, #out))
      out:set ""
    end
    if next_at > #piece or simple >= FEW then return next_at, simple end
    local last_at, others = rows(piece, next_at, function(number, message) bad(simple + number, message) end)
    return last_at, simple + others
  end
end

-- Runs work on each document of all files, or on the array of all; or on each line as a string, or on null.
local function for_all(args, output, work, done, its)
  local bad, code = 0, args.expression
  if files.exists(code) then files.hint = (" (%s is taken for the expression, which comes before the files)"):format(code) end
  local function as_string(text)
    local value, message = fleece.encode(text, settings.policies(args, {}))
    if not value then return message .. texts.AT_START end
    return work(value)
  end
  if args.null_input then
    if args.files[2] or args.files[1] ~= "-" then fail "map: --null-input reads no files" end
    local message = work "null"
    if message then fail((message:gsub(texts.AT_START .. "$", ""))) end
    done()
  elseif args.raw_input and args.slurp then
    local all = {}
    for i, path in ipairs(args.files) do all[i] = files.read_all(path) end
    local message = as_string(table.concat(all))
    if message then fail(files.located(args.files[1], message)) end
    done()
  elseif args.raw_input then
    for _, path in ipairs(args.files) do bad = bad + lines.each_line(path, args, as_string, done) end
  elseif args.slurp then
    local text, name = texts.slurp(args.files, args)
    local message = work(text, "", 0, name)
    if message then fail(files.located(name, message)) end
    done()
  else
    for _, path in ipairs(args.files) do bad = bad + texts.each_document(path, args, work, done, its) end
  end
  output:finish()
  return bad
end

function commands.map(args)
  args.layout = layout(args)
  local output = files.create(args.output)
  local add, done = lines.buffered(output, args)
  local evaluate, row_reader, pick = expression.new(args.expression, args)
  local write, encode_list, last = result_writers(args, add, done)
  local function work(fine, ...)
    if fine then return write(...) end
    return (...)
  end
  local its = { lines = row_reader(row_writer(encode_list, add, write)) }
  if pick and encode_list and not args.layout.sort_keys then its.lines = text_reader(pick, its.lines, add) end
  local bad = for_all(args, output, function(text) return work(evaluate(text)) end, done, its)
  return (bad > 0 or args.exit_status and not expression.holds(last())) and EXIT_NO or EXIT_FINE
end

function commands.filter(args)
  args.layout = layout(args)
  local output = files.create(args.output)
  local add, done = lines.buffered(output, args)
  local evaluate, row_reader = expression.new(args.expression, args, true)
  local put, holds, found = texts.value_writer(output, args, add, done), expression.holds, false
  local function take(_, text, first, last, value)
    if not holds(value) then return end
    found = true
    last = last or (text:find("\n", first, true) or #text + 1) - 1
    put(text, first, last)
  end
  local bad = for_all(args, output, function(text)
    local fine, value = evaluate(text)
    if not fine then return value end
    take(0, text, text:find "[^ \t\r]", #text, value)
  end, done, { lines = row_reader(take, function() end) })
  return bad == 0 and found and EXIT_FINE or EXIT_NO
end

return commands
