-- SPDX-License-Identifier: MIT
-- queries.lua -- JSONPath queries as paths of get.
-- Must hold: as files.lua.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local fleece = settings.fleece
local fail = files.fail
local grammar, policies = settings.grammar, settings.policies

-- Are the paths queries? Not all of them may be something else. `$` alone is the whole text, which stays as it is, and
-- `$ref` is a name.
local function are_queries(paths)
  local count = 0
  for _, path in ipairs(paths) do count = count + (path:find "^%$[.[]" and 1 or 0) end
  if count > 0 and count < #paths then fail "get: JSONPath queries and other paths do not go together" end
  return count > 0
end

local FEW = 1000 -- numbers that are looked for one by one

local function is_integer(number) return math.type and math.type(number) == "integer" end

-- Returns the JSON Pointer (RFC 6901) of a normalized path (RFC 9535, section 2.7), whose names are in quotes, with
-- escapes as in JSON and that of the quote.
local function pointer_of(path)
  local steps, at = {}, 2
  while at <= #path do
    local step, after = path:match("^%[(%d+)%]()", at)
    if not step then
      local close = at + 2
      while path:sub(close, close) ~= "'" do close = close + (path:sub(close, close) == "\\" and 2 or 1) end
      step, after = path:sub(at + 2, close - 1):gsub('"', '\\"'):gsub("\\'", "'"), close + 2
      step = fleece.decode('"' .. step .. '"'):gsub("~", "~0"):gsub("/", "~1")
    end
    steps[#steps + 1], at = "/" .. step, after
  end
  return table.concat(steps)
end

-- The queries of `get`. put(text, first, last) writes a value, done() is called after all. Numbers keep their digits, and
-- members their order.
local function make_getter(args, put, done)
  local self, queries = { found = 0, done = done }, {}
  local style = policies(args, { max_depth = args.max_depth })
  for i, path in ipairs(args.paths) do
    local message
    queries[i], message = fleece.query(path, grammar(args, { numbers = "exact", order = true }))
    if not queries[i] then fail("%s", message) end
  end

  -- Writes what a query finds in a text; or returns the error.
  local function write_found(query, text)
    local values, wrong = query(text)
    if not values then return wrong end
    for _, value in ipairs(values) do
      local found, message = fleece.encode(value, style)
      if not found then return message end
      self.found = self.found + 1
      put(found, 1, #found)
    end
  end

  function self.text(text)
    text = text:sub(1, #text)
    for _, query in ipairs(queries) do
      local message = write_found(query, text)
      if message then return message end
    end
  end
  self.lenient, self.line = self.text, self.text

  -- Writes what a query finds in a document. A number is written from where it stands, if this Lua may not have it.
  local function write_values(doc, name, query, values, left)
    local options, paths = policies(args, {}), nil
    for i, value in ipairs(values) do
      local kind, found = type(value), nil
      options.pointer, options.max_bytes = nil, math.max(left, 1)
      if kind == "number" and not is_integer(value) then
        paths = paths or query:paths(doc)
        options.pointer = pointer_of(paths[i])
        found = documents.to_text(doc, name, options)
      elseif kind == "userdata" and value ~= fleece.null then
        found = documents.to_text(value, name, options)
      else
        local message
        found, message = fleece.encode(value, style)
        if not found then fail("%s: %s", name, message) end
      end
      left, self.found = left - #found, self.found + 1
      put(found, 1, #found)
    end
    return left
  end

  -- The same of a document: where it stands, or, if there are many numbers to look for, in its text.
  function self.document(doc, name)
    local left = documents.most_bytes(doc)
    for _, query in ipairs(queries) do
      local values, message = query(doc)
      local numbers = 0
      for _, value in ipairs(values or {}) do
        if type(value) == "number" and not is_integer(value) then numbers = numbers + 1 end
      end
      if numbers > FEW then
        message = write_found(query, documents.to_text(doc, name, policies(args, { pointer = "" })))
      elseif values then
        left = write_values(doc, name, query, values, left)
      end
      if message then fail("%s: %s", name, message) end
    end
  end
  return self
end

return { are_queries = are_queries, make_getter = make_getter }
