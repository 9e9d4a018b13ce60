/* SPDX-License-Identifier: MIT
** test_binary.c -- the binary format without Lua: bytes that the format's description gives, limits, verdicts,
** reading of everything that is written, memory that fails. Documents end at an unmapped page: one byte too far is
** a crash.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_binary.c -lcmocka -lm */
#include "../support/binary_cases.h" /* which includes cmocka.h */

/* ------------------------------------------------------------------------------------- bytes */

/* Format description, section "worked examples": output of the reference. */
static void test_examples(void **unused) {
  /* clang-format off */
  static const struct { const char *json, *hex; } examples[] = {
    {"[]", "6000"}, {"[null]", "6001 3000 8002"}, {"{\"f\":42}", "7001 4166 002a 8003"},
    {"{\"foo\":123}", "43666f6f 7001 8003 007b 8003"},
    {"[\"a\",\"hello\",\"a\",\"hello\"]", "4568656c6c6f 6004 4161 8005 4161 8007 8005"},
    {"[2048]", "190008 00 6001 8003 8002"}, {"[-2049]", "11fff7 00 6001 8003 8002"},
    {"[65536]", "1a000001 6001 8003 8002"}, {"[1.5]", "24000000c03f 6001 8004 8002"},
    {"[0.1]", "28009a9999999999b93f 6001 8006 8002"},
    {"[\"abcdefghijklmno\"]", "4f0f6162636465666768696a6b6c6d6e6f 00 6001 800a 8002"},
    {"[[1],[2,3]]", "6001 0001 6002 0002 0003 6002 8006 8005 8003"},
    {"{\"b\":1,\"a\":\"xy\"}", "427879 00 7002 4161 8004 4162 0001 8005"},
    {"{\"a\":1,\"a\":2}", "7002 4161 0001 4161 0002 8005"},
    {"{\"a\":{\"a\":1},\"list\":[10,\"ten\"]}",
     "7001 4161 0001 446c697374 00 4374656e 6002 000a 8004 7002 4161 800d 800b 8007 8005"},
    {"[18446744073709551616]", "24000000805f 6001 8004 8002"}, {"3000 ", "19b80b 00 8002"}, {"[-0]", "6001 0000 8002"}
  };
  /* clang-format on */
  size_t i;
  for (i = 0; i < LENGTH(examples); i++) {
    uint8_t wanted[256];
    struct outcome r = encode(&heap, examples[i].json, strlen(examples[i].json), 0);
    assert_non_null(r.bytes);
    equal_bytes(r.bytes, r.n, wanted, unhex(examples[i].hex, wanted), examples[i].json);
    assert_int_equal(judge(r.bytes, r.n, 1), BIN_ERROR_NONE);
    must_become_binary(examples[i].json, strlen(examples[i].json));
    free(r.bytes);
  }
  (void)unused;
}

/* The document of one integer by section 6: small inline, else with the fewest bytes. */
static size_t integer_document(uint8_t *w, uint64_t bits, int is_unsigned) {
  const int64_t i = (int64_t)bits;
  unsigned n = 1, k;
  if (is_unsigned ? bits <= 2047 : i >= -2048 && i <= 2047) {
    w[0] = (uint8_t)(bits >> 8 & 15), w[1] = (uint8_t)bits;
    return 2;
  }
  if (is_unsigned)
    while (n < 8 && bits >> 8 * n) n++;
  else
    while (n < 8 && i >> (8 * n - 1) != 0 && i >> (8 * n - 1) != -1) n++;
  w[0] = (uint8_t)(0x10 | (is_unsigned ? 8 : 0) | (n - 1));
  for (k = 0; k < n; k++) w[1 + k] = (uint8_t)(bits >> 8 * k);
  if (n % 2 == 0) w[1 + n] = 0;
  n = (n + 2) & ~1u;
  w[n] = 0x80, w[n + 1] = (uint8_t)(n / 2);
  return n + 2;
}

