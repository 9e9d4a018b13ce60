-- SPDX-License-Identifier: MIT
-- test_decode_waiting.lua -- values wait on the Lua stack until their container ends; those beyond a limit wait in a table.
-- Objects that began before that are complete.

local T = require "support"
local same = T.same

TestDecodeWaiting = {}

-- Its first members wait in the table when a name is too long for a record, which becomes a list of pairs. In 5.2 to 5.5
-- 65,472 values wait on the stack before that (api.h: the room doubles, and no more is asked for above 50,000).
function TestDecodeWaiting:test_long_names()
  local members, long = {}, ("n"):rep(50)
  for i = 1, 40000 do members[i] = ('"k%d":%d'):format(i, i) end
  local text = '[5,6,{"a":1,"b":2,"c":{' .. table.concat(members, ",") .. '},"' .. long .. '":3,"d":4},9]'
  for _, codec in ipairs(T.codecs) do
    local value = codec.decode(text)
    local object = value[3]
    same(value[1] .. value[2] .. value[4], "569")
    same(object.a .. object.b .. object[long] .. object.d, "1234")
    for i = 1, #members do
      if object.c["k" .. i] ~= i then same(object.c["k" .. i], i, i) end
    end
  end
end

-- Objects of one kind, the first of which shows where Lua puts its members: each has its metatable, and its order.
function TestDecodeWaiting:test_repeated_objects()
  local metatable = {}
  local text = "[" .. ('{"b":1,"a":[2]},'):rep(3000) .. '{"b":3,"a":[4]}]'
  for _, codec in ipairs(T.codecs) do
    for i, item in ipairs(codec.decode(text, { objects = metatable })) do T.equal(getmetatable(item), metatable, i) end
    same(codec.encode(codec.decode(text, { order = true })), text)
  end
end
