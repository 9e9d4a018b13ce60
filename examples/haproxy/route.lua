-- SPDX-License-Identifier: MIT
-- route.lua -- http-request lua.route NAME: the member NAME of the JSON body becomes the variable txn.NAME.
-- Needs `option http-buffer-request` for the body. HAProxy keeps at most one buffer of it (tune.bufsize).
local fleece = require "fleece.safe"
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

local function refuse(txn, status, message)
  txn:done(txn:reply {
    status = status,
    headers = { ["content-type"] = { "application/json" } },
    body = answers.encode { error = for_client(message) },
  })
end

-- Two pickers for each name, compiled once. The first tests the whole body and finds the last member of this name; the
-- second finds the first one, in a text that is known to be valid, and stops there.
local pickers = {}
local function pickers_of(name)
  local pair = pickers[name]
  if not pair then
    pair = { last = fleece.pick("/" .. name), first = fleece.pick("/" .. name, { test = "read" }) }
    pickers[name] = pair
  end
  return pair
end

core.register_action("route", { "http-req" }, function(txn, name)
  local body = txn.f:req_body()
  if #body < txn.f:req_body_size() then return refuse(txn, 413, "the body is longer than HAProxy's buffer") end
  local pair = pickers_of(name)
  local ok, field = pair.last(body)
  if not ok then return refuse(txn, 400, field) end -- the message
  -- Later readers might use the first member of this name. (HAProxy's json_query does.)
  local _, first = pair.first(body)
  if type(first) ~= "string" and type(field) ~= "string" then return end
  if first ~= field then return refuse(txn, 400, "duplicate name: " .. name) end
  txn:set_var("txn." .. name, field)
end, 1)
