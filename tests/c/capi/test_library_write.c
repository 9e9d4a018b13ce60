/* SPDX-License-Identifier: MIT
** test_library_write.c -- libfleece through its public header: encoders, shared keys, deltas, edits; every allocation
** failing once, with blocks that know their size.
** Build: make build/tests/plain/simd/test_library_write */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "capi/documents.h"
#include "binary/delta/amend.h"
#include "../support/heap.h"
#include "../support/library.h"

/* ------------------------------------------------------------------------------------- encoders */

static void write_record(fleece_encoder *e) {
  fleece_put_dict(e);
  fleece_put_key(e, "id", 2), fleece_put_uint64(e, UINT64_MAX);
  fleece_put_key(e, "list", 4), fleece_put_array(e);
  fleece_put_null(e), fleece_put_boolean(e, 5), fleece_put_boolean(e, 0), fleece_put_int64(e, INT64_MIN);
  fleece_put_double(e, 0.1), fleece_put_float(e, 0.5f), fleece_put_data(e, "\0\xff", 2);
  fleece_put_string(e, "", 0), fleece_put_string(e, NULL, 0), fleece_put_undefined(e);
  fleece_put_end(e);
  fleece_put_key(e, "gone", 4), fleece_put_undefined(e);
  fleece_put_end(e);
}
static const char record[] =
    "{\"id\":18446744073709551615,\"list\":[null,true,false,-9223372036854775808,0.1,0.5,\"AP8=\",\"\",\"\",null]}";

static void test_encoder(void **unused) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_encoder *e = NULL;
  fleece_error error;
  size_t n, i;
  (void)unused;
  for (i = 0; i < 4; i++) { /* each mode; then again with the memory of the first time */
    fleece_doc *d;
    if (i % 2 == 0) o.flags = i ? FLEECE_COMPATIBLE : 0, e = fleece_encoder_new(&o, &error);
    write_record(e);
    assert_int_equal(fleece_finish(e, &out, &error), FLEECE_OK);
    d = fleece_open(out.data, out.size, NULL, &error);
    assert_non_null(d);
    assert_json(fleece_root(d), 0, record);
    assert_null(fleece_get(fleece_root(d), "gone").at);
    assert_int_equal(fleece_type_of(fleece_at(fleece_get(fleece_root(d), "list"), 9)), FLEECE_TYPE_UNDEFINED);
    assert_memory_equal(fleece_data(fleece_at(fleece_get(fleece_root(d), "list"), 6), &n), "\0\xff", 2);
    assert_int_equal(n, 2);
    fleece_close(d);
    if (i % 2) fleece_encoder_free(e);
  }
  fleece_encoder_free(NULL);
  fleece_bytes_fit(&out);
  assert_int_equal(out.room, out.size + 1);
  assert_int_equal(fleece_from_json("[1]", 3, NULL, &out, NULL), FLEECE_OK); /* too small to be used again */
  fleece_bytes_free(&out);
}

