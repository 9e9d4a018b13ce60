-- SPDX-License-Identifier: MIT
-- test_events.lua -- fleece.events: server-sent events by the WHATWG's rules (HTML, section 9.2.6, "Interpreting an event
-- stream"), in pieces of any size. FLEECE_TEST_ROUNDS: see support.lua.
-- runs: in one layout

local T = require "support"
local lu, fleece, same, rounds, random = T.lu, T.fleece, T.same, T.random_rounds, T.random

TestEvents = {}

local codecs = { raw = fleece, api = T.api }

-- All events as one text: value, name, id, state, time.
local function read(codec, source, options)
  local list = {}
  for value, name, id, state, time in codec.events(source, options) do
    list[#list + 1] = table.concat({ type(value) == "string" and value or fleece.encode(value), name, tostring(id), state,
      tostring(time) }, " ")
  end
  return table.concat(list, "\n")
end

-- The stream has these events, in pieces of any size.
local function has(stream, options, ...)
  local wanted = table.concat({ ... }, "\n")
  for name, codec in pairs(codecs) do
    same(read(codec, stream, options), wanted, name)
    for size = 1, 3 do same(read(codec, T.pieces(stream, size), options), wanted, name .. " by " .. size) end
    same(read(codec, T.pieces(stream, T.between(1, 20)), options), wanted, name)
    local file = T.open_with(stream)
    same(read(codec, file, options), wanted, name .. " from a file")
    file:close()
  end
end

local raw = { raw = true }

-- The examples of the standard.
function TestEvents:test_standard()
  has("data: This is the first message.\n\ndata: This is the second message, it\ndata: has two lines.\n\n" ..
    "data: This is the third message.\n\n", raw, "This is the first message. message nil complete nil",
    "This is the second message, it\nhas two lines. message nil complete nil",
    "This is the third message. message nil complete nil")
  has("event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\nevent: add\ndata: 113411\n\n", nil,
    "73857293 add nil complete nil", "2153 remove nil complete nil", "113411 add nil complete nil")
  has("data: YHOO\ndata: +2\ndata: 10\n\n", raw, "YHOO\n+2\n10 message nil complete nil")
  -- "the last block is discarded because it is not followed by a blank line"; the third one has no blank after its colon
  has(": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event", raw,
    "first event message 1 complete nil", "second event message nil complete nil")
  -- "two events ...; the first with empty data, the second with a line feed; the last is discarded"
  has("data\n\ndata\ndata\n\ndata:", raw, " message nil complete nil", "\n message nil complete nil")
  has("data:test\n\ndata: test\n\n", raw, "test message nil complete nil", "test message nil complete nil")
end

function TestEvents:test_rules()
  local one = "1 message nil complete nil"
  has("\239\187\191data: 1\n\n", nil, one)
  has("\239\187\191\239\187\191data: 1\n\ndata: 2\n\n", nil, "2 message nil complete nil") -- only one mark is dropped
  has("\239\187data: 1\n\ndata: 2\n\n", nil, "2 message nil complete nil")
  has("data: 1\r\n\r\n", nil, one)
  has("data: 1\r\r", nil, one)
  has("data: 1\n\r\n", nil, one)
  has("data: 1\r\n\r", nil, one)
  has("data: [1,\rdata: 2,\r\ndata: 3]\n\r\n", nil, "[1,2,3] message nil complete nil")
  has("DATA: 1\n\ndata : 2\n\n data: 3\n\ndat: 4\n\ndatax: 5\n\ndata: 1\n\n", nil, one)
  has(":\n: comment\n:data: 2\ndata: 1\n:x\n\n", nil, one)
  has("event: x\n\ndata: 1\n\n", nil, one) -- no data: the name is forgotten
  has("event: x\nevent: y\ndata: 1\n\n", nil, "1 y nil complete nil")
  has("event: x\nevent\ndata: 1\n\n", nil, one)
  has("id: a\ndata: 1\n\ndata: 2\n\nid: b\n\ndata: 3\n\nid:\ndata: 4\n\n", nil, "1 message a complete nil",
    "2 message a complete nil", "3 message b complete nil", "4 message nil complete nil")
  has("id: a\nid: b\0c\ndata: 1\n\n", nil, "1 message a complete nil")
  has("id: a\ndata: 1\n\nid: b", nil, "1 message a complete nil")
  has("retry: 1500\ndata: 1\n\nretry: 2x\nretry\ndata: 2\n\n", nil, "1 message nil complete 1500",
    "2 message nil complete 1500")
  has("data: {\"a\":\ndata:   [1,2]}\n\n", nil, '{"a":[1,2]} message nil complete nil')
  has("data:1\ndata\n\n", nil, one)
  has("data\n\ndata:\n\ndata: 1\n\n", nil, one) -- empty data is no JSON, but often keeps a connection alive
  has("data: null\n\ndata: false\n\n", { null = "nil" }, "null message nil complete nil", "false message nil complete nil")
  has("", nil)
  has("\n\r\r\n", nil)
  has("data: 1", nil)
  has("data: 1\n", nil)
end

