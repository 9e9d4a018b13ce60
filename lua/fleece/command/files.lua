-- SPDX-License-Identifier: MIT
-- files.lua -- input and output of the program fleece: standard streams and files, progress, error messages.
-- Must hold: runs on Lua 5.1 to 5.5 and LuaJIT, with only their libraries, fleece and fleece.program. Data errors are raised as
-- tables with a message. A written file appears complete or not at all.

local program = require "fleece.program"
local fleece = require "fleece.safe"

local M = { EXIT_FINE = 0, EXIT_NO = 1, EXIT_TROUBLE = 2 }

local PIECE, LARGE, START = 256 * 1024, 16 * 1024 * 1024, 4096
local MAP = 4 * 1024 * 1024 -- smaller files are read

local FAILURE = {}

-- Ends the command: main reports the message unchanged. Any other error is a bug, or out of memory.
function M.fail(message, ...)
  error(setmetatable({ message = select("#", ...) > 0 and message:format(...) or message }, FAILURE), 0)
end

function M.is_failure(it) return type(it) == "table" and getmetatable(it) == FAILURE end
local fail = M.fail

-- ------------------------------------------------------------------------------------- the system

M.is_terminal = program.is_terminal

-- Was all of standard output written? If not, returns nil and the reason.
function M.finish() return program.finish(io.stdout) end

-- ------------------------------------------------------------------------------------- messages

-- The options of the command as text, which bin/fleece sets when it knows the command.
function M.usage() return "" end

-- Returns the message with the command's own option in the hint at its end: "(comments = true allows it)" becomes
-- "(--comments allows it)". A hint of an option that the command does not have is left out.
local function with_own_hint(message)
  message = message:gsub(" max_(%l+) allows", " --max-%1 allows")
  if message:find "nesting too deep at byte %d+$" then message = message .. " (max_depth allows more)" end
  local start, hint = message:match "^(.*) %(([^()]+)%)$"
  local name, rest = (hint or ""):gsub("^fleece%.documents ", "lines "):match "^([%l%d_]+)(.*)$"
  if not rest or not (rest:find "allow" or rest:find "reads several") then return message end
  local option = "--" .. name:gsub("_", "-")
  if not M.usage():find(option, 1, true) then return start end
  return ("%s (%s%s)"):format(start, option, (rest:gsub("^ = true", ""):gsub("^ =", ""):gsub('"', "")))
end

function M.say(text)
  io.stderr:write("fleece: ", with_own_hint(text), M.hint or "", "\n")
end

