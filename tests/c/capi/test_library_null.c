/* SPDX-License-Identifier: MIT
** test_library_null.c -- NULL pointers: as fleece.h says of all functions. With the length 0 they are empty; else they
** are FLEECE_ERROR_ARGUMENT, or an empty object where there is no status.
** Build: make build/tests/plain/simd/test_library_null */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../../../include/fleece.h"

static fleece_bytes out = FLEECE_BYTES_INIT, scratch = FLEECE_BYTES_INIT, bytes = FLEECE_BYTES_INIT;
static fleece_error e;
static fleece_doc *d;
static fleece_value v;
static const fleece_value none;

static int open_all(void **state) {
  (void)state;
  assert_int_equal(fleece_from_json("{\"\":[1],\"b\":\"x\"}", 16, NULL, &bytes, &e), FLEECE_OK);
  d = fleece_open(bytes.data, bytes.size, NULL, &e);
  v = fleece_root(d);
  return d == NULL;
}

static int close_all(void **state) {
  (void)state;
  fleece_close(d);
  fleece_bytes_free(&out), fleece_bytes_free(&scratch), fleece_bytes_free(&bytes);
  return 0;
}

#define ARGUMENT(call) (assert_int_equal(call, FLEECE_ERROR_ARGUMENT))
#define REFUSED(call) (assert_null(call), assert_int_equal(e.status, FLEECE_ERROR_ARGUMENT))
#define SAME(call, other) (assert_int_equal(call, other))

static int write_nothing(void *ud, const char *s, size_t n) { return (void)ud, (void)s, (void)n, 1; }
static int find_nothing(void *ud, fleece_text t, const char *path, size_t n) {
  return (void)ud, (void)t, (void)path, (void)n, 1;
}

