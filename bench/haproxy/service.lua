-- SPDX-License-Identifier: MIT
-- service.lua -- the measured service: decodes, adds a member and encodes, with the library that $JSON names.
local json = require(os.getenv "JSON")
local decode, encode = json.decode, json.encode
local served = 0

core.register_service("answer", "http", function(applet)
  local value = decode(applet:receive())
  served = served + 1
  value.served = served
  local body = encode(value)
  applet:set_status(200)
  applet:add_header("content-type", "application/json")
  applet:add_header("content-length", tostring(#body))
  applet:start_response()
  applet:send(body)
end)

-- The same in steps, by fleece.parser.
if json.parser then
  core.register_service("steps", "http", function(applet)
    local parser = json.parser()
    repeat
      local piece = applet:receive(65536)
      parser:feed(piece)
      while parser:step() do core.yield() end
    until piece == ""
    parser:finish()
    applet:set_status(200)
    applet:add_header("content-length", "0")
    applet:start_response()
  end)
end

-- For pings during the decoding of a large document: reads only.
core.register_service("read", "http", function(applet)
  decode(applet:receive())
  applet:set_status(200)
  applet:add_header("content-length", "0")
  applet:start_response()
end)
