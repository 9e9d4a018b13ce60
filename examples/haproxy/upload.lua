-- SPDX-License-Identifier: MIT
-- upload.lua -- a large body, decoded in steps while it comes in: other requests have their turn between two steps.
local fleece = require "fleece.safe"

-- The value of the body; nil and a message if it is wrong.
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

-- The tables of a text may take 25 times its bytes: together far below tune.lua.maxmem, which is for all requests.
local options = { max_bytes = 32000000 }

core.register_service("upload", "http", function(applet)
  local list, message = read(applet, options)
  local status, body = 200, nil
  if message then
    status, body = 400, message
  elseif type(list) ~= "table" then
    status, body = 422, "a list expected"
  else
    body = #list .. " items"
  end
  applet:set_status(status)
  applet:add_header("content-type", "text/plain")
  applet:add_header("content-length", tostring(#body))
  applet:start_response()
  applet:send(body)
end)