static void test_texts_and_documents(void **state) {
  (void)state;
  SAME(fleece_from_json(NULL, 0, NULL, &out, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_from_json(NULL, 1, NULL, &out, &e));
  ARGUMENT(fleece_from_json("1", 1, NULL, NULL, &e));
  ARGUMENT(fleece_to_json(v, NULL, NULL, NULL));
  ARGUMENT(fleece_to_json(none, NULL, &out, &e));
  ARGUMENT(fleece_write_json(v, NULL, NULL, NULL, &e));
  ARGUMENT(fleece_write_json(none, NULL, write_nothing, NULL, &e));
  SAME(fleece_check(NULL, 0, NULL, &e), fleece_check("", 0, NULL, &e));
  ARGUMENT(fleece_check(NULL, 2, NULL, &e));
  assert_null(fleece_open(NULL, 0, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_BINARY);
  REFUSED(fleece_open(NULL, 2, NULL, &e));
  REFUSED(fleece_open_file(NULL, NULL, &e));
  ARGUMENT(fleece_save(NULL, bytes.data, bytes.size, NULL, &e));
  SAME(fleece_save("/nowhere", NULL, 0, NULL, &e), FLEECE_ERROR_BINARY);
  ARGUMENT(fleece_save("/nowhere", NULL, 2, NULL, &e));
  ARGUMENT(fleece_compact(NULL, NULL, &e));
  assert_null(fleece_doc_bytes(NULL, NULL));
  assert_ptr_equal(fleece_doc_bytes(d, NULL), bytes.data);
  fleece_bytes_free(NULL), fleece_bytes_fit(NULL), fleece_close(NULL);
}

static void test_values(void **state) {
  fleece_iterator i;
  (void)state;
  assert_null(fleece_root(NULL).at);
  assert_non_null(fleece_string(fleece_get(v, "b"), NULL));
  assert_null(fleece_string(v, NULL));
  assert_null(fleece_data(v, NULL));
  assert_ptr_equal(fleece_get_n(v, NULL, 0).at, fleece_get(v, "").at);
  assert_non_null(fleece_get_n(v, NULL, 0).at);
  assert_null(fleece_get_n(v, NULL, 1).at);
  assert_null(fleece_get(v, NULL).at);
  assert_ptr_equal(fleece_path(v, NULL, 0, &e).at, fleece_path(v, "", 0, NULL).at);
  REFUSED(fleece_path(v, NULL, 1, &e).at);
  assert_ptr_equal(fleece_pointer(v, NULL, 0, &e).at, v.at);
  REFUSED(fleece_pointer(v, NULL, 1, &e).at);
  fleece_iterate(NULL, v);
  assert_int_equal(fleece_next(NULL), 0);
  fleece_iterate(&i, none);
  assert_int_equal(fleece_next(&i), 0);
}

static void test_encoders(void **state) {
  fleece_encoder *w = fleece_encoder_new(NULL, NULL);
  fleece_keys *k = fleece_keys_new(NULL);
  (void)state;
  ARGUMENT(fleece_put_null(NULL)), ARGUMENT(fleece_put_undefined(NULL)), ARGUMENT(fleece_put_boolean(NULL, 1));
  ARGUMENT(fleece_put_int64(NULL, 1)), ARGUMENT(fleece_put_uint64(NULL, 1)), ARGUMENT(fleece_put_double(NULL, 1));
  ARGUMENT(fleece_put_float(NULL, 1)), ARGUMENT(fleece_put_string(NULL, "", 0)), ARGUMENT(fleece_put_data(NULL, "", 0));
  ARGUMENT(fleece_put_value(NULL, v)), ARGUMENT(fleece_put_array(NULL)), ARGUMENT(fleece_put_dict(NULL));
  ARGUMENT(fleece_put_key(NULL, "", 0)), ARGUMENT(fleece_put_end(NULL)), ARGUMENT(fleece_finish(NULL, &out, &e));
  ARGUMENT(fleece_put_json(NULL, "1", 1, NULL, &e)), ARGUMENT(fleece_put_json(w, NULL, 1, NULL, &e));
  SAME(fleece_put_json(w, NULL, 0, NULL, &e), FLEECE_ERROR_JSON);
  SAME(fleece_put_dict(w), FLEECE_OK);
  ARGUMENT(fleece_put_key(w, NULL, 1)); /* which is not kept */
  SAME(fleece_put_key(w, NULL, 0), FLEECE_OK);
  ARGUMENT(fleece_put_string(w, NULL, 1)), ARGUMENT(fleece_put_data(w, NULL, 1));
  SAME(fleece_put_string(w, NULL, 0), FLEECE_OK);
  SAME(fleece_put_end(w), FLEECE_OK);
  ARGUMENT(fleece_finish(w, NULL, &e));
  SAME(fleece_finish(w, &out, &e), FLEECE_OK);
  fleece_encoder_reset(NULL), fleece_encoder_free(NULL), fleece_encoder_free(w);
  assert_int_equal(fleece_keys_count(NULL), 0);
  assert_int_equal(fleece_keys_add(NULL, "a", 1), -1);
  assert_int_equal(fleece_keys_find(NULL, "a", 1), -1);
  assert_int_equal(fleece_keys_add(k, NULL, 0), fleece_keys_add(k, "", 0));
  assert_int_equal(fleece_keys_add(k, NULL, 1), -1);
  assert_int_equal(fleece_keys_find(k, NULL, 1), -1);
  assert_int_equal(fleece_keys_add(k, "a", 1), 1);
  assert_non_null(fleece_keys_name(k, 1, NULL));
  assert_null(fleece_keys_name(k, 2, NULL));
  assert_null(fleece_keys_name(NULL, 0, NULL));
  fleece_keys_free(NULL), fleece_keys_free(k);
}

static void test_edits(void **state) {
  fleece_edit *edit = fleece_edit_new(v, NULL, NULL);
  const fleece_mutable m = fleece_edit_root(edit), nothing = fleece_edit_root(NULL);
  (void)state;
  assert_null(nothing.layer);
  REFUSED(fleece_edit_new(none, NULL, &e));
  REFUSED(fleece_edit_json(NULL, "1", 1, NULL, &e).at);
  REFUSED(fleece_edit_json(edit, NULL, 1, NULL, &e).at);
  assert_int_equal(fleece_mutable_type(nothing), FLEECE_TYPE_NONE);
  assert_int_equal(fleece_mutable_count(nothing), 0);
  assert_non_null(fleece_mutable_get(m, NULL, 0).at);
  assert_null(fleece_mutable_get(m, NULL, 1).at);
  assert_null(fleece_mutable_open(m, NULL, 1).layer);
  assert_non_null(fleece_mutable_open(m, NULL, 0).layer);
  ARGUMENT(fleece_mutable_set(m, NULL, 1, v)), ARGUMENT(fleece_mutable_remove(m, NULL, 1));
  ARGUMENT(fleece_mutable_set(nothing, "a", 1, v)), ARGUMENT(fleece_mutable_set_at(nothing, 0, v));
  SAME(fleece_mutable_set(m, NULL, 0, v), FLEECE_OK);
  SAME(fleece_mutable_remove(m, NULL, 0), FLEECE_OK);
  ARGUMENT(fleece_edit_write(NULL, NULL, &out, &e)), ARGUMENT(fleece_edit_write(edit, NULL, NULL, &e));
  ARGUMENT(fleece_append(NULL, "x", NULL, &e)), ARGUMENT(fleece_append(edit, NULL, NULL, &e));
  ARGUMENT(fleece_diff(v, v, NULL, &e)), ARGUMENT(fleece_diff(none, v, &out, &e)),
      ARGUMENT(fleece_patch(v, v, NULL, NULL, &e));
  ARGUMENT(fleece_patch_json(v, "[]", 2, NULL, NULL, &e)), ARGUMENT(fleece_patch_json(v, NULL, 1, NULL, &out, &e));
  SAME(fleece_patch_json(v, NULL, 0, NULL, &out, &e), FLEECE_ERROR_JSON);
  fleece_edit_free(NULL), fleece_edit_free(edit);
}

static void test_texts_in_place(void **state) {
  static const char *const paths[] = {"a", NULL};
  static const size_t lengths[] = {1, 0}, wrong[] = {1, 1};
  fleece_text found[2] = {{NULL, 0}, {NULL, 0}};
  const fleece_text text = {"\"a\"", 3};
  (void)state;
  SAME(fleece_text_check(NULL, 0, NULL, NULL, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_text_check(NULL, 1, NULL, NULL, &e));
  REFUSED(fleece_text_picker_new(NULL, NULL, 1, NULL, &e));
  REFUSED(fleece_text_picker_new(paths, NULL, 2, NULL, &e));
  REFUSED(fleece_text_picker_new(paths, wrong, 2, NULL, &e));
  fleece_picker *p = fleece_text_picker_new(paths, lengths, 2, NULL, &e);
  assert_non_null(p);
  SAME(fleece_text_pick(p, NULL, 0, found, NULL, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_text_pick(NULL, "1", 1, found, NULL, &e)), ARGUMENT(fleece_text_pick(p, "1", 1, NULL, NULL, &e));
  ARGUMENT(fleece_text_pick(p, NULL, 1, found, NULL, &e));
  fleece_text_picker_free(p), fleece_text_picker_free(NULL);
  assert_non_null(fleece_text_string(text, NULL, NULL, &e));
  assert_null(fleece_text_string(found[0], NULL, NULL, &e));
  assert_int_equal(fleece_text_type(found[0]), FLEECE_TYPE_NONE);
  REFUSED(fleece_query_new(NULL, 1, NULL, &e));
  assert_null(fleece_query_new(NULL, 0, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_PATH);
  fleece_query *q = fleece_query_new("$.a", 3, NULL, &e);
  ARGUMENT(fleece_text_query(NULL, "1", 1, find_nothing, NULL, NULL, &e));
  ARGUMENT(fleece_text_query(q, "1", 1, NULL, NULL, NULL, &e));
  ARGUMENT(fleece_text_query(q, NULL, 1, find_nothing, NULL, NULL, &e));
  SAME(fleece_text_query(q, NULL, 0, find_nothing, NULL, NULL, &e), FLEECE_ERROR_JSON);
  fleece_query_free(q), fleece_query_free(NULL);
}

static void test_changes(void **state) {
  fleece_change c = {FLEECE_SET, NULL, 0, "2", 1};
  (void)state;
  SAME(fleece_text_edit("{}", 2, &c, 1, NULL, &out, NULL, &e), FLEECE_OK);
  SAME(fleece_text_edit("{}", 2, NULL, 0, NULL, &out, NULL, &e), FLEECE_OK);
  ARGUMENT(fleece_text_edit("{}", 2, NULL, 1, NULL, &out, NULL, &e));
  ARGUMENT(fleece_text_edit("{}", 2, &c, 1, NULL, NULL, NULL, &e));
  ARGUMENT(fleece_text_edit(NULL, 1, &c, 1, NULL, &out, NULL, &e));
  SAME(fleece_text_edit(NULL, 0, &c, 1, NULL, &out, NULL, &e), FLEECE_ERROR_JSON);
  c.path_size = 1;
  ARGUMENT(fleece_text_edit("{}", 2, &c, 1, NULL, &out, NULL, &e));
  c.path_size = 0, c.value = NULL;
  ARGUMENT(fleece_text_edit("{}", 2, &c, 1, NULL, &out, NULL, &e));
  c.value_size = 0;
  SAME(fleece_text_edit("{}", 2, &c, 1, NULL, &out, NULL, &e), FLEECE_ERROR_VALUE);
  SAME(fleece_text_json_patch("1", 1, NULL, 0, NULL, &out, NULL, &e), FLEECE_ERROR_VALUE);
  ARGUMENT(fleece_text_json_patch("1", 1, NULL, 1, NULL, &out, NULL, &e));
  ARGUMENT(fleece_text_json_patch("1", 1, "[]", 2, NULL, NULL, NULL, &e));
  SAME(fleece_text_merge_patch(NULL, 0, "1", 1, NULL, &out, NULL, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_text_merge_patch("1", 1, "1", 1, NULL, NULL, NULL, &e));
  SAME(fleece_text_json_diff("1", 1, NULL, 0, NULL, &out, NULL, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_text_json_diff(NULL, 1, "1", 1, NULL, &out, NULL, &e));
  ARGUMENT(fleece_text_json_diff("1", 1, "1", 1, NULL, NULL, NULL, &e));
  ARGUMENT(fleece_text_merge_diff("1", 1, "2", 1, NULL, NULL, NULL, &e));
}

static void test_schemas(void **state) {
  fleece_failure failure;
  size_t count = 1;
  (void)state;
  assert_null(fleece_schema_compile(NULL, 0, NULL, NULL, NULL, &e));
  assert_int_equal(e.status, FLEECE_ERROR_JSON);
  REFUSED(fleece_schema_compile(NULL, 1, NULL, NULL, NULL, &e));
  REFUSED(fleece_schema_compile("true", 4, NULL, &failure, NULL, &e));
  fleece_schema *s = fleece_schema_compile("true", 4, NULL, NULL, NULL, &e);
  ARGUMENT(fleece_schema_check(NULL, "1", 1, &failure, &count, &scratch, &e));
  assert_int_equal(count, 0);
  SAME(fleece_schema_check(s, NULL, 0, NULL, NULL, NULL, &e), FLEECE_ERROR_JSON);
  ARGUMENT(fleece_schema_check(s, NULL, 1, NULL, NULL, NULL, &e));
  SAME(fleece_schema_check(s, "1", 1, NULL, &count, NULL, &e), FLEECE_OK);
  count = 1;
  ARGUMENT(fleece_schema_check(s, "1", 1, &failure, &count, NULL, &e));
  fleece_schema_free(s), fleece_schema_free(NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_texts_and_documents),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_encoders),
      cmocka_unit_test(test_edits),
      cmocka_unit_test(test_texts_in_place),
      cmocka_unit_test(test_changes),
      cmocka_unit_test(test_schemas),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
