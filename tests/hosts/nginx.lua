-- SPDX-License-Identifier: MIT
-- nginx.lua -- services for tests/hosts/nginx.py: fleece.info, decoding and encoding the body, sockets, long work.
local fleece = require "fleece"
local safe = require "fleece.safe"

local test = {}

function test.info()
  local info = fleece.info()
  info.worker = ngx.worker.pid()
  info.jit = jit.version
  info.null = fleece.null == ngx.null and require("fleece.cjson").null == ngx.null
  info.buffer = pcall(require, "string.buffer")
  ngx.print(fleece.encode(info))
end

local function body()
  ngx.req.read_body()
  return ngx.req.get_body_data()
end

function test.echo()
  local value, message = safe.decode(body())
  if value == nil then
    ngx.status = 400
    return ngx.print(message)
  end
  ngx.print(fleece.encode(value))
end

-- Decodes and encodes the body with `require "cjson"`, which the configuration may replace by Fleece's.
function test.cjson()
  local cjson = require "cjson"
  ngx.print(cjson.encode(cjson.decode(body())))
end

-- Is "cjson" Fleece's? Debian's lua-cjson does not have this function.
function test.which() ngx.print(tostring(require("cjson").encode_indent ~= nil)) end

-- Sends lines through a cosocket to a server that sends them back; encodes and decodes between waits.
function test.socket(each_line)
  local socket = ngx.socket.tcp()
  assert(socket:connect("127.0.0.1", tonumber(ngx.var.arg_port)))
  local count, sum = 0, 0
  for i = 1, 50 do assert(socket:send(fleece.encode { n = i, who = ngx.var.arg_who } .. "\n")) end
  assert(socket:send "end\n")
  assert(each_line(socket, function(value)
    if value.who == ngx.var.arg_who then count, sum = count + 1, sum + value.n end
  end))
  socket:close()
  ngx.print(fleece.encode { count, sum })
end

-- The results of each_line for the lines of a server, and the number of values.
function test.lines(each_line)
  local socket, count = ngx.socket.tcp(), 0
  assert(socket:connect("127.0.0.1", tonumber(ngx.var.arg_port)))
  local good, message = each_line(socket, function() count = count + 1 end)
  ngx.print(tostring(good), " ", tostring(message), " ", count)
end

-- A source that yields must give an error, not a crash, and the worker must keep running.
function test.yields()
  ngx.print(tostring(pcall(function()
    for _ in fleece.documents(function()
      ngx.sleep(0.001)
      return "[1]\n"
    end) do return end
  end)))
end

-- For the test of turns: a large value, and the number of pings that this worker served during work on it.
function test.long()
  local value = {}
  for i = 1, 100000 do value[i] = { id = i, name = "somebody", list = { 1, 2.5, true } } end
  return value, fleece.encode(value)
end

local pings = 0

function test.ping()
  pings = pings + 1
  ngx.print "pong"
end

function test.count_pings(work)
  local value, text = test.long()
  ngx.sleep(0.02) -- until pings arrive
  local before = pings
  work(value, text)
  ngx.print("pings=", pings - before)
end

return test
