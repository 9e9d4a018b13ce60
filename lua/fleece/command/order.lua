-- SPDX-License-Identifier: MIT
-- order.lua -- the commands sort and group.
-- Must hold: as files.lua. Items keep their texts. Values are ordered as jq orders them: null, also for what is missing,
-- false, true, numbers, strings by their bytes, arrays, objects by their names and then by their values.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local lines = require "fleece.command.lines"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail = files.EXIT_FINE, files.EXIT_NO, files.fail
local grammar, has_lines = settings.grammar, settings.has_lines
local place = require("fleece.command.paths").place

local commands = {}

local OBJECT = {} -- the metatable of objects in keys
local KINDS = { ["nil"] = 0, number = 3, string = 4 }

local function kind_of(value)
  local kind = type(value)
  if kind == "userdata" then return value == fleece.null and 0 or 3 end
  if kind == "boolean" then return value and 2 or 1 end
  if kind == "table" then return getmetatable(value) == OBJECT and 6 or 5 end
  return KINDS[kind]
end

local function names_of(object)
  local names = {}
  for name in pairs(object) do names[#names + 1] = name end
  table.sort(names)
  return names
end

-- Returns a number as one that keeps its text: in another spelling, as others become plain numbers.
local function exact(number)
  if type(number) ~= "number" then return number end
  local text = fleece.encode(number) or (number < 0 and "-" or "") .. "1e999999999999999" -- an infinity
  local digits, exponent = text:match "^(.-)e([+-]?%d+)$"
  return fleece.decode(("%se%+05d"):format(digits or text, exponent or 0), { numbers = "exact" })
end

-- Returns a number below, at or above 0.
local function compare(a, b)
  local kind, other = kind_of(a), kind_of(b)
  if kind ~= other then return kind - other end
  if kind == 3 then
    if a ~= a or b ~= b then return (b ~= b and 1 or 0) - (a ~= a and 1 or 0) end -- NaN comes first
    if type(a) ~= type(b) then
      local x, y = fleece.tonumber(a) + 0.0, fleece.tonumber(b) + 0.0
      if x ~= y then return x < y and -1 or 1 end
      a, b = exact(a), exact(b)
    end
    return a < b and -1 or a > b and 1 or 0
  elseif kind == 4 then return a < b and -1 or a > b and 1 or 0
  elseif kind < 5 then return 0 end
  if kind == 6 then
    local names, others = names_of(a), names_of(b)
    local by_names = compare(names, others)
    if by_names ~= 0 then return by_names end
    for _, name in ipairs(names) do
      local by_value = compare(a[name], b[name])
      if by_value ~= 0 then return by_value end
    end
    return 0
  end
  for i = 1, math.min(#a, #b) do
    local by_item = compare(a[i], b[i])
    if by_item ~= 0 then return by_item end
  end
  return #a - #b
end

-- Compares the keys of two items. The result is that of compare, or its opposite.
local function compare_items(a, b, reverse)
  for i = 1, a.n do
    local order = compare(a[i], b[i])
    if order ~= 0 then return reverse and -order or order end
  end
  return 0
end

-- Returns a reader of items: for the text of one, a table with its keys, or nil and an error.
local function key_reader(args)
  local ways = { args.path, (table.unpack or unpack)(args["then"]) }
  local n = #ways
  for i, path in ipairs(ways) do ways[i] = place(path, args) end
  ways[n + 1] = grammar(args, { objects = OBJECT, numbers = "exact" })
  local pick = fleece.pick((table.unpack or unpack)(ways))
  local function pack(text, fine, ...)
    if not fine then return nil, (...) end
    local item = { ... }
    item.text, item.n = text, n
    return item
  end
  return function(text) return pack(text, pick(text)) end
end

-- Returns the items of the text of an array, or nil and an error.
local function items_of(text, read)
  local items, at = {}, text:match "^[ \t\r]*()%["
  if not at then return nil, "an array expected; --lines takes lines" end
  while true do
    local first, last = program.next(text, at)
    if not first then return items end
    local item, message = read(text:sub(first, last))
    if not item then return nil, ("item %d: %s"):format(#items, message:gsub(" at line .*$", "")) end
    items[#items + 1] = item
    at = last + 1
  end
end

-- Reads the items of all files, orders them, and calls write(items, put, is_list) for each list of them: the lines of
-- all files, or each array.
local function order_all(args, write)
  if files.exists(args.path) and args.files[1] == "-" then
    files.hint = (" (%s is taken for the path, which comes before the files)"):format(args.path)
    if files.is_terminal(0) then fail("%s: a path expected before the file", args.command) end
  end
  args.layout = settings.layout(args)
  local output = files.create(args.output)
  local add, done = lines.buffered(output, args)
  local put, read = texts.value_writer(output, args, add, done), key_reader(args)
  local all, bad, listed = {}, 0, false
  local function finish(items, is_list)
    for i, item in ipairs(items) do item.place = i end
    table.sort(items, function(a, b)
      local order = compare_items(a, b, args.reverse)
      return order < 0 or order == 0 and a.place < b.place
    end)
    write(items, function(text) put(text, 1, #text) end, is_list)
    done()
  end
  for _, path in ipairs(args.files) do
    local by_line = args.keep_going or has_lines(args, path)
    bad = bad + texts.each_document(path, args, function(text)
      if by_line then
        local item, message = read(text)
        all[#all + 1] = item
        return message
      end
      local items, message = items_of(text, read)
      if not items then return message .. texts.AT_START end
      listed = true
      finish(items, true)
    end, function() end)
  end
  if all[1] then finish(all, false)
  elseif files.hint and not listed then fail("%s: the input is empty", args.command) end
  output:finish()
  return bad > 0 and EXIT_NO or EXIT_FINE
end

-- Writes texts as one array, or each alone.
local function write_texts(list, put, is_list)
  if is_list then return put("[" .. table.concat(list, ",") .. "]") end
  for _, text in ipairs(list) do put(text) end
end

function commands.sort(args)
  return order_all(args, function(items, put, is_list)
    local list, before = {}, nil
    for _, item in ipairs(items) do
      if not (args.unique and before and compare_items(before, item) == 0) then list[#list + 1] = item.text end
      before = item
    end
    write_texts(list, put, is_list)
  end)
end

function commands.group(args)
  local raw = fleece.pick(args.path, grammar(args, { raw = true, big_numbers = "string" }))
  return order_all(args, function(items, put, is_list)
    local list, group = {}, {}
    for i, item in ipairs(items) do
      group[#group + 1] = item.text
      if not items[i + 1] or compare_items(item, items[i + 1]) ~= 0 then
        if args.count then
          local _, key = raw(group[1])
          list[#list + 1] = ('{"key":%s,"count":%d}'):format(key or "null", #group)
        else
          list[#list + 1] = "[" .. table.concat(group, ",") .. "]"
        end
        group = {}
      end
    end
    write_texts(list, put, is_list)
  end)
end

return commands