/* Each row: calls, one letter each, and what the last one and fleece_finish answer. */
static void test_order(void **unused) {
  static const struct {
    const char *calls;
    int last, finish;
  } rows[] = {
      {"", 0, FLEECE_ERROR_ORDER},
      {"v", 0, 0},
      {"vv", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"a", 0, FLEECE_ERROR_ORDER},
      {"ae", 0, 0},
      {"aee", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"ak", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"k", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"dv", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"dkve", 0, 0},
      {"dkk", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"dke", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"dk", 0, FLEECE_ERROR_ORDER},
      {"dkaedv", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"n", FLEECE_ERROR_VALUE, FLEECE_ERROR_VALUE},
      {"anve", FLEECE_ERROR_VALUE, FLEECE_ERROR_VALUE},
      {"0", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"vj", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"j", 0, 0},
      {"aj", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"jv", FLEECE_ERROR_ORDER, FLEECE_ERROR_ORDER},
      {"J", FLEECE_ERROR_JSON, FLEECE_ERROR_ORDER},
      {"Jv", 0, 0},
      {"vvrv", 0, 0},
      {"o", FLEECE_ERROR_ARGUMENT, FLEECE_ERROR_ORDER},
      {"vo", FLEECE_ERROR_ARGUMENT, 0},
      {"nJ", FLEECE_ERROR_VALUE, FLEECE_ERROR_VALUE},
  };
  fleece_encoder *e = fleece_encoder_new(NULL, NULL);
  fleece_options unknown = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT;
  volatile double nothing = 0;
  size_t i;
  (void)unused;
  unknown.flags = UINT32_C(0x80000000);
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *c;
    int last = 0;
    for (c = rows[i].calls; *c; c++) {
      switch (*c) {
      case 'v': last = fleece_put_int64(e, 1); break;
      case 'a': last = fleece_put_array(e); break;
      case 'd': last = fleece_put_dict(e); break;
      case 'e': last = fleece_put_end(e); break;
      case 'k': last = fleece_put_key(e, "k", 1); break;
      case 'n': last = fleece_put_double(e, nothing / nothing); break;
      case '0': last = fleece_put_value(e, none()); break;
      case 'j': last = fleece_put_json(e, "[{\"a\":[]}]", 10, NULL, NULL); break;
      case 'o': last = fleece_put_json(e, "1", 1, &unknown, NULL); break;
      case 'J': last = fleece_put_json(e, "[{\"a\":[}]", 9, NULL, NULL); break;
      case 'r': fleece_encoder_reset(e), last = 0; break;
      }
    }
    if (last != rows[i].last) fail_msg("%s: %d", rows[i].calls, last);
    if (fleece_finish(e, &out, NULL) != rows[i].finish) fail_msg("%s: finish", rows[i].calls);
    assert_true((out.size > 0) == (rows[i].finish == 0));
  }
  fleece_encoder_free(e);
  fleece_bytes_free(&out);
}

static void test_copies(void **unused) {
  fleece_doc *d = doc_of_json("{\"a\":[1,{\"b\":\"text\"}],\"c\":300}", 0), *copy;
  fleece_encoder *e = fleece_encoder_new(NULL, NULL);
  fleece_bytes out = FLEECE_BYTES_INIT;
  (void)unused;
  assert_int_equal(fleece_put_array(e), FLEECE_OK);
  assert_int_equal(fleece_put_value(e, fleece_get(fleece_root(d), "a")), FLEECE_OK);
  assert_int_equal(fleece_put_value(e, fleece_get(fleece_root(d), "c")), FLEECE_OK);
  assert_int_equal(fleece_put_value(e, fleece_root(d)), FLEECE_OK);
  assert_int_equal(fleece_put_end(e), FLEECE_OK);
  fleece_close(d);
  assert_int_equal(fleece_finish(e, &out, NULL), FLEECE_OK);
  copy = fleece_open(out.data, out.size, NULL, NULL);
  assert_json(fleece_root(copy), 0, "[[1,{\"b\":\"text\"}],300,{\"a\":[1,{\"b\":\"text\"}],\"c\":300}]");
  fleece_close(copy);
  fleece_encoder_free(e);
  fleece_bytes_free(&out);
}

/* ------------------------------------------------------------------------------------- limits */

static int count_bytes(void *ud, const char *bytes, size_t n) {
  (void)bytes;
  *(size_t *)ud += n;
  return 1;
}

