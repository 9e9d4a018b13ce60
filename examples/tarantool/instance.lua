-- SPDX-License-Identifier: MIT
-- instance.lua -- one of a replica set of three: tarantool instance.lua NUMBER [FOLDER [PORT]]. Number 1 is written to.
-- FOLDER/NUMBER has its data and a socket for the console; PORT is that of number 1.

local fio = require "fio"
local number, folder, port = tonumber(arg[1]), arg[2] or "/tmp/orders", tonumber(arg[3] or 3301)
local home = fio.pathjoin(folder, tostring(number))
package.path = fio.dirname(fio.abspath(arg[0])) .. "/?.lua;" .. package.path
fio.mktree(home)

local all = {}
for i = 1, 3 do all[i] = "replicator:secret@127.0.0.1:" .. port + i - 1 end
local is_new = #fio.glob(fio.pathjoin(home, "*.snap")) == 0
box.cfg {
  listen = "127.0.0.1:" .. port + number - 1,
  work_dir = home,
  read_only = number ~= 1,
  replication = all,
  replication_connect_quorum = is_new and 3 or 1, -- all three to begin with; later one can start without the others
  replication_timeout = 1,
  log = "instance.log",
}

orders = require "orders"
if number == 1 then
  box.once("replicator", function()
    box.schema.user.create("replicator", { password = "secret" })
    box.schema.user.grant("replicator", "replication")
  end)
  orders.create()
  orders.guard()
end
require("console").listen "unix/:./control"
