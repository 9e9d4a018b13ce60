-- SPDX-License-Identifier: MIT
-- route.lua -- http-request lua.route NAME: the member NAME of the JSON body becomes the variable txn.NAME.
-- Needs `option http-buffer-request` for the body. HAProxy keeps at most one buffer of it (tune.bufsize).
local fleece = require "fleece.safe"
local answers = fleece.new { invalid_utf8 = "replace" }

local function refuse(txn, status, message)
  txn:done(txn:reply {
    status = status,
    headers = { ["content-type"] = { "application/json" } },
    body = answers.encode { error = message },
  })
end

core.register_action("route", { "http-req" }, function(txn, name)
  local body = txn.f:req_body()
  if #body < txn.f:req_body_size() then return refuse(txn, 413, "the body is longer than HAProxy's buffer") end
  -- A duplicate name is rejected: later readers might use the other one. (HAProxy's json_query uses the first.)
  local value, message = fleece.decode(body, { duplicates = "error" })
  if value == nil then return refuse(txn, 400, message) end
  local field = type(value) == "table" and value[name]
  if type(field) == "string" then txn:set_var("txn." .. name, field) end
end, 1)
