-- SPDX-License-Identifier: MIT
-- files.lua -- what the program fleece reads and writes: standard streams and files, progress, error messages.
-- Must hold: runs on Lua 5.1 to 5.5 and LuaJIT, with nothing but their libraries and a POSIX shell. Data errors are
-- raised as tables with a message. A file that is written appears whole or not at all.

local M = {}

local PIECE, LINES, COLLECT = 256 * 1024, 1024 * 1024, 16 * 1024 * 1024

-- Ends the command: main reports the message as it is. Anything else that is raised is a defect, or memory.
function M.fail(message, ...)
  error({ message = select("#", ...) > 0 and message:format(...) or message }, 0)
end
local fail = M.fail

-- ------------------------------------------------------------------------------------- the system

-- Runs a shell command; its exit code, whatever this Lua's os.execute answers.
local function shell(command)
  local status, _, code = os.execute(command)
  if type(status) == "number" then return status >= 256 and math.floor(status / 256) or status end
  return code or 1
end

local function quoted(text) return "'" .. text:gsub("'", "'\\''") .. "'" end

-- Which of the standard streams is a terminal? Asked once, and only if it matters.
local terminals
function M.is_terminal(number)
  if not terminals then
    local bits = shell "b=0; test -t 0 && b=1; test -t 1 && b=$((b+2)); test -t 2 && b=$((b+4)); exit $b"
    terminals = { [0] = bits % 2 == 1, math.floor(bits / 2) % 2 == 1, math.floor(bits / 4) == 1 }
  end
  return terminals[number]
end

-- ------------------------------------------------------------------------------------- messages

function M.say(text)
  io.stderr:write("fleece: ", text, "\n")
end

-- "WHAT at line 3, column 7, byte 40 near 'x'" of a file as "FILE:3:7: WHAT near 'x'"; `lines` were before.
function M.located(name, message, lines)
  local what, line, column, near = message:match "^(.-) at line (%d+), column (%d+), byte %d+(.*)$"
  if not what then return name .. ": " .. message end
  return ("%s:%d:%s: %s%s"):format(name, tonumber(line) + (lines or 0), column, what, near)
end

-- What io functions say, without the name that some of them put before.
local function reason(name, message)
  message = message or "unknown reason"
  return message:sub(1, #name + 2) == name .. ": " and message:sub(#name + 3) or message
end
M.reason = reason

-- ------------------------------------------------------------------------------------- progress

local progress = { enabled = true }
M.progress = progress

-- Counts n more bytes of the input; once a second says how far it is.
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

function M.open(path)
  if path == "-" then return io.stdin, "standard input" end
  local file, message = io.open(path, "rb")
  if not file then fail("%s: %s", path, reason(path, message)) end
  return file, path
end

-- How many bytes the file has left, if it knows.
local function size_of(file)
  local at = file:seek()
  local size = at and file:seek "end"
  if not size then return nil end
  file:seek("set", at)
  return size > at and size - at or nil
end

-- Reads the file in pieces: blocks; single lines, so that nothing waits; or whole lines, many at once.
function M.reader(file, name, by)
  local old = _VERSION == "Lua 5.1" and not rawget(_G, "jit")
  local line = old and "*l" or "*L"
  local uncounted = 0 -- bytes of strings from read: the collector of Lua 5.5 does not count them
  progress:begin(name, size_of(file))
  return function()
    local piece, rest, message
    if uncounted > COLLECT then
      collectgarbage()
      uncounted = 0
    end
    if by == "line" then piece, message = file:read(line)
    elseif by == "lines" then piece, rest = file:read(LINES, line)
    else piece, message = file:read(PIECE) end
    if not piece and not message and by == "lines" then message = rest end
    if message then fail("%s: %s", name, reason(name, message)) end
    if not piece then return nil end
    if old and by == "line" then piece = piece .. "\n"
    elseif by == "lines" then piece = piece .. (rest or "") .. (old and "\n" or "") end
    progress:add(#piece)
    if _VERSION == "Lua 5.5" then uncounted = uncounted + #piece end
    return piece
  end
end

function M.close(file)
  progress:finish()
  if file ~= io.stdin then file:close() end
end

function M.read_all(path)
  local file, name = M.open(path)
  local pieces = {}
  for piece in M.reader(file, name) do pieces[#pieces + 1] = piece end
  M.close(file)
  return table.concat(pieces), name
end

-- ------------------------------------------------------------------------------------- output

local Output = {}
Output.__index = Output
local unfinished = {}

-- Leaves with 1 if a name leads to a stream of this process, as /dev/stderr does. It is no plain file then, whatever
-- it is open on: another process finds another thing behind the name, and a new file would not be what is open.
local TO_STREAM = [[p=%s; n=0
while [ -h "$p" ] && [ $n -lt 40 ]; do
  d=$(cd -- "$(dirname -- "$p")" && pwd -P)
  case $d/ in /dev/|/proc/*) exit 1;; esac
  t=$(readlink -- "$p")
  case $t in /*) p=$t;; *) p=$d/$t;; esac
  n=$((n + 1))
done
exit 0]]

-- The name that a plain file has, or would have, behind a symbolic link; nil: it is a device, a pipe or the like.
local function target_of(path)
  if shell("test -e " .. quoted(path)) == 0 and shell("test -f " .. quoted(path)) ~= 0 then return nil end
  if shell("test -h " .. quoted(path)) ~= 0 then return path end
  if shell((TO_STREAM:gsub("%%s", function() return quoted(path) end))) == 1 then return nil end
  local link = io.popen("readlink -f -- " .. quoted(path))
  local target = link and link:read "*l"
  if link then link:close() end
  return target
end

-- Opens what -o names: a temporary file beside it that takes its name at the end; or the thing itself where it is no
-- plain file (a device, a pipe).
function M.create(path)
  if not path or path == "-" or path == "/dev/stdout" then
    return setmetatable({ file = io.stdout, name = "standard output" }, Output)
  end
  local self = setmetatable({ name = path }, Output)
  local target = target_of(path)
  if target then
    local address = tostring(self):match "0x(%x+)" or ""
    self.target, self.temporary = target, ("%s.%x%s.tmp"):format(target, os.time(), address:sub(-6))
  end
  local file, message = io.open(self.temporary or path, "wb")
  if not file then fail("%s: %s", path, reason(self.temporary or path, message)) end
  self.file = file
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

-- All is written: only now the file gets its name.
function Output:finish()
  self:flush()
  if self.file == io.stdout then return end
  local fine, message = self.file:close()
  self.file = nil
  if fine and self.temporary then fine, message = os.rename(self.temporary, self.target) end
  if not fine then fail("%s: %s", self.name, reason(self.temporary or self.name, message)) end
  unfinished[self] = nil
end

-- After a failure: nothing half written stays.
function M.abandon()
  progress:finish()
  for self in pairs(unfinished) do
    if self.file then pcall(self.file.close, self.file) end
    if self.temporary then os.remove(self.temporary) end
  end
end

return M
