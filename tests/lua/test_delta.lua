-- SPDX-License-Identifier: MIT
-- test_delta.lua -- diff and patch on the Lua side: numbers of 32 bits, options, errors and what they leave behind. The
-- form of deltas: test_binary_vectors.lua, tests/c/test_delta.c.

local T = require "support"
local fleece, same = T.fleece, T.same

TestDelta = {}

local function patched(old, delta, options) return fleece.to_json(fleece.patch(fleece.from_json(old), delta, options)) end

-- Of members with the same name the last counts, in the text of a delta as anywhere.
function TestDelta:test_names_that_come_twice()
  same(patched('{"a":1}', '{"a":2,"a":3,"a":4}'), '{"a":4}')
  same(patched('{"a":1,"b":1}', '{"a":[],"b":2,"a":3}'), '{"a":3,"b":2}')
  same(patched("[1,2]", '{"0":5,"0":6,"0":7}'), "[7,2]")
  local members = {}
  for i = 1, 100 do members[i] = ('"a":%d'):format(i) end
  same(patched('{"a":1}', "{" .. table.concat(members, ",") .. "}"), '{"a":100}')
end
