-- SPDX-License-Identifier: MIT
-- tarantool_fibers.lua -- many fibers use Fleece at the same time (lua/support/fibers.lua). Run by tarantool.py; prints what is
-- wrong.

local fiber = require "fiber"
local fleece = require "fleece.tarantool"

local ROUNDS, FIBERS = tonumber(arg[1] or 40), 60

local function give_way()
  if math.random(4) == 1 then fiber.sleep(0.0001 * math.random(5)) else fiber.yield() end
end
local function hooked(name, hook) return setmetatable({ "x" }, { [name] = hook }) end

local work = dofile((arg[0]:gsub("hosts/[^/]*$", "lua/support/fibers.lua"))).prepare(fleece, give_way, {
  tuple = function(tojson)
    return function(n) return fleece.encode { box.tuple.new { n, { tojson = "x" } }, 5ULL, tojson "7" } end
  end,
})
math.randomseed(7)
local wrong, left = {}, FIBERS
for id = 1, FIBERS do
  fiber.create(function()
    local failures = work(id, ROUNDS)
    if failures ~= "" then wrong[#wrong + 1] = failures end
    left = left - 1
  end)
end
local give_up = fiber.time() + 60
while left > 0 and fiber.time() < give_up do fiber.sleep(0.01) end
if left > 0 then wrong[1] = left .. " fibers did not end" end

-- More hooks than may be nested wait at the same time; nesting is limited all the same, through coroutines, too.
local waiting, texts = fiber.cond(), 0
for i = 1, 500 do
  fiber.create(function()
    local text = fleece.encode { hooked("__tojson", function() waiting:wait() return tostring(i) end) }
    if text == "[" .. i .. "]" then texts = texts + 1 end
  end)
end
for name, around in pairs { direct = function(f) return f end, coroutine = coroutine.wrap } do
  local function nest() return hooked("__tojson", function() return around(function() return fleece.encode { nest() } end)() end) end
  local fine, message = pcall(fleece.encode, nest())
  if fine or not tostring(message):find("hooks nested too deep", 1, true) then wrong[#wrong + 1] = name .. ": " .. tostring(message) end
end
waiting:broadcast()
fiber.sleep(0.1)
if texts ~= 500 then wrong[#wrong + 1] = texts .. " of 500 waiting hooks" end
print(#wrong == 0 and "fine" or table.concat(wrong, "\n"))
os.exit(#wrong == 0 and 0 or 1)
