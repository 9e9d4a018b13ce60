-- SPDX-License-Identifier: MIT
-- test_schema_suite.lua -- the official test suite of JSON Schema, $FLEECE_DATA/standards/schema: each case as a text, as
-- tables below the API and by it, as a document, and by the list of failures. Without the files the test is skipped.
-- runs: in one layout

local T = require "support"
local lu, fleece = T.lu, T.fleece

TestSchemaSuite = {}

local function read(name)
  for _, data in ipairs { os.getenv "FLEECE_DATA" or "../shared/data", "../shared/data" } do
    local file = io.open(data .. "/standards/schema/" .. name, "rb")
    if file then
      local text = file:read "*a"
      file:close()
      return text
    end
  end
end

-- Cases that are refused or decided otherwise, by file, group and case: with the reason.
local DECIDED = {}

-- Texts are written again with the digits and the order that they had.
local EXACT = { numbers = "exact", order = true }

local remotes

local function load_remotes()
  remotes = {}
  local all = fleece.decode(assert(read "remotes.json"), EXACT)
  for uri, schema in pairs(all) do remotes[uri] = fleece.encode(schema) end
end

local function options_for(file, draft)
  local options = { draft = draft, schemas = remotes, empty = "array" }
  if file == "optional/content.json" then options.contents = true end
  if file:find "^optional/format/" or file == "optional/format-assertion.json" then options.formats = true end
  return options
end

local function run(draft, text_of_suite)
  local all = fleece.decode(text_of_suite, EXACT)
  local wrong, count = {}, 0
  local function check(where, form, expected, fine, got, message)
    count = count + 1
    if not fine or got ~= expected then
      wrong[#wrong + 1] = ("%s, %s: %s, not %s"):format(where, form, tostring(fine and got or message or got), tostring(expected))
    end
  end
  for file, groups in pairs(all) do
    for _, group in ipairs(groups) do
      local about = file .. ": " .. group.description
      local options = options_for(file, draft)
      local fine, s = pcall(fleece.schema, fleece.encode(group.schema), options)
      options.layout = "api"
      local _, by_api = pcall(fleece.schema, fleece.encode(group.schema), options)
      for _, case in ipairs(group.tests) do
        local where = about .. ": " .. case.description
        if not DECIDED[where] then
          if not fine then
            check(where, "schema", case.valid, false, s)
          else
            local text = fleece.encode(case.data)
            local value = fleece.decode(text, { numbers = "exact" })
            check(where, "text", case.valid, pcall(s, text))
            if type(value) ~= "string" then
              local plain = fleece.decode(text)
              if not text:find "%d%d%d%d%d%d%d%d%d%d%d%d%d%d" and not text:find "e%+?%d%d%d" then
                check(where, "table", case.valid, pcall(s, plain))
                check(where, "table by the API", case.valid, pcall(by_api, plain))
                local document = fleece.open(fleece.from_json(text))
                check(where, "document", case.valid, pcall(s, document))
              end
            end
            local listed, errors = pcall(s.errors, s, text)
            check(where, "failures", case.valid, listed, listed and #errors == 0, errors)
          end
        end
      end
    end
  end
  return wrong, count
end

local function suite(draft, file)
  local text = read(file)
  if not text then lu.skip "no data: set FLEECE_DATA" end
  if not remotes then load_remotes() end
  local wrong, count = run(draft, text)
  lu.assertTrue(count > 2000, "only " .. count .. " checks")
  if #wrong > 0 then lu.fail(#wrong .. " of " .. count .. ":\n" .. table.concat(wrong, "\n")) end
end

function TestSchemaSuite:test_draft_2020_12() suite("2020-12", "draft2020-12.json") end
function TestSchemaSuite:test_draft_7() suite("7", "draft7.json") end
