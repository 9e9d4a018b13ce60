-- SPDX-License-Identifier: MIT
-- log.lua -- one line of JSON per request. `http-request lua.note` keeps what the client said while it is there;
-- log-format adds what is known only at the end, all of it numbers, and puts the note in by %[lua.noted].
local fleece = require "fleece"
local codec = fleece.new { invalid_utf8 = "replace" } -- clients send what they like

-- A line is cut at `len` of haproxy.cfg's log, 8192 bytes, and would be no JSON then. A byte becomes three at most.
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

-- A request that was refused before the rules has no note. (One that cannot be read at all: error-log-format.)
core.register_fetches("noted", function(txn) return txn:get_var("txn.note") or "null" end)
