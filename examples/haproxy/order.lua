-- SPDX-License-Identifier: MIT
-- order.lua -- a service: JSON in, JSON out.
local fleece = require "fleece.safe"

-- Messages quote the text they complain about, and that may be anything.
local answers = fleece.new { invalid_utf8 = "replace" }

local function answer(applet, status, value)
  local body = assert(answers.encode(value))
  applet:set_status(status)
  applet:add_header("content-type", "application/json")
  applet:add_header("content-length", tostring(#body))
  applet:start_response()
  applet:send(body)
end

core.register_service("order", "http", function(applet)
  local order, message = fleece.decode(applet:receive(), { max_bytes = 4000000 })
  if order == nil then return answer(applet, 400, { error = message }) end
  -- Valid JSON is not yet what was asked for: null, numbers and strings come this far.
  if type(order) ~= "table" or type(order.items) ~= "table" then
    return answer(applet, 422, { error = "items expected" })
  end
  local count, total = 0, 0
  for _, item in ipairs(order.items) do
    if type(item) ~= "table" or type(item.price) ~= "number" or type(item.quantity) ~= "number" then
      return answer(applet, 422, { error = "an item has a price and a quantity" })
    end
    count, total = count + item.quantity, total + item.quantity * item.price
  end
  answer(applet, 200, { id = order.id, count = count, total = total })
end)