static void test_integers(void **unused) {
  int bit, step, compact, is_unsigned;
  for (bit = 0; bit < 64; bit++)
    for (step = -2; step <= 2; step++)
      for (compact = 0; compact < 4; compact++)
        for (is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
          const uint64_t power = (UINT64_C(1) << bit) + (uint64_t)(int64_t)step;
          const uint64_t bits = compact & 2 ? 0 - power : power;
          struct bin_encoder e;
          struct bin_doc d;
          uint8_t wanted[16];
          int big;
          begin(&e, compact & 1);
          assert_true(is_unsigned ? bin_put_unsigned(&e, bits) : bin_put_signed(&e, (int64_t)bits));
          assert_true(bin_finish(&e));
          assert_int_equal(verdict(&heap, (uint8_t *)e.out.begin, (size_t)(e.w - e.out.begin), 0, &d), BIN_ERROR_NONE);
          assert_true(bin_is_integer(d.root) && bin_integer(d.root, &big) == bits);
          assert_int_equal(big, is_unsigned && bits >> 63);
          ends_as(&e, wanted, integer_document(wanted, bits, is_unsigned), "an integer");
        }
  (void)unused;
}

static void test_floats(void **unused) {
  struct bin_encoder e;
  begin(&e, 0), bin_put_double(&e, 3.141592653589793), ends_as_hex(&e, "2800182d4454fb210940 8005");
  begin(&e, 0), bin_put_double(&e, 0.5), ends_as_hex(&e, "24000000003f 8003");
  begin(&e, 1), bin_put_float(&e, 0.5f), ends_as_hex(&e, "20000000003f 8003");
  begin(&e, 1), bin_put_double(&e, -0.0), ends_as_hex(&e, "240000000080 8003");
  begin(&e, 0), bin_put_double(&e, HUGE_VAL), ends_as_hex(&e, "2800000000000000f07f 8005");
  begin(&e, 0), bin_put_double(&e, 3.4028234663852886e38), ends_as_hex(&e, "2400ffff7f7f 8003");
  begin(&e, 1), bin_put_double(&e, 5e-324), ends_as_hex(&e, "28000100000000000000 8005");
  begin(&e, 1);
  assert_false(bin_put_double(&e, NAN));
  assert_int_equal(e.error, BIN_ERROR_NAN);
  bin_encoder_free(&e);
  (void)unused;
}

/* Strings and data of every length, by section 2: inline, short, long; padded. Twice, so that they are shared or
** not. */
static void test_strings(void **unused) {
  size_t n, i;
  int compact, tag;
  for (n = 0; n <= 300; n++)
    for (tag = BIN_TAG_STRING; tag <= BIN_TAG_DATA; tag++)
      for (compact = 0; compact < 2; compact++) {
        const int shared = n >= 2 && (compact || (n <= 15 && tag == BIN_TAG_STRING));
        uint8_t wanted[1024], *w = wanted;
        size_t places[2] = {0, 0}, head;
        struct bin_encoder e;
        char s[301];
        memset(s, 'x', n);
        begin(&e, compact);
        assert_true(bin_begin(&e, 0) && bin_put_bytes(&e, (unsigned)tag, s, n) &&
                    bin_put_bytes(&e, (unsigned)tag, s, n) && bin_end(&e) && bin_finish(&e));
        for (i = 0; i < 2 && n >= 2; i++) {
          if (i == 1 && shared) {
            places[1] = places[0];
            break;
          }
          places[i] = (size_t)(w - wanted);
          *w++ = (uint8_t)(tag << 4 | (n < 15 ? n : 15));
          if (n >= 15) *w++ = (uint8_t)(n < 128 ? n : (n & 127) | 128);
          if (n >= 128) *w++ = (uint8_t)(n >> 7);
          memset(w, 'x', n);
          w += n;
          if ((w - wanted) % 2) *w++ = 0;
        }
        head = (size_t)(w - wanted);
        *w++ = 0x60, *w++ = 2;
        for (i = 0; i < 2; i++) {
          const size_t back = ((size_t)(w - wanted) - places[i]) / 2;
          *w++ = (uint8_t)(n >= 2 ? 0x80 | back >> 8 : (unsigned)tag << 4 | n);
          *w++ = (uint8_t)(n >= 2 ? back : n ? 'x' : 0);
        }
        *w = 0x80 | (uint8_t)(((size_t)(w - wanted) - head) / 2 >> 8), w++;
        *w = (uint8_t)(((size_t)(w - 1 - wanted) - head) / 2), w++;
        ends_as(&e, wanted, (size_t)(w - wanted), "a string twice");
      }
  (void)unused;
}

