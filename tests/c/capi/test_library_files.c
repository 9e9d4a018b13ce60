/* SPDX-License-Identifier: MIT
** test_library_files.c -- the C interface and files with frames: saved, opened, cut, changed, appended to, written anew;
** failing allocations.
** Build: make build/tests/plain/simd/test_library_files */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "../../../include/fleece.h"
#include "../support/heap.h"

static char path[] = "/tmp/fleece-test-XXXXXX";

static size_t read_file(uint8_t *to, size_t room) {
  FILE *file = fopen(path, "rb");
  size_t n;
  assert_non_null(file);
  n = fread(to, 1, room, file);
  fclose(file);
  return n;
}

static void write_file(const uint8_t *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, n, file), n);
  fclose(file);
}

static void assert_file(uint32_t flags, fleece_keys *keys, const char *json) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes text = FLEECE_BYTES_INIT;
  fleece_error e;
  fleece_doc *d;
  o.flags = flags, o.keys = keys;
  d = fleece_open_file(path, &o, &e);
  assert_non_null(d);
  assert_int_equal(fleece_to_json(fleece_root(d), NULL, &text, &e), FLEECE_OK);
  assert_int_equal(text.size, strlen(json));
  assert_memory_equal(text.data, json, text.size);
  fleece_bytes_free(&text);
  fleece_close(d);
}

static void save(const char *json, fleece_keys *keys) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  o.keys = keys;
  assert_int_equal(fleece_from_json(json, strlen(json), &o, &bytes, NULL), FLEECE_OK);
  assert_int_equal(fleece_save(path, bytes.data, bytes.size, &o, NULL), FLEECE_OK);
  fleece_bytes_free(&bytes);
}