/* Three times the same array: 13 values. */
static void test_limits(void **unused) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT, json = FLEECE_BYTES_INIT;
  fleece_error e;
  fleece_doc *d;
  size_t written = 0;
  (void)unused;
  assert_int_equal(fleece_from_json("[[1,2,3],[1,2,3],[1,2,3]]", 25, NULL, &out, &e), FLEECE_OK);
  o.max_values = 12;
  assert_null(fleece_open(out.data, out.size, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_LIMIT);
  assert_string_equal(e.message, "more values than max_values allows");
  o.max_values = 13;
  assert_int_equal(fleece_check(out.data, out.size, &o, &e), FLEECE_OK);
  d = fleece_open(out.data, out.size, &o, &e);
  o.max_bytes = 24;
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &json, &e), FLEECE_ERROR_LIMIT);
  assert_string_equal(e.message, "the result would be larger than max_bytes allows");
  assert_int_equal(json.size, 0);
  assert_int_equal(fleece_write_json(fleece_root(d), &o, count_bytes, &written, &e), FLEECE_ERROR_LIMIT);
  assert_int_equal(written, 0);
  o.max_bytes = 25;
  assert_int_equal(fleece_to_json(fleece_root(d), &o, &json, &e), FLEECE_OK);
  assert_int_equal(fleece_write_json(fleece_root(d), &o, count_bytes, &written, &e), FLEECE_OK);
  assert_int_equal(written, 25);
  fleece_close(d);
  fleece_bytes_free(&out), fleece_bytes_free(&json);
}

/* ------------------------------------------------------------------------------------- shared keys */

