-- SPDX-License-Identifier: MIT
-- documents.lua -- Fleece documents of the program: read, converted from and to JSON, their shared keys.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local fleece = settings.fleece
local fail, is_terminal, located, read_all = files.fail, files.is_terminal, files.located, files.read_all
local reason = files.reason
local grammar, is_json = settings.grammar, settings.is_json

-- Returns the shared keys. Only commands that add names may create a list, because a new list is useless for reading.
local function load_keys(args, may_begin)
  if not args.keys then return nil end
  if may_begin then
    local file, _, code = io.open(args.keys, "rb")
    if code == 2 then return fleece.keys() end -- ENOENT
    if file then file:close() end
  end
  local state, name = read_all(args.keys)
  local fine, keys = pcall(fleece.keys, state)
  if not fine or not fleece.check(state) then fail("%s: not a list of shared keys", name) end
  return keys
end

-- Keys are written before the document, because it cannot be read without them.
local function save_keys(keys, args)
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

-- Ends the command because the bytes are not a document; if one was requested, they may be JSON.
local function refuse(name, why, start, args)
  fail("%s: %s%s", name, advised(why), args.binary and is_json(start, {}) and " (this looks like JSON)" or "")
end

-- Returns the bytes of a document, converted if the file is JSON; and whether it was JSON.
local function to_binary(bytes, name, args, keys)
  if is_json(bytes, args) then
    local options = grammar(args, { lines = args.lines, keys = keys, mode = args.mode })
    local packed, message = fleece.from_json(bytes, options)
    if not packed then fail(located(name, message)) end
    return packed, true
  end
  local fine, message = fleece.check(bytes, { keys = keys, max_depth = args.max_depth })
  if not fine then refuse(name, message, bytes, args) end
  return bytes, false
end

-- Returns a mapped Fleece file; nil if it is text, or standard input.
local function map_document(path, args)
  if path == "-" then return nil end
  local file = files.open(path)
  local start, message = file:read(4096)
  file:close()
  if message then fail("%s: %s", path, reason(path, message)) end
  if not start or is_json(start, args) then return nil end
  local doc, why = fleece.open_file(path, { keys = load_keys(args), max_depth = args.max_depth })
  if not doc then refuse(path, why:gsub("^cannot open '.-': ", ""), start, args) end
  return doc
end

local function has_frame(bytes) return bytes:sub(1, 2) == "\143F" end

-- Opens what was read from standard input and has a frame, by a temporary file; or the result is nil, and a message.
local function open_input(bytes, options)
  local path = os.tmpname()
  local output = files.create(path)
  output:write(bytes)
  output:finish()
  options.map = false
  local doc, why = fleece.open_file(path, options)
  os.remove(path)
  return doc, why
end

-- Returns the document of a file with frames, which has its shared keys; nil if these bytes of it have no frame.
local function open_framed(path, bytes, args)
  if args.json or not has_frame(bytes) then return nil end
  local options, doc, why = { keys = load_keys(args), max_depth = args.max_depth }, nil, nil
  if path == "-" then doc, why = open_input(bytes, options) else doc, why = fleece.open_file(path, options) end
  if not doc then refuse(files.name_of(path), why:gsub("^cannot open '.-': ", ""), bytes, args) end
  return doc
end

-- The number of frames in the bytes of a file that was opened.
local function count_frames(bytes)
  local function number(at, n)
    local x = 0
    for i = n, 1, -1 do x = 256 * x + bytes:byte(at + i) end
    return x
  end
  local at, n = 0, 0
  while at < #bytes and bytes:byte(at + 1) ~= 0 do
    at = at + 16 * number(at + 10, 2) + number(at + 16, 8)
    n = n + 1
  end
  return n
end

-- Returns the document of the bytes, or of the text converted to bytes.
local function open_bytes(bytes, name, args)
  local keys = load_keys(args)
  local packed, was_json = to_binary(bytes, name, args, keys)
  return fleece.open(packed, { trusted = was_json, keys = keys, max_depth = args.max_depth })
end

-- Returns a document to read parts of, and its name.
local function open_document(path, args)
  local doc = map_document(path, args)
  if doc then return doc, path end
  local bytes, name = read_all(path)
  return open_framed(path, bytes, args) or open_bytes(bytes, name, args), name
end

-- Binary output can disturb a terminal.
local function create_binary(args)
  if (not args.output or args.output == "-") and not args.force and is_terminal(1) then
    fail "binary to a terminal: use -o FILE or a pipe, or --force"
  end
  return files.create(args.output)
end

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
  refuse = refuse,
  to_binary = to_binary,
  map_document = map_document,
  has_frame = has_frame,
  open_input = open_input,
  open_framed = open_framed,
  count_frames = count_frames,
  open_bytes = open_bytes,
  open_document = open_document,
  create_binary = create_binary,
  to_text = to_text,
  write_json = write_json,
}
