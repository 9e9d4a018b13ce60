/* SPDX-License-Identifier: MIT
** to_lua.c -- texts that are not JSON, to Lua as dkjson reads them: commas are optional, any value can be a name,
** arrays can have names and objects items.
** Must hold: as decode/api.h. Each element of a container waits as its key, nil for an item, and its value. k->shape
** is 1 while a value with a name is read. */
#include "../../decode/api.h"
#include "../../json/tokens/lenient.h"
#include "dkjson.h"

/* Returns the next byte that is not white space, comment or byte order mark. NULL at the end of the text. */
static const char *dkjson_space(const struct json_scan *j, const char *p) {
  for (;;) {
    while (json_is_c_space(*p)) p++;
    if (p >= j->end) return NULL;
    if (json_starts(p, j->end, "\xef\xbb\xbf")) {
      p += 3;
    } else if (p[0] == '/' && p[1] == '/') {
      for (p += 2; p < j->end && *p != '\n' && *p != '\r';) p++;
    } else if (p[0] == '/' && p[1] == '*') {
      if (!(p = json_comment_close(p + 2, j->end))) return NULL;
    } else {
      return p;
    }
  }
}

/* Reads a number: -?[0-9.]+[eE]?[+-]?[0-9]*, as far as Lua's tonumber accepts it. Returns the byte after it. NULL if
** there is none, or after an error. */
static const char *dkjson_number(struct json_scan *j, const char *p, struct num_value *v) {
  const int negative = *p == '-';
  const char *first = p + negative, *last = first;
  while (json_is_digit(*last) || *last == '.') last++;
  if (last == first) return NULL;
  if ((*last | 0x20) == 'e') last++;
  if (*last == '+' || *last == '-') last++;
  last = json_skip_digits(last);
  if (!json_is_digit(first[*first == '.'])) return NULL;
  return json_lenient_decimal(j, first, negative, 1, v) == last ? last : NULL;
}

/* Reads a word. Returns the byte after it. NULL if it is not one of JSON's literals. */
static const char *dkjson_word(const struct json_scan *j, const char *p, enum json_literal *word) {
  *word = json_read_literal(&p, j->end);
  return *word > JSON_LITERAL_NULL || json_is_letter(*p) || json_is_digit(*p) ? NULL : p;
}

/* The kind of an array that may have names. */
#define DROPIN_LOOSE_ARRAY SCAN_OTHER

/* Reads the string whose opening quote is at p. A backslash before what is not an escape is dropped; before a u without
** four digits it is the error `bad_unicode`, unless that is 0. `unclosed`: the error if the closing quote is missing.
** Returns the byte after the string, or NULL with the error. */
static const char *dropin_loose_string(struct json_scan *j, const char *p, int unclosed, int bad_unicode,
                                       struct json_string *out) {
  const char *open = p, *q = p + 1;
  char *w;
  FL_ASSERT(j->bad_text == JSON_BAD_PASS); /* json_unescape_unicode accepts any four digits */
  while (q < j->end && *q != *open) q += 1 + (*q == '\\');
  if (q >= j->end) return json_scan_error(j, unclosed, open);
  if (!(w = json_scratch(j, (size_t)(q - p)))) return NULL;
  for (p++; p < q;) {
    if (*p != '\\') {
      *w++ = *p++;
    } else if (p[1] == 'u' && json_check_hex(p + 2, j->end) >= 0) {
      w = json_unescape_unicode(j, w, &p);
    } else if (p[1] == 'u' && bad_unicode) {
      return json_scan_error(j, bad_unicode, p);
    } else {
      const char plain = text_short_escape(p[1]);
      *w++ = plain ? plain : p[1];
      p += 2;
    }
  }
  json_set_scratch_string(j, w, out);
  return q + 1;
}

/* Opens the container whose bracket is at p. Returns the byte after the bracket, or NULL with the error. */
static const char *dropin_loose_open(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  FL_ASSERT(*p == '{' || *p == '[');
  if (j->depth == j->max_depth) return json_scan_error(j, JSON_CHECK_DEPTH, p);
  j->depth++;
  json_to_lua_begin_container(k, *p == '{' ? SCAN_OBJECT : DROPIN_LOOSE_ARRAY, 0);
  k->frame->flushed = (size_t)(p - j->begin);
  return p + 1;
}

FL_INLINE int dropin_loose_closes(const struct json_to_lua *k, char c) {
  return c == (k->frame->kind == SCAN_OBJECT ? '}' : ']');
}