-- What else files begin with that are taken for JSON: patterns, and what it is.
local FORMS = {
  { "^\31\139", "gzip data: gzip -dc reads it" }, { "^%(\181/\253", "zstd data: zstd -dc reads it" },
  { "^\2537zXZ", "xz data: xz -dc reads it" }, { "^BZh%d", "bzip2 data: bzip2 -dc reads it" }, { "^PK\3\4", "a ZIP archive" },
  { "^[ \t\r\n]*<[!?/%a]", "HTML or XML" }, { "^%%PDF%-", "PDF" },
  { "^[\129-\143][\160-\191\217]", "MessagePack" }, { "^\222..[\160-\191\217]", "MessagePack" },
  { "^[\145-\159][%z\1-\127\129-\143\145-\191]", "MessagePack" }, { "^\220%z?.[%z\1-\127\129-\191]", "MessagePack" },
  { "^[\161-\183][\96-\119]", "CBOR" },
  { "^%z", "a text after a zero byte, or binary data" },
}
local YAML = "YAML, which is not read: make JSON of it first"
for _, pattern in ipairs { "^%-%-%-[ \r\n]", "^%%YAML ", "^[%w_.-]+: *[^\n]*\n[%w_.-]+:[ \r\n]", "^[%w_.-]+:\r?\n[ -]" } do
  FORMS[#FORMS + 1] = { pattern, YAML }
end
local starts = {} -- the first bytes of files, by their names

-- Remembers the first bytes of a file that was read.
local function note_start(name, piece) starts[name] = starts[name] or piece:sub(1, START) end

-- A BSON document: its length, and an element: its type and name.
local function is_bson(start)
  local a, b, c, d, kind = start:byte(1, 5)
  if not kind or d >= 128 or kind < 1 or kind > 19 or not start:find("%z", 6) then return false end
  local length = a + 256 * (b + 256 * (c + 256 * d))
  return length == #start or (#start == START and length > START)
end

-- Returns " (this looks like HTML or XML)" for a file of that name that is neither JSON nor a document, or "".
function M.looks_like(name)
  local start = starts[name] or ""
  if is_bson(start) then return " (this looks like BSON)" end
  local form, has_mark = program.foreign_form(start)
  if form then
    return (" (the text is %s; JSON is UTF-8 (RFC 8259, 8.1); convert with iconv -f %s -t UTF-8)"):format(form,
      has_mark and form:sub(1, 6) or form)
  end
  for _, it in ipairs(FORMS) do
    if start:find(it[1]) then return " (this looks like " .. it[2] .. ")" end
  end
  return name:find "%.ya?ml$" and not start:find "^%s*[%[{\"]" and " (this looks like " .. YAML .. ")" or ""
end

-- Is a file of that name, which was read as a text, a Fleece document?
local function is_document(name)
  local start = starts[name] or ""
  if start:find "^%s*[%[{\"]" or not start:find "[^\t\r\n\32-\126]" then return false end
  return start:sub(1, 2) == "\143F" or name:find "%.fleece$" or #start < START and fleece.check(start)
end

-- Where a text is read in pieces, a message says which option may allow what follows. If that is known, returns the message
-- with the option that does, if one does.
local function with_exact_hint(name, message)
  local start, rest = starts[name] or "", message:match "^(.*) %([^()]* may allow it%)$"
  local byte = rest and tonumber(rest:match " byte (%d+)")
  if not byte or #start == START and byte > START - 256 then return message end
  local _, exact, failure = fleece.decode(start, M.reading)
  return failure and failure.byte == byte and rest .. (exact:match " %([^()]* allows it%)$" or "") or message
end

-- "WHAT at line 3, column 7, byte 40 near 'x'" of a file as "FILE:3:7: WHAT near 'x'", after `lines` earlier lines. For the
-- first line it also says what else than JSON the file is.
function M.located(name, message, lines)
  message = with_exact_hint(name, message)
  local what, line, column, near = message:match "^(.-) at line (%d+), column (%d+), byte %d+(.*)$"
  if not what then return name .. ": " .. message end
  local form = ""
  if (lines or 0) == 0 and not near:find("(the text is UTF-", 1, true) then
    form = is_document(name) and " (this is a Fleece document: fleece unpack makes JSON of it)" or M.looks_like(name)
  end
  return ("%s:%d:%s: %s%s%s"):format(name, tonumber(line) + (lines or 0), column, what, near, form)
end

-- The message of an io function, without the file name that some of them put before it.
local function reason(name, message)
  message = message or "unknown reason"
  return message:sub(1, #name + 2) == name .. ": " and message:sub(#name + 3) or message
end
M.reason = reason

-- ------------------------------------------------------------------------------------- progress

local progress = { enabled = true }
M.progress = progress

-- Counts n more bytes of the input; shows the progress once a second.
function progress:add(n)
  self.done = self.done + n
  local now = os.time()
  if now == self.last then return end
  self.last = now
  if self.shown == nil then
    self.shown = false
    self.wanted = self.enabled and M.is_terminal(2)
  end
  if not self.wanted or now - self.start < 2 then return end
  self.shown = true
  local rate = self.done / 1e6 / (now - self.start)
  local share = self.total and ("%3d %%  "):format(math.min(100, math.floor(100 * self.done / self.total))) or ""
  io.stderr:write(("\r\27[K%s%s%.0f MB  %.0f MB/s"):format(self.name, share, self.done / 1e6, rate))
end

function progress:begin(name, total)
  self.name, self.total, self.done = name .. ": ", total, 0
  self.start = os.time()
  self.last = self.start
end

function progress:finish()
  if self.shown then io.stderr:write "\r\27[K" end
  self.shown = nil
end

-- ------------------------------------------------------------------------------------- input

-- An open file that is read once: `file`, `path`, `name`, and `size`, the bytes that are left, if that is known. `unread`
-- is what start() has read of a pipe, and read again afterwards.
local Input = {}
Input.__index = Input

local stdin_is_open = false

-- Returns the number of bytes left in the file, if known: not of a pipe, nor of the files of /proc.
local function size_of(file)
  local at = file:seek()
  local size = at and file:seek "end"
  if not size then return nil end
  file:seek("set", at)
  return size > at and size < 2^53 and size - at or nil -- that of a folder is 2^63 - 1
end

-- Opens a file. A missing one is nil if `may_miss`.
function M.open(path, may_miss)
  local self = setmetatable({ path = path, name = path == "-" and "standard input" or path, unread = "" }, Input)
  if path == "-" or path == "/dev/stdin" then -- which cannot be opened if it is a socket
    if stdin_is_open then fail "standard input can be read only once" end
    stdin_is_open = true
    self.file = io.stdin
  else
    local file, message, code = io.open(path, "rb")
    if not file and may_miss and code == 2 then return nil end -- ENOENT
    if not file then fail("%s: %s", path, reason(path, message)) end
    self.file = file
  end
  self.size = size_of(self.file)
  return self
end

-- Ends the command because the file cannot be read.
function Input:trouble(message) fail("%s: %s", self.name, reason(self.path, message)) end

-- Can its path be opened once more, to read the same bytes?
function Input:is_plain() return self.size ~= nil and self.file ~= io.stdin end

-- Returns the first bytes of what was not read yet.
function Input:start()
  local at = self.file:seek()
  local start, message = program.read(self.file, START)
  if message then self:trouble(message) end
  if not (self.size and self.file:seek("set", at)) then self.unread = start or "" end
  note_start(self.name, start or "")
  return start or ""
end

-- Returns a reader of its pieces: blocks; single lines, to process each at once (not after start()); or many complete
-- lines.
function Input:reader(by)
  local most = by == "line" and 0 or PIECE
  progress:begin(self.name, self.size)
  return function()
    local ahead, piece, message = self.unread, nil, nil
    self.unread = ""
    if ahead == "" or by then piece, message = program.read(self.file, most, by) end
    if message then self:trouble(message) end
    piece = ahead .. (piece or "")
    if piece == "" then return nil end
    progress:add(#piece)
    note_start(self.name, piece)
    return piece
  end
end

function Input:close()
  progress:finish()
  if self.file ~= io.stdin and not self.is_closed then self.file:close() end
  self.is_closed = true
end

-- Returns what is left as a program.text, which has it in memory once; read in pieces of so many bytes.
function Input:read_block(most)
  local text = program.text(self.size)
  text:set(self.unread)
  progress:begin(self.name, self.size)
  while true do
    local n, message = text:read(self.file, most)
    if message then self:trouble(message) end
    if n == 0 then break end
    progress:add(n)
  end
  note_start(self.name, text:sub(1, START))
  return text
end

-- Returns all of its bytes, and closes it.
function Input:read_all()
  if not self.bytes then
    local text = self:read_block(PIECE)
    local fine, bytes = pcall(text.sub, text, 1, #text)
    text:close()
    if not fine then self:trouble(bytes) end -- longer than a string of this Lua can be
    self.bytes = bytes
  end
  self:close()
  return self.bytes
end

-- Returns a large file as a program.text that is mapped, of which only what is being read is in memory; nil if it is
-- small, a pipe, or was read from.
function Input:map()
  return self.size and self.size >= MAP and self.file:seek() == 0 and program.map(self.file) or nil
end

-- The same as a program.text, which has the bytes in memory once.
function Input:read_text()
  local text = not self.bytes and (self:map() or self:read_block(LARGE))
  if not text then
    text = program.text()
    text:set(self.bytes)
  end
  note_start(self.name, text:sub(1, START))
  self:close()
  return text
end

-- Returns the bytes of a file, and its name.
function M.read_all(path)
  local input = M.open(path)
  return input:read_all(), input.name
end

function M.exists(path)
  local file = io.open(path, "rb")
  if file then file:close() end
  return file ~= nil
end

-- Returns a reader of the pieces of a text, like that of a file.
function M.pieces(text, name)
  local at = 1
  progress:begin(name, #text)
  return function()
    if at > #text then return nil end
    local piece = text:sub(at, at + PIECE - 1)
    at = at + PIECE
    progress:add(#piece)
    return piece
  end
end

-- ------------------------------------------------------------------------------------- output

local Output = {}
Output.__index = Output
local unfinished = {}

-- Opens a temporary file in the folder of the file that -o names; it gets that name at the end. If -o names a device
-- or a pipe, opens that directly. If the program ends before, by an error or a signal, nothing has changed.
function M.create(path)
  if not path or path == "-" or path == "/dev/stdout" then
    return setmetatable({ file = io.stdout, name = "standard output" }, Output)
  end
  local file, message = program.create(path)
  if not file then fail("%s: %s", path, message) end
  local self = setmetatable({ file = file, name = path }, Output)
  unfinished[self] = true
  return self
end

function Output:write(text)
  local fine, message = self.file:write(text)
  if not fine then fail("%s: %s", self.name, message) end
end

function Output:flush()
  local fine, message = self.file:flush()
  if not fine then fail("%s: %s", self.name, message) end
end

-- Called after all output is written: gives the file its name.
function Output:finish()
  if self.file == io.stdout then return self:flush() end
  local fine, message = self.file:commit()
  unfinished[self] = nil
  if not fine then fail("%s: %s", self.name, message) end
end

-- Removes the temporary file.
function Output:abort()
  self.file:abort()
  unfinished[self] = nil
end

-- Called after a failure: removes the temporary files.
function M.abandon()
  progress:finish()
  for self in pairs(unfinished) do self.file:abort() end
end

return M
