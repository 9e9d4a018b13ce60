-- SPDX-License-Identifier: MIT
-- convert.lua -- the commands pack, unpack and dump.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail, located = files.EXIT_FINE, files.EXIT_NO, files.fail, files.located
local grammar, has_lines, layout, policies = settings.grammar, settings.has_lines, settings.layout, settings.policies
local create_binary, load_keys = documents.create_binary, documents.load_keys
local open_document, save_keys = documents.open_document, documents.save_keys
local to_text, write_json = documents.to_text, documents.write_json

local commands = {}

-- Reads each line into an encoder's array, if it is valid. Returns how many are not.
local function pack_good_lines(args, encoder)
  return lines.each_line(args.file, args, function(line)
    local fine, message = fleece.from_json(line, grammar(args))
    if fine then fine, message = encoder:json(line) end
    if not fine then return message end
  end, function() end)
end

-- Reads the text of the file into the encoder, in an array if it has lines; of a pipe, lines are read a megabyte at a
-- time. Returns the name of the file.
local function pack_texts(args, encoder, has_lines, check)
  local input, number = nil, 0
  if has_lines then input = files.open(args.file)
  else input = documents.open_json(args.file, args, "a Fleece document already") end
  local function put(text, progress)
    local fine, message, failure = program.pack(encoder, text, progress)
    if not fine and failure then message = located(input.name, message, number) end
    check(fine, message, failure)
  end
  local text = has_lines and input:map() or not has_lines and input:read_text()
  if text then
    files.progress:begin(input.name, #text)
    put(text, function(n) files.progress:add(n) end)
    text:close()
  else
    for piece in input:reader "lines" do
      put(piece, function() end)
      local _, ends = piece:gsub("\n", "")
      number = number + ends
    end
  end
  input:close()
  return input.name
end

function commands.pack(args)
  local keys = load_keys(args, true)
  if args.frame and (not args.output or args.output == "-") then fail "--frame needs -o FILE" end
  local output = not args.frame and create_binary(args)
  local by_lines, name, bad = args.keep_going or has_lines(args, args.file), args.file, 0
  local encoder = fleece.encoder(grammar(args, { lines = by_lines, keys = keys, mode = args.mode }))
  -- Ends the command after an error: of the text or, without a `failure`, of the output.
  local function check(fine, message, failure)
    if not fine then fail(failure and message or ("%s: %s"):format(output.name, message)) end
    return fine
  end
  if output and output.file ~= io.stdout then output.file:spill(encoder) end
  if by_lines then encoder:array() end
  if args.keep_going then bad = pack_good_lines(args, encoder)
  else name = pack_texts(args, encoder, by_lines, check) end
  local function end_document(fine, message, failure)
    return check(fine, failure and ("%s: %s"):format(name, message) or message, failure)
  end
  if by_lines then end_document(encoder:close()) end
  if keys then save_keys(keys, args) end
  if args.frame then
    documents.save(args, end_document(encoder:finish()), keys)
  else
    end_document(program.store(encoder, output.file))
    output:finish()
  end
  return bad > 0 and EXIT_NO or EXIT_FINE
end

function commands.unpack(args)
  args.binary = true
  local doc, name = open_document(args.file, args)
  local options, look = policies(args, { canonical = args.canonical, json5 = args.json5 }), layout(args)
  if args.json5 then -- format does not accept such names
    if look.colors then fail "--json5 has no colours" end
    options.indent, look.indent = look.indent, nil
  end
  local output = files.create(args.output)
  if args.lines and fleece.type(doc.root) == "array" then
    local add, done = lines.buffered(output, args)
    local left = documents.most_bytes(doc)
    for i = 0, #doc.root - 1 do
      options.pointer, options.max_bytes = "/" .. i, math.max(left, 1)
      local text = to_text(doc, name, options)
      left = left - #text
      write_json({ write = function(_, piece) add(piece) end }, text, look)
    end
    done()
  else
    write_json(output, to_text(doc, name, options), look)
  end
  output:finish()
  return EXIT_FINE
end

function commands.dump(args)
  local options = { keys = load_keys(args) or false, max_depth = args.max_depth } -- it can show codes
  local doc, name = open_document(args.file, args, options)
  local output = files.create(args.output)
  local text, message = fleece.dump(doc)
  if not text then fail("%s: %s", name, message) end
  output:write(text)
  output:finish()
  return EXIT_FINE
end

return commands
