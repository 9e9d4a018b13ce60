-- SPDX-License-Identifier: MIT
-- get.lua -- the command get.
-- Must hold: as files.lua.

local program = require "fleece.program"
local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local paths = require "fleece.command.paths"
local expression = require "fleece.command.expression"
local queries = require "fleece.command.queries"
local texts = require "fleece.command.texts"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, fail, located = files.EXIT_FINE, files.EXIT_NO, files.fail, files.located
local grammar, has_lines, layout = settings.grammar, settings.has_lines, settings.layout
local to_text = documents.to_text
local buffered, each_line = lines.buffered, lines.each_line
local is_lenient, value_writer = texts.is_lenient, texts.value_writer
local picker, settle_paths, way = paths.picker, paths.settle_paths, paths.way

local commands = {}

-- Calls found(text, first, last) for each value that the wildcards lead to from the value in text[first, last], which is
-- valid and has no syntax but that of strict JSON.
local function expand(its, text, first, found)
  local levels, depth = {}, 1
  local function enter(level, t, at)
    levels[level] = { text = t, at = at }
    return t:sub(at, at) == its[level]
  end
  if not enter(1, text, first) then return end
  while depth > 0 do
    local level = levels[depth]
    local t, from, to = level.text, program.next(level.text, level.at, its[depth] == "{")
    if not from then
      depth = depth - 1
    else
      level.at = to + 1
      if its.rest[depth] then
        local _, part = its.rest[depth](t:sub(from, to))
        t, from, to = part, 1, part and #part
      end
      if t and depth == #its then found(t, from, to)
      elseif t and enter(depth + 1, t, from) then depth = depth + 1 end
    end
  end
end

-- Returns the texts of n values, some of them nil, as the text of an array, and how many there are.
local function row(values, n)
  local found = 0
  for i = 1, n do
    if values[i] then found = found + 1 else values[i] = "null" end
  end
  return "[" .. table.concat(values, ",", 1, n) .. "]", found
end

-- A file that is named after the first one is taken for a path. Tests whether each path that names a file was found; `version`
-- and other names without a dot or slash are rather members that may be missing.
local function is_file(path) return path:find "[./]" and files.exists(path) and not files.exists(path .. "/.") end
local function refuse_files(args, ways)
  for i, its in ipairs(ways) do
    if not its.found and args.file ~= "-" and is_file(args.paths[i]) then
      fail("%s: %s is a file: one file is read, and paths come after it", args.command, args.paths[i])
    end
  end
end

-- Returns the view of the array or object that the options select in an opened document, or nil.
local function view_at(doc, options)
  if type(doc) == "string" or type(doc.root) ~= "userdata" or doc.root == fleece.null then return nil end
  local value = doc.root
  if options.path then value = options.path(value)
  elseif options.pointer ~= "" then value = value:pointer(options.pointer) end
  local kind = fleece.type(value)
  return type(value) == "userdata" and (kind == "array" or kind == "dict") and value or nil
end

local forms = { [value_writer] = "value" } -- of get_lines, by writers

