-- SPDX-License-Identifier: MIT
-- orders.lua -- a space of orders, each a Fleece document: read in place, found by a field, changed by deltas. See
-- docs/tarantool.md.

local fiber = require "fiber"
local fleece = require "fleece.tarantool"

local reason = fleece.info().reason -- nil, unless this Lua is read by its public API, which is slower
if reason then require("log").warn("fleece: %s", reason) end

local orders = {}
local ID, DOCUMENT, CITY, WHOLE = 1, 2, 3, 4 -- WHOLE: the size of the document when it was last written as a whole

local function open(tuple) return fleece.open(fleece.from_field(tuple[DOCUMENT]), { trusted = true }) end

local function city_of(doc)
  local customer = doc:get "customer"
  local city = fleece.type(customer) == "dict" and customer:get "city"
  return type(city) == "string" and city or box.NULL
end

-- The spaces; once, on the instance that is written to.
function orders.create()
  local space = box.schema.space.create("orders", {
    if_not_exists = true,
    format = {
      { "id", "unsigned" }, { "document", fleece.field_type }, { "city", "string", is_nullable = true },
      { "whole", "unsigned", is_nullable = true },
    },
  })
  space:create_index("id", { if_not_exists = true })
  space:create_index("city", { parts = { { CITY, "string", is_nullable = true } }, unique = false, if_not_exists = true })
end

-- Checks each row that is written: a document that is damaged is refused, and the city is the one in it. At each start of
-- the instance that is written to.
function orders.guard()
  box.space.orders:before_replace(function(_, row)
    if not row then return end -- a row is deleted
    local doc = fleece.open(fleece.from_field(row[DOCUMENT])) -- checks; an error refuses the row
    local city = city_of(doc)
    if row[CITY] ~= city then row = row:update { { "=", CITY, city } } end
    return row
  end)
end

function orders.put(id, text)
  local bytes = fleece.from_json(text)
  return box.space.orders:replace { id, fleece.to_field(bytes), box.NULL, #bytes }
end

-- The value at a place in an order, on any instance: orders.get(7, "customer", "city"). While orders are upgraded, one that
-- still is a text is read as such.
function orders.get(id, ...)
  local tuple = box.space.orders:get(id)
  if tuple then return open(tuple):get(...) end
  local text = box.space.texts and box.space.texts:get(id)
  if text then return fleece.get(fleece.lazy(text[2]), ...) end
end

-- The ids of the orders of a city.
function orders.of_city(city)
  local ids = {}
  for _, tuple in box.space.orders.index.city:pairs(city) do ids[#ids + 1] = tuple[ID] end
  return ids
end

-- Changes an order by a function, which gets a mutable view and must not yield. The delta is appended to the document, and
-- only the delta is in the log and goes to the replicas, until the document has doubled.
function orders.change(id, change)
  local space = box.space.orders
  local tuple = space:get(id) or error("no order has the id " .. id)
  local doc = open(tuple)
  local delta = doc:amend(change)
  local changed = fleece.open(doc.bytes .. delta)
  local city = { "=", CITY, city_of(changed) }
  if doc.size + #delta <= 2 * (tuple[WHOLE] or 0) then
    return space:update(id, { { ":", DOCUMENT, doc.size + 1, 0, delta }, city })
  end
  local bytes = fleece.pack(changed.root)
  return space:update(id, { { "=", DOCUMENT, fleece.to_field(bytes) }, city, { "=", WHOLE, #bytes } })
end

-- Makes documents of the texts in the space `texts` (id, text of JSON), `batch` of them in a transaction, while others read
-- and write. Returns their number. A text that is no JSON stays where it is.
function orders.upgrade(batch)
  local moved, after = 0, nil
  repeat
    local rows = box.space.texts:select(after, { iterator = after and "GT" or "ALL", limit = batch })
    box.atomic(function()
      for _, row in ipairs(rows) do
        if box.space.orders:get(row[1]) or pcall(orders.put, row[1], row[2]) then
          box.space.texts:delete(row[1])
          moved = moved + 1
        end
        after = row[1]
      end
    end)
    fiber.yield()
  until #rows == 0
  return moved
end

return orders
