-- SPDX-License-Identifier: MIT
-- test_files.lua -- save, write_file, open_file of files with frames, append, compact; cut and changed files.

local T = require "support"
local lu, fleece, same = T.lu, T.fleece, T.same
local safe = require "fleece.safe"

TestFiles = {}

local function text_of(path, options) return fleece.to_json(fleece.open_file(path, options), { canonical = true }) end

-- Calls f with the name of a file that is not there; nothing may be left beside it.
local function with_name(f)
  T.with_file("", function(path)
    os.remove(path)
    f(path)
    os.remove(path)
    same(io.open(path .. ".lock"), nil, "the lock is left")
  end)
end

-- A file with a document and two amendments; returns the sizes of the file after each.
local function make_states(path)
  fleece.save(path, { n = 1, list = { 1, 2, { x = "some text" } } })
  local ends = { #T.read_file(path) }
  local doc = fleece.open_file(path)
  for n = 2, 3 do
    doc = doc:append(function(m)
      m.n = n
      m.list[3].x = "text " .. n
    end)
    ends[n] = #T.read_file(path)
  end
  return ends
end

local STATES = { '{"list":[1,2,{"x":"some text"}],"n":1}', '{"list":[1,2,{"x":"text 2"}],"n":2}',
  '{"list":[1,2,{"x":"text 3"}],"n":3}' }

function TestFiles:test_save_values()
  with_name(function(path)
    local bytes = fleece.from_json '{"a":[1,2]}'
    local doc = fleece.open(bytes)
    local m = doc.root:mutable()
    m.a[1] = 5
    for _, case in ipairs { { { 1, "two" }, '[1,"two"]' }, { bytes, '{"a":[1,2]}' }, { doc, '{"a":[1,2]}' },
      { doc.root.a, "[1,2]" }, { m, '{"a":[5,2]}' }, { 12, "12" }, { true, "true" }, { fleece.null, "null" } } do
      same(fleece.save(path, case[1]), true)
      same(text_of(path, { frame = "required" }), case[2])
      same(text_of(path, { frame = "required", map = false, verify = false }), case[2])
    end
    fleece.save(path, bytes)
    same(T.read_file(path):sub(49), bytes, "bytes are kept")
    same(fleece.open_file(path).bytes, bytes)
    same(fleece.to_json(T.read_file(path)), '{"a":[1,2]}', "who knows no frames reads the file")
    fleece.save(path, { 1 }, { mode = "compatible", sync = "folder", wait = 0.5 })
    same(text_of(path), "[1]")
  end)
end

function TestFiles:test_save_mistakes()
  with_name(function(path)
    fleece.save(path, { 1 })
    T.raises_with("value runs past its end", fleece.save, path, "xx")
    T.raises_with("length must be even", fleece.save, path, "", { trusted = true })
    T.raises_with("cannot encode a function", fleece.save, path, { print })
    T.fails_with("cannot encode a function", safe.save, path, { print })
    T.fails_with("No such file or directory", safe.save, path .. ".no/x", { 1 })
    T.raises_with("option 'indent' has no effect", fleece.save, path, { 1 }, { indent = 1 })
    T.raises_with("sync", fleece.save, path, { 1 }, { sync = "all" })
    T.raises_with("wait", fleece.save, path, { 1 }, { wait = -1 })
    T.raises_with("bad argument #2", fleece.save, path)
    T.raises_with("byte 0", fleece.save, path .. "\0", { 1 })
    same(text_of(path), "[1]", "an error leaves the file")
  end)
end

-- Whatever fails, raised or returned, the message begins with what was to be done with which file; of a file that is no
-- document, too. Errors of options are those of the function that has them, at its argument.
function TestFiles:test_errors_name_the_file()
  with_name(function(path)
    local deep = fleece.pack { { { {} } } }
    local shared = fleece.keys(fleece.pack { "name" })
    local files = {
      { "xx", "value runs past its end at byte 1", {}, 1 }, { "", "not a document: its length must be even and not 0 at byte 1", {}, 1 },
      { fleece.pack({ name = 1 }, { keys = shared }), "the document needs its shared keys at byte 3", {}, 3 },
      { deep, "nesting too deep at byte", { max_depth = 2 } }, { deep, "more values than max_values allows at byte", { max_values = 2 } },
    }
    for _, case in ipairs(files) do
      T.write_file(path, case[1])
      for name, verb in pairs { open_file = "open", compact = "compact" } do
        local begin = ("cannot %s '%s': %s"):format(verb, path, case[2])
        T.raises_with(begin, fleece[name], path, case[3])
        T.fails_with(begin, safe[name], path, case[3])
        if case[4] then same(select(3, safe[name](path, case[3])).byte, case[4]) end
      end
    end
    for name, verb in pairs { open_file = "open", compact = "compact" } do
      T.raises_with(("cannot %s '%s.no': No such file or directory"):format(verb, path), fleece[name], path .. ".no")
    end
    T.raises_with(("cannot compact '/dev/null': it must be a plain file"), fleece.compact, "/dev/null")
    local values = { { { print }, "cannot encode a function at [1]" }, { { a = { 0 / 0 } }, "number is NaN at .a[1]" },
      { setmetatable({}, { __tojson = function() error "of the hook" end }), "of the hook" } }
    for name in pairs { save = 1, write_file = 1 } do
      for _, case in ipairs(values) do
        T.raises_with(("cannot write '%s': "):format(path), fleece[name], path, case[1])
        T.raises_with(case[2], fleece[name], path, case[1])
        T.fails_with(case[2], safe[name], path, case[1])
      end
    end
    local hook = setmetatable({}, { __tojson = function() error({}) end })
    same(type(T.error_of(fleece.write_file, path, hook)), "table", "what is no string stays what it is")
    for name, options in pairs { save = { "sparse", "invalid_utf8", "keys", "on_error", "sync" }, write_file = { "indent", "sparse",
      "precision", "invalid_utf8", "key_order", "sync" } } do
      for _, option in ipairs(options) do
        for _, module in ipairs { fleece, safe } do
          T.raises_with(("bad argument #3 to '%s' (option '%s' must be"):format(name, option), module[name], path, {}, { [option] = true })
        end
      end
    end
  end)
end

-- The file stays the same one, which other names show; an error of the value leaves it.
function TestFiles:test_write_in_place()
  with_name(function(path)
    fleece.write_file(path, { 1, 2, 3 })
    local file = io.open(path)
    same(fleece.write_file(path, { 4 }, { in_place = true, sync = "none" }), true)
    same(file:read "*a", "[4]", "the file that was open before")
    file:close()
    T.raises_with("cannot encode a function", fleece.write_file, path, { print }, { in_place = true })
    same(fleece.decode_file(path)[1], 4)
    T.raises_with("in_place", fleece.save, path, { 1 }, { in_place = true })
    T.raises_with("in_place", fleece.compact, path, { in_place = true })
    same(fleece.new({ in_place = true }).save(path, { 5 }), true)
    T.raises_with("'in_place' must be true or false", fleece.write_file, path, { 1 }, { in_place = 1 })
  end)
end

-- A text is written as it is, if the options allow what is in it.
function TestFiles:test_write_texts()
  with_name(function(path)
    local text = '// a\n{\n  "a": 1, /* b */\n}\n'
    local edited = fleece.edit(text, { { "set", "a", { 2 } } }, { comments = true, trailing_commas = true })
    same(fleece.write_file(path, edited, { raw = true, comments = true, trailing_commas = true, sync = "none" }), true)
    same(T.read_file(path), (text:gsub("1", "[2]")))
    T.raises_with("expected a value at line 1, column 1", fleece.write_file, path, text, { raw = true })
    T.raises_with("cannot write '" .. path .. "': expected", fleece.write_file, path, text, { raw = true, comments = true })
    same(T.read_file(path), (text:gsub("1", "[2]")), "unchanged after an error")
    local _, _, failure = safe.write_file(path, "[1,x]", { raw = true })
    same(failure.byte, 4)
    same(fleece.new({ json5 = true }).write_file(path, "{a:+1}", { raw = true }), true)
    same(T.read_file(path), "{a:+1}")
    same(fleece.new({ comments = true, raw = true }).write_file(path, (text:gsub(",", ""))), true)
    T.raises_with("need 'raw'", fleece.write_file, path, "[1]", { comments = true })
    T.raises_with("string expected", fleece.write_file, path, { 1 }, { raw = true })
  end)
end

function TestFiles:test_write_file()
  with_name(function(path)
    same(fleece.write_file(path, { 1, { x = 2 } }, { indent = 1, sync = "none" }), true)
    same(T.read_file(path), fleece.encode({ 1, { x = 2 } }, { indent = 1 }))
    same(fleece.decode_file(path)[2].x, 2)
    T.raises_with("cannot encode a function", fleece.write_file, path, { print })
    T.fails_with("No such file or directory", safe.write_file, path .. ".no/x", 1)
    T.raises_with("option 'mode' has no effect", fleece.write_file, path, { 1 }, { mode = "fast" })
    same(fleece.decode_file(path)[1], 1)
  end)
end

function TestFiles:test_frameless_files_stay()
  T.with_file(fleece.from_json "[1,2]", function(path)
    same(text_of(path), "[1,2]")
    T.raises_with("the file has no frame", fleece.open_file, path, { frame = "required" })
    local required = fleece.new { frame = "required" }
    T.raises_with("the file has no frame", required.open_file, path)
    T.raises_with("not opened from a file with a frame", fleece.open_file(path).append, fleece.open_file(path), print)
    T.raises_with("not opened from a file with a frame", fleece.open(fleece.pack {}).append, fleece.open(fleece.pack {}), print)
    fleece.compact(path)
    same(fleece.to_json(required.open_file(path)), "[1,2]")
  end)
end

-- What was checked when the file was opened is not checked again, however large: an amendment is written beside what
-- was damaged since. Each amendment without that knowledge would count the values of the whole document.
function TestFiles:test_append_checks_no_more()
  with_name(function(path)
    local list = {}
    for i = 1, 150000 do list[i] = { i, "x" } end
    fleece.save(path, { n = 0, list = list })
    local doc = fleece.open_file(path)
    lu.assertTrue(#doc.bytes > 1000000)
    local at = T.read_file(path):find("\1\65x", 1, true) or T.read_file(path):find("\65x", 1, true)
    local file = io.open(path, "r+b")
    file:seek("set", at - 1)
    file:write "\79\255"
    file:close()
    for n = 1, 4 do
      doc = doc:append(function(m) m.n = n end)
    end
    same(doc.root.n, 4)
    doc:close()
    T.raises_with("", fleece.open_file, path)
  end)
end

function TestFiles:test_append()
  with_name(function(path)
    fleece.save(path, { n = 1, list = { 1, 2, { x = "some text" } } })
    local first = fleece.open_file(path)
    local view = first.root.list
    local second = first:append(function(m) m.list[3].x = "other" end, { reuse_strings = true })
    same(second.root.list[3].x, "other")
    same(view[3].x, "some text", "who reads the old state keeps it")
    same(second:append(function() end), second, "nothing is written if nothing has changed")
    T.raises_with("it was changed since it was opened", first.append, first, function(m) m.n = 5 end)
    same(text_of(path), '{"list":[1,2,{"x":"other"}],"n":1}')
    T.raises_with("oh no", second.append, second, function() error "oh no" end)
    T.raises_with("document expected", second.append, {}, print)
    T.raises_with("function expected", second.append, second, 1)
    T.raises_with("option 'extern' has no effect", second.append, second, print, { extern = true })
    second:close()
    T.raises_with("closed", second.append, second, print)
    local read = fleece.open_file(path, { map = false })
    read = read:append(function(m) m.n = { 1, 2 } end, { sync = "folder" })
    same(fleece.to_json(read.root.n), "[1,2]")
    same(text_of(path), '{"list":[1,2,{"x":"other"}],"n":[1,2]}')
  end)
end

-- The first of two writers wins; the other one is told, and nothing is lost.
function TestFiles:test_two_writers()
  with_name(function(path)
    fleece.save(path, { n = 0 })
    local a, b = fleece.open_file(path), fleece.open_file(path)
    T.raises_with("open it again", b.append, b, function(m)
      m.n = 2
      a:append(function(other) other.n = 1 end)
    end)
    same(text_of(path), '{"n":1}')
    b = fleece.open_file(path)
    fleece.save(path, { n = 3 })
    T.raises_with("it is another file now", b.append, b, function(m) m.n = 4 end)
    same(text_of(path), '{"n":3}')
  end)
end

function TestFiles:test_shared_keys()
  with_name(function(path)
    local keys = fleece.keys()
    fleece.save(path, { name = "Ann", list = { { name = "Bob" } } }, { keys = keys })
    same(text_of(path), '{"list":[{"name":"Bob"}],"name":"Ann"}', "the file has the names")
    local doc = fleece.open_file(path)
    doc = doc:append(function(m) m.more = { age = 1, name = "new" } end)
    doc = doc:append(function(m) m.more.age = 2 end)
    same(doc.root.more.age, 2)
    same(text_of(path), '{"list":[{"name":"Bob"}],"more":{"age":2,"name":"new"},"name":"Ann"}')
    fleece.compact(path)
    same(text_of(path), '{"list":[{"name":"Bob"}],"more":{"age":2,"name":"new"},"name":"Ann"}')
    fleece.save(path, { 1 })
    fleece.compact(path, { keys = fleece.keys() })
    same(text_of(path), "[1]")
    fleece.save(path, { name = "Ann" }, { keys = keys })
    keys = fleece.keys()
    T.raises_with("'keys' has other names", fleece.open_file, path, { keys = keys })
    keys = fleece.keys(fleece.pack { "name", "list", "other" })
    fleece.save(path, { name = "Ann" }, { keys = fleece.keys(fleece.pack { "name" }) })
    same(text_of(path, { keys = keys }), '{"name":"Ann"}')
    lu.assertTrue(fleece.open_file(path, { keys = false }).size > 0)
  end)
end

-- Every cut is the state whose end it is, or an error that says where the file ends; recover gives the state before.
function TestFiles:test_every_cut()
  with_name(function(path)
    local ends = make_states(path)
    local bytes = T.read_file(path)
    for n = 1, #bytes do
      T.write_file(path, bytes:sub(1, n))
      local state, whole = 0, false
      for i, last in ipairs(ends) do
        if n >= last then state, whole = i, n == last end
      end
      local options = { map = n % 2 == 0 }
      local doc, message, at = safe.open_file(path, options)
      if whole then
        same(fleece.to_json(doc, { canonical = true }), STATES[state])
      else
        T.contains(message, "cut off")
        T.contains(message, path)
        same(at.byte, n + 1)
      end
      options.recover = true
      local again, why, dropped = safe.open_file(path, options)
      if state == 0 then
        same(again, nil)
      else
        same(fleece.to_json(again, { canonical = true }), STATES[state])
        same(dropped, not whole and n - ends[state] or nil)
        if not whole then T.contains(why, dropped .. " bytes at the end were left out: the file is cut off") end
      end
    end
  end)
end

-- A changed bit is an error; recover gives a state before it.
function TestFiles:test_every_bit()
  with_name(function(path)
    local ends = make_states(path)
    local bytes = T.read_file(path)
    for i = 1, #bytes do
      local bit = 2 ^ (i % 8)
      local byte = bytes:byte(i)
      local changed = math.floor(byte / bit) % 2 == 1 and byte - bit or byte + bit
      T.write_file(path, bytes:sub(1, i - 1) .. string.char(math.floor(changed)) .. bytes:sub(i + 1))
      local doc, message = safe.open_file(path, { map = i % 2 == 0 })
      same(doc, nil)
      T.contains(message, "at byte")
      local state = i > ends[2] and 2 or i > ends[1] and 1 or 0
      local again = safe.open_file(path, { recover = true })
      same(again and fleece.to_json(again, { canonical = true }), STATES[state])
    end
    T.write_file(path, bytes:sub(1, 60) .. "\255" .. bytes:sub(62))
    same(pcall(fleece.open_file, path, { verify = false, trusted = true }), true, "lengths and frames alone")
  end)
end

-- What a writer left that was killed before the last byte: the old state counts, and the next writer goes on.
function TestFiles:test_unfinished_amendment()
  with_name(function(path)
    local ends = make_states(path)
    local bytes = T.read_file(path)
    for n = ends[2] + 1, #bytes, 3 do
      T.write_file(path, bytes:sub(1, ends[2]) .. "\0" .. bytes:sub(ends[2] + 2, n))
      same(text_of(path), STATES[2])
      local doc, why, dropped = fleece.open_file(path, { recover = true })
      T.contains(why, "an amendment that was not finished")
      same(dropped, n - ends[2])
      doc:append(function(m)
        m.n = 3
        m.list[3].x = "text 3"
      end)
      same(T.read_file(path), bytes)
    end
  end)
end

function TestFiles:test_recover_and_compact()
  with_name(function(path)
    local ends = make_states(path)
    local bytes = T.read_file(path)
    T.write_file(path, bytes:sub(1, ends[3] - 1))
    T.raises_with("cut off", fleece.compact, path)
    same(T.read_file(path), bytes:sub(1, ends[3] - 1), "an error changes nothing")
    local doc = fleece.open_file(path, { recover = true })
    T.raises_with("is damaged: see fleece.compact", doc.append, doc, function(m) m.n = 9 end)
    local new, old = fleece.compact(path, { recover = true })
    same(new, #T.read_file(path))
    same(old, ends[3] - 1)
    same(text_of(path), STATES[2])
    T.fails_with("No such file", safe.compact, path .. ".not")
    T.raises_with("No such file", fleece.compact, path .. ".no/x")
  end)
end

-- A temporary file and a lock that a killed writer left: the next one removes both, and no other file.
function TestFiles:test_what_a_killed_writer_left()
  if package.config:sub(1, 1) == "\\" then return end
  with_name(function(path)
    fleece.save(path, { 1 })
    local folder = path:match "^(.*/)" or ""
    local left = ".fleece-0123456789abcdef0123456789abcdef.tmp"
    local other = path .. ".other"
    T.write_file(folder .. left, "half")
    T.write_file(other, "mine")
    T.write_file(path .. ".lock", left)
    fleece.save(path, { 2 })
    same(io.open(folder .. left), nil)
    T.write_file(path .. ".lock", other:sub(#folder + 1))
    fleece.save(path, { 3 })
    same(T.read_file(other), "mine")
    os.remove(other)
    same(text_of(path), "[3]")
  end)
end

-- /dev/full takes no byte.
function TestFiles:test_full_disk()
  local full = io.open("/dev/full", "r")
  if not full then return end
  full:close()
  T.fails_with("No space left", safe.write_file, "/dev/full", ("x"):rep(100000))
  T.fails_with("No space left", safe.save, "/dev/full", { ("x"):rep(100000) })
end

function TestFiles:test_large_documents()
  with_name(function(path)
    local list = {}
    for i = 1, 20000 do list[i] = { id = i, name = "name " .. i } end
    fleece.save(path, list)
    local doc = fleece.open_file(path)
    same(doc.root[777].name, "name 777")
    doc = doc:append(function(m) m[777].name = "other" end)
    same(doc.root[777].name, "other")
    same(fleece.open_file(path).root[20000].id, 20000)
    local bytes = T.read_file(path)
    T.write_file(path, bytes:sub(1, 100000) .. "#" .. bytes:sub(100002))
    T.raises_with("the document was changed: its checksum differs at byte 49", fleece.open_file, path)
  end)
end

function TestFiles:test_pipes()
  local there = io.open("/proc/self/fd/0")
  if not there then return end
  there:close()
  with_name(function(path)
    fleece.save(path, { 1, 2 })
    local pipe = io.popen(("cat '%s' | LUA_CPATH='%s' %s -e '%s' 2>&1"):format(path, package.cpath, arg[-1] or "lua",
      'print(require("fleece").to_json(require("fleece").open_file("/proc/self/fd/0", {frame = "required"})))'))
    same(pipe:read "*l", "[1,2]")
    pipe:close()
  end)
end
