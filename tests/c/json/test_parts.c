/* SPDX-License-Identifier: MIT
** test_parts.c -- scans in parts: a text that is cut anywhere, or read up to any byte, gives the values and the errors
** of the whole one. The oracle of scanning.h says which. Pieces end at an unmapped page.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/json/test_parts.c -lcmocka -lm */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../support/guarded.h"
#include "../support/scanning.h"
#include "../support/texts.h"

#define SCAN_NAME part_scan
#define SCAN_SINK struct note_sink
#define SCAN_GUESSES
#define SCAN(event) note_##event
#define SCAN_PARTS 1
#include "json/grammar/scan_template.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { EDGE = 4096 };
static char *edge; /* the first byte that cannot be read */

/* The text with its 0, as close to the edge as it goes. */
static const char *at_edge(const char *s, size_t n) {
  if (!edge) edge = guarded(EDGE);
  MUST(n < EDGE);
  memcpy(edge - n - 1, s, n);
  edge[-1] = 0;
  return edge - n - 1;
}

/* A text in a grammar, and what reading it must give. */
struct wanted {
  const char *s;
  size_t n;
  unsigned grammar;
  const char *notes;
  int error;
  size_t at; /* of the error */
};

static void as_wanted(const struct wanted *w, const struct note_sink *k, size_t where, const char *how, size_t number) {
  const int error = k->scan.error;
  if (strcmp(k->notes.s, w->notes) != 0 || error != w->error || (error && where != w->at))
    fail_msg("%s, %s %d: %s, error %d at %d, not %s, %d at %d", w->s, how, (int)number, k->notes.s, error, (int)where,
             w->notes, w->error, (int)w->at);
}

/* Reads the text in pieces of `size` bytes, the first one up to `first`. */
static void cut(const struct wanted *w, size_t first, size_t size) {
  struct note_sink k;
  size_t at = 0, end = first;
  const char *p;
  note_begin(&k, w->s, w->n, w->grammar, JSON_BAD_ERROR, note_grow);
  for (;; end = end + size < w->n ? end + size : w->n) {
    const char *piece = at_edge(w->s + at, end - at);
    k.scan.begin = k.scan.at = piece;
    k.scan.end = piece + (end - at);
    k.scan.whole = end == w->n;
    k.scan.stop = k.scan.end + k.scan.whole; /* the whole text is read to its end */
    k.scan.cut = 0;
    p = part_scan(&k, &k.scan, piece);
    MUST(!p || !k.scan.error);
    at += (size_t)((p ? p : k.scan.at) - piece);
    if (p || k.scan.error) break;
    MUST(end < w->n && at <= end && (k.scan.cut || at == end));
  }
  as_wanted(w, &k, at, size == 1 ? "byte by byte from" : "cut at", first);
  note_free(&k);
}

/* Reads the whole text; the scan stops every `size` bytes. */
static void stop(const struct wanted *w, size_t size) {
  struct note_sink k;
  const char *text = at_edge(w->s, w->n), *p = text;
  note_begin(&k, text, w->n, w->grammar, JSON_BAD_ERROR, note_grow);
  k.scan.whole = 1;
  for (;;) {
    k.scan.stop = (size_t)(k.scan.end - p) >= size ? p + size : k.scan.end + 1;
    if ((p = part_scan(&k, &k.scan, p)) != NULL || k.scan.error) break;
    p = k.scan.at;
    MUST(!k.scan.cut && p >= k.scan.stop && p <= k.scan.end);
  }
  as_wanted(w, &k, (size_t)(k.scan.at - text), "stopped every", size);
  note_free(&k);
}

static void every_cut(const struct wanted *w) {
  size_t i;
  for (i = 0; i < w->n; i++) {
    cut(w, i, w->n);
    cut(w, i, 1);
    stop(w, i + 1);
  }
}

/* What follows a value is not the scan's: with AFTER there is no error. */
static void test_strict(void **unused) {
  struct oracle o;
  size_t i;
  for (i = 0; i < LENGTH(good) + LENGTH(bad); i++) {
    const char *s = i < LENGTH(good) ? good[i] : bad[i - LENGTH(good)].text;
    struct wanted w = {s, strlen(s), 0, NULL, 0, 0};
    oracle_read(&o, s, w.n);
    w.notes = o.notes.s;
    w.at = o.at;
    w.error = o.error == JSON_CHECK_AFTER ? 0 : o.error;
    if (*s != '\xef') every_cut(&w); /* a mark is the caller's, too */
    free(o.notes.s);
  }
  (void)unused;
}

