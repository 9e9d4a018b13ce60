-- SPDX-License-Identifier: MIT
-- test_docs.lua -- the examples of the documents give the results that they show: each block is a program, and what it
-- prints is what stands after its --> in the same order. Error messages have no position at their beginning.
-- runs: in one layout

local lu = require "luaunit"
local pages = require "pages"
local read = pages.read

TestDocs = {}

-- Runs the blocks of a page in order; top-level locals stay for the next blocks. Files in /tmp get names of their own.
-- Returns how many lines were compared.
local function run_programs(path)
  local checked, wrong, own = 0, {}, os.tmpname()
  local files = { own }
  local printed
  local function keep_line(line) printed[#printed + 1] = line end
  local env = setmetatable({ print = function(...)
    local words = {}
    for i = 1, select("#", ...) do words[i] = tostring((select(i, ...))) end
    local text = table.concat(words, " "):gsub("page:%d+: ", ""):gsub(own:gsub("%p", "%%%0") .. "%-", "/tmp/")
    text = (text .. "\n"):gsub("(.-)\n", keep_line)
  end }, { __index = _G })
  for _, block in ipairs(pages.blocks_of(path)) do
    printed = {}
    local wanted = {}
    for text in block:gmatch "%-%-> ?([^\n]*)" do wanted[#wanted + 1] = text end
    local code = block:gsub('"/tmp/([^"]*)', function(name)
      files[#files + 1] = own .. "-" .. name
      return '"' .. files[#files]
    end)
    local ok, failure = pcall(pages.load(code, path, env))
    if not ok then printed[#printed + 1] = tostring(failure) end
    local got = table.concat(printed, "\n")
    if got ~= table.concat(wanted, "\n") then wrong[#wrong + 1] = ("%s\n%s\n-- printed:\n%s"):format(path, block, got) end
    checked = checked + #wanted
  end
  lu.assertEquals(table.concat(wrong, "\n\n"), "")
  for _, file in ipairs(files) do os.remove(file) end
  return checked
end

function TestDocs:test_readme()
  lu.assertTrue(run_programs "README.md" >= 8, "the README shows too little")
end

-- The pages of docs/*/*.md, which are all in the site's navigation (tests/check/site.sh).
function TestDocs:test_pages()
  local pages, checked = 0, 0
  for page in read("site/mkdocs.yml"):gmatch "[%-:] (%l+/[%w-]+%.md)" do
    assert(io.open("docs/" .. page)):close() -- not skipped
    pages, checked = pages + 1, checked + run_programs("docs/" .. page)
  end
  lu.assertTrue(pages >= 15, "the pages of the site are not found")
  lu.assertTrue(checked >= 200, "the pages show too little")
end

-- Pages of docs/ that are run as programs, and how many lines they print at least.
local PROGRAMS = {
  ["docs/binary.md"] = 35, ["docs/files.md"] = 7, ["docs/query.md"] = 11, ["docs/patch.md"] = 8, ["docs/unfinished.md"] = 9,
  ["docs/luajson.md"] = 7, ["docs/json4lua.md"] = 6, ["docs/schema.md"] = 15, ["docs/jsonschema.md"] = 6,
  ["docs/numbers.md"] = 2, ["docs/tokens.md"] = 5, ["docs/width.md"] = 2,
  ["docs/canonical.md"] = 4, ["docs/events.md"] = 3, ["docs/lossless.md"] = 0,
}

function TestDocs:test_programs()
  for path, least in pairs(PROGRAMS) do lu.assertTrue(run_programs(path) >= least, path .. " shows too little") end
end

-- The reference has an entry for each function and field, and no other; each is in an example, which test_pages runs.
function TestDocs:test_reference()
  local entries, fleece, page = {}, require "fleece", read "docs/reference/functions.md"
  local examples = ""
  for block in page:gmatch "```lua\n(.-)```" do examples = examples .. block end
  for name in page:gmatch "\n### fleece%.([%w_]+)\n" do
    lu.assertNotNil(fleece[name], "there is no fleece." .. name)
    lu.assertStrMatches(examples, ".*fleece%." .. name .. "%f[^%w_].*", nil, nil, "no example has fleece." .. name)
    entries[name] = true
  end
  for name in pairs(fleece) do
    lu.assertTrue(entries[name] or name:sub(1, 1) == "_", "docs/reference/functions.md has no entry: ### fleece." .. name)
  end
end

-- The type definitions for editors have each function and field, and no other function.
function TestDocs:test_types()
  local text = read "types/fleece.lua"
  for name, value in pairs(require "fleece") do
    if type(value) == "function" then
      lu.assertStrContains(text, "\nfunction fleece." .. name .. "(", false, name .. " has no type")
    else
      lu.assertStrContains(text, "---@field " .. name .. " ", false, name .. " has no type")
    end
  end
  for _, path in ipairs { "types/fleece.lua", "types/fleece/safe.lua" } do
    for module, name in read(path):gmatch "\nfunction (%a+)%.([%w_]+)%(" do
      local real = require(module == "safe" and "fleece.safe" or "fleece")[name]
      lu.assertIsFunction(real, path .. ": there is no " .. name)
    end
    lu.assertNotNil((loadstring or load)(read(path)), path)
  end
end

-- ------------------------------------------------------------------------------------- docs/format.md

local fleece = require "fleece"

local function bytes_of(digits)
  return (digits:gsub("%s", ""):gsub("%x%x", function(byte) return string.char(tonumber(byte, 16)) end))
end

local function hex(bytes)
  return (bytes:gsub(".", function(byte) return ("%02x"):format(byte:byte()) end))
end

local AMENDED = '{"name":"Bob","age":42,"tags":["one","two"],"addr":{"city":"Paris"},"x":1,"y":2}'

-- Checks of each kind of block; the arguments are the left and the right column of a line.
local BLOCKS = {}

function BLOCKS.bytes(text, digits)
  lu.assertEquals(hex(fleece.from_json(text, { mode = "compatible" })), hex(bytes_of(digits)), text)
  lu.assertEquals(fleece.check(bytes_of(digits)), true, text)
end

function BLOCKS.compact(text, digits)
  lu.assertEquals(hex(fleece.from_json(text)), hex(bytes_of(digits)), text)
  lu.assertEquals(fleece.check(bytes_of(digits)), true, text)
end

function BLOCKS.json(digits, text)
  lu.assertEquals(fleece.to_json(bytes_of(digits)), text, digits)
end

function BLOCKS.bad(digits, wanted)
  local fine, message = fleece.check(bytes_of(digits))
  lu.assertNil(fine, digits)
  lu.assertEquals(message, wanted, digits)
end

-- The first frame, or that of the amendment after it; a file whose frame has these bytes opens.
function BLOCKS.frame(what, digits)
  local path = os.tmpname()
  local doc = { { fleece.save(path, fleece.from_json('{"x":1}', { mode = "compatible" })) }, fleece.open_file(path) }
  doc[2]:append(function(m) m.x = 2 end)
  local file = assert(io.open(path, "rb"))
  local bytes = file:read "*a"
  file:close()
  os.remove(path)
  local from = what == "x=2" and 57 or 1
  lu.assertEquals(hex(bytes:sub(from, from + 47)), hex(bytes_of(digits)), what)
  lu.assertEquals(bytes:sub(-8), bytes_of "7001 4178 0002 8003")
end

function BLOCKS.amend(what, digits)
  local name, value = what:match("^(%w+)=(%d+)")
  local doc = fleece.open(fleece.from_json(AMENDED, { mode = "compatible" }))
  local is_extern = what:find("extern", 1, true) ~= nil
  local bytes = doc:amend(function(m) m[name] = tonumber(value) end,
    { reuse_strings = what:find("reuse_strings", 1, true) ~= nil, extern = is_extern })
  lu.assertEquals(hex(bytes), hex(bytes_of(digits)), what)
  local amended = is_extern and fleece.open(bytes, { base = doc }) or fleece.open(doc.bytes .. bytes)
  lu.assertEquals(amended:get(name), tonumber(value))
  lu.assertEquals(amended:get("tags", 2), "two")
end

function TestDocs:test_format()
  local checked = 0
  for kind, block in read("docs/format.md"):gmatch("```(%w+)\n(.-)```") do
    lu.assertNotNil(BLOCKS[kind], kind)
    for line in block:gmatch("[^\n]+") do
      local left, right = line:match("^(.-)%s%s%s+(.*)$")
      lu.assertNotNil(left, line)
      BLOCKS[kind](left, right)
      checked = checked + 1
    end
  end
  lu.assertTrue(checked >= 35, "docs/format.md shows too little")
end
