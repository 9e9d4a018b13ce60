-- SPDX-License-Identifier: MIT
-- documents.lua -- Fleece documents of the program: read, converted from and to JSON, their shared keys.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local fleece = settings.fleece
local fail, is_terminal, located = files.fail, files.is_terminal, files.located
local grammar, has_lines, is_json = settings.grammar, settings.has_lines, settings.is_json

-- Returns a new list of the shared keys. Only commands that add names may create the file, because a new list is useless
-- for reading. The file is read once, also for several documents.
local function load_keys(args, may_begin)
  if not args.keys then return nil end
  local its = args.keys_file
  if not its then
    its = files.open(args.keys, may_begin)
    if not its then return fleece.keys() end
    its:read_all()
    args.keys_file = its
  end
  local fine, keys = pcall(fleece.keys, its.bytes)
  if not fine or not fleece.check(its.bytes) then fail("%s: not a list of shared keys", its.name) end
  its.count = #keys
  return keys
end

-- Writes the names that were added. They are written before the document, because it cannot be read without them.
local function save_keys(keys, args)
  local its = args.keys_file
  if its and #keys == its.count then return end
  if its and not its:is_plain() then fail("%s: names cannot be added to what is no plain file", its.name) end
  local output = files.create(args.keys)
  output:write(keys:save())
  output:finish()
end

-- Returns the message, with the name of an option instead of a function.
local function advised(message)
  message = message:gsub(" %(this looks like JSON: [^)]*%)$", "")
  if message:find("needs its shared keys", 1, true) then return message .. ": see --keys" end
  return message
end

-- These errors are about documents; other ones can mean that the bytes are a text.
local LIMITS = { "nesting too deep", "more values than", "shared too often", "shared key", "option 'keys'", "emory" }

local function is_limit(message)
  for _, words in ipairs(LIMITS) do
    if message:find(words, 1, true) then return true end
  end
  return false
end

local function has_frame(bytes) return bytes:sub(1, 2) == "\143F" end

-- Opens the document of an input: by its path, or what was read from a pipe. If that has a frame it becomes a temporary
-- file: an output that is not finished, which also a signal removes. Results as of open_file.
local function open_input(input, options)
  if input:is_plain() then return fleece.open_file(input.path, options) end
  local bytes = input:read_all()
  if not has_frame(bytes) and not options.frame then return fleece.open(bytes, options) end
  local folder = os.getenv "TMPDIR" or os.getenv "TEMP" or "/tmp"
  local output = files.create(folder .. "/fleece-" .. tostring(options):gsub("%W", ""))
  output:write(bytes)
  options.map = false
  local doc, why = fleece.open_file(output.file:name(), options)
  output:abort()
  return doc, why
end

-- Opens an input if it is a Fleece document: if it has a frame, passes the check, is named .fleece, or if --binary says so.
-- Returns the document; nil: it is a text; false: it is a document, and what is wrong with it. What was
-- read for that is read again, except by lines.
local function try_document(input, args, options)
  if not args.binary and (args.json or args.json5 or has_lines(args, input.path)) then return nil end
  local start = input:start()
  local looks_like_json, is_named = is_json(start), start == "" or input.path:find "%.fleece$"
  if start:find "^[ \t\r\n]+$" and not (args.binary or is_named) then return nil end -- two such bytes are a document, too
  input.is_framed = has_frame(start)
  local is_document = args.binary or input.is_framed or (is_named and not looks_like_json)
  if looks_like_json and not is_document and not is_named then return nil end
  local doc, why = open_input(input, options)
  if doc then return doc end
  if not is_document and not is_limit(why) then return nil end
  why = advised(why:gsub("^cannot %a+ '.-': ", ""))
  local form = args.binary and looks_like_json and start ~= "" and " (this looks like JSON)"
  return false, why .. (form or input.is_framed and "" or files.looks_like(input.name))
end

