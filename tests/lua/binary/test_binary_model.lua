-- SPDX-License-Identifier: MIT
-- test_binary_model.lua -- the module compared with tests/model, a slow model in Python: its generator writes random
-- valid and invalid documents, with the expected results. Skipped without python3. FLEECE_TEST_ROUNDS,
-- FLEECE_TEST_SEED: see support.lua.
-- runs: in one Lua

local T = require "support"
local B = require "binary"
local lu, fleece, same = T.lu, T.fleece, T.same

TestBinaryModel = {}

local count = T.rounds(30) -- from each seed

local made -- the generator's output by name: lists of cases
local function lines_of(name)
  if not made then
    local function succeeds(command)
      local ok = os.execute(command)
      return ok == true or ok == 0
    end
    if not succeeds "command -v python3 >/dev/null 2>&1" then lu.skip "not installed: python3" end
    T.tell_seeds()
    made = { encode = {}, validate = {} }
    for _, seed in ipairs { T.fixed_seed, T.seed } do
      local folder = os.tmpname()
      os.remove(folder)
      if not succeeds(("python3 '%s/../model/generate.py' %d %d '%s' 2>/dev/null"):format(T.tests, seed,
        count, folder)) then
        lu.fail("the generator has failed; repeat: " .. T.repeat_command "test_binary_model")
      end
      for kind, lines in pairs(made) do
        local file = folder .. "/" .. kind .. ".jsonl"
        for line in io.lines(file) do lines[#lines + 1] = line end
        os.remove(file)
      end
      os.remove(folder)
    end
  end
  same(#made[name], 2 * count, "lines of " .. name)
  local lines = {}
  for i, line in ipairs(made[name]) do lines[i] = fleece.decode(line) end
  return lines
end

local function fail_at(line, message)
  lu.fail(("%s\n%s\nrepeat: %s"):format(message, fleece.encode(line):sub(1, 1500),
    T.repeat_command "test_binary_model"))
end

function TestBinaryModel:test_random_encode()
  for _, line in ipairs(lines_of "encode") do
    local json, want = B.text_of(line, "json"), B.text_of(line, "tojson")
    for _, codec in ipairs(B.codecs) do
      local bytes = codec.from_json(json, { mode = "compatible" })
      if B.hex(bytes) ~= line.fleece_hex then fail_at(line, "bytes: " .. B.hex(bytes):sub(1, 1000)) end
      same(codec.check(bytes), true)
      local issues = table.concat(line.issues, " ")
      local infinite = issues:find("non_finite", 1, true)
      if infinite then
        T.raises_with("number", codec.to_json, bytes)
        T.raises_with("too large", codec.from_json, json)
      else
        if codec.to_json(bytes) ~= B.our_text(want) then
          fail_at(line, "text: " .. codec.to_json(bytes):sub(1, 1000))
        end
        local compact = codec.from_json(json)
        same(codec.check(compact), true)
        -- Of duplicate names, compact documents keep the last value; for the reference, -0 is an integer.
        if not issues:find "duplicate_key" and not json:find "%-0[^%d.eE]" and not json:find "%-0$" then
          same(codec.to_json(compact), codec.to_json(bytes), json:sub(1, 200))
        end
      end
      if line.shared_hex then
        local keys = codec.keys()
        local shared = codec.from_json(json, { mode = "compatible", keys = keys })
        if B.hex(shared) ~= line.shared_hex then fail_at(line, "shared keys: " .. B.hex(shared)) end
        if B.hex(keys:save()) ~= line.state_hex then fail_at(line, "state: " .. B.hex(keys:save())) end
        if not infinite then
          same(codec.to_json(shared, { keys = keys, canonical = true }), codec.to_json(bytes, { canonical = true }),
            json:sub(1, 200))
        end
      end
    end
  end
end

-- Questions that the specification leaves open, and that Fleece decides like the model.
local decided = {}
-- Fleece's check is stricter than the model: its reason, and the issue that the model names (true: none).
local ours = { ["not in order"] = "unsorted_keys", ["too many parents"] = "parent_key", ["shared too often"] = true }

function TestBinaryModel:test_random_validate()
  local agreed, open = 0, 0
  for _, line in ipairs(lines_of "validate") do
    local issues, skip = {}, false
    for _, issue in ipairs(line.issues) do issues[issue] = true end
    for _, question in ipairs(line.unclear) do skip = skip or not decided[question] end
    skip = skip or line.why == "overlapping collections" -- Fleece allows collections inside the items of others
    local bytes = B.unhex(line.hex)
    for _, codec in ipairs(B.codecs) do
      local ok, message = codec.check(bytes, { max_depth = 10000, keys = false })
      if skip then
        open = open + 1
      else
        local stricter = false
        for reason, issue in pairs(ours) do
          if not ok and message:find(reason, 1, true) and (issue == true or issues[issue]) then stricter = true end
        end
        if (ok == true) ~= line.valid and not stricter then fail_at(line, "verdict: " .. tostring(message or ok)) end
        agreed = agreed + 1
      end
      if ok then
        local fine, json = pcall(codec.to_json, bytes, { invalid_utf8 = "pass" })
        if not fine then
          if not (issues.int_key or issues.non_finite or skip) then fail_at(line, "text: " .. tostring(json)) end
        elseif not skip and line.valid and not issues.undefined and not issues.reserved_bits and
          B.text_of(line, "json") and json ~= B.our_text(B.text_of(line, "json")) then
          fail_at(line, "text: " .. json:sub(1, 1000))
        end
        fleece.open(bytes, { max_depth = 10000, keys = false })
      end
    end
  end
  lu.assertTrue(agreed > open, "too few lines are clear")
end
