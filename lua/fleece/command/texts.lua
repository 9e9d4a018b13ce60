-- SPDX-License-Identifier: MIT
-- texts.lua -- the documents of files, one after the other, each as a text of strict JSON; values that are written.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local fleece = settings.fleece
local fail, located = files.fail, files.located
local grammar, has_lines, policies = settings.grammar, settings.has_lines, settings.policies

-- Does reading need options that the places of values in the text cannot follow? Then format translates the text first.
local function is_lenient(args)
  return args.json5 or args.comments or args.trailing_commas or args.invalid_utf8 or args.invalid_numbers
end

-- Returns the text of all documents of a file, each in one line; the name of the file; and its bytes, if they are JSON. With a
-- picker, `strict`, a large file of one array or object is mapped and stays as it is.
local function read(path, args, strict)
  local doc, input = documents.open(path, args)
  if doc then
    input:close()
    return documents.to_text(doc, input.name, policies(args, { pointer = "" })), input.name
  end
  local mapped = strict and not is_lenient(args) and input:map()
  if mapped and program.is_strict(strict, mapped) then
    input:close()
    return mapped, input.name, mapped
  end
  local text, name = input:read_all(), input.name
  local plain, message = fleece.format(text, grammar(args, { lines = true }))
  if not plain then fail(located(name, message)) end
  return plain, name, text
end

-- The place of an error that is about a whole document.
local AT_START = " at line 1, column 1, byte 1"

-- Returns the error of document `number` of a text, counted from 0, with its place.
local function located_in(text, name, message, number, args)
  if not text then return name .. ": " .. message:gsub(AT_START .. "$", "") end
  local at, options = 1, grammar(args, { big_numbers = "string" })
  options.invalid_utf8 = "pass"
  for _ = 1, number do
    local _, next_at = fleece.decode_prefix(text, at, options)
    at = tonumber(next_at) or at -- an error has a message there
  end
  at = text:find("[^ \t\r\n]", at) or at
  local before = text:sub(1, at - 1)
  local _, line = before:gsub("\n", "")
  return located(name, (message:gsub("line 1, column 1,", ("line %d, column %d,"):format(line + 1, #before:match "[^\n]*$" + 1))))
end

-- Does the same as each_document for standard input with --unbuffered: each document is processed when its line has come.
local function each_at_once(args, work, done)
  local input, parts, number = files.open "-", {}, 0
  local fine, message = fleece.format_stream(input:reader "line", function(piece)
    for part, line_end in piece:gmatch "([^\n]*)(\n?)" do
      parts[#parts + 1] = part
      if line_end ~= "" then
        local wrong = work(table.concat(parts), "", number, input.name)
        done()
        if wrong then fail(located_in(nil, input.name, wrong)) end
        parts, number = {}, number + 1
      end
    end
    return true
  end, grammar(args, { lines = true }))
  if type(message) == "table" then error(message, 0) end -- raised by `work`
  if not fine then fail(located(input.name, message)) end
  input:close()
  return 0
end

-- Calls work(text, "", number, name) for each document of a file, and done() at the end or before. Where the file has one
-- document per line it is read in pieces. `work` returns nothing, or an error. Returns how many lines are bad. `its`: as
-- of each_line; its.strict: a picker, with which a large file of one array or object is mapped, and its text is a program.text.
local function each_document(path, args, work, done, its)
  if args.keep_going or has_lines(args, path) then
    if not is_lenient(args) then return lines.each_line(path, args, work, done, its) end
    return lines.each_line(path, args, function(line, line_end, number, name)
      local plain, message = fleece.format(line, grammar(args))
      if not plain then return message end
      return work(plain, line_end, number, name)
    end, done)
  end
  if args.unbuffered and (path == "-" or path == "/dev/stdin") and not args.binary then return each_at_once(args, work, done) end
  local plain, name, text = read(path, args, its and its.strict)
  local number = 0
  local function take(document)
    local message = work(document, "", number, name)
    if message then
      done()
      fail(located_in(text and text:sub(1, #text), name, message, number, args))
    end
    number = number + 1
  end
  if type(plain) ~= "string" then take(plain) else for line in plain:gmatch "[^\n]+" do take(line) end end
  done()
  return 0
end

-- Returns the text of one array with the documents of all these files, and the name for errors.
local function slurp(paths, args)
  local all, name = {}, nil
  for i, path in ipairs(paths) do
    all[i], name = read(path, args)
  end
  return "[" .. table.concat(all, "\n"):gsub("^\n+", ""):gsub("\n+$", ""):gsub("\n+", ",") .. "]", name
end

-- ------------------------------------------------------------------------------------- output

-- Decodes strings unchanged: invalid UTF-8 is in the text only if an option has allowed it.
local RAW = { invalid_utf8 = "pass" }

local SHORT = 1024 * 1024 -- longer values are written in pieces

-- Returns a function that writes the value in text[first, last] in the layout that was requested.
local function value_writer(output, args, add, done)
  local look = args.layout
  local styled = look.indent or look.colors or look.sort_keys
  return function(text, first, last)
    local start = text:sub(first, first)
    if start == '"' and args.raw then
      add(fleece.decode(text:sub(first, last), RAW))
    elseif not styled and start ~= "{" and start ~= "[" then
      add(text:sub(first, last))
    elseif last - first < SHORT then
      local value = text:sub(first, last)
      if styled or value:find "[ \t\r\n]" then
        local message
        value, message = fleece.format(value, look)
        if not value then fail(message) end
      end
      add(value)
    else
      done()
      local fine, message = fleece.format_stream(function()
        if first > last then return nil end
        local piece = text:sub(first, math.min(last, first + SHORT - 1))
        first = first + SHORT
        return piece
      end, output.file, look)
      if not fine then fail(message) end
    end
    if not args.join_output then add "\n" end
  end
end

return { AT_START = AT_START, is_lenient = is_lenient, each_document = each_document, slurp = slurp, RAW = RAW, value_writer = value_writer }
