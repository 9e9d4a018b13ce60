-- SPDX-License-Identifier: MIT
-- vector_differences.lua -- the vectors whose results differ in Fleece on purpose, for test_binary_vectors.lua.

local grammar = "RFC 8259 does not allow it"
local root = "RFC 8259: any value may stand at top level"
local control = "RFC 8259, section 7: control characters are escaped"
local rfc6901_end = "RFC 6901: a trailing slash leads to the key \"\""
local json5_all = "the JSON5 specification allows it"

local differences = {
  -- Text that the reference refuses: the reason why Fleece reads it.
  encode_json_errors = { ["1"] = root, ["123"] = root, ["null"] = root, ["true"] = root, ['"a" '] = root },
  -- Text that the reference reads, or reads differently: Fleece's document, or nothing if Fleece refuses it.
  encode_json_lax = {
    [""] = { nil, grammar },
    ["   "] = { nil, grammar },
    ["[-012]"] = { nil, grammar },
    ["[-00]"] = { nil, grammar },
    ["[1.e5]"] = { nil, grammar },
    ["[1e5.3]"] = { nil, grammar },
    ['["a" "b"]'] = { nil, grammar },
    ['["x\20y"]'] = { nil, control },
    ['["x\31y"]'] = { nil, control },
    ['[""],'] = { nil, grammar },
    ["[1],"] = { nil, grammar },
    ["{},"] = { nil, grammar },
    ["[1] ,"] = { nil, grammar },
    ["[1e5.]"] = { nil, grammar },
    ['["\\ud800abc\\udc00"]'] = { nil, "RFC 8259, section 8.2: half of a surrogate pair is not a character" },
    ["[-0]"] = { "600100008002", "the grammar has -0; in this mode it is the reference's integer 0" },
  },
  -- Key paths that the reference refuses: $ before a letter is one (docs/guide/texts.md).
  letters = { ["$foo"] = true },
  -- Fleece's pointers follow RFC 6901: the text of the value, "missing", or "bad argument".
  jsonpointer = {
    ["/"] = { "missing", rfc6901_end .. ", and the empty pointer to the root" },
    [""] = { "root", "RFC 6901, section 3: the empty pointer leads to the root" },
    ["/foo/"] = { "missing", rfc6901_end },
    ["/arr/1/"] = { "missing", "RFC 6901: \"\" is no index" },
    ["/foo/bar/x"] = { "missing", "RFC 6901: the pointer is well-formed; \"x\" is no index, so there is no value" },
    ["/foo/bar/-1"] = { "missing", "the same" },
    ["/foo/bar/01"] = { "missing", "RFC 6901, section 4: no leading zeros in an index" },
  },
  keypath = {
    ["arr[1"] = "a bracket that is not closed is a mistake, not a path",
    ["$."] = "a dot needs a name, or $..name would be a member of the root",
    ["foo."] = "the same",
    ["foo..bar"] = "the same",
    ["foo.bar[2]."] = "the same",
  },
  -- JSON5 input: the same as JSON, or false if Fleece refuses it.
  json5 = {
    ["5."] = { "5.0", json5_all },
    ["-.5"] = { "-0.5", json5_all },
    ["0x1F"] = { "31", json5_all },
    ["Infinity"] = { "Infinity", json5_all },
    ["-Infinity"] = { "-Infinity", json5_all },
    ["{a$b:1}"] = { '{"a$b":1}', json5_all },
    ["{\195\188n\195\175:1}"] = { '{"\195\188n\195\175":1}', json5_all },
    ['"\\x41"'] = { '"A"', json5_all },
    ['"\\v"'] = { '"\\u000b"', json5_all },
    ['"\t"'] = { '"\\t"', json5_all },
    ["6.02E-23"] = { "6.02e-23", "a number, not its text, is kept" },
  },
}

return differences
