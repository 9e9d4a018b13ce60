-- SPDX-License-Identifier: MIT
-- upload.lua -- decodes a large body in steps while it arrives; other requests are served between two steps.
local fleece = require "fleece.safe"

-- Returns the value of the body; or nil and a message.
local function read(applet, options)
  local parser = fleece.parser(options)
  repeat
    local piece = applet:receive(65536) -- waits without holding the thread
    local fed, wrong = parser:feed(piece)
    if not fed then return nil, wrong end
    local more
    repeat
      more, wrong = parser:step()
      if wrong then return nil, wrong end
      if more then core.yield() end
    until not more
  until piece == ""
  return parser:finish()
end

local LONGEST = 4000000 -- bytes of a body. Its tables can take 25 times as much: haproxy.cfg limits how many there are
local options = { max_bytes = LONGEST, arrays = fleece.array_mt } -- the metatable distinguishes arrays from objects
-- Error messages quote the request, which can contain any bytes.
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

core.register_service("upload", "http", function(applet)
  local length = applet.headers["content-length"]
  local status, result = 200, nil
  if applet.method ~= "POST" and applet.method ~= "PUT" then
    status, result = 405, { error = "POST or PUT expected" }
  elseif applet.headers["content-encoding"] then
    status, result = 415, { error = "a body without content-encoding expected" }
  elseif length and (tonumber(length[0]) or 0) > LONGEST then
    status, result = 413, { error = "the body is too long" }
  else
    local list, message = read(applet, options)
    if message then
      status = message:find "^text too long" and 413 or message == "not enough memory" and 500 or 400
      result = { error = for_client(message) }
    elseif type(list) ~= "table" or getmetatable(list) ~= fleece.array_mt then
      status, result = 422, { error = "a list expected" }
    else
      result = { items = #list }
    end
  end
  local body = answers.encode(result)
  applet:set_status(status)
  applet:add_header("content-type", "application/json")
  applet:add_header("content-length", tostring(#body))
  if status == 405 then applet:add_header("allow", "POST, PUT") end
  applet:start_response()
  applet:send(body)
end)
