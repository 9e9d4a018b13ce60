-- SPDX-License-Identifier: MIT
-- settings.lua -- what the arguments of the program mean: of input, and of the layout of output.
-- Must hold: as files.lua.

local files = require "fleece.command.files"
local fail, is_terminal = files.fail, files.is_terminal

-- Is it JSON, or a binary document? Text begins like a value and has no control characters except white space; a
-- document has some in its first values. NaN and Infinity must be whole words, because a document can begin with their
-- letters.
local function is_json(bytes)
  local start = bytes:sub(1, 4096)
  if start:find "[%z\1-\8\11\12\14-\29\31]" then return false end
  local first, word = start:match "^%s*(.)", start:match "^%s*(%a*)%f[^%w_]"
  return not first or first:find '[%[{"%d%-tfn/\239]' ~= nil or word == "NaN" or word == "Infinity"
end

-- Converts the argument of an option to an integer from least to most.
local function whole(option, text, least, most, else_)
  local number = tonumber(text)
  if number and number >= least and number <= most and number % 1 == 0 then return number end
  fail("%s: a whole number from %d to %d%s expected, not %s", option, least, most, else_ or "", text)
end

-- Returns the given options of the grammar.
local function grammar(args, more)
  local options = more or {}
  for _, name in ipairs { "json5", "comments", "trailing_commas", "bom", "invalid_utf8", "invalid_numbers" } do
    options[name] = args[name]
  end
  options.max_depth = args.max_depth
  return options
end

-- Does the file have one document per line? Its name can tell.
local function has_lines(args, path)
  return args.lines or path:find "%.ndjson$" ~= nil or path:find "%.jsonl$" ~= nil
end

-- Options for values that JSON does not have, for both reading and writing.
local function policies(args, more)
  local options = more or {}
  options.invalid_utf8, options.invalid_numbers = args.invalid_utf8, args.invalid_numbers
  return options
end

local function wants_colors(args)
  if args.color and args.color ~= "auto" then return args.color == "always" end
  if args.command == "unpack" and args.json5 then return false end
  return not args.output and (os.getenv "NO_COLOR" or "") == "" and os.getenv "TERM" ~= "dumb" and is_terminal(1)
end

-- Returns the requested layout as options.
local function layout(args)
  local indent = args.indent == "tab" and "\t" or args.indent and whole("--indent", args.indent, 0, 16, " or tab")
  return policies(args, {
    indent = indent, width = args.width and whole("--width", args.width, 0, 10000), sort_keys = args.sort_keys, colors = wants_colors(args), max_depth = args.max_depth,
    decimals = args.decimals and whole("--decimals", args.decimals, 0, 17), float32 = args.float32, integers = args.safe_integers and "safe",
  })
end

return {
  fleece = require "fleece.safe", -- bin/fleece may replace it, before it loads a module that uses it
  max_bytes = nil, -- the value of --max-bytes, which bin/fleece sets
  is_json = is_json,
  whole = whole,
  grammar = grammar,
  has_lines = has_lines,
  policies = policies,
  layout = layout,
  wants_colors = wants_colors,
}