static void test_lenient(void **unused) {
  static const struct wanted texts[] = {
#define T(text) text, sizeof text - 1
      {T("[[1,],{\"a\":[],},]"), JSON_TRAILING_COMMAS, "[ [ i1 ] { k1:a [ ] } ] ", 0, 0},
      {T("[1,2,,]"), JSON_TRAILING_COMMAS, "[ i1 i2 ", JSON_CHECK_VALUE, 5},
      {T("{\"a\":1,}"), 0, "{ k1:a i1 ", JSON_CHECK_NAME, 7},
      {T("[1,]"), 0, "[ i1 ", JSON_CHECK_VALUE, 3},
      {T("{\"a\":1,]"), JSON_TRAILING_COMMAS, "{ k1:a i1 ", JSON_CHECK_NAME, 7},
      {T("[1,}"), JSON_TRAILING_COMMAS, "[ i1 ", JSON_CHECK_VALUE, 3},
      {T("[NaN,-Infinity,Infinity]"), JSON_NAN_LITERALS, "[ dnan d-inf dinf ] ", 0, 0},
      {T("[NaN,-Infinity,Infinity]"), JSON_NAN_NULL, "[ n n n ] ", 0, 0},
#undef T
  };
  size_t i;
  for (i = 0; i < LENGTH(texts); i++) {
    every_cut(&texts[i]);
    must_hold(texts[i].s, texts[i].n);
  }
  (void)unused;
}

/* A sink that stops the scan at an event gets no other, and there is no error. */
static void test_sink_stops(void **unused) {
  static const struct {
    const char *text, *notes; /* a container's beginning is no event that stops */
    unsigned grammar;
  } texts[] = {
      {"[1,0.5,1e999,\"a\",null,true,false,[],{}]", "[ i1 |d0.5 |b1e999=inf |s1:a |n |t |f |[ ] |{ } |] |", 0},
      {"{\"a\":{\"b\\n\":2},\"\":9223372036854775808}",
       "{ k1:a |{ k2:b\n |i2 |} |k0: |b9223372036854775808=9.2233720368547758e+18 |} |", 0},
      {"[NaN,'x',+1,.5,+1e999,{a:0x7}]", "[ dnan |s1:x |i1 |d0.5 |b+1e999=inf |{ k1:a |i7 |} |] |", JSON5_WHOLE},
      {"[NaN,null]", "[ n |n |] |", JSON_NAN_NULL}};
  size_t i;
  for (i = 0; i < LENGTH(texts); i++) {
    const char *end = texts[i].notes;
    char wanted[128];
    size_t n = 0;
    unsigned event, parts;
    for (event = 1; *end; event++) {
      for (; *end != '|'; end++) wanted[n++] = *end;
      wanted[n] = 0;
      end++;
      for (parts = 0; parts < 2; parts++) {
        const size_t length = strlen(texts[i].text);
        const char *text = at_edge(texts[i].text, length), *p;
        struct note_sink k;
        note_begin(&k, text, length, texts[i].grammar, JSON_BAD_ERROR, note_grow);
        k.refused = event;
        k.scan.stop = k.scan.end + 1;
        k.scan.whole = 1;
        p = parts ? part_scan(&k, &k.scan, text) : note_scan(&k, &k.scan, text);
        assert_string_equal(k.notes.s, wanted);
        assert_null(p);
        assert_int_equal(k.scan.error, 0);
        note_free(&k);
      }
    }
  }
  (void)unused;
}

/* Without memory for a string that is not its text. */
static char *grow_nothing(void *owner, size_t n) { return (void)owner, (void)n, (char *)NULL; }

static void test_no_memory(void **unused) {
  static const char *const texts[] = {"\"\\n\"", "[\"\\n\"]", "{\"\\u0061\":1}"};
  size_t i;
  for (i = 0; i < LENGTH(texts); i++) {
    struct note_sink k;
    const size_t n = strlen(texts[i]);
    note_begin(&k, at_edge(texts[i], n), n, 0, JSON_BAD_ERROR, grow_nothing);
    k.scan.stop = k.scan.end + 1;
    k.scan.whole = 1;
    assert_null(part_scan(&k, &k.scan, k.scan.begin));
    assert_int_equal(k.scan.error, JSON_CHECK_MEMORY);
    assert_int_equal(k.scan.cut, 0);
    note_free(&k);
  }
  (void)unused;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_strict), cmocka_unit_test(test_lenient),
                                     cmocka_unit_test(test_sink_stops), cmocka_unit_test(test_no_memory)};
  return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
