-- SPDX-License-Identifier: MIT
-- haproxy.lua -- services for tests/hosts/haproxy.py: fleece.info, and decoding and encoding the body.
local fleece = require "fleece"
local safe = require "fleece.safe"

local function service(name, work)
  core.register_service(name, "http", function(applet)
    local status, body = work(applet)
    applet:set_status(status)
    applet:add_header("content-length", tostring(#body))
    applet:start_response()
    applet:send(body)
  end)
end

service("info", function()
  local info = fleece.info()
  info.thread = core.thread
  return 200, fleece.encode(info)
end)

service("echo", function(applet)
  local value, message = safe.decode(applet:receive())
  if value == nil then return message == "not enough memory" and 500 or 400, message end
  return 200, fleece.encode(value)
end)

service("cjson", function(applet)
  local cjson = require("fleece.cjson").new()
  return 200, cjson.encode(cjson.decode(applet:receive()))
end)