function TestEvents:test_done()
  local stream = "data: 1\n\ndata: [DONE]\n\ndata: 2\n\n"
  has(stream, { done = "[DONE]" }, "1 message nil complete nil")
  for _, codec in pairs(codecs) do
    local next_event = codec.events(stream, { done = "[DONE]" })
    same(next_event(), 1)
    for _ = 1, 3 do same(next_event(), nil) end
  end
  has(stream, raw, "1 message nil complete nil", "[DONE] message nil complete nil", "2 message nil complete nil")
end

function TestEvents:test_partial()
  has('data: {"a":[1,2\n\ndata: {"a":1}\n\ndata: "x\n\n', { partial = true, unfinished = true },
    '{"a":[1,2]} message nil open nil', '{"a":1} message nil complete nil', "x message nil open nil")
  has('data: {"a":[1,2\n\ndata: tr\n\n', { partial = true }, '{"a":[1]} message nil open nil', "null message nil open nil")
end

function TestEvents:test_errors()
  local stream = "data: 1\n\nevent: price\nid: 7\ndata: {\"a\":\ndata: x}\n\ndata: 3\n\n"
  local message = "expected a value at line 2, column 1, byte 7 near 'x}', in the data of event 2 (price)"
  for _, codec in pairs(codecs) do
    local next_event = codec.events(stream)
    same(next_event(), 1)
    T.raises(message, next_event)
    same(next_event(), nil)
  end
  for _, codec in ipairs(T.safe_codecs) do
    local next_event = T.nexts(codec.events(T.pieces(stream, 2)))
    same(next_event(), 1)
    T.returns({ nil, message, { kind = "syntax", byte = 7, line = 2, column = 1 }, n = 3 }, next_event)
    same(next_event(), nil)
  end
  T.raises_with("in the data of event 1 (message)", fleece.events "data: x\n\n")
  T.raises_with("a string, a file or a function expected, got boolean", fleece.events, true)
  T.raises_with("unknown option 'dune'; did you mean 'done'?", fleece.events, "", { dune = "x" })
  T.raises_with("option 'done' must be a string", fleece.events, "", { done = true })
  T.raises_with("option 'unfinished' needs 'partial'", fleece.events, "", { unfinished = true })
  T.raises_with("the source returned a table", fleece.events(function() return {} end))
  T.raises_with("oops", fleece.events(function() error "oops" end))
end

function TestEvents:test_limits()
  local text = '"' .. ("x"):rep(98) .. '"'
  has("data: " .. text .. "\n\n", { max_bytes = 100 }, text:sub(2, -2) .. " message nil complete nil")
  has((": " .. ("c"):rep(1000) .. "\nother: " .. ("c"):rep(1000) .. "\n"):rep(5) .. "data: 1\n\n", { max_bytes = 100 },
    "1 message nil complete nil")
  for _, stream in ipairs { "data: " .. text .. "x", "event: " .. ("x"):rep(101), "data: 1\nid: " .. ("x"):rep(100),
    "data: " .. ("x"):rep(60) .. "\ndata: " .. ("x"):rep(60) } do
    T.raises_with("text too long at line", fleece.events(stream, { max_bytes = 100 }))
    T.raises_with("text too long at line", fleece.events(T.pieces(stream, 1), { max_bytes = 100 }))
  end
end

function TestEvents:test_codecs()
  local codec = fleece.new { null = "nil", raw = true }
  same(codec.events("data: x\n\n")(), "x")
  same(codec.events("data: [null]\n\n", { raw = false })()[1], nil)
end

-- The rules again, in Lua: line by line, when the whole stream is there.
local function by_lines(stream)
  local list, data, name, id = {}, nil, nil, "nil"
  stream = stream:gsub("^\239\187\191", ""):gsub("\r\n", "\n"):gsub("\r", "\n")
  for line in stream:gmatch "([^\n]*)\n" do
    if line == "" then
      if data then list[#list + 1] = table.concat({ data, name or "message", id, "complete", "nil" }, " ") end
      data, name = nil, nil
    elseif line:sub(1, 1) ~= ":" then
      local field, value = line, ""
      local colon = line:find(":", 1, true)
      if colon then field, value = line:sub(1, colon - 1), line:sub(colon + 1):gsub("^ ", "") end
      if field == "data" then data = data and data .. "\n" .. value or value end
      if field == "event" then name = value ~= "" and value or nil end
      if field == "id" and not value:find("\0", 1, true) then id = value == "" and "nil" or value end
    end
  end
  return table.concat(list, "\n")
end

local parts = { "data", "event", "id", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "data: 1\n", "data:", "\239\187\191", "x",
  "id: 1\n", "event: e\n", "\0", "é", "da", "ta" }

function TestEvents:test_random()
  rounds(400, function()
    local list = {}
    for i = 1, random(1, 30) do list[i] = parts[random(1, #parts)] end
    has(table.concat(list), raw, by_lines(table.concat(list)))
  end)
end

-- Lines of any kind, and one line in many pieces, take linear time.
function TestEvents:test_linear()
  for _, unit in ipairs { "data: 1\r", "data: 1\n", "\r", "x\r", ":\r", "data:" } do
    local function seconds(n)
      local stream, start = unit:rep(n) .. "\n\n", os.clock()
      for _ in fleece.events(stream, raw) do same(true, true) end
      local source = T.pieces(stream, 7)
      for _ in fleece.events(source, raw) do same(true, true) end
      return os.clock() - start
    end
    seconds(100)
    T.linear(seconds, 1000, 20000, 200)
  end
end
