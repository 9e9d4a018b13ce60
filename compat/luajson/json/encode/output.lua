-- SPDX-License-Identifier: MIT
-- output.lua -- json.encode.output of LuaJSON: values of encode's option `output`; see docs/luajson.md.
local complete = require("json.encode.output_utility").prepareEncoder

local function collect(code, open, close, separator, composite, encode, state)
  local parts = {}
  complete(collect, code, separator, "ret[#ret + 1] = %VALUE%", "")(composite, parts, encode, state)
  return open .. table.concat(parts, separator) .. close
end

local function getDefault() return { composite = collect } end

-- An output that writes to the file, by default io.output() at each call; encode returns nothing then.
local function getIoWriter(given)
  return function()
    local file = given or io.output()
    local function composite(code, open, close, separator, value, encode, state)
      state.file = file
      file:write(open)
      complete(getIoWriter, code, separator, "state.file:write(%VALUE%)",
        "if %WRITE_INNER% then state.file:write(%INNER_VALUE%) end")(value, {}, encode, state)
      file:write(close)
    end
    return { composite = composite, simple = function(text) if text then file:write(text) end end }
  end
end

return { getDefault = getDefault, getIoWriter = getIoWriter }