static void test_keys(void **unused) {
  fleece_keys *k = fleece_keys_new(NULL), *fewer = fleece_keys_new(NULL);
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes out = FLEECE_BYTES_INIT, plain = FLEECE_BYTES_INIT;
  fleece_iterator i;
  fleece_error e;
  fleece_doc *d;
  size_t n;
  (void)unused;
  o.keys = k;
  assert_int_equal(fleece_from_json("[{\"aa\":1,\"bb\":2},{\"not a key\":3}]", 33, &o, &out, NULL), FLEECE_OK);
  assert_int_equal(fleece_keys_count(k), 2);
  assert_int_equal(fleece_keys_find(k, "bb", 2), 1);
  assert_int_equal(fleece_keys_add(k, "bb", 2), 1);
  assert_int_equal(fleece_keys_find(k, "cc", 2), -1);
  assert_int_equal(fleece_keys_add(k, "not a key", 9), -1);
  assert_int_equal(fleece_keys_add(k, NULL, 1), -1);
  assert_memory_equal(fleece_keys_name(k, 0, &n), "aa", 2);
  assert_int_equal(n, 2);
  assert_null(fleece_keys_name(k, 2, &n));
  d = fleece_open(out.data, out.size, &o, &e);
  assert_json(fleece_root(d), 0, "[{\"aa\":1,\"bb\":2},{\"not a key\":3}]");
  assert_int_equal(fleece_int64(fleece_get(fleece_at(fleece_root(d), 0), "bb"), 0), 2);
  fleece_close(d);
  fleece_keys_add(fewer, "aa", 2);
  o.keys = fewer;
  assert_null(fleece_open(out.data, out.size, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_KEYS);
  assert_null(fleece_open(out.data, out.size, NULL, &e)); /* without names it would have no members */
  assert_int_equal(e.status, FLEECE_ERROR_KEYS);
  assert_string_equal(e.message, "the document needs its shared keys");
  assert_int_equal(fleece_check(out.data, out.size, NULL, NULL), FLEECE_ERROR_KEYS);
  o.keys = NULL, o.flags = FLEECE_CODES;
  d = fleece_open(out.data, out.size, &o, &e); /* numbers stay numbers */
  fleece_iterate(&i, fleece_at(fleece_root(d), 0));
  assert_true(fleece_next(&i) && !i.name && i.name_size == 0 && fleece_next(&i) && !i.name && i.name_size == 1);
  assert_int_equal(fleece_to_json(fleece_root(d), NULL, &plain, &e), FLEECE_ERROR_KEYS);
  fleece_close(d);
  fleece_keys_free(k), fleece_keys_free(fewer), fleece_keys_free(NULL);
  fleece_bytes_free(&out), fleece_bytes_free(&plain);
}

/* ------------------------------------------------------------------------------------- deltas */

static void test_deltas(void **unused) {
  fleece_doc *a = doc_of_json("{\"keep\":1,\"old\":2,\"list\":[1,2,3]}", 0);
  fleece_doc *b = doc_of_json("{\"keep\":1,\"new\":\"x\",\"list\":[1,5,3]}", 0), *delta, *c;
  fleece_bytes text = FLEECE_BYTES_INIT, out = FLEECE_BYTES_INIT;
  fleece_error e;
  (void)unused;
  assert_int_equal(fleece_diff(fleece_root(a), fleece_root(b), &text, &e), FLEECE_OK);
  assert_int_equal(fleece_patch_json(fleece_root(a), text.data, text.size, NULL, &out, &e), FLEECE_OK);
  c = fleece_open(out.data, out.size, NULL, NULL);
  assert_int_equal(fleece_equal(fleece_root(c), fleece_root(b), NULL), 1);
  fleece_close(c);
  delta = doc_of_json(text.data, 0);
  assert_int_equal(fleece_patch(fleece_root(a), fleece_root(delta), NULL, &out, &e), FLEECE_OK);
  c = fleece_open(out.data, out.size, NULL, NULL);
  assert_int_equal(fleece_equal(fleece_root(c), fleece_root(b), NULL), 1);
  fleece_close(c);
  assert_int_equal(fleece_diff(fleece_root(a), fleece_root(a), &text, &e), FLEECE_OK);
  assert_string_equal(text.data, "{}");
  assert_int_equal(fleece_patch_json(fleece_root(a), "[1,2,3,4]", 9, NULL, &out, &e), FLEECE_ERROR_DELTA);
  assert_int_equal(out.size, 0);
  assert_int_equal(fleece_patch_json(fleece_root(a), "[1,", 3, NULL, &out, &e), FLEECE_ERROR_JSON);
  assert_int_equal(e.offset, 3);
  assert_int_equal(fleece_patch(fleece_root(a), none(), NULL, &out, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_diff(none(), fleece_root(a), &text, &e), FLEECE_ERROR_ARGUMENT);
  fleece_close(a), fleece_close(b), fleece_close(delta);
  fleece_bytes_free(&text), fleece_bytes_free(&out);
}

/* ------------------------------------------------------------------------------------- edits */

static const char before[] = "{\"a\":[1,2,3],\"b\":{\"c\":\"some longer text\",\"d\":2},\"e\":null}";
static const char after[] = "{\"a\":[0,1,3,\"new\"],\"b\":{\"c\":\"some longer text\",\"x\":{\"y\":[]}},\"f\":1}";

static int change(fleece_edit *e) {
  const fleece_mutable m = fleece_edit_root(e), a = fleece_mutable_open(m, "a", 1), b = fleece_mutable_open(m, "b", 1);
  return fleece_mutable_remove_at(a, 1) || fleece_mutable_insert_at(a, 0, fleece_edit_json(e, "0", 1, NULL, NULL)) ||
         fleece_mutable_set_at(a, 3, fleece_edit_json(e, "\"new\"", 5, NULL, NULL)) ||
         fleece_mutable_set(b, "x", 1, fleece_edit_json(e, "{\"y\":[]}", 8, NULL, NULL)) ||
         fleece_mutable_remove(b, "d", 1) || fleece_mutable_remove(m, "e", 1) ||
         fleece_mutable_set(m, "f", 1,
                            fleece_at(fleece_mutable_get(m, "a", 1), 0).at ? none()
                                                                           : fleece_edit_json(e, "1", 1, NULL, NULL));
}

static void test_edits(void **unused) {
  fleece_bytes base = FLEECE_BYTES_INIT, delta = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT, opening = FLEECE_OPTIONS_INIT;
  fleece_doc *d, *c;
  fleece_edit *e;
  fleece_error error;
  char *both;
  (void)unused;
  assert_int_equal(fleece_from_json(before, strlen(before), NULL, &base, NULL), FLEECE_OK);
  d = fleece_open(base.data, base.size, NULL, NULL);
  e = fleece_edit_new(fleece_root(d), NULL, &error);
  assert_int_equal(change(e), FLEECE_OK);
  o.flags = FLEECE_WHOLE;
  assert_int_equal(fleece_edit_write(e, &o, &delta, &error), FLEECE_OK);
  c = fleece_open(delta.data, delta.size, NULL, &error);
  assert_json(fleece_root(c), 0, after);
  fleece_close(c);
  o.flags = 0;
  assert_int_equal(fleece_edit_write(e, &o, &delta, &error), FLEECE_OK);
  both = malloc(base.size + delta.size);
  memcpy(both, base.data, base.size), memcpy(both + base.size, delta.data, delta.size);
  c = fleece_open(both, base.size + delta.size, NULL, &error);
  assert_json(fleece_root(c), 0, after);
  fleece_close(c);
  free(both);
  o.flags = FLEECE_EXTERN | FLEECE_REUSE_STRINGS;
  assert_int_equal(fleece_edit_write(e, &o, &delta, &error), FLEECE_OK);
  opening.base = d;
  c = fleece_open(delta.data, delta.size, &opening, &error);
  assert_json(fleece_root(c), 0, after);
  assert_int_equal(fleece_count(fleece_get(fleece_root(c), "b")), 2);
  fleece_close(c);
  assert_null(fleece_open(delta.data, delta.size, NULL, &error));
  fleece_edit_free(e), fleece_edit_free(NULL);
  assert_json(fleece_root(d), 0, before);
  fleece_close(d);
  fleece_bytes_free(&base), fleece_bytes_free(&delta);
}

static void test_edit_errors(void **unused) {
  fleece_doc *d = doc_of_json(before, 0);
  const fleece_value v = fleece_root(d);
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_edit *e = fleece_edit_new(v, NULL, NULL);
  const fleece_mutable m = fleece_edit_root(e), a = fleece_mutable_open(m, "a", 1);
  fleece_error error;
  (void)unused;
  assert_int_equal(fleece_mutable_type(m), FLEECE_TYPE_DICT);
  assert_int_equal(fleece_mutable_type(a), FLEECE_TYPE_ARRAY);
  assert_int_equal(fleece_mutable_count(a), 3);
  assert_int_equal(fleece_mutable_count(m), 0);
  assert_null(fleece_mutable_open(m, "e", 1).layer);
  assert_null(fleece_mutable_open(m, "zz", 2).layer);
  assert_null(fleece_mutable_open_at(a, 0).layer);
  assert_null(fleece_mutable_open_at(a, 3).layer);
  assert_null(fleece_mutable_open(a, "a", 1).layer);
  assert_null(fleece_mutable_get(m, "a", 1).at);
  assert_int_equal(fleece_int64(fleece_mutable_at(a, 2), 0), 3);
  assert_null(fleece_mutable_at(a, 3).at);
  assert_int_equal(fleece_mutable_type(fleece_mutable_open(fleece_mutable_open_at(a, 0), "x", 1)), FLEECE_TYPE_NONE);
  assert_int_equal(fleece_mutable_set(a, "x", 1, v), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_set(m, "x", 1, none()), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_set_at(m, 0, v), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_set_at(a, 4, v), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_insert_at(a, 4, v), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_remove_at(a, 3), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_mutable_remove(a, "x", 1), FLEECE_ERROR_ARGUMENT);
  assert_null(fleece_edit_json(e, "[", 1, NULL, &error).at);
  assert_int_equal(error.status, FLEECE_ERROR_JSON);
  fleece_edit_free(e);
  e = fleece_edit_new(fleece_get(v, "b"), NULL, NULL);
  assert_int_equal(fleece_edit_write(e, NULL, &out, &error), FLEECE_ERROR_ARGUMENT);
  fleece_edit_free(e);
  assert_null(fleece_edit_new(fleece_get(v, "e"), NULL, &error));
  fleece_close(d);
  fleece_bytes_free(&out);
}

/* What bounds the work on a value of an edit are the bytes of all that it was given, as those of a document are. */
static void test_loose_values(void **unused) {
  fleece_doc *d = doc_of_json("{}", 0);
  fleece_edit *e = fleece_edit_new(fleece_root(d), NULL, NULL), *other = fleece_edit_new(fleece_root(d), NULL, NULL);
  fleece_value v;
  size_t n = 0;
  int i;
  (void)unused;
  for (i = 0; i < 3; i++) {
    v = fleece_edit_json(e, "[0,1,2,3,4,5,6,7]", 17, NULL, NULL);
    n += 20;
    assert_int_equal(bin_doc_bytes(&v.doc->doc), n);
  }
  assert_int_equal(fleece_mutable_set(fleece_edit_root(other), "x", 1, v), FLEECE_OK);
  assert_int_equal(((struct bin_tree *)other)->put, n); /* its first member */
  fleece_edit_free(other), fleece_edit_free(e), fleece_close(d);
}

/* Writes the edit in this way and opens the result beside `d`, whose bytes are `base`; answers what the writing does. */
static int write_and_open(fleece_edit *e, uint32_t flags, const fleece_doc *d, const fleece_bytes *base,
                          size_t max_values) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT, opening = FLEECE_OPTIONS_INIT;
  fleece_error error;
  fleece_doc *changed;
  const size_t before_it = flags ? 0 : base->size;
  char *bytes;
  int status;
  o.flags = flags, o.max_values = opening.max_values = max_values;
  status = fleece_edit_write(e, &o, &out, &error);
  assert_int_equal(error.status, status);
  if (status == FLEECE_OK) {
    bytes = malloc(before_it + out.size);
    memcpy(bytes, base->data, before_it), memcpy(bytes + before_it, out.data, out.size);
    opening.base = flags & FLEECE_EXTERN ? d : NULL;
    opening.max_depth = 10000;
    changed = fleece_open(bytes, before_it + out.size, &opening, &error);
    assert_string_equal(error.message, "");
    fleece_close(changed);
    free(bytes);
  }
  fleece_bytes_free(&out);
  return status;
}

/* What is pointed to in the base counts for all that it holds: a delta can be written if and only if it can be
** opened. `what` is put into the list so many times. */
static void test_shared_with_base(void **unused) {
  static const struct {
    const char *what;
    int times, status;
  } rows[] = {{"big", 3000, FLEECE_OK},  {"big", 8000, FLEECE_ERROR_LIMIT},  {"small", 100000, FLEECE_OK},
              {"text", 2000, FLEECE_OK}, {"text", 8000, FLEECE_ERROR_LIMIT}, {"list", 100000, FLEECE_OK}};
  fleece_encoder *c = fleece_encoder_new(NULL, NULL);
  fleece_bytes base = FLEECE_BYTES_INIT;
  char *text = malloc(160000);
  fleece_doc *d;
  size_t i;
  int k;
  (void)unused;
  memset(text, 'x', 160000);
  fleece_put_dict(c);
  fleece_put_key(c, "big", 3), fleece_put_array(c);
  for (k = 0; k < 5000; k++) fleece_put_int64(c, 0);
  fleece_put_end(c);
  fleece_put_key(c, "small", 5), fleece_put_array(c), fleece_put_int64(c, 0), fleece_put_end(c);
  fleece_put_key(c, "text", 4), fleece_put_string(c, text, 160000);
  fleece_put_key(c, "list", 4), fleece_put_array(c), fleece_put_end(c);
  fleece_put_end(c);
  assert_int_equal(fleece_finish(c, &base, NULL), FLEECE_OK);
  d = fleece_open(base.data, base.size, NULL, NULL);
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    const fleece_value what = fleece_get(fleece_root(d), rows[i].what);
    fleece_edit *e = fleece_edit_new(fleece_root(d), NULL, NULL);
    fleece_mutable list = fleece_mutable_open(fleece_edit_root(e), "list", 4);
    for (k = 0; k < rows[i].times; k++) assert_int_equal(fleece_mutable_set_at(list, (size_t)k, what), FLEECE_OK);
    assert_int_equal(write_and_open(e, FLEECE_EXTERN, d, &base, SIZE_MAX), rows[i].status);
    assert_int_equal(write_and_open(e, 0, d, &base, SIZE_MAX), rows[i].status);
    if (rows[i].what[0] == 'b') {
      assert_int_equal(write_and_open(e, FLEECE_WHOLE, d, &base, SIZE_MAX), FLEECE_OK);
      assert_int_equal(write_and_open(e, FLEECE_EXTERN, d, &base, 0), FLEECE_ERROR_LIMIT); /* above the default */
    }
    fleece_edit_free(e);
  }
  fleece_close(d), fleece_encoder_free(c);
  fleece_bytes_free(&base);
  free(text);
}

