-- SPDX-License-Identifier: MIT
-- convert.lua -- the commands pack, unpack and dump.
-- Must hold: as files.lua.

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

-- Reads complete lines of the file, a megabyte at a time, into an encoder's array. Returns its document, and how many lines
-- were skipped.
local function pack_lines(args, keys)
  local encoder = fleece.encoder(grammar(args, { lines = true, keys = keys, mode = args.mode })):array()
  local name, bad = args.file, 0
  if args.keep_going then
    bad = pack_good_lines(args, encoder)
  else
    local input, number = files.open(args.file), 0
    name = input.name
    for text in input:reader "lines" do
      local fine, message = encoder:json(text)
      if not fine then fail(located(name, message, number)) end
      local at = 0
      repeat
        at = text:find("\n", at + 1, true)
        if at then number = number + 1 end
      until not at
    end
    input:close()
  end
  local bytes, message = encoder:close()
  if bytes then bytes, message = encoder:finish() end
  if not bytes then fail("%s: %s", name, message) end
  return bytes, bad
end

function commands.pack(args)
  local keys = load_keys(args, true)
  if args.frame and (not args.output or args.output == "-") then fail "--frame needs -o FILE" end
  local output = not args.frame and create_binary(args)
  local bytes, bad = nil, 0
  if args.keep_going or has_lines(args, args.file) then
    bytes, bad = pack_lines(args, keys)
  else
    local text, name = documents.read_json(args.file, args, "a Fleece document already")
    bytes = documents.from_json(text, name, args, keys)
  end
  if keys then save_keys(keys, args) end
  if args.frame then
    documents.save(args, bytes, keys)
  else
    output:write(bytes)
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
