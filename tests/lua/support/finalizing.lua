-- SPDX-License-Identifier: MIT
-- finalizing.lua -- a program (see T.alone) for tests whose finalizers must run often. It has its own process because
-- the collector would have to go through the heap of all other tests. The argument selects one of these:
--   close    finalizers close a mapped document while it is read; prints how many readers finished and how many were
--            refused
--   encode   finalizers encode during another encode; prints how often
--   settle   finalizers make a document of a view of a text while it is made one; prints how often

local fleece = require "fleece"

local function finalizer(f)
  if newproxy then
    getmetatable(newproxy(true)).__gc = f
  else setmetatable({}, { __gc = f }) end
end

local function set_collector(name, value)
  if _VERSION == "Lua 5.5" then
    collectgarbage("param", name, value)
  else collectgarbage("set" .. name, value) end
end

local function same(a, b)
  if a ~= b then error("got " .. tostring(a) .. ", not " .. tostring(b), 2) end
end

-- Reading a mapped document while it is closed gives the right value or an error; it never reads unmapped memory.
local readers = {
  index = function(v) for i = 1, 20 do same(#v[i].name + #v[i].blob, 610 + #tostring(i)) end end,
  get = function(v) for i = 1, 20 do same(v:get(i, "name"):sub(1, 5), "name ") end end,
  pointer = function(v) for i = 0, 19 do same(#v:pointer("/" .. i .. "/blob"), 605) end end,
  pairs = function(v) for i = 1, 20 do for name in fleece.pairs(v[i]) do same(#name < 5, true) end end end,
  ipairs = function(v) for _, item in fleece.ipairs(v) do same(#item.blob, 605) end end,
  walk = function(v) for value in v:walk() do same(value ~= nil, true) end end,
  unpack = function(v) same(#fleece.unpack(v)[20].text, 1002) end,
  totable = function(v) same(#v:totable()[20].text, 1002) end,
  to_json = function(v) same(#fleece.to_json(v) > 20000, true) end,
  encode = function(v) same(#fleece.encode { v, { v } } > 40000, true) end,
  pack = function(v) same(#fleece.pack { v, { v } } > 10000, true) end,
  patch = function(v) same(fleece.open(fleece.patch(v, '{"0":{"name":"x"}}')).root[1].name, "x") end,
  diff = function(v) same(fleece.diff(v[1], v[2]):sub(1, 1), "{") end,
  dump = function(v, doc) same(#fleece.dump(doc) > 1000, true) end,
  bytes = function(_, doc) same(#doc.bytes > 10000, true) end,
  mutable = function(v)
    local m = v:mutable()
    for i = 1, 20 do
      same(#m[i].text, 1000 + #tostring(i))
      m[i].more = i
    end
    same(#fleece.pack(m) > 10000, true)
  end,
}

local programs = {}

function programs.close()
  local value = {}
  for i = 1, 20 do
    value[i] = { name = "name " .. i, blob = fleece.data(("d"):rep(605)), text = ("t"):rep(1000) .. i }
  end
  local name = os.tmpname()
  local file = assert(io.open(name, "wb"))
  file:write(fleece.pack(value))
  file:close()
  value = nil

  local ended, refused = 0, 0
  for _, read in pairs(readers) do
    for round = 1, 8 do
      local doc, left = fleece.open_file(name), round
      local function arm()
        finalizer(function()
          left = left - 1
          if left <= 0 then pcall(doc.close, doc) else arm() end
        end)
      end
      local view = doc.root
      collectgarbage()
      arm()
      for _ = 1, 100 do -- again until it is closed
        local ok, message = pcall(read, view, doc)
        if ok then
          ended = ended + 1
        elseif not tostring(message):find "closed" then
          error(message, 0)
        else
          refused = refused + 1
          break
        end
      end
    end
  end
  os.remove(name)
  return ("%d read, %d refused"):format(ended, refused)
end

-- A table with an unknown, empty metatable makes the raw walk look up the known marks. That may run the collector, and
-- a finalizer that encodes uses the same buffer: after a long text the buffer is gone, after any text the sink is.
function programs.encode()
  local long, runs = { ("x"):rep(1200000) }, 0
  local value = { 1, setmetatable({ 5 }, {}) }
  local function on_collect()
    runs = runs + 1
    if runs % 4 == 0 then fleece.encode(long) else fleece.encode { 1 } end
  end
  for _ = 1, 5000 do
    if runs > 500 then break end
    finalizer(on_collect)
    same(fleece.size(value), 7)
    finalizer(on_collect)
    same(fleece.encode(value), "[1,[5]]")
    finalizer(on_collect)
    local pieces = {}
    fleece.write(function(piece) pieces[#pieces + 1] = piece end, value)
    same(table.concat(pieces), "[1,[5]]")
  end
  return runs .. " times"
end

-- Only a view of a document can be gone through, so pairs makes it one. Each finalizer leaves the next one, so that one
-- waits at every allocation; which of them settles the view differs from round to round.
function programs.settle()
  local text, meanwhile, inside = '{"a":{"b":[1,"\\n"]},"c":"' .. ("d"):rep(300) .. '"}', 0, false
  local function settle(view) for _ in fleece.pairs(view) do return end end
  for round = 1, 5000 do
    if meanwhile > 100 then break end
    local view, left = fleece.lazy(text), round % 5
    local part = view.a
    local function on_collect()
      if not inside then return end
      if left > 0 then
        left = left - 1
        return finalizer(on_collect)
      end
      meanwhile = meanwhile + 1
      settle(view)
    end
    inside = true
    finalizer(on_collect)
    settle(part)
    inside = false
    same(part.b[1], 1)
    same(view.a.b[2], "\n")
    same(fleece.encode(view), text)
  end
  return meanwhile
end

if _VERSION == "Lua 5.5" then -- its interpreter starts in the generational mode, and waits for kilobytes in the other one
  collectgarbage "incremental"
  set_collector("stepsize", 1)
end
set_collector("pause", 1)
set_collector("stepmul", 1000)
print(programs[arg[1]]())
