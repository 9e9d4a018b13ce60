/* SPDX-License-Identifier: MIT
** scan_template.h -- template: one JSON value from text to events. The grammar stands here and nowhere else.
** May call: base, number.
** Must hold: one pass, no recursion. `p` is the next byte everywhere; white space is skipped before each token.
**
** Parameters, defined by the includer and forgotten at the end:
**   SCAN_NAME      name of the instance:  const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p)
**                  reads one value at p and answers the byte behind it; NULL: j->error tells, or the sink's own
**   SCAN_SINK      type of the sink
**   SCAN_LINKAGE   FL_PRIVATE_NOINLINE where other files call the instance; FL_NOINLINE if this is not defined
**   SCAN_STRING    reads a string, as json_scan_string does, which is meant if this is not defined
**   SCAN_NUMBER    reads a number, as num_parse does, which is meant if this is not defined
**   SCAN_RESUMES   if defined, a value can be read in parts, with two more functions of the sink:
**     resume(k)      what the value that goes on at p, behind one of its parts, lies in; SCAN_ROOT: it begins
**     reached(k, p)  each time a value ends before p: all that is before need not be there any more
**   SCAN_PARTS     if defined, the scan stops behind j->stop and where the text cuts a token: see parts.h
**   SCAN(event)    names the sink's functions, which answer false to stop:
**     null(k)  boolean(k, b)  integer(k, i, text, n)  number(k, d)  string(k, s, n)
**     big(k, text, n, v)     a number that is NUM_BIG or NUM_HUGE, and its text
**     guess(k, p)            at the first byte of a name: the byte behind its closing quote if the sink knows
**                            this name already and has taken it, else NULL
**     name(k, name, p, plain)  a name; p is where it began; plain: it stands in the text as it is
**     open(k, kind)          a SCAN_ARRAY or SCAN_OBJECT begins
**     close_array(k)  close_object(k)   answers what the value lies in: SCAN_ROOT, SCAN_ARRAY, SCAN_OBJECT */

#ifndef SCAN_STRING
#define SCAN_STRING json_scan_string
#endif
#ifndef SCAN_LINKAGE
#define SCAN_LINKAGE FL_NOINLINE
#endif
#ifndef SCAN_NUMBER
#define SCAN_NUMBER num_parse
#endif

/* SCAN_FAIL, SCAN_ERROR(answer): the scan ends. SCAN_POINT(place, next): it may stop before what is expected at this
** place, the white space before it included, which begins at `next`; SCAN_RESUME(label) is where it goes on,
** behind that white space. SCAN_TOKEN(place): the token is at p. SCAN_OPENED: of a container that was just opened
** nothing may be there. */
#if defined(SCAN_PARTS)
#define SCAN_FAIL goto failed
#define SCAN_ERROR(answer) \
  do {                     \
    (void)(answer);        \
    goto failed;           \
  } while (0)
#define SCAN_TOKEN(place) (token = p, expected = (place))
#define SCAN_RESUME(label) \
  label:
#define SCAN_POINT(place, next)           \
  do {                                    \
    if (FL_UNLIKELY((next) >= j->stop)) { \
      p = (next);                         \
      expected = (place);                 \
      goto pause;                         \
    }                                     \
  } while (0)
#define SCAN_OPENED                                      \
  do {                                                   \
    if (FL_UNLIKELY(p == j->end) && !j->whole) goto cut; \
  } while (0)
#else
#define SCAN_FAIL return NULL
#define SCAN_ERROR(answer) return answer
#define SCAN_TOKEN(place) (void)0
#define SCAN_RESUME(label)
#define SCAN_POINT(place, next) (void)0
#define SCAN_OPENED (void)0
#endif

/* At a byte that begins no strict value: text in other grammars, or an error. */
FL_NOINLINE const char *FL_PASTE(SCAN_NAME, odd_value_)(SCAN_SINK *k, struct json_scan *j, const char *p) {
  struct json_lenient_value v;
  const char *q = json_lenient_value(j, p, &v);
  int fine;
  if (!q) return NULL;
  if (v.kind == JSON_LENIENT_STRING) fine = SCAN(string)(k, v.string.s, v.string.n);
  else if (v.kind == JSON_LENIENT_NULL) fine = SCAN(null)(k);
  else if (v.number.kind == NUM_INTEGER) fine = SCAN(integer)(k, v.number.i, p, (size_t)(q - p));
  else if (v.number.kind == NUM_DOUBLE) fine = SCAN(number)(k, v.number.d);
  else fine = SCAN(big)(k, p, (size_t)(q - p), &v.number);
  return fine ? q : NULL;
}

