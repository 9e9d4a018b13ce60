-- SPDX-License-Identifier: MIT
-- field.lua -- actions that set txn.kind to the member `kind` of a body: by fleece.pick, and by decoding with Fleece
-- and with lua-cjson.
local fleece, cjson = require "fleece", require "cjson"

local function register(name, read)
  core.register_action(name, { "http-req" }, function(txn) txn:set_var("txn.kind", read(txn.f:req_body())) end)
end

register("pick", fleece.pick "/kind")
register("pick_read", fleece.pick("/kind", { test = "read" }))
register("decode", function(body) return fleece.decode(body).kind end)
register("cjson", function(body) return cjson.decode(body).kind end)
register("body", function() return "order" end) -- reads the body and nothing in it
