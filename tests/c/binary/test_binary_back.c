/* SPDX-License-Identifier: MIT
** test_binary_back.c -- the binary format without Lua: what is written reads back, is shared as promised, stands damage
** and memory that fails.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_binary_back.c -lcmocka -lm */
#include "../support/random.h"
#include "../support/sparse.h"
#include "../support/binary_cases.h" /* which includes cmocka.h */

/* ------------------------------------------------------------------------------------- writing and reading back */

/* JSON text of records, maps and lists with many strings, numbers and collections in common, near and far. */
static char *random_value(char *w, int depth) {
  static const char *const words[] = {
      "", "a", "id", "name", "x\\u00e9y", "created_at", "default_filter_cutoff", "b", "sixteen bytes ok"};
  static const char *const others[] = {"null", "true", "false", "18446744073709551615", "-9", "0.1"};
  unsigned i, n = random_below(6), kind = random_below(depth > 0 ? 10 : 6);
  if (kind == 0) return w + sprintf(w, "%d", (int)random_below(5000) - 100);
  if (kind == 1) return w + sprintf(w, "%u.%u", random_below(100), random_below(4));
  if (kind == 2) return w + sprintf(w, "%s", others[n]);
  if (kind < 5) return w + sprintf(w, "\"%s %u\"", words[random_below(LENGTH(words))], random_below(400));
  if (kind == 5) return w + sprintf(w, "\"%s\"", words[random_below(LENGTH(words))]);
  *w++ = kind < 8 ? '[' : '{';
  for (i = 0; i < n; i++) {
    if (i) *w++ = ',';
    if (kind == 8) w += sprintf(w, "\"%s%u\":", words[random_below(LENGTH(words))], i);
    if (kind == 9) w += sprintf(w, "\"key %u\":", i * 1000 + random_below(900));
    w = random_value(w, depth - 1);
  }
  *w++ = kind < 8 ? ']' : '}';
  return w;
}

static void test_read_back(void **unused) {
  char *text = (char *)malloc(8000000), *w;
  int round, i;
  assert_non_null(text);
  for (round = 0; round < (SPARSE > 1 ? 8 : 60); round++) {
    *text = '[', w = text + 1;
    for (i = round % 2 ? 3000 : 40; i > 0; i--) w = random_value(w, 4), *w++ = ',';
    strcpy(w - 1, "]");
    must_become_binary(text, strlen(text));
  }
  free(text);
  (void)unused;
}

/* Of equal collections one is written, however they are ordered; each further one takes a pointer of two bytes. But
** each of the 8,000 values takes a sixteenth of a byte (BIN_SPREAD). */
static void test_sharing(void **unused) {
  char *text = (char *)malloc(100000), *w = text;
  struct outcome r;
  int i;
  assert_non_null(text);
  for (*w++ = '[', i = 0; i < 1000; i++)
    w += sprintf(w, i % 2 ? "{\"id\":100000,\"name\":[1.5,\"xy\"]}," : "{\"name\":[1.5,\"xy\"],\"id\":100000},");
  strcpy(w - 1, "]");
  r = encode(&heap, text, strlen(text), 1);
  assert_non_null(r.bytes);
  assert_true(r.n < 2 * 1000 + 8000 / BIN_SPREAD + 60);
  must_become_binary(text, strlen(text));
  free(r.bytes);
  free(text);
  (void)unused;
}

/* Compact documents keep the last of equal names, in short dicts and in long ones, known and new. */
static void test_duplicates(void **unused) {
  static const unsigned counts[] = {2, 3, 24, 25, 60, 200};
  char text[8192];
  size_t i;
  unsigned k, round;
  for (i = 0; i < LENGTH(counts); i++) {
    struct outcome r;
    struct bin_doc d;
    char *w = text + sprintf(text, "[");
    for (round = 0; round < 3; round++) {
      *w++ = '{';
      for (k = 0; k < counts[i]; k++) w += sprintf(w, "\"n%u\":%u,", k % (counts[i] / 2 + 1), k);
      strcpy(w - 1, "},"), w++;
    }
    strcpy(w - 1, "]");
    r = encode(&heap, text, strlen(text), 1);
    assert_non_null(r.bytes);
    assert_int_equal(verdict(&heap, r.bytes, r.n, 1, &d), BIN_ERROR_NONE);
    for (round = 0; round < 3; round++) {
      bin_value dict = bin_array_get(&d, d.root, round);
      assert_int_equal(bin_dict_count(&d, dict), counts[i] / 2 + 1 < counts[i] ? counts[i] / 2 + 1 : counts[i]);
      for (k = 0; k < counts[i]; k++) {
        char name[8];
        const size_t n = (size_t)snprintf(name, sizeof name, "n%u", k % (counts[i] / 2 + 1));
        const unsigned last = k + counts[i] / 2 + 1 < counts[i] ? k + counts[i] / 2 + 1 : k;
        assert_int_equal(bin_small(bin_dict_get(&d, dict, name, n)), (int)last);
      }
    }
    free(r.bytes);
  }
  (void)unused;
}

