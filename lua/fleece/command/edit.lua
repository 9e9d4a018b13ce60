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
local settle_paths, way = paths.settle_paths, paths.way

local commands = {}

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

-- A path of set or del: like those of get, without wildcards.
local function place(text, args, command)
  local its = way(text, args)
  if its[1] then fail("%s: a path without wildcards expected, not %s", command, text) end
  return its.start
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
    local text, name = documents.read_json(args.file, args)
    local edited, message = edit_text(text)
    if not edited then fail(located(name, message)) end
    output:write(edited)
  end
  output:finish()
  return bad > 0 and EXIT_NO or EXIT_FINE
end

-- The first argument is the file if what remains are pairs; otherwise standard input is read.
function commands.set(args)
  local list = args.assignments
  for i = 1, #list do list[i] = list[i]:gsub("^%z", "") end
  args.file = #list % 2 == 1 and table.remove(list, 1) or "-"
  if #list == 0 then fail "set: a path and a value expected" end
  local changes = {}
  for i = 1, #list, 2 do
    changes[#changes + 1] = { "set", place(list[i], args, "set"), argument_value(list[i + 1], args) }
  end
  local options = grammar(args, { one_line = args.keep_going or has_lines(args, args.file) })
  return edit_file(args, function(text) return fleece.edit(text, changes, options) end)
end

-- What is not there needs no removal.
function commands.del(args)
  settle_paths(args)
  local changes, removed = {}, false
  for i, text in ipairs(args.paths) do
    changes[i] = { "discard", place(text, args, "del") }
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