/* Dicts in dicts, of which each becomes the parent of a new one. */
static void test_deep_change(void **unused) {
  enum { MEMBERS = 100 };
  static const int levels[] = {400, 1500};
  fleece_encoder *c = fleece_encoder_new(NULL, NULL);
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes base = FLEECE_BYTES_INIT;
  fleece_doc *d;
  fleece_edit *e;
  fleece_mutable m;
  size_t i;
  int level, k, status;
  (void)unused;
  o.max_depth = 10000;
  for (i = 0; i < sizeof levels / sizeof *levels; i++) {
    for (level = 0; level < levels[i]; level++) {
      fleece_put_dict(c);
      for (k = 0; k < MEMBERS; k++) {
        char name[8];
        fleece_put_key(c, name, (size_t)snprintf(name, sizeof name, "%d", k)), fleece_put_int64(c, k);
      }
      fleece_put_key(c, "x", 1);
    }
    fleece_put_null(c);
    for (level = 0; level < levels[i]; level++) fleece_put_end(c);
    assert_int_equal(fleece_finish(c, &base, NULL), FLEECE_OK);
    d = fleece_open(base.data, base.size, &o, NULL);
    e = fleece_edit_new(fleece_root(d), NULL, NULL);
    for (m = fleece_edit_root(e), level = 1; level < levels[i]; level++) m = fleece_mutable_open(m, "x", 1);
    assert_int_equal(fleece_mutable_remove(m, "0", 1), FLEECE_OK);
    status = levels[i] > 1000 ? FLEECE_ERROR_LIMIT : FLEECE_OK;
    assert_int_equal(write_and_open(e, FLEECE_EXTERN, d, &base, SIZE_MAX), status);
    assert_int_equal(write_and_open(e, 0, d, &base, SIZE_MAX), status);
    fleece_edit_free(e);
    fleece_close(d);
  }
  fleece_encoder_free(c);
  fleece_bytes_free(&base);
}

