-- SPDX-License-Identifier: MIT
-- reformat.lua -- the commands fmt, min and check.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, EXIT_TROUBLE, fail = files.EXIT_FINE, files.EXIT_NO, files.EXIT_TROUBLE, files.fail
local is_terminal, located = files.is_terminal, files.located
local grammar, has_lines, layout = settings.grammar, settings.has_lines, settings.layout
local buffered, each_line = lines.buffered, lines.each_line

local commands = {}

-- fmt and min with --keep-going: one document per line.
local function reformat_lines(args, output, options)
  local bad, add, done = 0, buffered(output, args)
  local function work(line)
    local text, message = fleece.format(line, options)
    if not text then return message end
    add(text)
    add "\n"
  end
  for _, path in ipairs(args.files) do bad = bad + each_line(path, args, work, done) end
  output:finish()
  return bad > 0 and EXIT_NO or EXIT_FINE
end

-- fmt and min with --canonical: whole files, because the members of a document are sorted.
local function reformat_canonical(args, output, options)
  for _, path in ipairs(args.files) do
    local text, name = files.read_all(path)
    local result, message = fleece.format(text, options)
    if not result then fail(located(name, message)) end
    output:write(result)
  end
  output:finish()
  return EXIT_FINE
end

-- Makes the options those of canonical JSON.
local function canonize(args, options)
  for _, name in ipairs { "indent", "width", "decimals", "float32", "invalid_utf8", "invalid_numbers" } do
    if args[name] then fail("--canonical does not go with --%s", (name:gsub("_", "-"))) end
  end
  options.canonical, options.colors = "jcs", nil
end

-- fmt and min: streams of documents, with any separator.
local function reformat(args)
  local options = grammar(args, layout(args))
  if args.canonical then canonize(args, options) end
  local output = files.create(args.output)
  if args.slurp then
    if args.keep_going then fail "--slurp does not go with --keep-going" end
    local text, message = fleece.format(texts.slurp(args.files, args), options)
    if not text then fail(message) end
    output:write(text .. "\n")
    output:finish()
    return EXIT_FINE
  end
  if args.keep_going then return reformat_lines(args, output, options) end
  options.lines = true
  if args.canonical then return reformat_canonical(args, output, options) end
  for _, path in ipairs(args.files) do
    local input = files.open(path)
    local name = input.name
    local by_line = args.unbuffered or (path == "-" and is_terminal(0))
    local sink = not by_line and output.file or function(piece)
      output:write(piece)
      output:flush()
    end
    local fine, message = fleece.format_stream(input:reader(by_line and "line"), sink, options)
    input:close()
    if type(message) == "table" then error(message, 0) end -- raised by the sink
    if not fine then fail(located(message:find " at line %d" and name or output.name, message)) end
  end
  output:finish()
  return EXIT_FINE
end

function commands.fmt(args)
  if not args.canonical then args.indent = args.indent or "2" end
  if args.width and args.indent == "0" then fail "--width needs line breaks: --indent must not be 0" end
  return reformat(args)
end

commands.min = reformat

-- check with --keep-going: one document per line. Returns how many are bad.
local function check_lines(path, args)
  local nothing = fleece.pick("/0", grammar(args, { raw = true, big_numbers = "string" }))
  return each_line(path, args, function(line)
    local fine, message = nothing(line)
    if not fine then return message end
  end, function() end)
end

-- Is a large file the text of one valid array or object? That is tested faster than pieces of it are, but it cannot tell
-- what is wrong.
local function is_strict(input, args)
  local text = input:map()
  return text and program.is_strict(fleece.pick("", grammar(args, { big_numbers = "string" })), text)
end

-- Checks one file: returns nil if it is valid, or the error; false if the errors were reported.
local function verdict(path, args)
  if args.keep_going and not args.binary then
    if check_lines(path, args) > 0 then return false end
    return nil
  end
  local input = files.open(path)
  local lines = has_lines(args, path)
  if not lines and not args.binary and is_strict(input, args) then
    input:close()
    return nil
  end
  local options = { keys = documents.load_keys(args), max_depth = args.max_depth, check_utf8 = true }
  local doc, wrong = documents.try_document(input, args, options)
  if doc ~= nil then
    input:close()
    return not doc and input.name .. ": " .. wrong or nil
  end
  local fine, message = fleece.format_stream(input.bytes and files.pieces(input.bytes, input.name) or input:reader(), nil,
    grammar(args, { lines = lines }))
  input:close()
  if not fine then return located(input.name, message) end
end

function commands.check(args)
  local code, output = EXIT_FINE, files.create()
  for _, path in ipairs(args.files) do
    local fine, wrong = pcall(verdict, path, args)
    if not fine then
      if type(wrong) ~= "table" then error(wrong, 0) end
      files.say(wrong.message)
      code = EXIT_TROUBLE
    elseif wrong ~= nil then
      if wrong and not args.quiet then files.say(wrong) end
      code = math.max(code, EXIT_NO)
    elseif args.verbose then
      output:write((path == "-" and "standard input" or path) .. ": fine\n")
    end
  end
  output:finish()
  return code
end

return commands
