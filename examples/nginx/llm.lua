-- SPDX-License-Identifier: MIT
-- llm.lua -- a proxy for language models: reads `model` and `stream` of a request, replaces `model`, and forwards the
-- rest of the body as it came, byte for byte.
local fleece = require "fleece.safe"
-- Error messages quote the request, which can contain any bytes.
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

-- What clients may ask for, and what the servers call it.
local MODELS = { chat = "large-2026-11", draft = "small-2026-11" }

-- Compiled once. The whole body is tested: what goes to the servers is valid JSON and UTF-8.
local fields = fleece.pick("/model", "/stream")
-- The text was tested by `fields`, so edit reads only as far as it must.
local tested = { test = "read" }

local function refuse(status, message)
  ngx.status = status
  ngx.header.content_type = "application/json"
  ngx.print(answers.encode { error = for_client(message) })
  return ngx.exit(status)
end

local llm = {}

function llm.rewrite()
  if ngx.req.get_method() ~= "POST" then return refuse(405, "POST expected") end
  if ngx.var.http_content_encoding then return refuse(415, "a body without content-encoding expected") end
  ngx.req.read_body()
  local body = ngx.req.get_body_data() or "" -- client_body_buffer_size is client_max_body_size: never in a file
  local ok, model, stream = fields(body)
  if not ok then return refuse(400, model) end -- the message
  local name = type(model) == "string" and MODELS[model]
  if not name then return refuse(404, "no such model") end
  -- If one of the two occurs twice, edit refuses: readers disagree on which one counts. `stream` keeps its value.
  local changes = { { "set", "/model", name }, type(stream) == "boolean" and { "set", "/stream", stream } or nil }
  local text, message = fleece.edit(body, changes, tested)
  if not text then return refuse(400, message) end
  ngx.req.set_body_data(text) -- sets content-length, too
  ngx.var.servers = stream == true and "streams" or "answers"
end

return llm