/* Ends the innermost container: a table replaces its elements. `assigned`: sets the metatable before the values, so
** that a __newindex is called. */
static void dropin_loose_close(struct json_to_lua *k, int assigned) {
  lua_State *L = k->L;
  const int is_array = k->frame->kind == DROPIN_LOOSE_ARRAY;
  const size_t start = k->frame->start, n = (k->spilled + json_to_lua_on_stack(k) - start) / 2;
  lua_Integer items = 0;
  FL_ASSERT(k->scan.depth > 0 && k->frame->kind != SCAN_ROOT);
  k->scan.depth--;
  lua_createtable(L, is_array ? json_to_lua_count(n) : 0, is_array ? 0 : json_to_lua_count(n));
  if (assigned) json_to_lua_set_result_metatable(k, is_array, n);
  for (size_t i = 0; i < n; i++) {
    json_to_lua_push_waiting(k, start + 2 * i);
    if (lua_isnil(L, -1)) {
      lua_pop(L, 1);
      lua_pushinteger(L, ++items);
    }
    json_to_lua_push_waiting(k, start + 2 * i + 1);
    if (assigned) lua_settable(L, -3);
    else lua_rawset(L, -3);
  }
  if (!assigned) json_to_lua_set_result_metatable(k, is_array, n);
  json_to_lua_collapse(k, start);
  (void)json_to_lua_close(k);
}

/* Begins an element of the innermost container, so far without a name. */
static void dropin_loose_begin(struct json_to_lua *k) {
  json_to_lua_reserve(k, 1);
  lua_pushnil(k->L);
  k->shape = 0;
}

/* Makes the value on top the name of the next value. Returns 0 if it is nil. */
static int dropin_loose_name(struct json_to_lua *k) {
  if (lua_isnil(k->L, -1)) return 0;
  lua_replace(k->L, -2);
  k->shape = 1;
  return 1;
}

/* Returns whether this Lua, too, reads the number that dkjson_number has just read. LuaJIT's tonumber accepts no
** exponent from 1048576 on, others any. Only the last digit and the exponent are passed to it, because a point would
** depend on the locale. */
static int dkjson_is_lua_number(struct json_to_lua *k) {
  const char *e = k->scan.scratch;
  while (*e && *e != 'e' && *e != 'E') e++;
  if (!*e || strlen(e) < sizeof "e1048576" - 1) return 1;
  lua_pushstring(k->L, e - 1);
  const int is_number = lua_isnumber(k->L, -1);
  lua_pop(k->L, 1);
  return is_number;
}

/* Pushes the value at p, which is not a container. Returns the byte after it, or NULL with the error. */
static const char *dkjson_push(struct json_to_lua *k, const char *p) {
  struct json_scan *j = &k->scan;
  struct json_string string;
  struct num_value number;
  enum json_literal word;
  const char *q;
  if (*p == '"') {
    if ((q = dropin_loose_string(j, p, DKJSON_STRING, 0, &string)) != NULL)
      json_to_lua_api_string(k, string.s, string.n);
    return q;
  }
  if ((q = dkjson_number(j, p, &number)) != NULL && dkjson_is_lua_number(k)) {
    json_to_lua_api_number(k, p, (size_t)(q - p), &number);
    return q;
  }
  if (!(q = dkjson_word(j, p, &word))) return json_scan_error(j, DKJSON_VALUE, p);
  if (word == JSON_LITERAL_NULL) json_to_lua_api_null(k);
  else json_to_lua_api_boolean(k, word == JSON_LITERAL_TRUE);
  return q;
}

/* Reports that the text ends in the innermost container. */
static const char *dkjson_unclosed(struct json_to_lua *k) {
  return json_scan_error(&k->scan, k->frame->kind == SCAN_OBJECT ? DKJSON_OBJECT : DKJSON_ARRAY,
                         k->scan.begin + k->frame->flushed);
}

FL_PRIVATE_NOINLINE const char *dkjson_scan_(struct json_to_lua *k, const char *p, int assigned) {
  struct json_scan *j = &k->scan;
  if (!(p = dkjson_space(j, p))) return json_scan_error(j, DKJSON_END, j->end);

value:
  if (*p == '{' || *p == '[') {
    if (!(p = dropin_loose_open(k, p))) return NULL;
    goto item;
  }
  if (!(p = dkjson_push(k, p))) return NULL;

next:
  if (k->frame->kind == SCAN_ROOT) return p;
  if (!(p = dkjson_space(j, p))) return dkjson_unclosed(k);
  if (*p == ':' && !k->shape) {
    if (!dropin_loose_name(k)) return json_scan_error(j, DKJSON_NIL, p);
    if (!(p = dkjson_space(j, p + 1))) return dkjson_unclosed(k);
    goto value;
  }
  if (*p == ',') p++;

item:
  if (!(p = dkjson_space(j, p))) return dkjson_unclosed(k);
  if (!dropin_loose_closes(k, *p)) {
    dropin_loose_begin(k);
    goto value;
  }
  p++;
  dropin_loose_close(k, assigned);
  goto next;
}
