/* SPDX-License-Identifier: MIT
** scan_template.h -- template: one JSON value from text to events. This is the only place with the grammar.
** Must hold: one pass, no recursion. `p` is the next byte everywhere; white space is skipped before each token.
**
** Parameters, which the includer defines and this file undefines at its end:
**   SCAN_NAME      name of the instance:  const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p)
**                  reads one value at p and returns the byte after it, or NULL with an error in j or the sink
**   SCAN_SINK      type of the sink
**   SCAN_STRING    reads a string like json_scan_string, the default
**   SCAN_NUMBER    reads a number like num_parse, the default
**   SCAN_SPACE     skips white space like json_skip_space, the default
**   SCAN_CALLS     if defined, calls read white space, strings and numbers: saves four kilobytes if a value costs
**                  more than a call
**   SCAN_PARTS     1: the scan stops at j->stop and at an incomplete token, see scan.h; default 0
**   SCAN_RESUMES   if defined, a value can be read in parts, by two more functions of the sink:
**     resume(k)      returns the container in which the value continues at p, or SCAN_ROOT if it begins there
**     reached(k, p)  called after each value: the text before p is no longer needed; returns 0 to stop
**   SCAN_ENDS      if defined, ends(k, p) is called before each close; p: the byte after the container
**   SCAN_GUESSES   if defined, guess(k, p) is called at the first byte of a name: if the sink knows this name already,
**                  it takes it and returns the byte after its closing quote; else NULL
**   SCAN_TAKES     if defined, take(k, p) is called after each open, at its bracket: the sink may read the container by
**                  other means, and returns its last byte; p: read on; NULL: stop
**   SCAN(event)    the sink's function for an event. Those that return an int return 0 to stop the scan:
**     int null(k)  int boolean(k, b)  int string(k, s, n)
**     int number(k, text, n, v)  a number and its text
**     int name(k, name, p, plain)  a name, whose text begins at p; plain: its text needs no unescaping
**     void open(k, kind)         a container begins, SCAN_ARRAY or SCAN_OBJECT
**     close(k, kind)             it has ended: returns the kind of its parent, SCAN_ROOT without one,
**                                SCAN_STOP to stop
**
** Instances and their sinks, whose functions have no other callers:
**   json_checker_scan              json_checker_null, ...      json/grammar/check: tests a text
**   json_events_scan_              json_events_null, ...       json/events: a portion of tokens
**   json_seek_scan_                json_seek_null, ...         json/index/seek: finds the list that a pointer leads to
**   json_pick_scan_                json_pick_null, ...         json/index/pick: finds several values in any grammar
**   value_reader_scan              value_reader_null, ...      values/texts: values of a text, for schemas
**   value_outliner_scan            value_outliner_null, ...    values/outline: an outline of a text, for queries
**   patch_scan                     patch_on_null, ...          patch/value: values that know their text
**   dropin_scan                    dropin_on_null, ...         dropin: a text as another library writes it
**   LAYOUT_json_to_lua_scan, LAYOUT_json_to_lua_scan_part
**                                  LAYOUT_json_to_lua_null, ... decode/raw.h: decode, below the API
**   json_to_lua_api_scan, json_to_lua_api_scan_part
**                                  json_to_lua_api_null, ...   decode/api.c: decode, over the public API
**   LAYOUT_json_to_lua_lossless_scan, LAYOUT_json_to_lua_lossless_scan_part, json_to_lua_lossless_scan_part
**                                  json_to_lua_lossless_number, ... decode/raw.h, lossless.c: with
**                                                              order and digits, below the API and over it
**   LAYOUT_schema_fused_scan       LAYOUT_schema_fused_null, ... schema/face/fused_raw.h: decode, checked by a schema
**   mod_schema_verdict_scan        mod_schema_verdict_null, ... schema/face/fused_text.h: a text, checked by a schema
**   json_to_binary_scan            json_to_binary_null, ...    document/from_json: from_json
**   reformat_scan_plain            reformat_plain_null, ...    format: format
**   reformat_scan_fancy            reformat_fancy_null, ...    the same, with indentation or colors
**   note_scan, part_scan           note_null, ...              tests/c/support/scanning.h, tests/c/json/test_parts.c
**   same_scan                      same_null, ...              tests/c/support/binary.h */

#ifdef SCAN_CALLS
#define SCAN_OR_CALL(inlined, called) called
#else
#define SCAN_OR_CALL(inlined, called) inlined
#endif
#ifndef SCAN_STRING
#define SCAN_STRING SCAN_OR_CALL(json_scan_string, json_read_string)
#endif
#ifndef SCAN_NUMBER
#define SCAN_NUMBER SCAN_OR_CALL(num_parse, num_read)
#endif
#ifndef SCAN_SPACE
#define SCAN_SPACE SCAN_OR_CALL(json_skip_space, json_read_space)
#endif
#ifndef SCAN_PARTS
#define SCAN_PARTS 0
#endif