static void test_save_and_open(void **unused) {
  static const uint8_t one[2] __attribute__((aligned(2))) = {0, 1};
  fleece_keys *keys = fleece_keys_new(NULL), *other = fleece_keys_new(NULL);
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  (void)unused;
  save("{\"k\":[1,2,3]}", NULL);
  assert_file(FLEECE_FRAMED, NULL, "{\"k\":[1,2,3]}");
  assert_file(FLEECE_FRAMED | FLEECE_READ | FLEECE_UNVERIFIED, NULL, "{\"k\":[1,2,3]}");
  save("{\"name\":1}", keys);
  assert_file(0, NULL, "{\"name\":1}");
  assert_file(0, keys, "{\"name\":1}");
  o.keys = other;
  assert_null(fleece_open_file(path, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_KEYS);
  write_file((const uint8_t *)"\0\1", 2);
  o.keys = NULL, o.flags = FLEECE_FRAMED;
  assert_file(0, NULL, "1");
  assert_null(fleece_open_file(path, &o, &e));
  assert_int_equal(e.status, FLEECE_ERROR_BINARY);
  assert_string_equal(e.message, "the file has no frame");
  assert_int_equal(fleece_save(path, "xx", 2, NULL, &e), FLEECE_ERROR_BINARY);
  assert_int_equal(fleece_save(NULL, one, sizeof one, NULL, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(fleece_save("/nowhere/at all", one, sizeof one, NULL, &e), FLEECE_ERROR_FILE);
  assert_int_equal(e.system, ENOENT);
  fleece_keys_free(keys), fleece_keys_free(other);
}

/* Files with amendments are in tests/lua/file and tests/c/binary/test_frame.c. */
static void test_cut_and_changed(void **unused) {
  uint8_t bytes[256];
  size_t n, i;
  fleece_error e;
  (void)unused;
  save("{\"n\":1}", NULL);
  n = read_file(bytes, sizeof bytes);
  for (i = 1; i < n; i++) {
    write_file(bytes, i);
    assert_null(fleece_open_file(path, NULL, &e));
    assert_int_equal(e.status, FLEECE_ERROR_BINARY);
    assert_int_equal(e.offset, i);
  }
  for (i = 0; i < n; i++) {
    bytes[i] ^= 1;
    write_file(bytes, n);
    assert_null(fleece_open_file(path, NULL, &e));
    assert_int_equal(e.status, FLEECE_ERROR_BINARY);
    bytes[i] ^= 1;
  }
  memcpy(bytes + n, "damage", 6);
  write_file(bytes, n + 6);
  assert_null(fleece_open_file(path, NULL, &e));
  assert_int_equal(e.offset, n);
  assert_file(FLEECE_RECOVER, NULL, "{\"n\":1}");
  assert_file(FLEECE_RECOVER | FLEECE_READ, NULL, "{\"n\":1}");
}

/* Every allocation fails once: an error, and the file is the old one, without a lock. */
static void test_memory(void **unused) {
  fleece_keys *keys = fleece_keys_new(NULL);
  struct heap heap = {.for_good = 1};
  const fleece_allocator memory = {heap_alloc, &heap};
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  fleece_error e;
  int status = FLEECE_ERROR_MEMORY;
  long fail;
  (void)unused;
  o.keys = keys, o.allocator = &memory;
  save("1", NULL);
  assert_int_equal(fleece_from_json("{\"name\":\"text\"}", 15, &o, &bytes, NULL), FLEECE_OK);
  for (fail = 1; status != FLEECE_OK && fail < 50; fail++) {
    fleece_doc *d = NULL;
    heap.requests = 0, heap.fail_at = fail;
    status = fleece_save(path, bytes.data, bytes.size, &o, &e);
    if (status != FLEECE_OK) {
      assert_int_equal(status, FLEECE_ERROR_MEMORY);
      assert_file(0, NULL, "1");
    } else {
      for (fail = 1; !d; fail++) {
        assert_true(fail < 50);
        heap.requests = 0, heap.fail_at = fail;
        o.keys = NULL;
        d = fleece_open_file(path, &o, &e);
        if (!d) assert_int_equal(e.status, FLEECE_ERROR_MEMORY);
      }
      fleece_close(d);
    }
  }
  heap.fail_at = 0;
  assert_int_equal(status, FLEECE_OK);
  fleece_bytes_free(&bytes);
  fleece_keys_free(keys);
}

/* The file's document with `name` set to the value of a JSON text; the status of fleece_append. */
static int append(const char *name, const char *json, const fleece_options *o, fleece_error *e) {
  fleece_doc *d = fleece_open_file(path, o, e);
  fleece_edit *edit = d ? fleece_edit_new(fleece_root(d), o, e) : NULL;
  fleece_value v;
  int status = e->status;
  if (edit) {
    v = fleece_edit_json(edit, json, strlen(json), o, e);
    status = v.at ? fleece_mutable_set(fleece_edit_root(edit), name, strlen(name), v) : e->status;
    if (!status) status = fleece_append(edit, path, o, e);
  }
  fleece_edit_free(edit);
  fleece_close(d);
  return status;
}

static void test_append(void **unused) {
  static const char start[] = "{\"a\":[1,2],\"b\":\"a longer text, more than once\"}";
  fleece_doc *before;
  fleece_bytes text = FLEECE_BYTES_INIT;
  fleece_error e;
  int i;
  (void)unused;
  save(start, NULL);
  before = fleece_open_file(path, NULL, &e);
  for (i = 0; i < 20; i++) {
    char json[32], wanted[128];
    snprintf(json, sizeof json, "{\"n\":%d}", i);
    assert_int_equal(append("a", json, NULL, &e), FLEECE_OK);
    snprintf(wanted, sizeof wanted, "{\"a\":{\"n\":%d},\"b\":\"a longer text, more than once\"}", i);
    assert_file(FLEECE_FRAMED, NULL, wanted);
  }
  assert_int_equal(fleece_to_json(fleece_root(before), NULL, &text, &e), FLEECE_OK);
  assert_string_equal(text.data, start); /* who had it open keeps it */
  fleece_bytes_free(&text);
  fleece_close(before);
}

/* Names that the file does not have yet are in the frame of the amendment. */
static void test_append_names(void **unused) {
  fleece_keys *keys = fleece_keys_new(NULL);
  fleece_error e;
  (void)unused;
  save("{\"first\":1}", keys);
  fleece_keys_free(keys);
  assert_int_equal(append("second", "{\"third\":[2]}", NULL, &e), FLEECE_OK);
  assert_int_equal(append("first", "{\"second\":3}", NULL, &e), FLEECE_OK);
  assert_file(FLEECE_FRAMED, NULL, "{\"first\":{\"second\":3},\"second\":{\"third\":[2]}}");
  assert_int_equal(fleece_compact(path, NULL, &e), FLEECE_OK);
  assert_file(FLEECE_FRAMED, NULL, "{\"first\":{\"second\":3},\"second\":{\"third\":[2]}}");
}

static void test_append_refuses(void **unused) {
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_doc *d;
  fleece_edit *edit;
  fleece_error e;
  uint8_t bytes[1024];
  size_t n;
  (void)unused;
  assert_int_equal(fleece_append(NULL, path, NULL, &e), FLEECE_ERROR_ARGUMENT);
  save("{\"a\":1}", NULL);
  d = fleece_open_file(path, NULL, &e);
  edit = fleece_edit_new(fleece_root(d), NULL, &e);
  assert_int_equal(fleece_append(edit, NULL, NULL, &e), FLEECE_ERROR_ARGUMENT);
  o.flags = FLEECE_WHOLE;
  assert_int_equal(fleece_append(edit, path, &o, &e), FLEECE_ERROR_ARGUMENT);
  assert_int_equal(append("a", "2", NULL, &e), FLEECE_OK);
  assert_int_equal(fleece_append(edit, path, NULL, &e), FLEECE_ERROR_FILE);
  assert_string_equal(e.message, "it was changed since it was opened: open it again");
  save("{\"a\":3}", NULL);
  assert_int_equal(fleece_append(edit, path, NULL, &e), FLEECE_ERROR_FILE);
  assert_string_equal(e.message, "it is another file now");
  assert_file(0, NULL, "{\"a\":3}");
  unlink(path);
  assert_int_equal(fleece_append(edit, path, NULL, &e), FLEECE_ERROR_FILE);
  assert_int_equal(e.system, ENOENT);
  fleece_edit_free(edit), fleece_close(d);
  save("{\"a\":3}", NULL);
  n = read_file(bytes, sizeof bytes);
  memcpy(bytes + n, "damage", 6);
  write_file(bytes, n + 6);
  o.flags = FLEECE_RECOVER;
  assert_int_equal(append("a", "4", &o, &e), FLEECE_ERROR_FILE);
  assert_int_equal(fleece_compact(path, NULL, &e), FLEECE_ERROR_BINARY);
  assert_int_equal(fleece_compact(path, &o, &e), FLEECE_OK);
  assert_int_equal(append("a", "4", NULL, &e), FLEECE_OK);
  assert_file(FLEECE_FRAMED, NULL, "{\"a\":4}");
  write_file((const uint8_t *)"\0\1", 2);
  d = fleece_open("\140\0", 2, NULL, &e); /* [] */
  edit = fleece_edit_new(fleece_root(d), NULL, &e);
  assert_int_equal(fleece_append(edit, path, NULL, &e), FLEECE_ERROR_ARGUMENT);
  fleece_edit_free(edit), fleece_close(d);
  assert_int_equal(fleece_compact(path, NULL, &e), FLEECE_OK); /* a frame is put before it */
  assert_file(FLEECE_FRAMED, NULL, "1");
  assert_int_equal(fleece_compact("/nowhere/at all", NULL, &e), FLEECE_ERROR_FILE);
  assert_int_equal(fleece_compact(NULL, NULL, &e), FLEECE_ERROR_ARGUMENT);
}

/* Many amendments take many bytes; compact writes what is left of them. */
static void test_compact(void **unused) {
  static uint8_t bytes[64 * 1024];
  size_t before, after;
  fleece_error e;
  int i;
  (void)unused;
  save("{\"a\":1}", NULL);
  for (i = 0; i < 50; i++) assert_int_equal(append("a", "\"a text of some length\"", NULL, &e), FLEECE_OK);
  before = read_file(bytes, sizeof bytes);
  assert_int_equal(fleece_compact(path, NULL, &e), FLEECE_OK);
  after = read_file(bytes, sizeof bytes);
  assert_true(after < 128 && before > 50 * 48);
  assert_file(FLEECE_FRAMED, NULL, "{\"a\":\"a text of some length\"}");
}

/* Every allocation of append and compact fails once: the file is the old one, and nobody has its lock. */
static void test_memory_of_changes(void **unused) {
  struct heap heap = {.for_good = 1};
  const fleece_allocator memory = {heap_alloc, &heap};
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_keys *keys = fleece_keys_new(NULL);
  fleece_error e;
  int status = FLEECE_ERROR_MEMORY;
  long fail;
  (void)unused;
  o.allocator = &memory;
  save("{\"a\":1}", keys);
  fleece_keys_free(keys);
  for (fail = 1; status != FLEECE_OK; fail++) {
    assert_true(fail < 100);
    heap.requests = 0, heap.fail_at = fail;
    status = append("name", "[1]", &o, &e);
    heap.fail_at = 0;
    if (status == FLEECE_OK) break;
    assert_int_equal(status, FLEECE_ERROR_MEMORY);
    assert_file(FLEECE_FRAMED, NULL, "{\"a\":1}");
  }
  assert_true(fail > 3);
  for (fail = 1, status = FLEECE_ERROR_MEMORY; status != FLEECE_OK; fail++) {
    assert_true(fail < 100);
    heap.requests = 0, heap.fail_at = fail;
    status = fleece_compact(path, &o, &e);
    heap.fail_at = 0;
    if (status != FLEECE_OK) assert_int_equal(status, FLEECE_ERROR_MEMORY);
    assert_file(FLEECE_FRAMED, NULL, "{\"a\":1,\"name\":[1]}");
  }
  assert_true(fail > 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_save_and_open), cmocka_unit_test(test_cut_and_changed),
      cmocka_unit_test(test_memory),        cmocka_unit_test(test_append),
      cmocka_unit_test(test_append_names),  cmocka_unit_test(test_append_refuses),
      cmocka_unit_test(test_compact),       cmocka_unit_test(test_memory_of_changes),
  };
  const int file = mkstemp(path);
  int failed;
  close(file);
  failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