/* A count of 2047 or more continues behind the header (section 4). */
static void test_counts(void **unused) {
  /* clang-format off */
  static const struct { size_t count; const char *head; } cases[] = {
    {2046, "67fe"}, {2047, "67ff 0000"}, {2048, "67ff 0100"}, {2049, "67ff 0200"}, {2047 + 127, "67ff 7f00"},
    {2047 + 128, "67ff 8001"}, {70000, "67ff f19204 00"}
  };
  /* clang-format on */
  size_t i, k, is_dict;
  int compact;
  for (i = 0; i < LENGTH(cases); i++)
    for (is_dict = 0; is_dict < 2; is_dict++)
      for (compact = 0; compact < 2; compact++) {
        const size_t count = cases[i].count;
        uint8_t head[8];
        const size_t n = unhex(cases[i].head, head);
        struct bin_encoder e;
        struct bin_doc d;
        begin(&e, compact);
        assert_true(bin_begin(&e, (int)is_dict));
        for (k = 0; k < count; k++) {
          char name[8];
          const size_t length = (size_t)snprintf(name, sizeof name, "%05d", (int)(count - k));
          if (is_dict) assert_true(bin_put_key(&e, name, length));
          assert_true(bin_put_integer(&e, (int64_t)(k % 2048)));
        }
        assert_true(bin_end(&e) && bin_finish(&e));
        assert_int_equal(verdict(&heap, (uint8_t *)e.out.begin, (size_t)(e.w - e.out.begin), 1, &d), BIN_ERROR_NONE);
        assert_int_equal(d.root[0] & 0xf7, head[0] | (is_dict ? 0x10 : 0));
        assert_memory_equal(d.root + 1, head + 1, n - 1);
        assert_int_equal(bin_list_of(d.root).count, count);
        for (k = 0; k < count; k++) {
          char name[8];
          const size_t length = (size_t)snprintf(name, sizeof name, "%05d", (int)(count - k));
          bin_value v = is_dict ? bin_dict_get(&d, d.root, name, length) : bin_array_get(&d, d.root, k);
          assert_true(v && bin_small(v) == (int)(k % 2048));
        }
        assert_true(read_all(&d));
        bin_encoder_free(&e);
      }
  (void)unused;
}

/* ["hi", filler, ...] of section 21: the last narrow array, the first wide ones; and how far strings are shared. */
static void test_reach(void **unused) {
  /* clang-format off */
  static const struct { size_t filler; const char *end; } cases[] = {
    {32756, "6002 bfff bffe 8003"}, {32757, "6802 80004000 80004000 8005"}, {32758, "6802 80004000 80004000 8005"}
  };
  /* clang-format on */
  size_t i;
  char *text = (char *)malloc(40000);
  assert_non_null(text);
  for (i = 0; i < LENGTH(cases); i++) {
    struct outcome r;
    uint8_t end[16];
    const size_t n = unhex(cases[i].end, end);
    memcpy(text, "[\"hi\",\"", 7);
    memset(text + 7, 'x', cases[i].filler);
    strcpy(text + 7 + cases[i].filler, "\"]");
    r = encode(&heap, text, strlen(text), 0);
    assert_non_null(r.bytes);
    assert_memory_equal(r.bytes + r.n - n, end, n);
    must_become_binary(text, strlen(text));
    free(r.bytes);
  }
  for (i = 32720; i <= 32740; i++) { /* the header and length of the filler take 4 bytes, "hi" takes 4 */
    const size_t next = 4 + 4 + i + i % 2;
    struct outcome r;
    memcpy(text, "[\"hi\",\"", 7);
    memset(text + 7, 'x', i);
    strcpy(text + 7 + i, "\",[\"hi\"]]");
    r = encode(&heap, text, strlen(text), 0);
    assert_non_null(r.bytes);
    assert_int_equal(memcmp(r.bytes + next, "\x42hi", 3) == 0, next > 32734);
    must_become_binary(text, strlen(text));
    free(r.bytes);
  }
  free(text);
  (void)unused;
}

