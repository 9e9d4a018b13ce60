/* SPDX-License-Identifier: MIT
** scanning.h -- what the tests of the scanner share: RFC 8259 read byte by byte (the oracle), a sink that writes down
** what it is given, and what must hold for any text at all.
**
** A value is written down as: n t f, i1 (an integer), d0.5 (a double), b1e999=inf (a big number with its text),
** s3:abc, k1:a (a name), [ ] { }; a blank behind each. */
#ifndef FLEECE_TESTS_SCANNING_H
#define FLEECE_TESTS_SCANNING_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dropin/cjson/text.h"
#include "json/grammar/scan.h"

/* Ends the program: a fuzzer wants no less, and cmocka reports it. */
/* clang-format off */
#define MUST(claim) \
  do { if (!(claim)) { fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #claim); abort(); } } while (0)
/* clang-format on */

struct notes {
  char *s;
  size_t n, room;
};

static void note_bytes(struct notes *notes, const char *s, size_t n) {
  if (notes->n + n + 1 > notes->room) MUST(notes->s = realloc(notes->s, notes->room = 2 * (notes->n + n) + 100));
  memcpy(notes->s + notes->n, s, n);
  notes->s[notes->n += n] = 0;
}
static void note(struct notes *notes, const char *format, ...) {
  char s[64];
  va_list ap;
  va_start(ap, format);
  note_bytes(notes, s, (size_t)vsnprintf(s, sizeof s, format, ap));
  va_end(ap);
}
static void note_counted(struct notes *notes, char kind, const char *s, size_t n) {
  note(notes, "%c%d:", kind, (int)n);
  note_bytes(notes, s, n);
  note(notes, " ");
}

/* ------------------------------------------------------------------------------------- the oracle */

enum { DEEPEST = 40 };

/* `error` is at `at`: where the first byte stands that no JSON text has there, which may be the end. But an escape, a
** literal and a character of several bytes are wrong as a whole, from their beginning. */
struct oracle {
  const unsigned char *s;
  size_t n, at;
  int error;
  struct notes notes;
};

static int oracle_fault(struct oracle *o, int error) {
  o->error = o->at == o->n && error != JSON_CHECK_NUMBER ? JSON_CHECK_END : error;
  return 0;
}
static int oracle_is(const struct oracle *o, int c) { return o->at < o->n && o->s[o->at] == c; }
static void oracle_space(struct oracle *o) {
  while (oracle_is(o, ' ') || oracle_is(o, '\t') || oracle_is(o, '\n') || oracle_is(o, '\r')) o->at++;
}

/* Length of the character at u by the table of RFC 3629, section 4; 0: there is none. */
static size_t oracle_character(const unsigned char *u, size_t n) {
  /* clang-format off */
  static const struct { unsigned char first, last, low, high; size_t length; } rows[] = {
    { 0, 0x7f, 0, 0, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
    { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
    { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 } };
  /* clang-format on */
  size_t i, k;
  for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    if (u[0] < rows[i].first || u[0] > rows[i].last) continue;
    if (rows[i].length > n || (rows[i].length > 1 && (u[1] < rows[i].low || u[1] > rows[i].high))) return 0;
    for (k = 2; k < rows[i].length; k++)
      if (u[k] < 0x80 || u[k] > 0xbf) return 0;
    return rows[i].length;
  }
  return 0;
}

static int oracle_utf8(const char *s, size_t n) {
  size_t i = 0, k;
  for (; i < n; i += k)
    if (!(k = oracle_character((const unsigned char *)s + i, n - i))) return 0;
  return 1;
}

/* The four digits of \uXXXX at s[i], or -1. */
static long oracle_unit(const struct oracle *o, size_t i) {
  char digits[5] = {0};
  if (o->n < i + 6 || o->s[i] != '\\' || o->s[i + 1] != 'u') return -1;
  memcpy(digits, o->s + i + 2, 4);
  return strspn(digits, "0123456789abcdefABCDEF") == 4 ? strtol(digits, NULL, 16) : -1;
}

static int oracle_escape(struct oracle *o, struct notes *text) {
  static const char names[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
  const int c = o->at + 1 < o->n ? o->s[o->at + 1] : 0;
  const char *name = c ? strchr(names, c) : NULL;
  long x = oracle_unit(o, o->at), low = oracle_unit(o, o->at + 6);
  char u[4];
  if (name) return note_bytes(text, means + (name - names), 1), o->at += 2, 1;
  if (x < 0) return o->error = JSON_CHECK_ESCAPE, 0;
  if (x >= 0xd800 && x <= 0xdfff) {
    if (x >= 0xdc00 || low < 0xdc00 || low > 0xdfff) return o->error = JSON_CHECK_SURROGATE, 0;
    x = 0x10000 + (x - 0xd800) * 0x400 + (low - 0xdc00);
    o->at += 6;
  }
  o->at += 6;
  if (x < 0x80) u[0] = (char)x, note_bytes(text, u, 1);
  else if (x < 0x800) u[0] = (char)(0xc0 + x / 64), u[1] = (char)(0x80 + x % 64), note_bytes(text, u, 2);
  else if (x < 0x10000)
    u[0] = (char)(0xe0 + x / 4096), u[1] = (char)(0x80 + x / 64 % 64), u[2] = (char)(0x80 + x % 64),
    note_bytes(text, u, 3);
  else
    u[0] = (char)(0xf0 + x / 262144), u[1] = (char)(0x80 + x / 4096 % 64), u[2] = (char)(0x80 + x / 64 % 64),
    u[3] = (char)(0x80 + x % 64), note_bytes(text, u, 4);
  return 1;
}

static int oracle_string(struct oracle *o, char kind) {
  struct notes text = {NULL, 0, 0};
  int fine = 1;
  note_bytes(&text, "", 0);
  o->at++;
  while (fine && !oracle_is(o, '"')) {
    size_t k;
    if (o->at == o->n) fine = oracle_fault(o, JSON_CHECK_END);
    else if (o->s[o->at] == '\\') fine = oracle_escape(o, &text);
    else if (o->s[o->at] < 0x20) fine = oracle_fault(o, JSON_CHECK_CONTROL);
    else if (!(k = oracle_character(o->s + o->at, o->n - o->at))) fine = oracle_fault(o, JSON_CHECK_UTF8);
    else note_bytes(&text, (const char *)o->s + o->at, k), o->at += k;
  }
  if (fine) {
    o->at++;
    note_counted(&o->notes, kind, text.s, text.n);
  }
  free(text.s);
  return fine;
}

static int oracle_digits(struct oracle *o) {
  size_t first = o->at;
  while (o->at < o->n && o->s[o->at] >= '0' && o->s[o->at] <= '9') o->at++;
  return o->at > first ? 1 : oracle_fault(o, JSON_CHECK_NUMBER);
}

static int oracle_number(struct oracle *o) {
  const size_t first = o->at;
  int integer = 1;
  char *text;
  double d;
  if (oracle_is(o, '-')) o->at++;
  if (oracle_is(o, '0')) {
    o->at++;
    if (o->at < o->n && o->s[o->at] >= '0' && o->s[o->at] <= '9') return oracle_fault(o, JSON_CHECK_NUMBER);
  } else if (!oracle_digits(o)) {
    return 0;
  }
  if (oracle_is(o, '.')) {
    integer = 0;
    o->at++;
    if (!oracle_digits(o)) return 0;
  }
  if (oracle_is(o, 'e') || oracle_is(o, 'E')) {
    integer = 0;
    o->at++;
    if (oracle_is(o, '+') || oracle_is(o, '-')) o->at++;
    if (!oracle_digits(o)) return 0;
  }
  MUST(text = calloc(o->at - first + 1, 1));
  memcpy(text, o->s + first, o->at - first);
  d = strtod(text, NULL);
  errno = 0;
  if (integer && strcmp(text, "-0") != 0) {
    long long i = strtoll(text, NULL, 10);
    if (errno == 0) note(&o->notes, "i%lld ", i);
    else integer = 2;
  } else if (!isinf(d)) {
    note(&o->notes, "d%.17g ", d);
  }
  if (integer == 2 || isinf(d)) {
    note(&o->notes, "b");
    note_bytes(&o->notes, text, o->at - first);
    note(&o->notes, "=%.17g ", d);
  }
  free(text);
  return 1;
}

static int oracle_word(struct oracle *o, const char *word) {
  const size_t n = strlen(word);
  if (o->n - o->at < n || memcmp(o->s + o->at, word, n) != 0) return o->error = JSON_CHECK_VALUE, 0;
  o->at += n;
  note(&o->notes, "%c ", word[0]);
  return 1;
}

static int oracle_value(struct oracle *o, int depth);

static int oracle_container(struct oracle *o, int depth) {
  const int object = oracle_is(o, '{'), close = object ? '}' : ']';
  if (depth == DEEPEST) return o->error = JSON_CHECK_DEPTH, 0;
  note(&o->notes, "%c ", object ? '{' : '[');
  o->at++;
  oracle_space(o);
  if (!oracle_is(o, close)) {
    for (;;) {
      oracle_space(o);
      if (object) {
        if (!oracle_is(o, '"')) return oracle_fault(o, JSON_CHECK_NAME);
        if (!oracle_string(o, 'k')) return 0;
        oracle_space(o);
        if (!oracle_is(o, ':')) return oracle_fault(o, JSON_CHECK_COLON);
        o->at++;
      }
      if (!oracle_value(o, depth + 1)) return 0;
      if (!oracle_is(o, ',')) break;
      o->at++;
    }
    if (!oracle_is(o, close)) return oracle_fault(o, object ? JSON_CHECK_OBJECT : JSON_CHECK_ARRAY);
  }
  o->at++;
  note(&o->notes, "%c ", close);
  return 1;
}

/* A value and the white space around it. */
static int oracle_value(struct oracle *o, int depth) {
  const int c = (oracle_space(o), o->at < o->n ? o->s[o->at] : 0);
  int fine = c == '[' || c == '{'                 ? oracle_container(o, depth)
             : c == '"'                           ? oracle_string(o, 's')
             : c == '-' || (c >= '0' && c <= '9') ? oracle_number(o)
             : c == 't'                           ? oracle_word(o, "true")
             : c == 'f'                           ? oracle_word(o, "false")
             : c == 'n'                           ? oracle_word(o, "null")
                                                  : oracle_fault(o, JSON_CHECK_VALUE);
  if (fine) oracle_space(o);
  return fine;
}

static void oracle_read(struct oracle *o, const char *s, size_t n) {
  memset(o, 0, sizeof *o);
  o->s = (const unsigned char *)s;
  o->n = n;
  note_bytes(&o->notes, "", 0);
  if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) o->error = JSON_CHECK_BOM;
  else if (oracle_value(o, 0) && o->at < n) o->error = JSON_CHECK_AFTER;
}

/* ------------------------------------------------------------------------------------- the sink */

struct note_sink {
  struct json_scan scan;
  struct notes notes;
  unsigned depth;
  enum scan_container kinds[DEEPEST + 1];
  char *block;      /* of malloc: the scratch */
  unsigned refused; /* the sink stops the scan at this event, from 1; 0: never */
};

static char *note_grow(void *owner, size_t n) {
  struct note_sink *k = owner;
  free(k->block);
  return k->block = malloc(n);
}

/* What is given lies in the text or at the scratch's beginning, and is UTF-8 unless it may be anything. */
static void note_checked(struct note_sink *k, char kind, const char *s, size_t n) {
  const struct json_scan *j = &k->scan;
  MUST(s == j->scratch ? n <= j->room : s > j->begin && n < (size_t)(j->end - s));
  MUST(j->bad_text >= JSON_BAD_PASS || oracle_utf8(s, n));
  note_counted(&k->notes, kind, s, n);
}

/* Does the value or name at `token`, with the white space before it, begin before the stop of a scan in parts? */
static int note_is_due(const struct json_scan *j, const char *token) {
  while (token > j->begin && strchr(" \t\r\n", token[-1])) token--;
  return !j->stop || token < j->stop;
}

/* What an event returns that is the value or name at `token`. */
static int note_continue(struct note_sink *k, const char *token) {
  MUST(note_is_due(&k->scan, token));
  return k->refused == 0 || --k->refused > 0;
}

static int note_null(struct note_sink *k) { return note(&k->notes, "n "), note_continue(k, k->scan.at); }
static int note_boolean(struct note_sink *k, int b) {
  return note(&k->notes, b ? "t " : "f "), note_continue(k, k->scan.at);
}
static int note_number(struct note_sink *k, const char *text, size_t n, const struct num_value *v) {
  MUST(text == k->scan.at && n > 0 && n <= (size_t)(k->scan.end - text));
  if (v->kind == NUM_INTEGER) return note(&k->notes, "i%lld ", (long long)v->i), note_continue(k, text);
  if (v->kind == NUM_DOUBLE) return note(&k->notes, isnan(v->d) ? "dnan " : "d%.17g ", v->d), note_continue(k, text);
  MUST(v->kind == NUM_BIG || v->kind == NUM_HUGE);
  MUST((v->kind == NUM_HUGE) == !!isinf(v->d));
  note(&k->notes, "b");
  note_bytes(&k->notes, text, n);
  return note(&k->notes, "=%.17g ", v->d), note_continue(k, text);
}
static int note_string(struct note_sink *k, const char *s, size_t n) {
  return note_checked(k, 's', s, n), note_continue(k, k->scan.at);
}
static const char *note_guess(struct note_sink *k, const char *p) {
  MUST(p > k->scan.begin && p[-1] == '"');
  return NULL;
}
static int note_name(struct note_sink *k, struct json_string name, const char *p, int plain) {
  MUST(!!plain == (name.s == p + 1));
  MUST(!plain || p[1 + name.n] == '"');
  return note_checked(k, 'k', name.s, name.n), note_continue(k, p);
}
static void note_open(struct note_sink *k, enum scan_container kind) {
  note(&k->notes, kind == SCAN_OBJECT ? "{ " : "[ ");
  k->kinds[++k->depth] = kind;
  MUST(k->depth == k->scan.depth && note_is_due(&k->scan, k->scan.at));
}
static enum scan_container note_close(struct note_sink *k, enum scan_container kind) {
  note(&k->notes, kind == SCAN_OBJECT ? "} " : "] ");
  MUST(k->kinds[k->depth--] == kind && k->depth == k->scan.depth);
  return k->refused == 0 || --k->refused > 0 ? k->kinds[k->depth] : SCAN_STOP;
}

#define SCAN_NAME note_scan
#define SCAN_SINK struct note_sink
#define SCAN_GUESSES
#define SCAN(event) note_##event
#include "json/grammar/scan_template.h"

enum { JSON5_WHOLE = JSON_JSON5 | JSON_COMMENTS | JSON_TRAILING_COMMAS | JSON_NAN_LITERALS | JSON_BOM };

static size_t note_any_bytes(const char *s, size_t n) { return (void)s, n; }

/* Prepares a scan of s[0..n), behind which is a 0. */
static void note_begin(struct note_sink *k, const char *s, size_t n, unsigned grammar, enum json_bad_text bad_text,
                       char *(*grow)(void *owner, size_t n)) {
  static text_utf8_fn utf8; /* asked once: cpuid is slow in a virtual machine */
  struct json_scan *j = &k->scan;
  if (!utf8) utf8 = text_utf8_pick(text_cpu());
  memset(k, 0, sizeof *k);
  k->kinds[0] = SCAN_ROOT;
  note_bytes(&k->notes, "", 0);
  j->begin = j->at = s;
  j->end = s + n;
  j->utf8 = grammar & JSON_RULES ? note_any_bytes : utf8;
  j->grammar = grammar;
  j->bad_text = grammar & JSON_RULES ? JSON_BAD_BYTES : bad_text;
  j->rules = &cjson_rules;
  j->max_depth = DEEPEST;
  j->grow = grow;
  j->owner = k;
}

/* Reads s[0..n), behind which is a 0, as decode does. */
static void note_read(struct note_sink *k, const char *s, size_t n, unsigned grammar, enum json_bad_text bad_text,
                      char *(*grow)(void *owner, size_t n)) {
  struct json_scan *j = &k->scan;
  const char *p = s;
  note_begin(k, s, n, grammar, bad_text, grow);
  if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
    if (!(grammar & JSON_BOM)) (void)json_scan_error(j, JSON_CHECK_BOM, s);
    p += 3;
  }
  if (!j->error && (p = json_skip_space(j, p)) != NULL && (p = note_scan(k, j, p)) != NULL &&
      (p = json_skip_space(j, p)) != NULL && p != j->end)
    (void)json_scan_error(j, JSON_CHECK_AFTER, p);
  if (j->error) MUST(j->at >= s && j->at <= j->end && json_check_message(j->error));
  else MUST(p == j->end && j->depth == 0);
}

static void note_free(struct note_sink *k) {
  free(k->notes.s);
  free(k->block);
}

/* ------------------------------------------------------------------------------------- what always holds */

/* Does the fault have a place in the text, and words for the message? */
static void must_have_words(struct dropin_fault *fault, const char *s, size_t n) {
  const char *const *texts = cjson_fault_rules.texts;
  MUST(fault->at >= s && fault->at <= s + n && fault->token >= s && fault->token <= s + n);
  MUST(texts[fault->cause] && texts[fault->due]);
  if (fault->cause == DROPIN_FAULT_DEPTH || fault->cause == DROPIN_FAULT_COMMENT) return;
  MUST(cjson_fault_token(fault, fault->token));
  MUST(fault->at >= s && fault->at <= s + n);
}

/* The grammar of lua-cjson: correct JSON means the same. The search for a fault finds one in each text that the scanner
** refuses, and in no other. */
static void must_hold_cjson(const char *s, size_t n, const struct oracle *o) {
  static const unsigned grammars[] = {CJSON_GRAMMAR, CJSON_GRAMMAR | DROPIN_STRTOD_NUMBERS,
                                      CJSON_GRAMMAR | JSON_COMMENTS,
                                      CJSON_GRAMMAR | DROPIN_STRTOD_NUMBERS | JSON_COMMENTS};
  unsigned g;
  for (g = 0; g < sizeof grammars / sizeof grammars[0]; g++) {
    struct note_sink k;
    struct dropin_fault fault;
    unsigned char arrays[DEEPEST / 8 + 1];
    note_read(&k, s, n, grammars[g], JSON_BAD_ERROR, note_grow);
    if (!o->error) MUST(!k.scan.error && k.notes.n == o->notes.n && memcmp(k.notes.s, o->notes.s, o->notes.n) == 0);
    if (strlen(s) == n) { /* the caller of decode cuts a text at its first zero byte */
      dropin_fault_begin(&fault, &cjson_fault_rules, s + n, grammars[g], DEEPEST);
      MUST(dropin_read_fault(&fault, s, arrays) == (k.scan.error != 0));
      if (k.scan.error) {
        MUST((fault.cause == DROPIN_FAULT_DEPTH) == (k.scan.error == JSON_CHECK_DEPTH));
        must_have_words(&fault, s, n);
      }
    }
    note_free(&k);
  }
}

/* Strict reading is the oracle's. What is right JSON means the same in every grammar; what is not may be right in
** some, and if it is wrong there too, then not before. */
static void must_hold(const char *s, size_t n) {
  static const unsigned grammars[] = {
      0,        JSON_COMMENTS, JSON_TRAILING_COMMAS,       JSON_NAN_LITERALS, JSON_NAN_NULL,
      JSON_BOM, JSON5_WHOLE,   JSON5_WHOLE | JSON_NAN_NULL};
  struct oracle o;
  unsigned g, bad;
  oracle_read(&o, s, n);
  for (g = 0; g < sizeof grammars / sizeof grammars[0]; g++)
    for (bad = 0; bad < 4; bad++) {
      struct note_sink k;
      if (bad && grammars[g] != 0 && grammars[g] != JSON5_WHOLE) continue;
      note_read(&k, s, n, grammars[g], (enum json_bad_text)bad, note_grow);
      if (!grammars[g] && !bad) {
        MUST(k.scan.error == o.error);
        if (o.error) MUST((size_t)(k.scan.at - s) == o.at);
      }
      if (!o.error) MUST(!k.scan.error && k.notes.n == o.notes.n && memcmp(k.notes.s, o.notes.s, o.notes.n) == 0);
      else if (k.scan.error) MUST((size_t)(k.scan.at - s) >= o.at);
      note_free(&k);
    }
  must_hold_cjson(s, n, &o);
  free(o.notes.s);
}

#endif
