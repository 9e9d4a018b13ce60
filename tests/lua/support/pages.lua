-- SPDX-License-Identifier: MIT
-- pages.lua -- the blocks of Lua in pages of the documents, as programs.

local lu = require "luaunit"

local pages = {}

function pages.read(path)
  local file = io.open(path, "r")
  if not file then lu.skip("no checkout: " .. path .. " is not here; run from the top of the repository") end
  local text = file:read("*a")
  file:close()
  return text
end

-- The blocks of Lua of a page, without those that are marked "not run". With a heading: those below it.
function pages.blocks_of(path, heading)
  local blocks, block, skip, here = {}, nil, false, heading == nil
  for line in (pages.read(path) .. "\n"):gmatch "(.-)\r?\n" do
    if block and line:match "^```" then
      if not skip and here then blocks[#blocks + 1] = table.concat(block, "\n") end
      block, skip = nil, false
    elseif block then
      block[#block + 1] = line
    elseif line == "```lua" then
      block = {}
    elseif line ~= "" then
      skip = line:match "^<!%-%- not run: " ~= nil
      if heading and line:match "^##+ " then here = line:match "^##+ (.*)$" == heading end
    end
  end
  return blocks
end

-- A block as a function; its top-level locals become fields of env.
function pages.load(block, path, env)
  local code = ("\n" .. block):gsub("\nlocal ", "\n")
  local chunk, message
  if setfenv then chunk, message = loadstring(code, "=page") else chunk, message = load(code, "=page", "t", env) end
  lu.assertNotNil(chunk, path .. ": " .. tostring(message))
  if setfenv then setfenv(chunk, env) end
  return chunk
end

return pages
