-- SPDX-License-Identifier: MIT
-- host.lua -- describes the machine, the commit and the tools of a measurement.

local function output(command)
  local pipe = io.popen(command .. " 2>/dev/null")
  local line = pipe and pipe:read("*l")
  if pipe then pipe:close() end
  return line and line ~= "" and line or "unknown"
end

local function cpu()
  local f = io.open("/proc/cpuinfo")
  local text = f and f:read("*a") or ""
  if f then f:close() end
  local name = text:match("model name%s*:%s*([^\n]+)") or output("sysctl -n machdep.cpu.brand_string")
  return (name:gsub("%s+", " "))
end

-- `root` is the repository, `interpreter` the program that runs this script.
return function(root, interpreter)
  local system = "cd '" .. root .. "' && git "
  local commit = output(system .. "rev-parse --short=10 HEAD")
  local changes = output(system .. "status --porcelain --untracked-files=no -- src")
  if commit ~= "unknown" and changes ~= "unknown" then commit = commit .. "+" end
  local version = type(jit) == "table" and jit.version or output("(" .. interpreter .. " -v 2>&1)")
  return {
    date = os.date("!%Y-%m-%dT%H:%MZ"),
    commit = commit,
    machine = output("uname -m"),
    cores = output("getconf _NPROCESSORS_ONLN"),
    cpu = cpu(),
    kernel = output("uname -sr"),
    compiler = output((os.getenv("CC") or "cc") .. " --version"),
    runtime_version = version:match("^(Lua%S* [%w.%-]+)") or version,
  }
end
