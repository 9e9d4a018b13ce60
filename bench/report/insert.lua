-- SPDX-License-Identifier: MIT
-- insert.lua -- puts recorded results into the page that has their marker lines: insert.lua FILE NAME PAGE
package.path = (arg[0]:match "^(.*)/[^/]*$" or ".") .. "/../?.lua;" .. package.path
local file, name, page = assert(io.open(arg[1], "rb")), arg[2], arg[3]
local text = file:read "*a"
file:close()
require("report.markdown").replace(page, "<!-- recorded: " .. name .. ": begin -->", "<!-- recorded: " .. name .. ": end -->", text)