/* ------------------------------------------------------------------------------------- allocations that fail */

struct run {
  struct heap heap;
  fleece_allocator memory;
  fleece_bytes a, b, c;
};

#define TRY(call)                                 \
  do {                                            \
    if ((status = (call)) != FLEECE_OK) goto end; \
  } while (0)
#define TRY_NEW(x)           \
  do {                       \
    if (!(x)) {              \
      status = error.status; \
      goto end;              \
    }                        \
  } while (0)

/* Everything that takes memory. Answers the first status that is not FLEECE_OK. */
static int everything(struct run *r, const char *text, size_t n) {
  fleece_options o = FLEECE_OPTIONS_INIT, writing = FLEECE_OPTIONS_INIT;
  fleece_error error;
  fleece_encoder *e = NULL;
  fleece_doc *d = NULL, *other = NULL;
  fleece_edit *edit = NULL;
  fleece_keys *k = fleece_keys_new(&r->memory);
  char path[400];
  size_t n_path;
  int status = FLEECE_ERROR_MEMORY;
  if (!k) return status;
  memset(&error, 0, sizeof error);
  for (n_path = 0; n_path < sizeof path; n_path++) path[n_path] = n_path % 2 ? '.' : 'a';
  o.allocator = &r->memory;
  o.keys = k;
  o.flags = FLEECE_COPY;
  TRY(fleece_from_json(text, n, &o, &r->a, &error));
  TRY(fleece_check(r->a.data, r->a.size, &o, &error));
  TRY_NEW(d = fleece_open(r->a.data, r->a.size, &o, &error));
  TRY(fleece_to_json(fleece_root(d), NULL, &r->b, &error));
  writing.allocator = &r->memory, writing.indent = "  ", writing.flags = FLEECE_CANONICAL;
  TRY(fleece_to_json(fleece_root(d), &writing, &r->b, &error));
  (void)fleece_path(fleece_root(d), path, sizeof path - 1, &error);
  TRY(error.status);
  memset(path, '/', sizeof path);
  (void)fleece_pointer(fleece_root(d), path, sizeof path, &error);
  TRY(error.status);
  TRY_NEW(e = fleece_encoder_new(&o, &error));
  TRY(fleece_put_json(e, text, n, NULL, &error));
  TRY(fleece_finish(e, &r->c, &error));
  TRY(fleece_put_array(e));
  TRY(fleece_put_value(e, fleece_root(d)));
  TRY(fleece_put_string(e, path, sizeof path));
  TRY(fleece_put_end(e));
  TRY(fleece_finish(e, &r->c, &error));
  TRY_NEW(other = fleece_open(r->c.data, r->c.size, &o, &error));
  if (fleece_equal(fleece_root(d), fleece_at(fleece_root(other), 0), &error) < 0) TRY(error.status);
  TRY(fleece_diff(fleece_root(d), fleece_root(other), &r->b, &error));
  TRY(fleece_patch_json(fleece_root(d), r->b.data, r->b.size, &o, &r->c, &error));
  o.flags = 0;
  TRY_NEW(edit = fleece_edit_new(fleece_root(d), &o, &error));
  TRY_NEW(fleece_edit_json(edit, "[1.5,{}]", 8, NULL, &error).at);
  TRY(fleece_mutable_set(fleece_edit_root(edit), "new", 3, fleece_root(other)));
  TRY(fleece_mutable_remove(fleece_edit_root(edit), "b", 1));
  TRY(fleece_edit_write(edit, &o, &r->c, &error));
  o.flags = FLEECE_WHOLE;
  TRY(fleece_edit_write(edit, &o, &r->c, &error));
end:
  fleece_edit_free(edit);
  fleece_close(other), fleece_close(d);
  fleece_encoder_free(e);
  fleece_keys_free(k);
  return status;
}