/* Handles a byte that does not begin a value of strict JSON: a value of another grammar, or an error. */
FL_NOINLINE const char *FL_PASTE(SCAN_NAME, odd_value_)(SCAN_SINK *k, struct json_scan *j, const char *p) {
  struct json_lenient_value v;
  const char *q = json_lenient_value(j, p, &v);
  int fine;
  if (!q) return NULL;
  if (SCAN_PARTS && q == j->end && json_is_open_number(j, q)) return json_scan_error(j, JSON_CHECK_END, q);
  if (v.kind == JSON_LENIENT_STRING) fine = SCAN(string)(k, v.string.s, v.string.n);
  else if (v.kind == JSON_LENIENT_NULL) fine = SCAN(null)(k);
  else fine = SCAN(number)(k, p, (size_t)(q - p), &v.number);
  return fine ? q : NULL;
}

/* NOLINTBEGIN(clang-analyzer-deadcode.DeadStores): only scans in parts read `token` and `expected` */
FL_PRIVATE_NOINLINE const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p) {
  enum scan_container in = SCAN_ROOT;
  struct json_string string;
  struct num_value number;
  const char *q;
  /* For scans in parts: where the current token begins, and what is expected there. */
  const char *token = p;
  enum json_expected expected = JSON_EXPECT_VALUE;
  FL_ASSERT(p >= j->begin && p <= j->end && *j->end == 0);
#ifdef SCAN_RESUMES
  if ((in = SCAN(resume)(k)) != SCAN_ROOT) goto next;
#endif
  if (SCAN_PARTS) {
    expected = (enum json_expected)j->expected;
    in = (enum scan_container)j->in;
    FL_ASSERT((in == SCAN_ROOT) == (j->depth == 0));
    if (!(p = SCAN_SPACE(j, p))) goto failed;
    switch (expected) {
    case JSON_EXPECT_FIRST_ITEM: goto first_item;
    case JSON_EXPECT_FIRST_NAME: goto first_name;
    case JSON_EXPECT_COLON: goto colon;
    case JSON_EXPECT_NEXT: goto separator;
    case JSON_EXPECT_NAME: goto name;
    case JSON_EXPECT_VALUE: break;
    }
  }

value:
  token = p;
  expected = JSON_EXPECT_VALUE;
  j->at = p;
  switch (*p) {
  case '"':
    if (!(p = SCAN_STRING(j, p + 1, &string)) || !SCAN(string)(k, string.s, string.n)) goto failed;
    goto next;
  case '-':
  case '0':
    if (FL_UNLIKELY(j->grammar & (JSON_JSON5 | JSON_ODD_ZEROS)) && json_is_odd_zero(p))
      goto odd_value; /* 0x10 must not be read as 0 */
    /* fall through */
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9':
    q = SCAN_NUMBER(p, j->end, &number);
    if (SCAN_PARTS && FL_UNLIKELY(q == j->end) && !j->whole) goto cut;
    if (FL_UNLIKELY(number.kind == NUM_BAD)) {
      if (j->grammar) goto odd_value;
      (void)json_scan_error(j, JSON_CHECK_NUMBER, q);
      goto failed;
    }
    if (!SCAN(number)(k, p, (size_t)(q - p), &number)) goto failed;
    p = q;
    goto next;
  case '{':
    if (FL_UNLIKELY(j->depth == j->max_depth)) goto too_deep;
    j->depth++;
    SCAN(open)(k, SCAN_OBJECT);
    in = SCAN_OBJECT;
#ifdef SCAN_TAKES
    if (FL_UNLIKELY((q = SCAN(take)(k, p)) != p)) goto taken;
#endif
    p++;
    expected = JSON_EXPECT_FIRST_NAME;
    if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) goto pause;
    if (!(p = SCAN_SPACE(j, p))) goto failed;
  first_name:
    token = p;
    if (SCAN_PARTS && FL_UNLIKELY(p == j->end) && !j->whole) goto cut;
    if (FL_LIKELY(*p != '}')) goto name;
    goto close;
  case '[':
    if (FL_UNLIKELY(j->depth == j->max_depth)) goto too_deep;
    j->depth++;
    SCAN(open)(k, SCAN_ARRAY);
    in = SCAN_ARRAY;
#ifdef SCAN_TAKES
    if (FL_UNLIKELY((q = SCAN(take)(k, p)) != p)) goto taken;
#endif
    p++;
    expected = JSON_EXPECT_FIRST_ITEM;
    if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) goto pause;
    if (!(p = SCAN_SPACE(j, p))) goto failed;
  first_item:
    token = p;
    if (SCAN_PARTS && FL_UNLIKELY(p == j->end) && !j->whole) goto cut;
    if (FL_LIKELY(*p != ']')) goto value;
    goto close;
  case 't':
    if (j->end - p < 4 || fl_load32(p) != json_word("true")) goto odd_value;
    if (!SCAN(boolean)(k, 1)) goto failed;
    p += 4;
    goto next;
  case 'f':
    if (j->end - p < 5 || fl_load32(p + 1) != json_word("alse")) goto odd_value;
    if (!SCAN(boolean)(k, 0)) goto failed;
    p += 5;
    goto next;
  case 'n':
    if (j->end - p < 4 || fl_load32(p) != json_word("null")) goto odd_value;
    if (!SCAN(null)(k)) goto failed;
    p += 4;
    goto next;
  case ']': /* only after a comma; an empty array was handled at its opening bracket */
    if (in == SCAN_ARRAY && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    /* fall through */
  default:
  odd_value:
    if (!(p = FL_PASTE(SCAN_NAME, odd_value_)(k, j, p))) goto failed;
  }

