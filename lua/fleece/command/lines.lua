-- SPDX-License-Identifier: MIT
-- lines.lua -- files with one document per line; output that is written in large pieces.
-- Must hold: as files.lua.

local files = require "fleece.command.files"
local fail, located = files.fail, files.located

-- Reports an error of line `number`, counted from 0; without --keep-going it ends the command.
local function bad_line(name, message, number, args, done)
  local text = located(name, message, number)
  if text == name .. ": " .. message then text = ("%s:%d: %s"):format(name, number + 1, message) end
  if not args.keep_going then
    done()
    fail(text)
  end
  if not args.quiet then files.say(text) end
end

-- Calls work(line, line_end, number, name) for each line of a file, and done() when the lines that were read so far are
-- processed. `work` returns nothing, or an error, which does not count if the line is blank. Returns how many are bad.
-- `its`, if any, processes lines itself: its.lines(piece, at, bad) -> at, lines: as many as it can; for a bad one it calls
-- bad(number, message), where 0 is the line at `at`. its.begin(input), if any, comes first.
local function each_line(path, args, work, done, its)
  local input = files.open(path)
  local skip = its and its.lines
  if its and its.begin then its.begin(input) end
  local name, number, bad = input.name, 0, 0
  local function bad_after(lines, message)
    bad_line(name, message, number + lines, args, done)
    bad = bad + 1
  end
  for piece in input:reader(args.unbuffered and "line" or "lines") do
    local at, length = 1, #piece
    while at <= length do
      if skip then
        local lines
        at, lines = skip(piece, at, bad_after)
        number = number + lines
        if at > length then break end
      end
      local stop = piece:find("\n", at, true)
      local line = piece:sub(at, (stop or length + 1) - 1)
      local message = work(line, stop and "\n" or "", number, name)
      if message and line:find "[^ \t\r\n]" then
        bad_line(name, message, number, args, done)
        bad = bad + 1
      end
      number = number + 1
      at = (stop or length) + 1
    end
    done()
  end
  input:close()
  if bad > 0 and not args.quiet then
    files.say(("%s: %d bad %s skipped"):format(name, bad, bad == 1 and "line" or "lines"))
  end
  return bad
end

local MOST = 4096 -- pieces of output in memory

-- Returns a function that adds text to an output, and one that writes what was added.
local function buffered(output, args)
  local pieces, n = {}, 0
  local function done()
    if n > 0 then output:write(table.concat(pieces, "", 1, n)) end
    if args.unbuffered then output:flush() end
    n = 0
  end
  return function(text)
    n = n + 1
    pieces[n] = text
    if n == MOST then done() end
  end, done
end

return {
  each_line = each_line,
  buffered = buffered,
}
