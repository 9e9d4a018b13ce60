-- SPDX-License-Identifier: MIT
-- edit.lua -- the commands set and del.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local paths = require "fleece.command.paths"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail, located = files.EXIT_FINE, files.EXIT_NO, files.fail, files.located
local grammar, has_lines = settings.grammar, settings.has_lines
local buffered, each_line = lines.buffered, lines.each_line
local picker, place, target, settle_paths = paths.picker, paths.place, paths.target, paths.settle_paths

local commands = {}

local BINARY = "JSON expected, not a Fleece document: fleece patch changes one with a delta, such as {\"a\":{\"b\":1}} for a.b"

-- A value of the command line for edit.
local function argument_value(text, args)
  if args.raw then
    if not fleece.decode(fleece.encode(text) or "") then fail("set: not UTF-8: %s", text) end
    return text
  end
  local fine, value = pcall(fleece.raw, text)
  if not fine or value == nil then
    if args.file == "-" and files.exists(args.assignments[1]) then
      fail("set: %s is a file: a value expected after the path %s", args.assignments[1], text)
    end
    fail("set: a JSON value expected, or --raw for a string, not %s", text)
  end
  return value
end

-- Edits the file, or each line of it, and writes all other bytes as they are. edit_text(text) returns the new text, or nil
-- and an error.
local function edit_file(args, edit_text)
  local output = files.create(args.output)
  local bad = 0
  if args.keep_going or has_lines(args, args.file) then
    local add, done = buffered(output, args)
    bad = each_line(args.file, args, function(line, line_end)
      local text, message = edit_text(line)
      if not text and line:find "[^ \t\r\n]" then return message end
      add(text or line)
      add(line_end)
    end, done)
  else
    local text, name = documents.read_json(args.file, args, BINARY)
    local edited, message = edit_text(text)
    if not edited then fail(located(name, message)) end
    output:write(edited)
  end
  output:finish()
  return bad > 0 and EXIT_NO or EXIT_FINE
end

-- Returns the steps of a path without wildcards: each with the path up to it, and the name or index that it adds.
local function steps_of(text)
  local steps = {}
  if text:sub(1, 1) == "/" then
    for step, after in text:gmatch "/([^/]*)()" do
      local name = step:gsub("~1", "/"):gsub("~0", "~")
      steps[#steps + 1] = { path = text:sub(1, after - 1), name = name, index = (step == "0" or step == "-") and 0 or nil }
    end
    return steps
  end
  local at = text:match "^%$()%f[.[%z]" or 1
  while at <= #text do
    local step = {}
    local index, after = text:match("^%[(%-?%d+)%]()", at)
    local quote = text:match("^%[([\"'])", at)
    if index then step.index = tonumber(index)
    elseif quote then
      after = at + 2
      while text:sub(after, after) ~= quote do after = after + (text:sub(after, after) == "\\" and 2 or 1) end
      step.name = text:sub(at + 2, after - 1):gsub("\\(.)", "%1")
      after = after + 2
    else
      at = text:sub(at, at) == "." and at + 1 or at
      after = at
      while after <= #text and not text:find("^[.[]", after) do after = after + (text:sub(after, after) == "\\" and 2 or 1) end
      step.name = text:sub(at, after - 1):gsub("\\(.)", "%1")
    end
    step.path, at = text:sub(1, after - 1), after
    steps[#steps + 1] = step
  end
  return steps
end

-- Returns a function of a text: the change that sets the value at a path, and makes what the path leads through, where that
-- is missing or null; nil and a message if it cannot be made.
local function make_parents(text, value, args)
  local steps, paths = steps_of(text), {}
  for i = 1, #steps - 1 do paths[i] = steps[i].path end
  local pick = paths[1] and picker(args, (table.unpack or unpack)(paths))
  local function first_missing(fine, ...)
    for i = 1, fine and #steps - 1 or 0 do
      local found = (select(i, ...))
      if not found or found == "null" then return i end
    end
    return #steps
  end
  return function(document)
    local first = pick and first_missing(pick(document)) or #steps
    local new = fleece.encode(value)
    for i = #steps, first + 1, -1 do
      local step = steps[i]
      if not step.index then new = "{" .. fleece.encode(step.name) .. ":" .. new .. "}"
      elseif step.index == 0 then new = "[" .. new .. "]"
      else return nil, ("set %s: a new array begins with index 0"):format(text) end
    end
    return { "set", first < #steps and steps[first].path or text, first < #steps and fleece.raw(new) or value }
  end
end

-- The first argument is the file if what remains are pairs; otherwise standard input is read.
function commands.set(args)
  local list = args.assignments
  for i = 1, #list do list[i] = list[i]:gsub("^%z", "") end
  args.file = #list % 2 == 1 and table.remove(list, 1) or "-"
  if #list == 0 then fail "set: a path and a value expected" end
  local changes = {}
  local options = grammar(args, { one_line = args.keep_going or has_lines(args, args.file) })
  for i = 1, #list, 2 do
    local path, value = (args.parents and place or target)(list[i], args), argument_value(list[i + 1], args)
    changes[#changes + 1] = args.parents and make_parents(list[i], value, args) or { "set", path, value }
  end
  if args.parents then
    return edit_file(args, function(text)
      local message
      for _, change_of in ipairs(changes) do
        local change
        change, message = change_of(text)
        if not change then return nil, message end
        text, message = fleece.edit(text, { change }, options)
        if not text then return nil, message end
      end
      return text
    end)
  end
  return edit_file(args, function(text) return fleece.edit(text, changes, options) end)
end

-- What is not there needs no removal.
function commands.del(args)
  settle_paths(args)
  local changes, removed = {}, false
  for i, text in ipairs(args.paths) do
    changes[i] = { "discard", target(text, args) }
    if changes[i][2] == "" then fail "del: the whole text cannot be removed" end
  end
  local options = grammar(args)
  local code = edit_file(args, function(text)
    local edited, message = fleece.edit(text, changes, options)
    removed = removed or edited ~= nil and edited ~= text
    return edited, message
  end)
  return removed and code or EXIT_NO
end

return commands
