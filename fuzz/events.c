/* SPDX-License-Identifier: MIT
** events.c -- libFuzzer target: server-sent events, in a real Lua. The first byte selects the size of the pieces
** and options, the rest is the stream.
** In pieces it has the same events, or the same error, as in one string; and those that a reader in Lua finds, line by
** line in the whole stream.
** Build: make build/tests/fuzz/events */
/* clang-format off */
static const char script[] =
    "local fleece = ...\n"
    "local sets = { { raw = true }, {}, { partial = true }, { partial = true, unfinished = true, layout = 'api' }, { max_bytes = 20 }, { done = 'x', raw = true } }\n"
    "local function shown(...)\n"
    "  local t = { ... }\n"
    "  for i = 1, select('#', ...) do\n"
    "    local v = t[i]\n"
    "    t[i] = type(v) == 'table' and fleece.encode(v, { sort_keys = true }) or tostring(v)\n"
    "  end\n"
    "  return table.concat(t, ' ')\n"
    "end\n"
    "local function read(source, options)\n"
    "  local list = {}\n"
    "  local ok, message = pcall(function()\n"
    "    for value, name, id, state, time in fleece.events(source, options) do list[#list + 1] = shown(value, name, id, state, time) end\n"
    "  end)\n"
    "  list[#list + 1] = ok and '' or message:gsub(\" near '.*', in\", ' in'):gsub(\" near '.*'$\", '')\n"
    "  return table.concat(list, '\\n')\n"
    "end\n"
    "local function by_lines(stream)\n"
    "  local list, data, name, id, time = {}, nil, nil, nil, nil\n"
    "  stream = stream:gsub('^\\239\\187\\191', ''):gsub('\\r\\n', '\\n'):gsub('\\r', '\\n')\n"
    "  for line in stream:gmatch '([^\\n]*)\\n' do\n"
    "    if line == '' then\n"
    "      if data then list[#list + 1] = shown(data, name or 'message', id, 'complete', time) end\n"
    "      data, name = nil, nil\n"
    "    elseif line:sub(1, 1) ~= ':' then\n"
    "      local field, value = line, ''\n"
    "      local colon = line:find(':', 1, true)\n"
    "      if colon then field, value = line:sub(1, colon - 1), line:sub(colon + 1):gsub('^ ', '') end\n"
    "      if field == 'data' then data = data and data .. '\\n' .. value or value end\n"
    "      if field == 'event' then name = value ~= '' and value or nil end\n"
    "      if field == 'id' and not value:find('\\0', 1, true) then id = value ~= '' and value or nil end\n"
    "      if field == 'retry' and value:find '^%d%d?%d?%d?$' then time = tonumber(value)\n"
    "      elseif field == 'retry' and value:find '^%d+$' then return nil end\n"
    "    end\n"
    "  end\n"
    "  list[#list + 1] = ''\n"
    "  return table.concat(list, '\\n')\n"
    "end\n"
    "local function pieces(stream, size)\n"
    "  local at = 1\n"
    "  return function()\n"
    "    at = at + size\n"
    "    if at - size <= #stream then return stream:sub(at - size, at - 1) end\n"
    "  end\n"
    "end\n"
    "return function(data)\n"
    "  local byte, stream = data:byte(1) or 0, data:sub(2)\n"
    "  local size, i = byte % 16 + 1, math.floor(byte / 16) % #sets + 1\n"
    "  local whole, parts = read(stream, sets[i]), read(pieces(stream, size), sets[i])\n"
    "  if whole ~= parts then error(('set %d: %q / %q'):format(i, whole, parts)) end\n"
    "  local wanted = i == 1 and by_lines(stream)\n"
    "  if wanted and wanted ~= whole then error(('%q / %q'):format(whole, wanted)) end\n"
    "end\n";
/* clang-format on */

enum { OPTION_BYTES = 1 };

#include "lua_target.h"
