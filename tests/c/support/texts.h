/* SPDX-License-Identifier: MIT
** texts.h -- JSON texts by hand: right ones, and wrong ones with the error and the place of the fault by RFC 8259. */
#ifndef FLEECE_TESTS_TEXTS_H
#define FLEECE_TESTS_TEXTS_H

#include "json/tokens/tokens.h"

/* clang-format off */
static const char *const good[] = {
  "null", "true", "false", " \t\r\nnull \t\r\n", "0", "-0", "-1", "10", "1234567890", "0.0", "-0.5", "1.25e3",
  "1E400", "1e+5", "1e-5", "0e0", "1.0E+00", "123456789012345678901234567890.123456789012345678901234567890",
  "\"\"", "\"abc\"", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\u0000\\uabCD\\uFFFF\"", "\"\\ud83d\\ude00\"", "\"\\uD800\\uDC00\"",
  "\"\\uDBFF\\uDFFF x\"", "\"\\ud7ff\\ue000\"", "\"\x7f\"", "\"\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\"",
  "\"\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\"", "\"\xef\xbb\xbf\"", "\"1234567\xd0\xb0 89012345678\"",
  "[]", "[ ]", "{}", "{ }", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[[]],{}]", "{\"a\":1}", "{ \"a\" : 1 , \"b\" : [ ] }",
  "{\"a\":{\"b\":[{\"c\":null}]},\"\":0}", "{\"a\":1,\"a\":2}", "[null,true,false,\"x\",-1.5,{}]", "[\"]\",\"}\",\"[{\"]",
  "[1\n]", "{\"\\u0061\":\"\\u0062\"}"
};
/* clang-format on */