static void test_memory(void **unused) {
  char text[6000] = "{\"b\":[", *w = text + strlen(text);
  struct run r;
  int i, status = -1;
  long fail_at;
  (void)unused;
  for (i = 0; i < 150; i++) w += sprintf(w, "%s{\"id\":%d,\"v\":%d.25}", i ? "," : "", 1000 * i, i);
  w += sprintf(w, "]}");
  for (fail_at = 1; status != FLEECE_OK; fail_at++) {
    memset(&r, 0, sizeof r);
    r.heap.fail_at = fail_at;
    r.memory.alloc = heap_alloc, r.memory.ud = &r.heap;
    r.a.allocator = r.b.allocator = r.c.allocator = r.memory;
    status = everything(&r, text, (size_t)(w - text));
    if (r.heap.requests < fail_at) assert_int_equal(status, FLEECE_OK);
    else if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY);
    else status = -1; /* one that it can do without: more room in advance */
    fleece_bytes_free(&r.a), fleece_bytes_free(&r.b), fleece_bytes_free(&r.c);
    assert_int_equal(r.heap.blocks, 0);
  }
  assert_true(fail_at > 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_encoder),      cmocka_unit_test(test_order),
      cmocka_unit_test(test_copies),       cmocka_unit_test(test_limits),
      cmocka_unit_test(test_keys),         cmocka_unit_test(test_deltas),
      cmocka_unit_test(test_edits),        cmocka_unit_test(test_edit_errors),
      cmocka_unit_test(test_loose_values), cmocka_unit_test(test_shared_with_base),
      cmocka_unit_test(test_deep_change),  cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
