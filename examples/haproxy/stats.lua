-- SPDX-License-Identifier: MIT
-- stats.lua -- a service: HAProxy's statistics as JSON.
local fleece = require "fleece"
local codec = fleece.new { invalid_utf8 = "replace", sort_keys = true, indent = 2 }

core.register_service("stats", "http", function(applet)
  local backends = {}
  for name, proxy in pairs(core.backends) do
    -- Proxies and servers are objects with functions; their get_stats returns plain tables.
    local servers = fleece.object {}
    for server_name, server in pairs(proxy.servers) do servers[server_name] = server:get_stats() end
    backends[name] = { stats = proxy:get_stats(), servers = servers }
  end
  local body = codec.encode { process = core.get_info(), backends = backends }
  applet:set_status(200)
  applet:add_header("content-type", "application/json")
  applet:add_header("content-length", tostring(#body))
  applet:start_response()
  applet:send(body)
end)
