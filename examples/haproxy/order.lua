-- SPDX-License-Identifier: MIT
-- order.lua -- a service: JSON in, JSON out.
local fleece = require "fleece.safe"

local LONGEST = 64000 -- bytes of a body. A request can hold it twice, and its tables can take 25 times as much: haproxy.cfg

-- The metatables distinguish arrays from objects. A duplicate name, or an id beyond 64 bits, is an error.
local orders = { arrays = fleece.array_mt, duplicates = "error", big_numbers = "error" }
-- Error messages quote the request, which can contain any bytes.
local answers = fleece.new { invalid_utf8 = "replace" }

-- The brackets at the end of a message name the option that would allow the text: that is for the script's author.
local function for_client(message) return (message:gsub(" %b()$", "")) end

local function answer(applet, status, value)
  local body, message = answers.encode(value)
  if not body then -- the sum of finite numbers can be infinite or NaN
    status, body = 422, answers.encode { error = message }
  end
  applet:set_status(status)
  applet:add_header("content-type", "application/json")
  applet:add_header("content-length", tostring(#body))
  if status == 405 then applet:add_header("allow", "POST") end
  applet:start_response()
  applet:send(body)
end

-- Returns the body; or nil, a status and a message.
local function read(applet)
  local headers = applet.headers -- for each name a list that begins at 0
  local kind, coding, length = headers["content-type"], headers["content-encoding"], headers["content-length"]
  if applet.method ~= "POST" then return nil, 405, "POST expected" end
  if kind and not (kind[0]:lower() .. ";"):match "^application/json%s*;" then return nil, 415, "application/json expected" end
  if coding then return nil, 415, "a body without content-encoding expected" end
  if length and (tonumber(length[0]) or 0) > LONGEST then return nil, 413, "the body is too long" end
  local pieces, total = {}, 0 -- a chunked body has no length, so count the bytes
  repeat
    local piece = applet:receive(65536)
    pieces[#pieces + 1], total = piece, total + #piece
    if total > LONGEST then return nil, 413, "the body is too long" end
  until piece == ""
  return table.concat(pieces)
end

local reason = fleece.info().reason -- nil, unless this Lua is read by its public API, which is slower
if reason then core.Warning("fleece: " .. reason) end

core.register_service("order", "http", function(applet)
  local body, status, reason = read(applet)
  if not body then return answer(applet, status, { error = reason }) end
  local order, message = fleece.decode(body, orders)
  if order == nil then return answer(applet, message == "not enough memory" and 500 or 400, { error = for_client(message) }) end
  -- Valid JSON is not necessarily an order: it can be null, a number or a string.
  if type(order) ~= "table" or type(order.items) ~= "table" or getmetatable(order.items) ~= fleece.array_mt then
    return answer(applet, 422, { error = "items expected" })
  end
  if order.id ~= nil and type(order.id) ~= "string" and type(order.id) ~= "number" then
    return answer(applet, 422, { error = "an id is a string or a number" })
  end
  local count, total = 0, 0
  for _, item in ipairs(order.items) do
    if type(item) ~= "table" or type(item.price) ~= "number" or type(item.quantity) ~= "number" then
      return answer(applet, 422, { error = "an item has a price and a quantity" })
    end
    local quantity = item.quantity + 0.0 -- a float: sums of integers wrap around at 2^63
    count, total = count + quantity, total + quantity * item.price
  end
  answer(applet, 200, { id = order.id, count = count, total = total })
end)
