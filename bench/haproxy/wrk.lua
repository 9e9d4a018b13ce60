-- SPDX-License-Identifier: MIT
-- wrk.lua -- makes wrk send the bodies of the file $BODIES, one per line, in turn. Prints one line at the end.
local requests, at = {}, 0

function init()
  for body in io.lines(os.getenv "BODIES") do
    requests[#requests + 1] = wrk.format("POST", "/answer", { ["content-type"] = "application/json" }, body)
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local e = summary.errors
  io.write(("wrk %d %d %d %d %d\n"):format(summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), e.connect + e.read + e.write + e.status + e.timeout))
end
