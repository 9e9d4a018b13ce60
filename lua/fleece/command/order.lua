-- SPDX-License-Identifier: MIT
-- order.lua -- the commands sort and group.
-- Must hold: as files.lua. Items keep their texts. Values are ordered as jq orders them: null, also for what is missing,
-- false, true, numbers, strings by their bytes, arrays, objects by their names and then by their values. program.sorter has
-- keys of most items from their texts; the others are made here.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail = files.EXIT_FINE, files.EXIT_NO, files.fail
local grammar, has_lines = settings.grammar, settings.has_lines
local unpack = table.unpack or unpack
local place = require("fleece.command.paths").place

local commands = {}

local OBJECT = {} -- the metatable of objects in keys
local ZEROS = { ["\0"] = "\1\1", ["\1"] = "\1\2" }

-- Returns the bytes of a key (src/program/sorter.c) for a value, nil as null.
local function key_of(value)
  if type(value) == "string" then return "\8" .. value:gsub("[%z\1]", ZEROS) .. "\0" end
  if type(value) ~= "table" then return program.sort_key(fleece.encode(value, { invalid_numbers = "literal" })) end
  local parts = {}
  if getmetatable(value) ~= OBJECT then
    for i, item in ipairs(value) do parts[i] = key_of(item) end
    return "\9" .. table.concat(parts) .. "\0"
  end
  local names = {}
  for name in pairs(value) do names[#names + 1] = name end
  table.sort(names)
  for i, name in ipairs(names) do parts[i] = key_of(value[name]) end
  return "\10" .. key_of(names) .. table.concat(parts)
end

-- Returns a function that adds items with any keys: add(sorter, text, first, last) returns nothing, or an error; and the
-- picker for the others.
local function key_reader(args)
  local paths = { args.path, unpack(args["then"]) }
  local n = #paths
  for i, path in ipairs(paths) do paths[i] = place(path, args) end
  local function picker(...)
    local arguments = { ... }
    arguments[#arguments + 1] = grammar(args, { raw = true, big_numbers = "string" })
    return fleece.pick(unpack(arguments))
  end
  local raw = picker(paths[1])
  local plain = picker(unpack(paths))
  paths[n + 1] = grammar(args, { objects = OBJECT, numbers = "exact" })
  local pick = fleece.pick(unpack(paths))
  return function(sorter, source, first, last)
    local text = source:sub(first, last)
    local found = { pick(text) }
    if not found[1] then return found[2] end
    local key = {}
    for i = 1, n do key[i] = key_of(found[i + 1]) end
    sorter:add(source, first, last, table.concat(key), args.count and select(2, raw(text)) or nil)
  end, plain
end

-- Orders the items of all files: the lines of all, or those of each array.
local function order_all(args, form)
  if files.exists(args.path) and args.files[1] == "-" then
    files.hint = (" (%s is taken for the path, which comes before the files)"):format(args.path)
    if files.is_terminal(0) then fail("%s: a path expected before the file", args.command) end
  end
  local options = settings.layout(args)
  options.lines, options.max_depth = true, 10000000 -- the items have passed, and there are brackets around them
  local output = files.create(args.output)
  local add, plain = key_reader(args)
  local bad, listed = 0, false
  local function sorter(is_list) return program.sorter(form, is_list, args.reverse) end
  local function write(its)
    local fine, message = fleece.format_stream(function() return its:piece() end, output.file, options)
    if not fine then fail("%s: %s", output.name, message) end
  end

  local all, mapped, passed = sorter(false), nil, nil
  -- Adds the lines in source[at, last]. Returns how many, and for a bad one calls bad_line.
  local function add_lines(source, at, last, bad_line)
    local total, count, stop = 0, nil, nil
    while at <= last do
      at, count, stop = all:lines(plain, source, at, last)
      total = total + count
      if at <= last then
        local message = add(all, source, at, stop)
        if message and source:sub(at, stop):find "[^ \t\r]" then bad_line(total, message) end
        at, total = stop + 2, total + 1
      end
    end
    return total
  end
  -- A mapped file need not be in memory twice: the entries lead into it.
  local by_lines = { begin = function(input) mapped, passed = (form == "sort" or form == "group") and input:map(), 0 end }
  function by_lines.lines(piece, _, bad_line)
    local from = passed
    passed = passed + #piece
    if mapped and passed <= #mapped then return #piece + 1, add_lines(mapped, from + 1, passed, bad_line) end
    return #piece + 1, add_lines(piece, 1, #piece, bad_line)
  end

  local function add_array(text)
    local items, at, more = sorter(true), 1, nil
    while true do
      at, more = items:items(plain, text, at)
      if not at then return "an array expected; --lines takes lines" .. texts.AT_START end
      if not more then break end
      local first, last = program.next(text, at)
      local message = add(items, text, first, last)
      if message then return ("item %d: %s"):format(#items, message:gsub(" at line .*$", "")) .. texts.AT_START end
      at = last + 1
    end
    listed = true
    write(items)
  end
  for _, path in ipairs(args.files) do
    if args.keep_going or has_lines(args, path) then
      bad = bad + texts.each_document(path, args, function(text)
        local message
        add_lines(text, 1, #text, function(_, said) message = said end)
        return message
      end, function() end, by_lines)
    else
      texts.each_document(path, args, add_array, function() end, { strict = plain })
    end
  end
  if #all > 0 then write(all)
  elseif files.hint and not listed then fail("%s: the input is empty", args.command) end
  output:finish()
  return bad > 0 and EXIT_NO or EXIT_FINE
end

function commands.sort(args) return order_all(args, args.unique and "unique" or "sort") end
function commands.group(args) return order_all(args, args.count and "count" or "group") end

return commands