next:
#ifdef SCAN_RESUMES
  if (FL_UNLIKELY(!SCAN(reached)(k, p))) return NULL;
#endif
  if (in == SCAN_ROOT) return p;
  expected = JSON_EXPECT_NEXT;
  if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) goto pause;
  if (!(p = SCAN_SPACE(j, p))) goto failed;
separator:
  token = p;
  if (FL_LIKELY(*p == ',')) {
    p++;
    if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) {
      expected = in == SCAN_ARRAY ? JSON_EXPECT_VALUE : JSON_EXPECT_NAME;
      goto pause;
    }
    if (!(p = SCAN_SPACE(j, p))) goto failed;
    if (in == SCAN_ARRAY) goto value;
    goto name;
  }
  if (FL_UNLIKELY(*p != (in == SCAN_ARRAY ? ']' : '}'))) {
    (void)json_scan_unexpected(j, in == SCAN_ARRAY ? JSON_CHECK_ARRAY : JSON_CHECK_OBJECT, p);
    goto failed;
  }

close:
  FL_ASSERT(j->depth > 0 && (in == SCAN_ARRAY ? *p == ']' : *p == '}'));
  p++;
  j->depth--;
#ifdef SCAN_ENDS
  SCAN(ends)(k, p);
#endif
  in = SCAN(close)(k, in);
  if (FL_UNLIKELY(in == SCAN_STOP)) goto failed;
  goto next;

name:
  token = p;
  expected = JSON_EXPECT_NAME;
  if (FL_LIKELY(*p == '"')) {
#ifdef SCAN_GUESSES
    if (FL_LIKELY((q = SCAN(guess)(k, p + 1)) != NULL)) goto known_name;
#endif
    if (!(q = SCAN_STRING(j, p + 1, &string)) || !SCAN(name)(k, string, p, string.s == p + 1)) goto failed;
  } else {
    if (*p == '}' && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    if (!(q = json_lenient_name(j, p, &string)) || !SCAN(name)(k, string, p, 0)) goto failed;
  }
#ifdef SCAN_GUESSES
known_name:
#endif
  p = q;
  expected = JSON_EXPECT_COLON;
  if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) goto pause;
  if (!(p = SCAN_SPACE(j, p))) goto failed;
colon:
  token = p;
  if (FL_UNLIKELY(*p != ':')) {
    (void)json_scan_unexpected(j, JSON_CHECK_COLON, p);
    goto failed;
  }
  p++;
  if (SCAN_PARTS && FL_UNLIKELY(p >= j->stop)) {
    expected = JSON_EXPECT_VALUE;
    goto pause;
  }
  if (!(p = SCAN_SPACE(j, p))) goto failed;
  goto value;

#ifdef SCAN_TAKES
taken:
  if ((p = q) != NULL) goto close;
  goto failed;
#endif

too_deep:
  (void)json_scan_error(j, JSON_CHECK_DEPTH, p);
failed:
  if (!SCAN_PARTS || !(token = json_cut_at(j, token, expected))) return NULL;
cut:
  j->error = JSON_CHECK_OK;
  j->cut = 1;
  p = token;
pause:
  j->expected = (unsigned char)expected;
  j->in = (unsigned char)in;
  j->at = p;
  return NULL;
}
/* NOLINTEND(clang-analyzer-deadcode.DeadStores) */

#undef SCAN_NAME
#undef SCAN_SINK
#undef SCAN_STRING
#undef SCAN_NUMBER
#undef SCAN_SPACE
#undef SCAN_OR_CALL
#undef SCAN_CALLS
#undef SCAN_PARTS
#undef SCAN_RESUMES
#undef SCAN_ENDS
#undef SCAN_GUESSES
#undef SCAN_TAKES
#undef SCAN