-- The paths of `get`, and what writes their values: the function that `writer` returns, as value_writer.
local function make_getter(args, output, writer)
  local ways, starts = {}, {}
  if args.row and args.raw then fail "--row does not go with --raw" end
  if queries.are_queries(args.paths) then
    if args.row then fail "--row does not go with queries" end
    local add, done = buffered(output, args)
    return queries.make_getter(args, writer(output, args, add, done), done)
  end
  for i, text in ipairs(args.paths) do
    ways[i] = way(text, args)
    starts[i] = ways[i].start
    if args.row and ways[i][1] then fail("--row does not go with wildcards: %s", text) end
  end
  local add, done = buffered(output, args)
  local self = { found = 0, done = done, ways = ways, pick = picker(args, (table.unpack or unpack)(starts)) }
  local put, put_view = writer(output, args, add, done)
  local function write(text, first, last)
    self.found = self.found + 1
    put(text, first, last)
  end

  -- Writes the value of a path up to its first wildcard, or what the wildcards lead to in it.
  local function write_from(its, text, first, last)
    its.found = true
    if its[1] then expand(its, text, first, write) else write(text, first, last) end
  end

  -- Writes the values of one document as a row.
  local function write_row(values)
    for i = 1, #ways do ways[i].found = ways[i].found or values[i] ~= nil end
    local text, found = row(values, #ways)
    self.found = self.found + found
    put(text, 1, #text)
  end

  -- Writes what is found in the text of one document, a string or a program.text; or returns the error.
  function self.text(text)
    local places = { program.find(self.pick, text) }
    if not places[1] then return places[2] end
    if args.row then
      local values = {}
      for i = 1, #ways do values[i] = places[2 * i] > 0 and text:sub(places[2 * i], places[2 * i + 1]) or nil end
      return write_row(values)
    end
    for i = 1, #ways do
      if places[2 * i] > 0 then write_from(ways[i], text, places[2 * i], places[2 * i + 1]) end
    end
  end

  -- The same of a Fleece document, opened or as bytes.
  function self.document(source, name)
    if args.row then
      local values = {}
      for i, its in ipairs(ways) do values[i] = to_text(source, name, its.options) end
      return write_row(values)
    end
    for _, its in ipairs(ways) do
      local view = put_view and not its[1] and view_at(source, its.options)
      local text = not view and to_text(source, name, its.options)
      if view then
        self.found, its.found = self.found + 1, true
        put_view(view)
      elseif text then write_from(its, text, 1, #text) end
    end
  end

  -- The same of a text with options that allow more. If format rejects it, it can still be the text of a value, such as a
  -- long hexadecimal number, which from_json reads.
  function self.lenient(text, name)
    local options = grammar(args)
    local plain = fleece.format(text, options)
    if plain then return self.text(plain) end
    local bytes, message = fleece.from_json(text, options)
    if not bytes then return message end
    self.document(bytes, name)
  end

  -- The same of a short text.
  local plain_write = #ways == 1 and not args.row and not ways[1][1] and function(fine, value)
    if not fine then return value end
    if value then
      ways[1].found = true
      write(value, 1, #value)
    end
  end
  function self.line(text)
    if plain_write then return plain_write(self.pick(text)) end
    local values = { self.pick(text) }
    if not values[1] then return values[2] end
    if args.row then
      for i = 1, #ways do values[i] = values[i + 1] end
      return write_row(values)
    end
    for i = 1, #ways do
      local value = values[i + 1]
      if value then write_from(ways[i], value, 1, #value) end
    end
  end
  -- Lines whose values need no change are read and written by get_lines.
  local styled, simple = args.layout.indent or args.layout.colors, true
  for i, its in ipairs(ways) do simple = simple and not its[1] and not is_file(args.paths[i]) end
  local form = forms[writer]
  if form == "keys" and (args.raw or args.sort_keys) then form = nil end
  if form and simple and not styled and not args.row and not is_lenient(args) then
    local input, out, current = program.text(), program.text(), nil
    if args.raw then form = "raw" end
    self.skip = {}
    function self.skip.lines(piece, at)
      if piece ~= current then
        input:set(piece)
        current = piece
      end
      local lines, found
      at, lines, found = program.get_lines(self.pick, input, at, out, form)
      if #out > 0 then
        add(out:sub(1, #out))
        out:set ""
      end
      self.found = self.found + found
      return at, lines
    end
  end
  if is_lenient(args) then
    self.line = function(text, _, number, name) return self.lenient(text, ("%s:%d"):format(name, number + 1)) end
  end
  return self
end

-- Runs a command whose arguments are a file and paths.
local function get(args, writer)
  args.layout = layout(args)
  local output = files.create(args.output)
  local getter, bad = make_getter(args, output, writer), 0
  if args.where then
    local evaluate = expression.new(args.where, args, true)
    bad = texts.each_document(args.file, args, function(text, ...)
      local fine, value = evaluate(text)
      if not fine then return value end
      if expression.holds(value) then return getter.line(text, ...) end
    end, getter.done)
  elseif args.keep_going or has_lines(args, args.file) then
    bad = each_line(args.file, args, getter.line, getter.done, getter.skip)
  else
    local doc, input = documents.open(args.file, args)
    local name = input.name
    if doc then
      input:close()
      getter.document(doc, name)
    else
      local message
      if is_lenient(args) then message = getter.lenient(input:read_all(), name)
      else message = getter.text(input:read_text()) end
      if message then fail(located(name, message)) end
    end
    getter.done()
  end
  refuse_files(args, getter.ways or {})
  output:finish()
  return bad == 0 and getter.found > 0 and EXIT_FINE or EXIT_NO
end

function commands.get(args)
  settle_paths(args)
  return get(args, value_writer)
end

-- Options for any text whose names alone matter.
local IN_ORDER = { order = true, invalid_utf8 = "pass", invalid_numbers = "literal", big_numbers = "string", max_depth = 10000000 }

-- Returns the names of the members of the text of an object, in their order, or the indexes of an array; else nil.
local function keys_of(text)
  local keys, value = {}, fleece.decode(text, IN_ORDER)
  if type(value) ~= "table" then return nil end
  for key in fleece.pairs(value) do keys[#keys + 1] = type(key) == "number" and key - 1 or key end
  return keys
end

-- The same of a view, and the number of its members: those that are undefined are left out.
local function keys_of_view(view)
  local keys = {}
  if fleece.type(view) == "array" then
    for i = 1, #view do keys[i] = i - 1 end
  else
    for name in fleece.pairs(view) do keys[#keys + 1] = name end
  end
  return keys
end
local function length_of_view(view)
  if fleece.type(view) == "array" then return #view end
  local count = 0
  for _ in fleece.pairs(view) do count = count + 1 end
  return count
end

-- With --raw the names are values of their own; what has none is left out.
local function write_keys(output, args, add, done)
  local put, style = value_writer(output, args, add, done), settings.policies(args, {})
  local function write(keys)
    if keys and args.sort_keys and type(keys[1]) == "string" then table.sort(keys) end
    for i = 1, keys and #keys or 0 do
      local message
      keys[i], message = fleece.encode(keys[i], style)
      if message then fail(message) end
      if args.raw then put(keys[i], 1, #keys[i]) end
    end
    local all = keys and "[" .. table.concat(keys, ",") .. "]" or "null"
    if not args.raw then put(all, 1, #all) end
  end
  local plain = not (args.raw or args.sort_keys)
  return function(text, first, last)
    local all = plain and program.keys(text, first, last, "keys")
    if all then put(all, 1, #all) else write(keys_of(text:sub(first, last))) end
  end, function(view) write(keys_of_view(view)) end
end
forms[write_keys] = "keys"

local function length_of(text)
  local keys = keys_of(text)
  if keys then return #keys end
  local _, characters = fleece.decode(text, texts.RAW):gsub("[^\128-\191]", "")
  return characters
end

local function write_length(output, args, add, done)
  local put = value_writer(output, args, add, done)
  local function write(length)
    length = length and tostring(length) or "null"
    put(length, 1, #length)
  end
  return function(text, first, last)
    write(program.keys(text, first, last, "length") or length_of(text:sub(first, last)))
  end, function(view) write(length_of_view(view)) end
end
forms[write_length] = "length"

-- Runs a command that takes the whole document if no path is named.
local function of_any(args, writer)
  args.file, args.paths = args.file or "-", args.paths[1] and args.paths or { "" }
  return get(args, writer)
end

function commands.keys(args) return of_any(args, write_keys) end
function commands.length(args) return of_any(args, write_length) end

return commands