-- Opens a file. Returns its document, or nil if it is a text; and the input.
local function open(path, args, options)
  local input = files.open(path)
  local doc, why = try_document(input, args, options or { keys = load_keys(args), max_depth = args.max_depth })
  if doc == false then fail("%s: %s", input.name, why) end
  return doc, input
end

-- Returns the bytes of a document, converted from JSON.
local function from_json(text, name, args, keys)
  local packed, message = fleece.from_json(text, grammar(args, { lines = args.lines, keys = keys, mode = args.mode }))
  if not packed then fail(located(name, message)) end
  return packed
end

-- Returns the document of a file, converted if the file is JSON; the name of the file; the text, if it was JSON; and the
-- bytes, if they have a frame.
local function open_document(path, args, options)
  options = options or { keys = load_keys(args), max_depth = args.max_depth }
  local doc, input = open(path, args, options)
  local text = not doc and input:read_all() or nil
  local framed = doc and input.is_framed and input:read_all() or nil
  input:close()
  if doc then return doc, input.name, nil, framed end
  local packed = from_json(text, input.name, args, options.keys)
  return fleece.open(packed, { trusted = true, keys = options.keys, max_depth = args.max_depth }), input.name, text
end

-- Opens a file of JSON.
local function open_json(path, args, refusal)
  local doc, input = open(path, args, { keys = false })
  if doc then fail("%s: %s", input.name, refusal or "JSON expected, not a Fleece document: fleece unpack makes JSON of it") end
  return input
end

-- Returns the text of a file of JSON, and its name.
local function read_json(path, args, refusal)
  local input = open_json(path, args, refusal)
  return input:read_all(), input.name
end

-- The number of frames in the bytes of a file that was opened, and the last list of names, if any.
local function count_frames(bytes)
  local function number(at, n)
    local x = 0
    for i = n, 1, -1 do x = 256 * x + bytes:byte(at + i) end
    return x
  end
  local at, n, names = 0, 0, nil
  while at < #bytes and bytes:byte(at + 1) ~= 0 do
    local size = number(at + 12, 4)
    if size > 0 then names = bytes:sub(at + 49, at + 48 + size) end
    at = at + 16 * number(at + 10, 2) + number(at + 16, 8)
    n = n + 1
  end
  return n, names
end

-- Binary output can disturb a terminal.
local function create_binary(args)
  if (not args.output or args.output == "-") and not args.force and is_terminal(1) then
    fail "binary to a terminal: use -o FILE or a pipe, or --force"
  end
  return files.create(args.output)
end

-- Writes the document with a frame to the file of -o.
local function save(args, bytes, keys)
  local fine, message = fleece.save(args.output, bytes, { trusted = true, keys = keys, sync = "folder" })
  if not fine then fail("%s: %s", args.output, (message:gsub("^cannot %a+ '.-': ", ""))) end
end

-- The most bytes of all texts together that are made of parts of a document, which may have a value at many places.
local function most_bytes(doc) return settings.max_bytes or math.max(64 * doc.size, 64 * 1048576) end

-- Returns the text of a document, or of the value that the options select; nil if there is no such value.
local function to_text(source, name, options)
  options.max_bytes = options.max_bytes or settings.max_bytes
  local text, message = fleece.to_json(source, options)
  if message then fail("%s: %s", name, message) end
  return text
end

-- Writes a JSON text in that layout.
local function write_json(output, text, options)
  if options.indent or options.colors then
    local message
    text, message = fleece.format(text, options)
    if not text then fail(message) end -- a delta can be deeper than both documents
  end
  output:write(text .. "\n")
end

return {
  load_keys = load_keys,
  save_keys = save_keys,
  advised = advised,
  open_input = open_input,
  try_document = try_document,
  open = open,
  open_document = open_document,
  open_json = open_json,
  read_json = read_json,
  from_json = from_json,
  has_frame = has_frame,
  count_frames = count_frames,
  create_binary = create_binary,
  save = save,
  most_bytes = most_bytes,
  to_text = to_text,
  write_json = write_json,
}
