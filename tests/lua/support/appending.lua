-- SPDX-License-Identifier: MIT
-- appending.lua -- a program for test_files_killed.lua: appends to the file that its argument names, until it is killed.
-- Each state is an array of equal numbers: a third state would have others. With "save" it replaces the file instead.

local fleece = require "fleece"
local path, way = arg[1]:match "^([^,]*),?(.*)$"
io.stdout:setvbuf "no"
print "begun"
local doc = way ~= "save" and fleece.open_file(path)
local n = way == "save" and 0 or doc.root[1]
while true do
  n = n + 1
  if way == "save" then
    local list = {}
    for i = 1, 50 do list[i] = n end
    fleece.save(path, list, { sync = "none" })
  else
    doc = doc:append(function(m)
      for i = 1, 50 do m[i] = n end
    end, { sync = "none", wait = 0 })
    if n % 40 == 0 then
      fleece.compact(path, { sync = "none", wait = 0 })
      doc = fleece.open_file(path)
    end
  end
end
