-- SPDX-License-Identifier: MIT
-- nginx.lua -- services for bench/settings/run.py: one field of a value of the shared dict `state`, kept as JSON or as a
-- Fleece document, and a body that is decoded and encoded.
local fleece = require "fleece"
local cjson = require "cjson"

local services = {}

function services.fill()
  local file = assert(io.open(os.getenv "VALUE", "rb"))
  local text = file:read "*a"
  file:close()
  assert(ngx.shared.state:set("json", text))
  assert(ngx.shared.state:set("fleece", fleece.from_json(text)))
end

function services.cjson() ngx.print(cjson.decode(ngx.shared.state:get "json").last.name) end
function services.decode() ngx.print(fleece.decode(ngx.shared.state:get "json").last.name) end
function services.pick() ngx.print(services.picker(ngx.shared.state:get "json")) end
function services.open() ngx.print(fleece.open(ngx.shared.state:get "fleece").root.last.name) end
function services.trusted()
  ngx.print(fleece.open(ngx.shared.state:get "fleece", { trusted = true }).root.last.name)
end
services.picker = fleece.pick "last.name"

function services.answer()
  ngx.req.read_body()
  ngx.print(fleece.encode(fleece.decode(ngx.req.get_body_data())))
end

return services
