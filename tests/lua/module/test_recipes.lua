-- SPDX-License-Identifier: MIT
-- test_recipes.lua -- the recipes of docs/cookbook that take texts from outside, with hostile ones: whatever comes, a recipe
-- raises nothing where it says so, passes nothing on that it has not understood, and takes no value for an error.
-- runs: in one layout

local T = require "support"
local pages = require "pages"
local lu, fleece, safe, same = T.lu, T.fleece, T.safe, T.same

TestRecipes = {}

-- Runs the blocks below a heading; returns what they have defined.
local function recipe(page, heading)
  local env = setmetatable({ print = function() end }, { __index = _G })
  local path = "docs/cookbook/" .. page .. ".md"
  local blocks = pages.blocks_of(path, heading)
  lu.assertTrue(#blocks > 0, heading)
  for _, block in ipairs(blocks) do pages.load(block, path, env)() end
  return env
end

-- Texts that are no order, no event, no configuration.
local HOSTILE = {
  "", " ", "null", "false", "true", "0", "-1.5e300", '""', '"id"', "[]", "{}", "[[]]", "[null]", "[false]", "nul", "{", "}", "[1,", '{"a":1,}',
  "{'a':1}", "[NaN]", "[1e999]", "[01]", '"\255"', '{"\255":1}', '"\\ud800"', "\239\187\191{}", "\0", '{"id":"\\u0000"}', "{}{}", "// x\n{}",
  '{"id":null}', '{"id":false}', '{"id":[]}', '{"id":{}}', '{"id":"x"}', '{"id":1,"id":"2"}', '{"id":12345678901234567890}', '{"id":1e308}',
  '{"choices":null}', '{"choices":{}}', '{"choices":[]}', '{"choices":[null]}', '{"choices":[{"delta":7}]}', '{"choices":[[[]]]}',
  '{"choices":[{"delta":{"content":null}}]}', '{"choices":[{"delta":{"content":{}}}]}', '{"choices":"x"}', '{"n":"1"}', '{"n":null}',
  '{"error":{"message":"x"}}', ("["):rep(100000), ("["):rep(900) .. ("]"):rep(900), ('{"a":'):rep(5000), '"' .. ("x"):rep(300000) .. '"',
}

local function each_hostile(check)
  for _, text in ipairs(HOSTILE) do check(text) end
end

function TestRecipes:test_secrets()
  local hide = recipe("changing", "Remove secrets before logging")
  local refused = "(not logged: not JSON, or a secret's name occurs twice)"
  T.each({
    { '{"password":"SECRET"}', "{}" }, { '{"a":1,\n "password" : {"x":["SECRET"]}}', '{"a":1}' }, { '{"card":"SECRET"}', "{}" },
    { '{"pass\\u0077ord":"SECRET"}', "{}" }, { '{"a":1}', '{"a":1}' }, { "[]", "[]" }, { "null", "null" }, { "false", "false" },
    { '{"password":"SECRET","password":"SECRET"}', refused }, { '{"password":"SECRET","p\\u0061ssword":1}', refused },
    { '{"password":"SECRET",}', refused }, { '{"password":"SECRET"', refused }, { '{password:"SECRET"}', refused },
    { '{"password":SECRET}', refused }, { '{"password":"SECRET\255"}', refused }, { '{"password":"SECRET"}}', refused },
    { '{"card":{"number":"SECRET"},"card":1}', refused }, { "password=SECRET", refused }, { "", refused },
  }, function(case)
    same(hide.without_secrets(case[1]), case[2])
    lu.assertNil(hide.summary(case[1]):find "SECRET", case[1])
  end)
  for text, summary in pairs {
    ['{"user":{"password":"SECRET"}}'] = "{}", ['{"user":false}'] = '{"user":false}', ["[1"] = "(not JSON)",
    ['{"order":{"id":["SECRET"]}}'] = "{}", ['{"order":"SECRET"}'] = "{}", ['{"user":null}'] = '{"user":null}',
  } do
    same(hide.summary(text), summary)
  end
  each_hostile(function(text)
    for _, line in ipairs { hide.without_secrets(text), hide.summary(text) } do
      lu.assertTrue(line:sub(1, 1) == "(" or safe.format(line) ~= nil, line:sub(1, 100))
      lu.assertNil(line:find "[\r\n]")
    end
  end)
end

function TestRecipes:test_rename()
  local rename = recipe("changing", "Rename a member").rename
  same(rename '{"user_name":null}', '{"name":null}')
  same(rename '{"user_name":[1.50, {}]}', '{"name":[1.50, {}]}')
  T.raises_with("such a member already", rename, '{"user_name":"a","name":"root"}')
  T.raises_with("several members", rename, '{"user_name":1,"user_name":2}')
  each_hostile(function(text)
    if pcall(fleece.decode, text) then same(rename(text), text) else lu.assertFalse(pcall(rename, text)) end
  end)
end

-- RFC 7396, appendix A, is in test_json_patch; this is what the old recipe did otherwise.
function TestRecipes:test_defaults()
  local fill = recipe("files", "Give missing settings a default").with_defaults
  same(fill('{"port":false}').port, false)
  same(fill('{"port":null}').port, nil)
  fill("{}").tls.on = "changed"
  same(fill("{}").tls.on, false)
  T.raises_with("duplicate name", fill, '{"port":1,"port":2}')
end

function TestRecipes:test_configuration()
  local read = recipe("files", "Read a configuration file with comments").configuration
  each_hostile(function(text)
    local ok, value = pcall(read, text)
    if ok then lu.assertIsTable(value) else lu.assertIsString(value) end
  end)
end

function TestRecipes:test_answer()
  local answer = recipe("services", "Answer a request with JSON").answer
  for text, wanted in pairs { ["false"] = "no id", ["null"] = "no id", ["[]"] = "no id", ['{"id":false}'] = "no id",
    ["[1"] = "unexpected end at line 1, column 3, byte 3 near '[1'" } do
    local status, body = answer(text)
    same(status, 400)
    same(fleece.decode(body).error, wanted)
  end
  same((select(2, answer '{"id":1,"id":2}')):match "duplicate name", "duplicate name")
  each_hostile(function(text)
    local status, body = answer(text)
    local value = fleece.decode(body)
    if status == 200 then T.same(type(value.id), "number") else lu.assertIsString(value.error, text:sub(1, 100)) end
  end)
end

function TestRecipes:test_call()
  local env = recipe("services", "Call an API")
  each_hostile(function(text)
    env.request = function() return 200, text end
    local value, message = env.call("", {})
    if value == nil then lu.assertIsString(message, text:sub(1, 100)) else lu.assertIsTable(value) end
  end)
end

function TestRecipes:test_models()
  local fields = recipe("services", "Read the model from a request to a language model").fields
  each_hostile(function(text) same((fields(text)), (pcall(fleece.decode, text))) end)
end

function TestRecipes:test_events()
  local words_of = recipe("services", "Read the events of a streamed answer").words_of
  each_hostile(function(text)
    if not text:find "[\r\n]" and pcall(fleece.decode, text) then
      same(words_of('data: {"choices":[{"delta":{"content":"a"}}]}\n\ndata: ' .. text .. "\n\ndata: [DONE]\n\n"), "a")
    end
  end)
end

function TestRecipes:test_webhook()
  local receive = recipe("services", "Verify the signature of a webhook").receive
  each_hostile(function(text)
    local value, message = receive(text, "signature of " .. #text .. " bytes")
    if not pcall(fleece.decode, text, { duplicates = "error" }) then
      same(value, nil)
      lu.assertIsString(message)
    end
    T.fails("wrong signature", receive, text, nil)
  end)
end

function TestRecipes:test_integers()
  local id = recipe("services", "Keep integers safe for JavaScript").id
  for _, text in ipairs { "0", "1", "999999999999999" } do same(fleece.encode(id(text)), text) end
  for _, text in ipairs { "", "00", "007", "-", "x", "nan", "inf", "0x10", "1e999", " 1", "1\n", "1000000000000000" } do
    same(id(text), text)
  end
end

function TestRecipes:test_log()
  local env = recipe("files", "Write a log, one line of JSON per event")
  local written = {}
  env.log = { write = function(_, ...) written[#written + 1] = table.concat { ... } end }
  local loop = {}
  loop.loop = loop
  local deep = fleece.decode(("["):rep(1000) .. ("]"):rep(1000))
  local events = {
    { print }, { f = print, [print] = 1 }, loop, { body = deep }, { "\255\n" }, { 0 / 0, 1 / 0 }, { io.stdout },
    { setmetatable({}, { __tojson = function() error "x" end }) }, { fleece.lazy '{\n"a":\r1}' }, { fleece.raw "[\n]" }, {},
  }
  for _, event in ipairs(events) do env.note(event) end
  same(#written, #events)
  for _, line in ipairs(written) do
    lu.assertEquals(line:find "[\r\n]", #line)
    safe.decode(line, { max_depth = 2000 })
  end
end

function TestRecipes:test_bad_lines()
  local total = recipe("files", "Read a log that has bad lines").total
  local sum, bad = total '{"n":1}\n\n7\nnull\n{"n":"2"}\r\nx\n{"n":3}'
  same(sum, 4)
  lu.assertEquals(#bad, 4)
  T.contains(bad[1], "no number n at byte 10")
  T.contains(bad[4], "expected a value at line 6, column 1")
  each_hostile(function(text) same((total(text .. "\n" .. '{"n":1}')), 1) end)
end
