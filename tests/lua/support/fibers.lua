-- SPDX-License-Identifier: MIT
-- fibers.lua -- what fibers do at the same time in hosts/tarantool_fibers.lua and c/module/fibers.c: each function of the program
-- that Fleece calls (hooks, handlers, sinks, sources) gives way to the other fibers, so that calls end in any order.

local fibers = {}

-- `fleece`: a codec with metamethods = "serialize". `give_way` goes on to another fiber. `more`: operations of the host.
-- Returns work(id, rounds), which runs operations, and returns their failures.
function fibers.prepare(fleece, give_way, more)
  -- With gives_way = false an operation runs alone: its result then is what it must be.
  local gives_way = false
  local function pause()
    if gives_way then give_way() end
  end

  local function hooked(name, hook) return setmetatable({ "x" }, { [name] = hook }) end
  local function tojson(text) return hooked("__tojson", function() pause() return text end) end
  local function in_pieces(text, n)
    local at = 1
    return function()
      pause()
      local piece = text:sub(at, at + n - 1)
      at = at + n
      return piece ~= "" and piece or nil
    end
  end
  local function collect(run)
    local pieces = {}
    run(function(piece) pause() pieces[#pieces + 1] = piece return true end)
    return table.concat(pieces)
  end

  -- Each operation of number n returns a text.
  local operations = {
    tojson = function(n) return fleece.encode { n, tojson("[" .. n .. "]"), { tojson "1", ("x"):rep(n % 7000) } } end,
    nested = function(n)
      local function nest(depth)
        return hooked("__tojson", function()
          pause()
          local text = depth == 0 and "0" or fleece.encode { n, nest(depth - 1), ("y"):rep(n % 300) }
          pause()
          return text
        end)
      end
      return fleece.encode { nest(n % 20), n }
    end,
    pairs = function(n)
      return fleece.encode({ hooked("__pairs", function()
        pause()
        return function(_, i) pause() if i < 5 then return i + 1, n * i end end, nil, 0
      end) }, { sort_keys = n % 2 == 0 })
    end,
    length = function(n)
      local proxy = setmetatable({}, { __len = function() pause() return 4 end, __index = function(_, i) pause() return { n, i } end })
      return fleece.encode { a = proxy }
    end,
    serialize = function(n)
      return fleece.encode { hooked("__serialize", function() pause() return { n, hooked("__serialize", function() pause() return n end) } end) }
    end,
    on_error = function(n)
      local options = { on_error = function(_, path) pause() return { path, n, tojson "8" } end }
      return fleece.encode({ 1, print, { a = print }, ("z"):rep(n % 900) }, options)
    end,
    fails = function(n)
      local _, message = pcall(fleece.encode, { a = { n, hooked("__tojson", function() pause() error("no " .. n, 0) end) } })
      return message
    end,
    write = function(n)
      return collect(function(sink)
        local long = {}
        for i = 1, 3000 do long[i] = i % 500 == 0 and tojson(tostring(i)) or ("w"):rep(i % 20) .. n end
        fleece.write(sink, long, { sort_keys = true })
      end)
    end,
    writer = function(n)
      local pieces, writer = {}, fleece.writer { n, tojson "1", { ("v"):rep(5000), tojson "[2]" }, ("u"):rep(9000) }
      for piece in function() return writer:next(1000) end do pieces[#pieces + 1] = piece pause() end
      return table.concat(pieces)
    end,
    pack = function(n) return fleece.to_json(fleece.pack { n, tojson("{\"b\":" .. n .. "}"), { hooked("__serialize", function() pause() return n end) } }) end,
    order = function(n)
      local value = fleece.decode('{"z":1,"b":{"y":' .. n .. ',"a":[]},"a":2}', { order = true })
      pause()
      value.q = tojson(tostring(n))
      return fleece.encode(value)
    end,
    documents = function(n)
      local sum = {}
      for value in fleece.documents(in_pieces(("{\"n\":%d}\n[%d,2]\n"):format(n, n):rep(20), 7)) do
        pause()
        sum[#sum + 1] = value.n or value[1]
      end
      return table.concat(sum, " ")
    end,
    items = function(n)
      local seen = {}
      for item in fleece.items(in_pieces('{"x":[1],"list":[{"a":' .. n .. '},"b",[3]]}', 5), "/list") do
        pause()
        seen[#seen + 1] = fleece.encode(item)
      end
      return table.concat(seen, " ")
    end,
    tokens = function(n)
      local kinds = {}
      for kind, value in fleece.tokens(in_pieces('{"a":[true,"text",' .. n .. ']}', 4)) do
        pause()
        kinds[#kinds + 1] = kind .. tostring(value)
      end
      return table.concat(kinds, " ")
    end,
    events = function(n)
      local seen = {}
      for value, name in fleece.events(in_pieces(('event: e\ndata: {"n":%d}\n\n'):format(n):rep(9), 11)) do
        pause()
        seen[#seen + 1] = name .. value.n
      end
      return table.concat(seen, " ")
    end,
    parser = function(n)
      local parser = fleece.parser()
      for piece in in_pieces('{"a":[' .. ("1,"):rep(500) .. n .. "]}", 100) do
        parser:feed(piece)
        while parser:step(50) do pause() end
      end
      return fleece.encode(parser:finish())
    end,
    format_stream = function(n)
      return collect(function(sink) fleece.format_stream(in_pieces('{"b":[1, ' .. n .. '],  "a":{}}', 6), sink, { indent = 1 }) end)
    end,
    builder = function(n)
      return collect(function(sink)
        local builder = fleece.builder(sink):array()
        for i = 1, 2000 do builder:number(i * n) end
        builder:value { tojson "5" }
        builder:close():finish()
      end)
    end,
    walk = function(n)
      local seen = {}
      for value, path in fleece.open(fleece.pack { a = { n, { b = n } }, c = "d" }):walk(function() pause() return true end) do
        pause()
        seen[#seen + 1] = path .. (type(value) == "number" and value or "")
      end
      return table.concat(seen, " ")
    end,
    amend = function(n)
      local doc = fleece.open(fleece.pack { a = { n, 2 }, b = ("s"):rep(n % 400) })
      local change = doc:amend(function(m) pause() m.c = { n, tojson "6" } pause() m.a[1] = "x" end)
      return fleece.to_json(doc.bytes .. change)
    end,
    mutable = function(n)
      local m = fleece.lazy('{"id": 7,  "tags": ["b"]}'):mutable()
      m.id = { n, tojson "1" }
      pause()
      m.tags:insert(1, n)
      return fleece.encode { m, tojson "2" }
    end,
    edit = function(n) return fleece.edit('{"a": 1.50, "b": [2]}', { { "set", "b[0]", { n, tojson "3" } }, { "set", "c", tojson(tostring(n)) } }) end,
    patch = function(n) return fleece.encode(fleece.json_patch({ a = { 1 }, b = tojson "4" }, { { op = "add", path = "/a/-", value = n } })) end,
  }

  for name, make in pairs(more or {}) do operations[name] = make(tojson) end

  local wanted, names = {}, {}
  for name, run in pairs(operations) do
    names[#names + 1] = name
    wanted[name] = {}
    for n = 1, 30 do wanted[name][n] = run(n * 37) end
  end
  table.sort(names)
  gives_way = true

  return function(id, rounds)
    local wrong = {}
    for round = 1, rounds do
      local name, n = names[(id + round * 7) % #names + 1], (id * 11 + round) % 30 + 1
      local fine, text = pcall(operations[name], n * 37)
      if not fine or text ~= wanted[name][n] then
        wrong[#wrong + 1] = ("%s: %s instead of %s"):format(name, tostring(text):sub(1, 200), tostring(wanted[name][n]):sub(1, 200))
      end
      if round % 10 == 0 then collectgarbage(round % 20 == 0 and "collect" or "step") end
    end
    return table.concat(wrong, "\n")
  end
end

return fibers
