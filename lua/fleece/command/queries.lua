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

  -- Writes what is found in a text; or returns the error.
  function self.text(text)
    text = text:sub(1, #text)
    for _, query in ipairs(queries) do
      local values, wrong = query(text)
      if not values then return wrong end
      for _, value in ipairs(values) do
        local found, message = fleece.encode(value, style)
        if not found then return message end
        self.found = self.found + 1
        put(found, 1, #found)
      end
    end
  end
  self.lenient, self.line = self.text, self.text

  function self.document(source, name)
    local message = self.text(documents.to_text(source, name, policies(args, { pointer = "" })))
    if message then fail("%s: %s", name, message) end
  end
  return self
end

return { are_queries = are_queries, make_getter = make_getter }