static void test_states(void **unused) {
  struct bin_encoder e;
  int i;
  begin(&e, 1);
  assert_false(bin_finish(&e));
  assert_int_equal(e.error, BIN_ERROR_STATE_EMPTY);
  bin_encoder_reset(&e);
  assert_true(bin_begin(&e, 0));
  assert_false(bin_finish(&e));
  assert_int_equal(e.error, BIN_ERROR_STATE_OPEN);
  bin_encoder_reset(&e);
  assert_true(bin_put_integer(&e, 1) && bin_put_integer(&e, 2));
  assert_false(bin_finish(&e));
  assert_int_equal(e.error, BIN_ERROR_STATE_TWO);
  bin_encoder_reset(&e);
  assert_true(bin_put_integer(&e, 1) && bin_finish(&e));
  bin_encoder_free(&e);
  begin(&e, 0); /* beyond what pointers reach, as if so much had been written */
  assert_true(bin_begin(&e, 0) && bin_put_string(&e, "far", 3));
  e.base_n = (size_t)BIN_WIDE_REACH;
  assert_false(bin_end(&e));
  assert_int_equal(e.error, BIN_ERROR_REACH);
  bin_encoder_free(&e);
  for (i = 0; i < 3; i++) { /* noticed at the value that is too much, not when its collection ends */
    static const char text[] = "a string of more than 15 bytes";
    const size_t n = sizeof text - 1;
    begin(&e, i == 1);
    e.base_n = (size_t)BIN_WIDE_REACH - 32;
    assert_true(bin_begin(&e, 0) && bin_put_string(&e, text, n));
    assert_false(i == 2 ? bin_put_double(&e, 0.1) : bin_put_string(&e, "another one", 11));
    assert_int_equal(e.error, BIN_ERROR_REACH);
    bin_encoder_free(&e);
  }
  assert_int_equal(heap.blocks, 0);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- damage */

/* Documents cut at every even length, and with every bit changed: no crash, and what is accepted can be read. */
static void test_damage(void **unused) {
  static const char *const texts[] = {
      "{\"id\":100000,\"name\":\"abc\",\"list\":[1,2.5,\"a string of more than 15 bytes\",[],{}],"
      "\"more\":{\"id\":-7,\"name\":null}}",
      "[{\"a\":1,\"b\":[70000,70000]},{\"a\":1,\"b\":[70000,70000]},{\"b\":2,\"a\":\"xyz\"},\"xyz\",1e300]"};
  size_t i, bit, n;
  int compact, utf8;
  for (i = 0; i < LENGTH(texts); i++)
    for (compact = 0; compact < 2; compact++)
      for (utf8 = 0; utf8 < 2; utf8++) {
        struct outcome r = encode(&heap, texts[i], strlen(texts[i]), compact);
        assert_non_null(r.bytes);
        for (n = 0; n <= r.n; n++) judge(r.bytes, n, utf8);
        for (bit = 0; bit < 8 * r.n; bit++) {
          r.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
          judge(r.bytes, r.n, utf8);
          r.bytes[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        free(r.bytes);
      }
  (void)unused;
}

/* Whichever request for memory fails, once or for good: the right bytes or an error, and nothing leaks. */
static void test_memory(void **unused) {
  char *text = (char *)malloc(200000), *w = text;
  int i, compact, for_good;
  assert_non_null(text);
  for (*w++ = '[', i = 0; i < 700; i++)
    w += sprintf(w, "{\"id\":%d,\"name\":\"n\\u00e9 %d\",\"list\":[%d.5,[%d],{\"x\":1,\"a\":%d}]},", i * 99, i, i,
                 i % 9, i % 7);
  for (i = 0; i < 90; i++) *w++ = '[';
  for (i = 0; i < 90; i++) *w++ = ']';
  strcpy(w, "]");
  for (compact = 0; compact < 2; compact++)
    for (for_good = 0; for_good < 2; for_good++) {
      struct outcome wanted = encode(&heap, text, strlen(text), compact), r;
      long at;
      assert_non_null(wanted.bytes);
      for (at = 1, r.bytes = NULL;; at++) {
        struct heap h = {.fail_at = at, .for_good = for_good};
        struct bin_doc d;
        enum bin_error error;
        r = encode(&h, text, strlen(text), compact);
        assert_int_equal(h.blocks, 0);
        if (r.bytes) equal_bytes(r.bytes, r.n, wanted.bytes, wanted.n, "with little memory");
        else assert_true(r.error == BIN_ERROR_MEMORY || r.json_error == JSON_CHECK_MEMORY);
        free(r.bytes);
        if (h.requests < at) break;
        h.requests = 0;
        error = verdict(&h, wanted.bytes, wanted.n, 1, &d);
        assert_int_equal(error, h.requests < at ? BIN_ERROR_NONE : BIN_ERROR_MEMORY);
        assert_int_equal(h.blocks, 0);
      }
      assert_true(at > 5);
      free(wanted.bytes);
    }
  free(text);
  (void)unused;
}

/* A document of more than 2 GB whose root lies as far back as a wide pointer goes, and one step farther. */
static void test_beyond_2_gb(void **unused) {
  const size_t n = (size_t)BIN_WIDE_REACH + 4 + 6;
  uint8_t *bytes;
  struct bin_doc d;
  if (sizeof(size_t) < 8) {
    printf("# SKIPPED: this system: pointers of 32 bits\n");
    skip();
  }
  bytes = (uint8_t *)mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (bytes == MAP_FAILED) {
    printf("# SKIPPED: this system: no address space for 2 GB\n");
    skip();
  }
  memcpy(bytes + 4, "\x41x", 2);
  memcpy(bytes + n - 6, "\xbf\xff\xff\xff\x80\x02", 6);
  assert_int_equal(verdict(&heap, bytes, n, 1, &d), BIN_ERROR_NONE);
  assert_true(d.root == bytes + 4 && bin_root(&d) == d.root);
  assert_int_equal(verdict(&heap, bytes + 6, n - 6, 1, &d), BIN_ERROR_POINTER);
  munmap(bytes, n);
  (void)unused;
}

int main(void) {
#define T(name) cmocka_unit_test_setup(test_##name, setup)
  const struct CMUnitTest tests[] = {T(read_back), T(sharing), T(duplicates), T(states),
                                     T(damage),    T(memory),  T(beyond_2_gb)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