static void test_shared_keys(void **unused) {
  struct bin_keys *keys = (struct bin_keys *)malloc(sizeof *keys);
  struct bin_encoder e;
  struct bin_doc d;
  uint8_t wanted[64];
  size_t n;
  int code;
  assert_non_null(keys);
  bin_keys_init(keys);
  begin(&e, 0); /* section 12 */
  e.keys = keys;
  assert_true(bin_begin(&e, 1) && bin_put_key(&e, "name", 4) && bin_put_string(&e, "n", 1) &&
              bin_put_key(&e, "age", 3) && bin_put_integer(&e, 5) && bin_put_key(&e, "long key with space", 19) &&
              bin_put_integer(&e, 1) && bin_put_key(&e, "", 0) && bin_put_integer(&e, 2) && bin_end(&e) &&
              bin_finish(&e));
  assert_int_equal(verdict(&heap, (uint8_t *)e.out.begin, (size_t)(e.w - e.out.begin), 1, &d), BIN_ERROR_NONE);
  d.keys = keys;
  assert_int_equal(bin_small(bin_dict_get(&d, d.root, "age", 3)), 5);
  assert_int_equal(bin_small(bin_dict_get(&d, d.root, "", 0)), 2);
  assert_int_equal(bin_small(bin_dict_get(&d, d.root, "long key with space", 19)), 1);
  assert_null(bin_dict_get(&d, d.root, "nam", 3));
  n = unhex("4f136c6f6e67206b6579207769746820737061636500 7004 0000416e 00010005 00020002 80120001 8009", wanted);
  ends_as(&e, wanted, n, "shared keys");
  for (code = 3; code < 2100; code++) {
    char name[8];
    n = (size_t)snprintf(name, sizeof name, "k%d", code);
    assert_int_equal(bin_keys_add(keys, name, n), code < 2048 ? code : -1);
    assert_int_equal(bin_keys_find(keys, name, n), code < 2048 ? code : -1);
  }
  assert_int_equal(bin_keys_add(keys, "two words", 9), -1);
  assert_int_equal(bin_keys_add(keys, "age", 3), 1);
  free(keys);
  (void)unused;
}

