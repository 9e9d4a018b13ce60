-- SPDX-License-Identifier: MIT
-- compare.lua -- the commands stat, diff and patch.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail, located = files.EXIT_FINE, files.EXIT_NO, files.fail, files.located
local grammar, has_lines, layout, policies = settings.grammar, settings.has_lines, settings.layout, settings.policies
local create_binary, load_keys = documents.create_binary, documents.load_keys
local save_keys, open_document = documents.save_keys, documents.open_document
local to_text, write_json = documents.to_text, documents.write_json

local commands = {}

-- Counts the values of a document, shared ones each time.
local function count(doc, name)
  local step, before = program.counter(doc), 0
  files.progress:begin(name, doc.size)
  while true do
    local share, counts = step()
    if not share then
      files.progress:finish()
      return counts
    end
    files.progress:add((share - before) * doc.size)
    before = share
  end
end

-- Returns the bytes of the text without white space; nil if format rejects it.
local function size_without_space(text, name, options)
  local size = 0
  local source = files.pieces(text, name)
  local fine = fleece.format_stream(source, function(piece) size = size + #piece end, options)
  files.progress:finish()
  return fine and size
end

function commands.stat(args)
  args.lines = has_lines(args, args.file)
  local options = { keys = load_keys(args), max_depth = args.max_depth }
  local doc, input = documents.open(args.file, args, options)
  local bytes, name, was_json = input:read_all(), input.name, not doc
  local amendments = doc and documents.has_frame(bytes) and documents.count_frames(bytes) - 1
  if was_json then
    doc = fleece.open(documents.from_json(bytes, name, args, options.keys), { trusted = true, keys = options.keys })
  end
  local counts = count(doc, name)
  local writing = policies(args)
  local text = was_json and bytes or fleece.to_json(doc, writing)
  -- format rejects spellings that JSON does not have, such as a long hexadecimal number; as values they are valid.
  local json = text and size_without_space(text, name, grammar(args, { lines = args.lines }))
  if text and not json then
    text = fleece.to_json(doc, writing)
    json = text and #text
  end
  local rows = {
    { "format", was_json and "JSON" or amendments and "Fleece with a frame" or "Fleece" },
    { "bytes", #bytes },
    { "bytes as JSON", json or "none" },
    { "bytes as Fleece", #doc.bytes },
    { "depth", counts.depth },
    { "values", counts.values },
  }
  for _, kind in ipairs { "dict", "array", "string", "number", "boolean", "null", "data" } do
    rows[#rows + 1] = { "  " .. kind, counts[kind] }
  end
  rows[#rows + 1] = { "members", counts.members }
  rows[#rows + 1] = { "distinct names", counts.distinct }
  if amendments then rows[#rows + 1] = { "amendments", amendments } end
  local output = files.create(args.output)
  for _, row in ipairs(rows) do
    output:write(("%-16s %s\n"):format(row[1], type(row[2]) == "number" and ("%.0f"):format(row[2]) or row[2]))
  end
  output:finish()
  return EXIT_FINE
end

function commands.diff(args)
  if args.json or args.merge then return require("fleece.command.patches").diff(args) end
  if args.test then fail "diff: --test needs --json" end
  local old, old_name = open_document(args.old, args)
  local new, new_name = open_document(args.new, args)
  local delta, message = fleece.diff(old, new)
  if not delta then fail("%s, %s: %s", old_name, new_name, message) end
  if delta == "{}" then return EXIT_FINE end
  local output = files.create(args.output)
  write_json(output, delta, layout(args))
  output:finish()
  return EXIT_NO
end

function commands.patch(args)
  if args.json or args.merge then return require("fleece.command.patches").patch(args) end
  local options = { keys = load_keys(args), max_depth = args.max_depth }
  local old, name, was_json, framed = open_document(args.file, args, options)
  local delta, delta_name = files.read_all(args.delta)
  local keys = options.keys
  local keeps_frame = framed and args.output and args.output ~= "-"
  if keeps_frame and not keys then
    local _, names = documents.count_frames(framed)
    keys = names and fleece.keys(names)
  end
  local new, message = fleece.patch(old, delta, { mode = args.mode, keys = keys, max_depth = args.max_depth })
  if not new then fail(located(delta_name, message)) end
  if keeps_frame then
    if args.keys then save_keys(keys, args) end
    old:close() -- Windows replaces no file that is mapped
    documents.save(args, new, keys)
    return EXIT_FINE
  end
  local output = was_json and files.create(args.output) or create_binary(args)
  if was_json then
    local text = to_text(new, name, policies(args, { trusted = true, keys = keys }))
    write_json(output, text, layout(args))
  else
    if keys then save_keys(keys, args) end
    output:write(new)
  end
  output:finish()
  return EXIT_FINE
end

return commands
