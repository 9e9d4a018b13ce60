-- SPDX-License-Identifier: MIT
-- patches.lua -- the commands diff and patch with --json and --merge: JSON Patch and JSON Merge Patch.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local EXIT_FINE, EXIT_NO, fail, located = files.EXIT_FINE, files.EXIT_NO, files.fail, files.located
local grammar, layout = settings.grammar, settings.layout

local commands = {}

-- Reads a file of JSON; returns its text and name. (--json is the kind of patch.)
local function read_json(path, args) return documents.read_json(path, { json5 = args.json5 }) end

-- The same as strict JSON, if the options allow more: differences are made of strict texts, and so are patches.
local function read_strict(path, args)
  local text, name = read_json(path, args)
  local plain, message = settings.fleece.format(text, grammar(args))
  if not plain then fail(located(name, message)) end
  return next(grammar(args)) and plain or text, name
end

-- Checks the options that only deltas have, or only other patches.
local function check(args, names)
  if args.json and args.merge then fail("%s: either --json or --merge", args.command) end
  for _, name in ipairs(names) do
    if args[name] then fail("%s: --%s is for deltas", args.command, name) end
  end
end

-- Errors of the list of operations itself, not of what they do in the document.
local OF_THE_PATCH = { "^a list of operations expected", "^operation %d+: ", "is not a JSON pointer", "it has no \"", "\"op\" must be" }

-- Ends the command: names[prefix] is the file whose name begins the message in place of that prefix.
local function refuse(message, names)
  for prefix, name in pairs(names) do
    if message:sub(1, #prefix + 2) == prefix .. ": " then fail(located(name, message:sub(#prefix + 3))) end
  end
  for _, words in ipairs(names.operations and OF_THE_PATCH or {}) do
    if message:find(words) then fail(located(names.operations, message)) end
  end
  fail(located(names.other, message))
end

-- Prints the patch. If the values are equal that is one which changes nothing.
function commands.diff(args)
  check(args, { "keys" })
  if args.merge and args.test then fail "diff: a merge patch has no tests" end
  local old, old_name = read_strict(args.old, args)
  local new, new_name = read_strict(args.new, args)
  local codec = settings.fleece.new(grammar(args))
  local names = { ["first argument"] = old_name, ["second argument"] = new_name, other = old_name .. ", " .. new_name }
  local patch, message = codec.json_diff(old, new, { test = args.test })
  if not patch then refuse(message, names) end
  local differ = patch ~= "[]"
  if args.merge then
    patch, message = codec.merge_diff(old, new)
    if not patch then refuse(message, names) end
  end
  local output = files.create(args.output)
  documents.write_json(output, patch, layout(args))
  output:finish()
  return differ and EXIT_NO or EXIT_FINE
end

-- Writes the text with the patch applied; all bytes that it does not touch stay.
function commands.patch(args)
  check(args, { "keys", "mode" })
  if args.indent then fail "patch: the text keeps its layout; fmt --indent gives it another one" end
  local text, name = read_json(args.file, args)
  local patch, patch_name = read_strict(args.delta, args)
  local codec = settings.fleece.new(grammar(args))
  local changed, message = (args.json and codec.json_patch or codec.merge_patch)(text, patch)
  if not changed then refuse(message, { operations = patch_name, patch = patch_name, other = name }) end
  local output = files.create(args.output)
  output:write(changed)
  output:finish()
  return EXIT_FINE
end

return commands