SCAN_LINKAGE const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p) {
  enum scan_container in = SCAN_ROOT;
  struct json_string string;
  struct num_value number;
  const char *q;
#ifdef SCAN_RESUMES
  if ((in = SCAN(resume)(k)) != SCAN_ROOT) goto next;
#elif defined(SCAN_PARTS)
  enum json_expected expected = (enum json_expected)j->expected;
  const char *token = p;
  in = (enum scan_container)j->in;
  if (!(p = json_skip_space(j, p))) SCAN_FAIL;
  switch (expected) {
  case JSON_EXPECT_FIRST_ITEM: goto first_item;
  case JSON_EXPECT_FIRST_NAME: goto first_name;
  case JSON_EXPECT_COLON: goto colon;
  case JSON_EXPECT_NEXT: goto behind;
  case JSON_EXPECT_NAME: goto name;
  case JSON_EXPECT_VALUE: break;
  }
#endif

value:
  SCAN_TOKEN(JSON_EXPECT_VALUE);
  j->at = p;
  switch (*p) {
  case '"':
    if (!(p = SCAN_STRING(j, p + 1, &string)) || !SCAN(string)(k, string.s, string.n)) SCAN_FAIL;
    goto next;
  case '-':
  case '0':
    if (FL_UNLIKELY(j->grammar & (JSON_JSON5 | JSON_ODD_ZEROS)) && (j->grammar & JSON_JSON5 || json_is_odd_zero(p)))
      goto odd_value; /* 0x10 would be taken for 0 */
    /* fall through */
  case '1':
  case '2':
  case '3':
  case '4':
  case '5':
  case '6':
  case '7':
  case '8':
  case '9': q = SCAN_NUMBER(p, j->end, &number);
#if defined(SCAN_PARTS)
    if (FL_UNLIKELY(q == j->end) && !j->whole) goto cut;
#endif
    if (FL_LIKELY(number.kind == NUM_INTEGER)) {
      if (!SCAN(integer)(k, number.i, p, (size_t)(q - p))) SCAN_FAIL;
    } else if (FL_LIKELY(number.kind == NUM_DOUBLE)) {
      if (!SCAN(number)(k, number.d)) SCAN_FAIL;
    } else if (number.kind == NUM_BAD) {
      if (!j->grammar) SCAN_ERROR(json_scan_error(j, JSON_CHECK_NUMBER, q));
      goto odd_value;
    } else if (!SCAN(big)(k, p, (size_t)(q - p), &number)) {
      SCAN_FAIL;
    }
    p = q;
    goto next;
  case '{':
    if (FL_UNLIKELY(j->depth == j->max_depth)) SCAN_ERROR(json_scan_error(j, JSON_CHECK_DEPTH, p));
    j->depth++;
    SCAN(open)(k, SCAN_OBJECT);
    in = SCAN_OBJECT;
    SCAN_POINT(JSON_EXPECT_FIRST_NAME, p + 1);
    if (!(p = json_skip_space(j, p + 1))) SCAN_FAIL;
    SCAN_RESUME(first_name)
    SCAN_TOKEN(JSON_EXPECT_FIRST_NAME);
    SCAN_OPENED;
    if (FL_LIKELY(*p != '}')) goto name;
    goto close;
  case '[':
    if (FL_UNLIKELY(j->depth == j->max_depth)) SCAN_ERROR(json_scan_error(j, JSON_CHECK_DEPTH, p));
    j->depth++;
    SCAN(open)(k, SCAN_ARRAY);
    in = SCAN_ARRAY;
    SCAN_POINT(JSON_EXPECT_FIRST_ITEM, p + 1);
    if (!(p = json_skip_space(j, p + 1))) SCAN_FAIL;
    SCAN_RESUME(first_item)
    SCAN_TOKEN(JSON_EXPECT_FIRST_ITEM);
    SCAN_OPENED;
    if (FL_LIKELY(*p != ']')) goto value;
    goto close;
  case 't':
    if (j->end - p < 4 || fl_load32(p) != json_word("true")) goto odd_value;
    if (!SCAN(boolean)(k, 1)) SCAN_FAIL;
    p += 4;
    goto next;
  case 'f':
    if (j->end - p < 5 || fl_load32(p + 1) != json_word("alse")) goto odd_value;
    if (!SCAN(boolean)(k, 0)) SCAN_FAIL;
    p += 5;
    goto next;
  case 'n':
    if (j->end - p < 4 || fl_load32(p) != json_word("null")) goto odd_value;
    if (!SCAN(null)(k)) SCAN_FAIL;
    p += 4;
    goto next;
  case ']': /* only behind a comma: what an empty array is was seen at once */
    if (in == SCAN_ARRAY && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    /* fall through */
  default:
  odd_value:
    if (!(p = FL_PASTE(SCAN_NAME, odd_value_)(k, j, p))) SCAN_FAIL;
  }

next:
#ifdef SCAN_RESUMES
  if (FL_UNLIKELY(!SCAN(reached)(k, p))) return NULL;
#endif
  if (in == SCAN_ROOT) return p;
  SCAN_POINT(JSON_EXPECT_NEXT, p);
  if (!(p = json_skip_space(j, p))) SCAN_FAIL;
  SCAN_RESUME(behind)
  SCAN_TOKEN(JSON_EXPECT_NEXT);
  if (FL_LIKELY(*p == ',')) {
    SCAN_POINT(in == SCAN_ARRAY ? JSON_EXPECT_VALUE : JSON_EXPECT_NAME, p + 1);
    if (!(p = json_skip_space(j, p + 1))) SCAN_FAIL;
    if (in == SCAN_ARRAY) goto value;
    goto name;
  }
  if (FL_UNLIKELY(*p != (in == SCAN_ARRAY ? ']' : '}')))
    SCAN_ERROR(json_scan_unexpected(j, in == SCAN_ARRAY ? JSON_CHECK_ARRAY : JSON_CHECK_OBJECT, p));

close:
  p++;
  j->depth--;
  in = in == SCAN_ARRAY ? SCAN(close_array)(k) : SCAN(close_object)(k);
  if (FL_UNLIKELY(in == SCAN_STOP)) SCAN_FAIL;
  goto next;

name:
  SCAN_TOKEN(JSON_EXPECT_NAME);
  if (FL_LIKELY(*p == '"')) {
    q = SCAN(guess)(k, p + 1);
    if (FL_UNLIKELY(!q)) {
      if (!(q = SCAN_STRING(j, p + 1, &string)) || !SCAN(name)(k, string, p, string.s == p + 1)) SCAN_FAIL;
    }
  } else {
    if (*p == '}' && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    if (!(q = json_lenient_name(j, p, &string)) || !SCAN(name)(k, string, p, 0)) SCAN_FAIL;
  }
  SCAN_POINT(JSON_EXPECT_COLON, q);
  if (!(p = json_skip_space(j, q))) SCAN_FAIL;
  SCAN_RESUME(colon)
  SCAN_TOKEN(JSON_EXPECT_COLON);
  if (FL_UNLIKELY(*p != ':')) SCAN_ERROR(json_scan_unexpected(j, JSON_CHECK_COLON, p));
  SCAN_POINT(JSON_EXPECT_VALUE, p + 1);
  if (!(p = json_skip_space(j, p + 1))) SCAN_FAIL;
  goto value;

#if defined(SCAN_PARTS)
failed:
  if (!json_is_cut(j, token, expected)) return NULL;
cut:
  j->error = JSON_CHECK_OK;
  j->cut = 1;
  p = token;
pause:
  j->expected = (unsigned char)expected;
  j->in = (unsigned char)in;
  j->at = p;
  return NULL;
#endif
}

#undef SCAN_NAME
#undef SCAN_LINKAGE
#undef SCAN_SINK
#undef SCAN_STRING
#undef SCAN_NUMBER
#undef SCAN_RESUMES
#undef SCAN_PARTS
#undef SCAN_FAIL
#undef SCAN_ERROR
#undef SCAN_TOKEN
#undef SCAN_RESUME
#undef SCAN_POINT
#undef SCAN_OPENED
#undef SCAN