/* Bad texts with the error and the offset where they go wrong. */
/* clang-format off */
static const struct { const char *text; int error, where; } bad[] = {
#define E(name) JSON_CHECK_##name
  { "", E(END), 0 }, { "  ", E(END), 2 }, { "[", E(END), 1 }, { "{", E(END), 1 }, { "[1", E(END), 2 },
  { "[1,", E(END), 3 }, { "[1, ", E(END), 4 }, { "{\"a\"", E(END), 4 }, { "{\"a\":", E(END), 5 },
  { "{\"a\":1", E(END), 6 }, { "{\"a\":1,", E(END), 7 }, { "\"", E(END), 1 }, { "\"abc", E(END), 4 },
  { "[\"a", E(END), 3 }, { "[{}", E(END), 3 }, { "\"abcdefghijklmnop", E(END), 17 },
  { "nul", E(VALUE), 0 }, { "nulL", E(VALUE), 0 }, { "True", E(VALUE), 0 }, { "truth", E(VALUE), 0 }, { "fals", E(VALUE), 0 },
  { "undefined", E(VALUE), 0 }, { "NaN", E(VALUE), 0 }, { "Infinity", E(VALUE), 0 }, { "'a'", E(VALUE), 0 },
  { "]", E(VALUE), 0 }, { "}", E(VALUE), 0 }, { ",", E(VALUE), 0 }, { ":", E(VALUE), 0 }, { "[,1]", E(VALUE), 1 },
  { "[1,]", E(VALUE), 3 }, { "[1,,2]", E(VALUE), 3 }, { "{\"a\":}", E(VALUE), 5 }, { "{\"a\":,}", E(VALUE), 5 },
  { "[}", E(VALUE), 1 }, { "// x\n1", E(VALUE), 0 }, { "/**/1", E(VALUE), 0 }, { "\f1", E(VALUE), 0 }, { "\xc2\xa0" "1", E(VALUE), 0 },
  { "[\xff]", E(VALUE), 1 }, { "\x01", E(VALUE), 0 }, { "(1)", E(VALUE), 0 }, { "\\u0031", E(VALUE), 0 },
  { "-", E(NUMBER), 1 }, { "-a", E(NUMBER), 1 }, { "01", E(NUMBER), 1 }, { "-01", E(NUMBER), 2 }, { "00", E(NUMBER), 1 },
  { "1.", E(NUMBER), 2 }, { "1.e5", E(NUMBER), 2 }, { "1e", E(NUMBER), 2 }, { "1e+", E(NUMBER), 3 }, { "1E-x", E(NUMBER), 3 },
  { "-Infinity", E(NUMBER), 1 }, { "--1", E(NUMBER), 1 }, { "[1.]", E(NUMBER), 3 }, { "0.e1", E(NUMBER), 2 },
  { "+1", E(VALUE), 0 }, { ".5", E(VALUE), 0 },
  { "1.5.2", E(AFTER), 3 }, { "1e5.2", E(AFTER), 3 }, { "0x10", E(AFTER), 1 }, { "1 2", E(AFTER), 2 }, { "1_000", E(AFTER), 1 },
  { "1,", E(AFTER), 1 }, { "[]]", E(AFTER), 2 }, { "{}}", E(AFTER), 2 }, { "nullx", E(AFTER), 4 }, { "truetrue", E(AFTER), 4 },
  { "\"a\"b", E(AFTER), 3 }, { "{} //", E(AFTER), 3 }, { "[][]", E(AFTER), 2 }, { "1\xff", E(AFTER), 1 },
  { "{1:2}", E(NAME), 1 }, { "{a:1}", E(NAME), 1 }, { "{,}", E(NAME), 1 }, { "{\"a\":1,}", E(NAME), 7 }, { "{null:1}", E(NAME), 1 },
  { "{'a':1}", E(NAME), 1 }, { "{[]:1}", E(NAME), 1 }, { "{]", E(NAME), 1 }, { "{\"a\":1,,\"b\":2}", E(NAME), 7 },
  { "{\"a\"}", E(COLON), 4 }, { "{\"a\",1}", E(COLON), 4 }, { "{\"a\" 1}", E(COLON), 5 }, { "{\"a\"=1}", E(COLON), 4 },
  { "{\"a\"::1}", E(VALUE), 5 },
  { "{\"a\":1]", E(OBJECT), 6 }, { "{\"a\":1 \"b\":2}", E(OBJECT), 7 }, { "{\"a\":1;}", E(OBJECT), 6 }, { "{\"a\":1:2}", E(OBJECT), 6 },
  { "[1}", E(ARRAY), 2 }, { "[1 2]", E(ARRAY), 3 }, { "[1;2]", E(ARRAY), 2 }, { "[1:2]", E(ARRAY), 2 }, { "[\"a\":1]", E(ARRAY), 4 },
  { "[0x1]", E(ARRAY), 2 }, { "[[]}", E(ARRAY), 3 }, { "{\"a\":[}", E(VALUE), 6 },
  { "\"\n\"", E(CONTROL), 1 }, { "\"\t\"", E(CONTROL), 1 }, { "\"abcdefgh\x1f\"", E(CONTROL), 9 }, { "\"\x01\"", E(CONTROL), 1 },
  { "{\"\r\":1}", E(CONTROL), 2 },
  { "\"\\", E(ESCAPE), 1 }, { "\"\\a\"", E(ESCAPE), 1 }, { "\"\\'\"", E(ESCAPE), 1 }, { "\"\\x41\"", E(ESCAPE), 1 },
  { "\"\\U0041\"", E(ESCAPE), 1 }, { "\"\\u\"", E(ESCAPE), 1 }, { "\"\\u12\"", E(ESCAPE), 1 }, { "\"\\u123g\"", E(ESCAPE), 1 },
  { "\"\\u 123\"", E(ESCAPE), 1 }, { "\"\\u-123\"", E(ESCAPE), 1 }, { "\"\\u12", E(ESCAPE), 1 }, { "\"ab\\\n\"", E(ESCAPE), 3 },
  { "\"\\\xe2\x82\xac\"", E(ESCAPE), 1 }, { "\"\\u00\xc3\xa9\"", E(ESCAPE), 1 }, { "\"\\u00@0\"", E(ESCAPE), 1 }, { "\"\\u00G0\"", E(ESCAPE), 1 },
  { "\"\\u00/0\"", E(ESCAPE), 1 }, { "\"\\u00:0\"", E(ESCAPE), 1 }, { "\"\\u00`0\"", E(ESCAPE), 1 }, { "\"\\u00\x10" "0\"", E(ESCAPE), 1 },
  { "\"\\ud800\"", E(SURROGATE), 1 }, { "\"\\udc00\"", E(SURROGATE), 1 }, { "\"x\\ud800x\"", E(SURROGATE), 2 },
  { "\"\\ud800\\ud800\"", E(SURROGATE), 1 }, { "\"\\ud800\\u0041\"", E(SURROGATE), 1 }, { "\"\\ud800\\n\"", E(SURROGATE), 1 },
  { "\"\\udfff\\ud800\"", E(SURROGATE), 1 }, { "\"\\ud800\\udc0\"", E(SURROGATE), 1 }, { "\"\\ud83d\\ude00\\ude00\"", E(SURROGATE), 13 },
  { "\"\\ud800\\ue000\"", E(SURROGATE), 1 }, { "\"\\ud800", E(SURROGATE), 1 },
  { "\"\x80\"", E(UTF8), 1 }, { "\"\xc0\x80\"", E(UTF8), 1 }, { "\"\xc1\xbf\"", E(UTF8), 1 }, { "\"\xe0\x9f\xbf\"", E(UTF8), 1 },
  { "\"\xed\xa0\x80\"", E(UTF8), 1 }, { "\"\xed\xbf\xbf\"", E(UTF8), 1 }, { "\"\xf0\x8f\xbf\xbf\"", E(UTF8), 1 },
  { "\"\xf4\x90\x80\x80\"", E(UTF8), 1 }, { "\"\xf5\x80\x80\x80\"", E(UTF8), 1 }, { "\"\xff\"", E(UTF8), 1 },
  { "\"abc\xe2\x82\"", E(UTF8), 4 }, { "\"\xe2\x82", E(UTF8), 1 }, { "\"abcdefghijk\xd0\"", E(UTF8), 12 }, { "{\"\xff\":1}", E(UTF8), 2 },
  { "\xef\xbb\xbf{}", E(BOM), 0 }, { "\xef\xbb\xbf", E(BOM), 0 }, { "\xef\xbb", E(VALUE), 0 }, { "\xff\xfe[\0", E(VALUE), 0 }
#undef E
};
/* clang-format on */

#endif
