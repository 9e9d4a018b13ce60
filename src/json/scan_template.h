/* SPDX-License-Identifier: MIT
** scan_template.h -- template: one JSON value from text to events. The grammar stands here and nowhere else.
** May call: json/scan.h, and the sink's functions.
** Must hold: one pass, no recursion. `p` is the next byte everywhere; white space is skipped before each token.
**
** Parameters, defined by the includer and forgotten at the end:
**   SCAN_NAME      name of the instance:  const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p)
**                  reads one value at p and answers the byte behind it; NULL: j->error tells, or the sink's own
**   SCAN_SINK      type of the sink
**   SCAN_STRING    reads a string, as json_scan_string does, which is meant if this is not defined
**   SCAN_NUMBER    reads a number, as num_parse does, which is meant if this is not defined
**   SCAN_RESUMES   if defined, a value can be read in parts, with two more functions of the sink:
**     resume(k)      what the value that goes on at p, behind one of its parts, lies in; SCAN_ROOT: it begins
**     reached(k, p)  each time a value ends before p: all that is before need not be there any more
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
#ifndef SCAN_NUMBER
#define SCAN_NUMBER num_parse
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

FL_NOINLINE const char *SCAN_NAME(SCAN_SINK *k, struct json_scan *j, const char *p) {
  enum scan_place in = SCAN_ROOT;
  struct json_string string;
  struct num_value number;
  const char *q;
#ifdef SCAN_RESUMES
  if ((in = SCAN(resume)(k)) != SCAN_ROOT) goto next;
#endif

value:
  j->at = p;
  switch (*p) {
  case '"':
    if (!(p = SCAN_STRING(j, p + 1, &string)) || !SCAN(string)(k, string.s, string.n)) return NULL;
    goto next;
  case '-': case '0':
    if (FL_UNLIKELY(j->grammar & (JSON_JSON5 | JSON_CJSON | JSON_RXI_TEXT)) && (j->grammar & JSON_JSON5 || json_is_odd_zero(p)))
      goto odd_value; /* 0x10 would be taken for 0 */
    /* fall through */
  case '1': case '2': case '3': case '4': case '5': case '6': case '7': case '8': case '9':
    q = SCAN_NUMBER(p, j->end, &number);
    if (FL_LIKELY(number.kind == NUM_INTEGER)) {
      if (!SCAN(integer)(k, number.i, p, (size_t)(q - p))) return NULL;
    } else if (FL_LIKELY(number.kind == NUM_DOUBLE)) {
      if (!SCAN(number)(k, number.d)) return NULL;
    } else if (number.kind == NUM_BAD) {
      if (!j->grammar) return json_scan_error(j, JSON_CHECK_NUMBER, q);
      goto odd_value;
    } else if (!SCAN(big)(k, p, (size_t)(q - p), &number)) {
      return NULL;
    }
    p = q;
    goto next;
  case '{':
    if (FL_UNLIKELY(j->depth == j->max_depth)) return json_scan_error(j, JSON_CHECK_DEPTH, p);
    j->depth++;
    SCAN(open)(k, SCAN_OBJECT);
    if (!(p = json_skip_space(j, p + 1))) return NULL;
    in = SCAN_OBJECT;
    if (FL_LIKELY(*p != '}')) goto name;
    goto close;
  case '[':
    if (FL_UNLIKELY(j->depth == j->max_depth)) return json_scan_error(j, JSON_CHECK_DEPTH, p);
    j->depth++;
    SCAN(open)(k, SCAN_ARRAY);
    if (!(p = json_skip_space(j, p + 1))) return NULL;
    in = SCAN_ARRAY;
    if (FL_LIKELY(*p != ']')) goto value;
    goto close;
  case 't':
    if (j->end - p < 4 || fl_load32(p) != json_word("true")) goto odd_value;
    if (!SCAN(boolean)(k, 1)) return NULL;
    p += 4;
    goto next;
  case 'f':
    if (j->end - p < 5 || fl_load32(p + 1) != json_word("alse")) goto odd_value;
    if (!SCAN(boolean)(k, 0)) return NULL;
    p += 5;
    goto next;
  case 'n':
    if (j->end - p < 4 || fl_load32(p) != json_word("null")) goto odd_value;
    if (!SCAN(null)(k)) return NULL;
    p += 4;
    goto next;
  case ']': /* only behind a comma: what an empty array is was seen at once */
    if (in == SCAN_ARRAY && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    /* fall through */
  default:
  odd_value:
    if (!(p = FL_PASTE(SCAN_NAME, odd_value_)(k, j, p))) return NULL;
  }

next:
#ifdef SCAN_RESUMES
  if (FL_UNLIKELY(!SCAN(reached)(k, p))) return NULL;
#endif
  if (in == SCAN_ROOT) return p;
  if (!(p = json_skip_space(j, p))) return NULL;
  if (FL_LIKELY(*p == ',')) {
    if (!(p = json_skip_space(j, p + 1))) return NULL;
    if (in == SCAN_ARRAY) goto value;
    goto name;
  }
  if (FL_UNLIKELY(*p != (in == SCAN_ARRAY ? ']' : '}'))) return json_scan_separator_error(j, p, in == SCAN_OBJECT);

close:
  p++;
  j->depth--;
  in = in == SCAN_ARRAY ? SCAN(close_array)(k) : SCAN(close_object)(k);
  if (FL_UNLIKELY(in == SCAN_STOP)) return NULL;
  goto next;

name:
  if (FL_LIKELY(*p == '"')) {
    q = SCAN(guess)(k, p + 1);
    if (FL_UNLIKELY(!q)) {
      if (!(q = SCAN_STRING(j, p + 1, &string)) || !SCAN(name)(k, string, p, string.s == p + 1)) return NULL;
    }
  } else {
    if (*p == '}' && (j->grammar & JSON_TRAILING_COMMAS)) goto close;
    if (!(q = json_lenient_name(j, p, &string)) || !SCAN(name)(k, string, p, 0)) return NULL;
  }
  if (!(p = json_skip_space(j, q))) return NULL;
  if (FL_UNLIKELY(*p != ':')) return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_COLON, p);
  if (!(p = json_skip_space(j, p + 1))) return NULL;
  goto value;
}

#undef SCAN_NAME
#undef SCAN_SINK
#undef SCAN_STRING
#undef SCAN_NUMBER
#undef SCAN_RESUMES
#undef SCAN
