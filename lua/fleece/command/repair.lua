-- SPDX-License-Identifier: MIT
-- repair.lua -- the commands recover and compact: files with frames, written anew.
-- Must hold: as files.lua. A file is replaced whole or not at all.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local fleece = settings.fleece
local EXIT_FINE, fail, say = files.EXIT_FINE, files.fail, files.say

local commands = {}

-- "cannot open 'FILE': WHY" as "FILE: WHY".
local function plain(path, message)
  return path .. ": " .. documents.advised(message:gsub("^cannot %a+ '.-': ", ""))
end

local function compact(path, args, recover)
  local options = { keys = documents.load_keys(args), max_depth = args.max_depth, mode = args.mode, recover = recover,
    sync = "folder" }
  local now, before = fleece.compact(path, options)
  if not now then fail(plain(path, before)) end
  if args.verbose then say(("%s: %.0f bytes, %.0f before"):format(path, now, before)) end
end

-- Opens the last whole state, says what is after it, and writes the state to the file, or to that of -o.
function commands.recover(args)
  local input = files.open(args.file)
  local path = input.name
  local options = { keys = documents.load_keys(args), max_depth = args.max_depth, frame = "required", recover = true }
  local doc, dropped = documents.open_input(input, options)
  input:close()
  if not doc then fail(plain(path, dropped)) end
  if dropped then say(path .. ": " .. dropped) end
  if args.output then
    local fine, message = fleece.save(args.output, doc, { sync = "folder", mode = args.mode, max_depth = 10000000 })
    if not fine then fail(plain(args.output, message)) end
  elseif dropped then
    if not input:is_plain() then fail("recover: %s is no plain file: -o FILE expected", path) end
    doc:close()
    compact(path, args, true)
  elseif args.verbose then
    say(path .. ": fine")
  end
  return EXIT_FINE
end

function commands.compact(args)
  for _, path in ipairs(args.files) do
    if path == "-" then fail "compact: the name of a plain file expected, not standard input" end
    compact(path, args)
  end
  return EXIT_FINE
end

return commands
