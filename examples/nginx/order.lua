-- SPDX-License-Identifier: MIT
-- order.lua -- a service: JSON in, JSON out. nginx limits the body: client_max_body_size.
local fleece = require "fleece.safe"

-- The metatables distinguish arrays from objects. A duplicate name, or an id beyond LuaJIT's numbers, is an error.
local orders = { arrays = fleece.array_mt, duplicates = "error", big_numbers = "error" }
-- Error messages quote the request, which can contain any bytes.
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

local function answer(status, value)
  local body, message = answers.encode(value)
  if not body then -- the sum of finite numbers can be infinite or NaN
    status, body = 422, answers.encode { error = message }
  end
  ngx.status = status
  ngx.header.content_type = "application/json"
  ngx.header.content_length = #body
  ngx.print(body)
end

-- Returns a status and a message if the request cannot be read.
local function refused()
  if ngx.req.get_method() ~= "POST" then
    ngx.header.allow = "POST"
    return 405, "POST expected"
  end
  local kind = ngx.var.http_content_type
  if kind and not (kind:lower() .. ";"):match "^application/json%s*;" then return 415, "application/json expected" end
  if ngx.var.http_content_encoding then return 415, "a body without content-encoding expected" end
end

-- The body is in memory up to client_body_buffer_size; a larger one is in a file.
local function read()
  ngx.req.read_body()
  local body, path = ngx.req.get_body_data(), ngx.req.get_body_file()
  local file = not body and path and io.open(path, "rb") -- not decode_file: its messages have the path
  if file then
    body = file:read "*a"
    file:close()
  end
  return fleece.decode(body or "", orders)
end

local reason = fleece.info().reason -- nil, unless this Lua is read by its public API, which is slower
if reason then ngx.log(ngx.WARN, "fleece: ", reason) end

local order = {}

function order.answer()
  local status, reason = refused()
  if status then return answer(status, { error = reason }) end
  local value, message = read()
  if value == nil then return answer(message == "not enough memory" and 500 or 400, { error = for_client(message) }) end
  -- Valid JSON is not necessarily an order: it can be null, a number or a string.
  if type(value) ~= "table" or type(value.items) ~= "table" or getmetatable(value.items) ~= fleece.array_mt then
    return answer(422, { error = "items expected" })
  end
  if value.id ~= nil and type(value.id) ~= "string" and type(value.id) ~= "number" then
    return answer(422, { error = "an id is a string or a number" })
  end
  local count, total = 0, 0
  for _, item in ipairs(value.items) do
    if type(item) ~= "table" or type(item.price) ~= "number" or type(item.quantity) ~= "number" then
      return answer(422, { error = "an item has a price and a quantity" })
    end
    count, total = count + item.quantity, total + item.quantity * item.price
  end
  answer(200, { id = value.id, count = count, total = total })
end

return order
