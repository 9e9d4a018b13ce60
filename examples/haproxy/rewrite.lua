-- SPDX-License-Identifier: MIT
-- rewrite.lua -- a service that replaces `model` in a body of up to 4 MB and passes it to a server, whose answer it
-- returns. llm.lua does this faster for bodies that fit in HAProxy's buffer. The server's address is in the environment:
-- SERVER=http://127.0.0.1:8081
local fleece = require "fleece.safe"

-- HAProxy's HTTP client takes quadratic time for the body that it sends: 3 ms of CPU time for 1 MB, 14 to 57 for 4 MB,
-- 1140 for 16 MB.
local LONGEST = 4000000 -- bytes of a body
local SLOWEST = tonumber(os.getenv "SLOWEST") or 30 -- seconds for a whole body
local SERVER = os.getenv "SERVER" or "http://127.0.0.1:8081"
-- Error messages quote the request, which can contain any bytes.
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

local function answer(applet, status, body, kind)
  applet:set_status(status)
  applet:add_header("content-type", kind or "application/json")
  applet:add_header("content-length", tostring(#body))
  applet:start_response()
  applet:send(body)
end

-- Returns the body; or nil, a status and a message.
local function read(applet)
  local length = applet.headers["content-length"]
  if applet.method ~= "POST" then return nil, 405, "POST expected" end
  if applet.headers["content-encoding"] then return nil, 415, "a body without content-encoding expected" end
  if length and (tonumber(length[0]) or 0) > LONGEST then return nil, 413, "the body is too long" end
  local pieces, total, deadline = {}, 0, core.now().sec + SLOWEST
  repeat
    local piece = applet:receive(16384) -- tune.bufsize: less loses the body if the headers are longer (2.6)
    pieces[#pieces + 1], total = piece, total + #piece
    if total > LONGEST then return nil, 413, "the body is too long" end
    if core.now().sec > deadline then return nil, 408, "the body is too slow" end
  until piece == ""
  return table.concat(pieces)
end

core.register_service("rewrite", "http", function(applet)
  local body, status, reason = read(applet)
  if not body then return answer(applet, status, answers.encode { error = reason }) end
  local text, message = fleece.edit(body, { { "set", "/model", "large-2026-11" } })
  if not text then return answer(applet, 400, answers.encode { error = for_client(message) }) end
  local reply = core.httpclient():post {
    url = SERVER .. (applet.path or "/"), body = text, headers = { ["content-type"] = { "application/json" } }, timeout = 60000,
  }
  if not reply.status or reply.status == 0 then return answer(applet, 502, answers.encode { error = "no answer" }) end
  local kind = reply.headers and reply.headers["content-type"]
  answer(applet, reply.status, reply.body or "", kind and kind[0])
end)
