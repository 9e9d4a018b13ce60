-- SPDX-License-Identifier: MIT
-- paths.lua -- the paths that the program's arguments name.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local fleece = settings.fleece
local fail = files.fail
local grammar, policies = settings.grammar, settings.policies

-- A single argument is a path into standard input.
local function settle_paths(args)
  if #args.paths > 0 then return end
  if not args.file then fail("%s: a path expected", args.command) end
  if files.is_terminal(0) and files.exists(args.file) then fail("%s: a path expected after the file", args.file) end
  files.hint = files.exists(args.file) and (" (%s is taken for a path; it is a file: a path expected after it)"):format(args.file) or nil
  args.paths, args.file = { args.file }, "-"
end

-- Ends the command because of a path.
local function no_path(text) fail("not a path: %s", text) end

-- Splits the text of a key path at its wildcards, [*] and .*: returns the parts between them, and for each wildcard the
-- bracket of the container that it goes through. A backslash takes the meaning from the next character.
local function split_path(text)
  local parts, brackets, from, at = {}, {}, 1, 1
  local function cut(bracket, last)
    parts[#parts + 1] = text:sub(from, at - 1)
    brackets[#brackets + 1] = bracket
    from, at = last + 1, last + 1
  end
  while at <= #text do
    local byte = text:sub(at, at)
    if byte == "\\" then at = at + 2
    elseif text:sub(at, at + 2) == "[*]" then cut("[", at + 2)
    elseif text:find("^%.%*%f[.[%z]", at) then cut("{", at + 1)
    elseif at == 1 and text:find "^%*%f[.[%z]" then cut("{", 1)
    else at = at + 1 end
  end
  parts[#parts + 1] = text:sub(from)
  return parts, brackets
end

-- Returns the path for `pick` and `to_json`, after a test.
local function compile(part, text)
  if part == "" then return "", { pointer = "" } end
  local fine, path = pcall(fleece.path, part)
  if not fine then no_path(text) end
  return path, { path = path }
end

-- Returns a picker of the texts of values. Numbers may have any size.
local function picker(args, ...)
  local paths = { ... }
  paths[#paths + 1] = grammar(args, { raw = true, big_numbers = "string" })
  return fleece.pick((table.unpack or unpack)(paths))
end

-- Reads a path of `get`. Returns a table: `start`, the path to the first wildcard, or to the value; `options`, the same
-- for to_json; for each wildcard its bracket, and `rest`: the picker of the path from there to the next one, or false.
-- A JSON pointer begins with a slash, and has no wildcards.
local function way(text, args)
  if text:sub(1, 1) == "/" or text == "" then
    if text:gsub("~[01]", ""):find("~", 1, true) then fail("not a JSON pointer: %s", text) end
    return { start = text, options = policies(args, { pointer = text }), rest = {} }
  end
  local parts, brackets = split_path(text)
  local its = { rest = {} }
  its.start, its.options = compile(parts[1], text)
  policies(args, its.options)
  for i, bracket in ipairs(brackets) do
    its[i] = bracket
    if parts[i + 1]:find "^[^.[]" then no_path(text) end
    its.rest[i] = parts[i + 1] ~= "" and picker(args, (compile(parts[i + 1], text)))
  end
  return its
end

-- Where `set` and `del` change a text: a path, which may have wildcards, or a query that is no path, such as $..name.
local function target(text, args)
  if text:find "^%$[.[]" and not pcall(fleece.path, text) then
    local query, message = fleece.query(text)
    if not query then fail("%s", message) end
    return query
  end
  local its = way(text, args)
  return its[1] and text or its.start
end

-- A path of set with --parents, sort or group: like those of get, without wildcards.
local function place(text, args)
  local its = way(text, args)
  if its[1] then fail("%s: a path without wildcards expected, not %s", args.command, text) end
  return its.start
end

return {
  place = place,
  target = target,
  settle_paths = settle_paths,
  picker = picker,
  way = way,
  no_path = no_path,
}
