-- SPDX-License-Identifier: MIT
-- ndjson.lua -- reads documents one by one, from files of any size:
--   lua examples/ndjson.lua [FILE]     without FILE it uses generated lines

local fleece = require "fleece"

local source
if arg[1] then
  source = assert(io.open(arg[1], "rb"))
else
  local n = 0
  source = function() -- pieces can be cut anywhere
    n = n + 1
    if n <= 5 then return ('{"n":%d,"sq'):format(n) .. ('uare":%d}\n'):format(n * n) end
  end
end

local count = 0
for value, place in fleece.documents(source, { max_bytes = 1000000 }) do -- a longer document is an error
  count = count + 1
  if count <= 5 then print(place, fleece.encode(value)) end
end
print(count .. " documents")
