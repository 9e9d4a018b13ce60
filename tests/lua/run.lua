-- SPDX-License-Identifier: MIT
-- run.lua -- runs the tests: lua tests/lua/run.lua [test_values.lua test_numbers ...] [luaunit options]
-- Without names every test_*.lua beside this file runs. The module is found as any other (LUA_CPATH).
-- Leaves with 1 when anything fails. FLEECE_TEST_SECONDS, FLEECE_TEST_SEED: see support.lua.

local here = arg[0]:match("^(.*)[/\\][^/\\]*$") or "."
package.path = here .. "/?.lua;" .. package.path

local lu = require "luaunit"

local all = {
  "test_values", "test_numbers", "test_strings", "test_utf8", "test_flags", "test_options", "test_arguments", "test_paths",
  "test_deep", "test_hooks", "test_hooks_hostile", "test_on_error", "test_marks", "test_write", "test_order", "test_random",
  "test_decode", "test_decode_options", "test_decode_lenient", "test_decode_tables", "test_decode_random",
  "test_decode_gc", "test_decode_finalizers", "test_decode_repeated", "test_decode_streams", "test_items",
  "test_parser", "test_writer", "test_conformance", "test_format", "test_any_arguments",
  "test_binary", "test_binary_documents", "test_binary_views", "test_binary_encoder", "test_binary_vectors",
  "test_binary_random", "test_binary_model", "test_binary_gc", "test_binary_texts", "test_delta", "test_mutable",
  "test_pack", "test_pack_keys", "test_cjson", "test_cjson_differential",
  "test_gc", "test_coroutines", "test_info", "test_luajit", "test_dkjson", "test_dkjson_differential",
  "test_rxi", "test_rxi_differential", "test_luajson", "test_luajson_differential", "test_json4lua",
  "test_json4lua_differential",
  "test_rapidjson", "test_rapidjson_schema", "test_rapidjson_pattern", "test_rapidjson_differential",
  "test_model", "test_metamethods", "test_docs",
}

local names, options = {}, {}
for _, argument in ipairs(arg) do
  if argument:sub(1, 1) == "-" or #options > 0 then
    options[#options + 1] = argument
  else
    names[#names + 1] = argument:match("([^/\\]+)$"):gsub("%.lua$", "")
  end
end
if #names == 0 then names = all end

for _, name in ipairs(names) do
  assert(loadfile(here .. "/" .. name .. ".lua"))(name)
end

if #options == 0 then options = { "-o", "text" } end
local failed = lu.LuaUnit.run((table.unpack or unpack)(options))
os.exit(failed == 0 and 0 or 1)
