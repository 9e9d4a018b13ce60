-- SPDX-License-Identifier: MIT
-- order.lua -- a service: JSON in, JSON out.
local fleece = require "fleece.safe"

-- Messages quote the text they complain about, and that may be anything.
local answers = fleece.new { invalid_utf8 = "replace" }

local function answer(status, value)
  local body = answers.encode(value)
  ngx.status = status
  ngx.header.content_type = "application/json"
  ngx.header.content_length = #body
  ngx.print(body)
end

-- The body is in memory up to client_body_buffer_size, and in a file beyond it.
local function read()
  ngx.req.read_body()
  local body = ngx.req.get_body_data()
  if body then return fleece.decode(body) end
  local path = ngx.req.get_body_file()
  if path then return fleece.decode_file(path) end
  return nil, "empty text"
end

local order = {}

function order.answer()
  local value, message = read()
  if value == nil then return answer(400, { error = message }) end
  -- Valid JSON is not yet what was asked for: null, numbers and strings come this far.
  if type(value) ~= "table" or type(value.items) ~= "table" then return answer(422, { error = "items expected" }) end
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
