-- SPDX-License-Identifier: MIT
-- log.lua -- one line of JSON per request. `http-request lua.note` keeps what the client said while it is there;
-- log-format adds what is known only at the end, all of it numbers, and puts the note in by %[lua.noted].
local fleece = require "fleece"
local codec = fleece.new { invalid_utf8 = "replace" } -- clients send what they like

core.register_action("note", { "http-req" }, function(txn)
  local f = txn.f
  txn:set_var("txn.note", codec.encode {
    client = f:src(),
    method = f:method(),
    path = f:path(),
    query = f:query(),
    agent = f:req_hdr("user-agent"),
  })
end)

-- A request that was refused before the rules has no note. (One that cannot be read at all: error-log-format.)
core.register_fetches("noted", function(txn) return txn:get_var("txn.note") or "null" end)