/* Section 10: base {"a":1,"b":2}, child {"b":undefined,"c":3}. */
static void test_parents(void **unused) {
  uint8_t bytes[64];
  const size_t n = unhex("7002 4161 0001 4162 0002 7003 0800 8007 4162 3c00 4163 0003 8007", bytes);
  struct bin_doc d;
  struct bin_pairs i;
  assert_int_equal(verdict(&heap, at_edge(bytes, n), n, 1, &d), BIN_ERROR_NONE);
  assert_int_equal(bin_small(bin_dict_get(&d, d.root, "a", 1)), 1);
  assert_null(bin_dict_get(&d, d.root, "b", 1));
  assert_int_equal(bin_small(bin_dict_get(&d, d.root, "c", 1)), 3);
  assert_int_equal(bin_dict_count(&d, d.root), 2);
  bin_pairs_begin(&i, &d, d.root);
  assert_true(bin_next_pair(&i) && i.key[1] == 'a' && bin_next_pair(&i) && i.key[1] == 'c' && !bin_next_pair(&i));
  read_all(&d);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- verdicts */

static void test_verdicts(void **unused) {
  /* clang-format off */
  static const struct { const char *hex; enum bin_error error; int utf8; } cases[] = {
    {"", BIN_ERROR_SIZE, 0}, {"30", BIN_ERROR_SIZE, 0}, {"300030", BIN_ERROR_SIZE, 0}, {"3000", BIN_ERROR_NONE, 0},
    {"0001 0002", BIN_ERROR_TRAILER, 0}, {"8000", BIN_ERROR_POINTER, 0}, {"8001", BIN_ERROR_POINTER, 0},
    {"4361 8001", BIN_ERROR_TRUNCATED, 0},               /* the root runs into the trailer */
    {"6001 8000 8002", BIN_ERROR_POINTER, 0}, {"6001 8003 8002", BIN_ERROR_POINTER, 0},
    {"6001 4361 8002", BIN_ERROR_TRUNCATED, 0}, {"6003 0000 8002", BIN_ERROR_TRUNCATED, 0},
    {"1700 6001 8002 8002", BIN_ERROR_TRUNCATED, 0}, {"2000 6001 8002 8002", BIN_ERROR_TRUNCATED, 0},
    {"4fff ffff ffff ff7f 6001 8005 8002", BIN_ERROR_LENGTH, 0}, {"4f10 6161 6001 8003 8002", BIN_ERROR_TRUNCATED, 0},
    {"67ff ffff ffff ffff ffff 8005", BIN_ERROR_LENGTH, 0}, {"67ff 0000 8002", BIN_ERROR_TRUNCATED, 0},
    {"7001 3000 0001 8003", BIN_ERROR_KEY, 0}, {"7001 0801 0001 8003", BIN_ERROR_KEY, 0},
    {"43666f6f 53666f6f 7001 8003 0001 8003", BIN_ERROR_KEY, 0},
    {"7001 0800 0005 8003", BIN_ERROR_PARENT, 0}, {"7002 4161 0001 0800 7000 8005", BIN_ERROR_KEY, 0},
    {"7001 0800 7000 8003", BIN_ERROR_NONE, 0},
    {"7002 4162 0001 4161 0002 8005", BIN_ERROR_KEY_ORDER, 0}, {"7002 4161 0001 4161 0002 8005", BIN_ERROR_NONE, 0},
    {"7002 4161 0001 0001 0002 8005", BIN_ERROR_KEY_ORDER, 0},
    {"7002 0002 0001 0001 0002 8005", BIN_ERROR_KEY_ORDER, 0},
    {"6001 41ff 8002", BIN_ERROR_NONE, 0}, {"6001 41ff 8002", BIN_ERROR_UTF8, 1},
    {"7001 41ff 0001 8003", BIN_ERROR_UTF8, 1}, {"42c3a9 00 6001 8003 8002", BIN_ERROR_NONE, 1},
    {"6001 c001 8002", BIN_ERROR_POINTER, 0},            /* extern, of old: 15 bits of offset */
    {"6801 43616263 8003", BIN_ERROR_NONE, 0}, {"6801 60010005 8003", BIN_ERROR_NONE, 0}, /* in wide slots */
    {"6002 0001 0002 80000003 8002", BIN_ERROR_NONE, 0}, /* a chain at the root */
    {"6803 30006004 00010000 00010000 6002 8008 8007 8003", BIN_ERROR_OVERLAP, 0}
  };
  /* clang-format on */
  size_t i;
  for (i = 0; i < LENGTH(cases); i++) {
    const enum bin_error error = judge_hex(cases[i].hex, cases[i].utf8);
    if (error != cases[i].error) fail_msg("%s: %d, not %d", cases[i].hex, error, cases[i].error);
  }
  (void)unused;
}

/* Long keys that begin alike, codes before strings, and the same keys from dict to dict, right and wrong. */
static void test_key_order(void **unused) {
  static const char *const names[] = {
      "",          "a",  "aaaaaaaa", "aaaaaaaab", "aaaaaaaabaaaaaaaaaaaaaaaa", "aaaaaaaabaaaaaaaaaaaaaaaab",
      "aaaaaaaac", "ab", "b\1",      "b\1\1"};
  size_t a, b, repeat, order;
  for (a = 0; a < LENGTH(names); a++)
    for (b = 0; b < LENGTH(names); b++) {
      struct bin_encoder e;
      begin(&e, 0);
      assert_true(bin_begin(&e, 0));
      for (repeat = 0; repeat < 3; repeat++) { /* as they stand: bin_end_collection does not sort */
        assert_true(bin_begin(&e, 1));
        for (order = 0; order < 2; order++) {
          const char *name = names[order ? b : a];
          assert_true(bin_put_key(&e, name, strlen(name)) && bin_put_integer(&e, (int64_t)order));
        }
        assert_true(bin_end_collection(&e, 1));
      }
      assert_true(bin_end(&e) && bin_finish(&e));
      assert_int_equal(judge((uint8_t *)e.out.begin, (size_t)(e.w - e.out.begin), 0),
                       a <= b ? BIN_ERROR_NONE : BIN_ERROR_KEY_ORDER);
      bin_encoder_free(&e);
    }
  (void)unused;
}

/* A key ends where its length says: the byte after it, which is larger than any of a text, does not put it later. */
static void test_bytes_after_keys(void **unused) {
  unsigned n, order;
  for (n = 0; n < 14; n++)
    for (order = 0; order < 2; order++) {
      uint8_t bytes[64], *w = bytes;
      unsigned i, at[2];
      for (i = 0; i < 2; i++) { /* n times "a" and a "z"; n times "a" */
        at[i] = (unsigned)(w - bytes);
        memset(w, 0xff, 16);
        *w++ = (uint8_t)(0x40 + n + 1 - i);
        memset(w, 'a', n);
        w += n;
        if (i == 0) *w++ = 'z';
        w += (w - bytes) % 2;
      }
      w += unhex("7002", w);
      for (i = 0; i < 2; i++) {
        const unsigned back = (unsigned)(w - bytes) - at[i ^ order];
        *w++ = 0x80, *w++ = (uint8_t)(back / 2);
        w += unhex("0001", w);
      }
      w += unhex("8005", w);
      assert_int_equal(judge(bytes, (size_t)(w - bytes), 0), order ? BIN_ERROR_NONE : BIN_ERROR_KEY_ORDER);
    }
  (void)unused;
}

/* [p, [p]], where p is [{"a": 1}]: where p stands again it is as deep as it was read before, and no deeper. */
static void test_depth_of_shared(void **unused) {
  uint8_t bytes[32];
  const size_t n = unhex("7001 4161 0001 6001 8004 6001 8003 6002 8005 8004 8003", bytes);
  struct bin_doc d;
  assert_int_equal(verdict_within(4, &heap, NULL, at_edge(bytes, n), n, 0, &d), BIN_ERROR_NONE);
  assert_int_equal(verdict_within(3, &heap, NULL, at_edge(bytes, n), n, 0, &d), BIN_ERROR_DEPTH);
  (void)unused;
}

/* The inputs that hang or crash the reference, by their recipes, in time linear in their size. */
static void test_hazards(void **unused) {
  static const size_t sizes[] = {3, 20, 22, 23, 40, 100000}; /* 22: 3 * 2^22 - 1 values, less than 2^24 */
  uint8_t *bytes = (uint8_t *)malloc(700000), *w;
  size_t i, k;
  clock_t start = clock();
  assert_non_null(bytes);
  for (i = 0; i < LENGTH(sizes); i++) { /* every array holds the one before twice */
    enum bin_error error;
    w = bytes + unhex("6001 3000", bytes);
    for (k = 0; k < sizes[i]; k++) w += unhex(k ? "6002 8004 8005" : "6002 8003 8004", w);
    for (k = 1; k < sizes[i]; k++) memcpy(bytes + 4 + 6 * k, "\x60\x02\x80\x04\x80\x05", 6);
    w += unhex("8003", w);
    error = judge(bytes, (size_t)(w - bytes), 0);
    assert_int_equal(error, sizes[i] <= 22 ? BIN_ERROR_NONE : sizes[i] <= 40 ? BIN_ERROR_EXPANSION : BIN_ERROR_DEPTH);
  }
  for (i = 0; i < LENGTH(sizes); i++) { /* and once */
    w = bytes + unhex("6001 3000", bytes);
    for (k = 0; k < sizes[i]; k++, w += 4) memcpy(w, k ? "\x60\x01\x80\x03" : "\x60\x01\x80\x03", 4);
    w += unhex("8002", w);
    assert_int_equal(judge(bytes, (size_t)(w - bytes), 0), sizes[i] < 1000 ? BIN_ERROR_NONE : BIN_ERROR_DEPTH);
  }
  w = bytes + unhex("6082", bytes);
  for (k = 0; k < 129; k++) w += unhex("0001", w);
  w += unhex("4fff 8083", w); /* the length goes on into the trailer and beyond */
  assert_int_equal(judge(bytes, (size_t)(w - bytes), 0), BIN_ERROR_LENGTH);
  assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
  free(bytes);
  (void)unused;
}

/* 60,000 pointers to one array of 60,000 items: its items are looked at once. */
static void test_shared_widely(void **unused) {
  struct bin_encoder e;
  size_t i;
  clock_t start = clock();
  begin(&e, 1);
  assert_true(bin_begin(&e, 0) && bin_begin(&e, 0));
  for (i = 0; i < 60000; i++) assert_true(bin_put_integer(&e, 1));
  assert_true(bin_end(&e));
  for (i = 0; i < 60000; i++) assert_true(bin_push(&e, e.items[0].word, e.items[0].hash));
  assert_true(bin_end(&e) && bin_finish(&e));
  assert_int_equal(judge((uint8_t *)e.out.begin, (size_t)(e.w - e.out.begin), 0), BIN_ERROR_EXPANSION);
  assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
  bin_encoder_free(&e);
  (void)unused;
}

int main(void) {
#define T(name) cmocka_unit_test_setup(test_##name, setup)
  const struct CMUnitTest tests[] = {T(examples),         T(integers),       T(floats),      T(strings),
                                     T(counts),           T(reach),          T(shared_keys), T(parents),
                                     T(verdicts),         T(key_order),      T(hazards),     T(shared_widely),
                                     T(bytes_after_keys), T(depth_of_shared)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
