-- SPDX-License-Identifier: MIT
-- validate.lua -- the command validate: are files as a JSON Schema says?
-- Must hold: as files.lua. Failures are written as they are found: lines may come from a pipe that does not end.

local settings = require "fleece.command.settings"
local files = require "fleece.command.files"
local documents = require "fleece.command.documents"
local lines = require "fleece.command.lines"
local schemas = require "fleece.command.schemas"
local fleece = settings.fleece
local EXIT_FINE, EXIT_NO, EXIT_TROUBLE, fail = files.EXIT_FINE, files.EXIT_NO, files.EXIT_TROUBLE, files.fail
local located, has_lines = files.located, settings.has_lines
local buffered, each_line = lines.buffered, lines.each_line

local MOST = 10000 -- failures of one document: as many as there can be

local MEMBERS = { "instance", "keyword", "schema", "absolute", "message" }

local function as_json(text) return fleece.encode(text, { invalid_utf8 = "replace" }) end

-- Returns a function that turns a failure of a file, or of its line `number`, counted from 0, into a line of output.
local function describer(args, real)
  local function json(failure, name, number)
    local out = { name and '"file":' .. as_json(name) }
    if failure.line then
      out[#out + 1] = ('"line":%.0f,"column":%.0f'):format(failure.line + (number or 0), failure.column)
      if not number then out[#out + 1] = ('"byte":%.0f'):format(failure.byte) end
    end
    for _, member in ipairs(MEMBERS) do
      local text = failure[member]
      if member == "absolute" then text = real(text) end
      out[#out + 1] = '"' .. member .. '":' .. as_json(text)
    end
    local causes = {}
    for i, cause in ipairs(failure.causes or {}) do causes[i] = json(cause, nil, number) end
    if causes[1] then out[#out + 1] = '"causes":[' .. table.concat(causes, ",") .. "]" end
    return "{" .. table.concat(out, ",") .. "}"
  end
  if args.errors == "json" then return json end
  return function(failure, name, number)
    local place = failure.line and (":%.0f:%.0f"):format(failure.line + (number or 0), failure.column) or ""
    return name .. place .. ": " .. failure.message
  end
end

-- Returns a function that tests a text or document: is it valid? Failures are put out; or it returns nil and a message:
-- it is not JSON, or cannot be tested.
local function tester(args, schema, describe, put)
  return function(value, name, number)
    local fine, message, failure = schema(value)
    if fine then return true end
    if fine == nil or failure.keyword == "" then return nil, message end
    local list, why = { failure }, nil
    if args.all then list, why = schema:errors(value, MOST) end
    if not list then return nil, why end
    if not args.quiet then
      local last
      for _, it in ipairs(list) do -- `type` and each branch of `oneOf` can say the same of a value
        local line = describe(it, name, number)
        if line ~= last then put(line .. "\n") end
        last = line
      end
    end
    return false
  end
end

-- Tests a file. Returns the exit status for it.
local function verdict(path, args, test, done)
  if args.keep_going or has_lines(args, path) then
    local is_valid = true
    local bad = each_line(path, args, function(line, _, number, name)
      local fine, message = test(line, name, number)
      if fine == false then is_valid = false end
      return message
    end, done)
    return is_valid and bad == 0 and EXIT_FINE or EXIT_NO
  end
  local doc, input = documents.open(path, args)
  local fine, message = test(doc or input:read_all(), input.name)
  input:close()
  if fine == nil then fail(located(input.name, message)) end
  return fine and EXIT_FINE or EXIT_NO
end

local commands = {}

function commands.validate(args)
  if not args.schema then fail "validate: --schema FILE expected" end
  local schema, real = schemas.compile(args)
  local code, output = EXIT_FINE, files.create(args.output)
  local put, done = buffered(output, args)
  local test = tester(args, schema, describer(args, real), put)
  for _, path in ipairs(args.files) do
    local fine, its = pcall(verdict, path, args, test, done)
    if not fine then
      if type(its) ~= "table" then error(its, 0) end
      done()
      output:flush()
      files.say(its.message)
      its = EXIT_TROUBLE
    elseif its == EXIT_FINE and args.verbose then
      put((path == "-" and "standard input" or path) .. ": fine\n")
    end
    code = math.max(code, its)
    done()
  end
  output:finish()
  return code
end

return commands
