-- SPDX-License-Identifier: MIT
-- llm.lua -- a proxy for language models: reads `model` and `stream` of a request, replaces `model`, and forwards the
-- rest of the body as it came, byte for byte. llm.cfg uses both parts:
--   http-request lua.model        chooses the model. Out: txn.stream; or the request ends with an error
--   filter lua.replace-body       sends txn.body instead of the request's body
-- Needs `option http-buffer-request` for the body. HAProxy keeps at most one buffer of it (tune.bufsize).
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

local function refuse(txn, status, message)
  txn:done(txn:reply {
    status = status,
    headers = { ["content-type"] = { "application/json" } },
    body = answers.encode { error = for_client(message) },
  })
end

core.register_action("model", { "http-req" }, function(txn)
  local body = txn.f:req_body()
  if #body < txn.f:req_body_size() then return refuse(txn, 413, "the body is longer than HAProxy's buffer") end
  local ok, model, stream = fields(body)
  if not ok then return refuse(txn, 400, model) end -- the message
  local name = type(model) == "string" and MODELS[model]
  if not name then return refuse(txn, 404, "no such model") end
  -- If one of the two occurs twice, edit refuses: readers disagree on which one counts. `stream` keeps its value.
  local changes = { { "set", "/model", name }, type(stream) == "boolean" and { "set", "/stream", stream } or nil }
  local text, message = fleece.edit(body, changes, tested)
  if not text then return refuse(txn, 400, message) end
  txn:set_var("txn.body", text)
  txn:set_var("txn.stream", stream == true)
  -- A body in chunks has no length. The filter is called when headers can no longer be changed.
  if txn.f:req_hdr "content-length" then txn.http:req_set_header("content-length", tostring(#text)) end
end)

local Replace = { id = "replace the body", flags = filter.FLT_CFG_FL_HTX }
Replace.__index = Replace

function Replace.new() return setmetatable({}, Replace) end -- one for each request

function Replace:start_analyze(_, channel)
  if not channel:is_resp() then filter.register_data_filter(self, channel) end
end

-- The whole body is in the buffer, because http-buffer-request has waited for it.
function Replace.http_payload(_, txn, message)
  local text = not message:is_resp() and txn:get_var "txn.body"
  if not text then return end
  txn:unset_var "txn.body"
  -- The buffer keeps tune.maxrewrite bytes free for this. Without room the request must not go on.
  if message:set(text) ~= #text then error "no room for the new body" end
end

core.register_filter("replace-body", Replace, function(instance) return instance end)
