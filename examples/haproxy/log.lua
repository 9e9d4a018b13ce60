-- SPDX-License-Identifier: MIT
-- log.lua -- one line of JSON per request. `http-request lua.note` keeps data of the request while it is available.
-- log-format adds numbers that are known only at the end, and inserts the note with %[lua.noted].
local fleece = require "fleece"
local codec = fleece.new { invalid_utf8 = "replace" } -- clients can send any bytes

-- A line longer than `len` of haproxy.cfg's log, 8192 bytes, is cut and is not JSON then. A byte becomes at most three.
local function short(text) return text and text:sub(1, 800) end

core.register_action("note", { "http-req" }, function(txn)
  local f = txn.f
  txn:set_var("txn.note", codec.encode {
    client = f:src(),
    method = short(f:method()),
    path = short(f:path()),
    query = short(f:query()),
    agent = short(f:req_hdr("user-agent")),
  })
end)

-- A request that was rejected before the rules has no note. (One that cannot be parsed uses error-log-format.)
core.register_fetches("noted", function(txn) return txn:get_var("txn.note") or "null" end)
