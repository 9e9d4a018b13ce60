/* SPDX-License-Identifier: MIT
** test_binary_check.c -- the parts of the check of binary: its fast functions accept what is usual (the slow ones would
** accept it, too, so verdicts alone do not tell), and its limits are where they are said to be.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_binary_check.c -lcmocka -lm */
#include "../support/binary_cases.h" /* which includes cmocka.h */

/* ------------------------------------------------------------------------------------- values */

/* How many bytes a value takes by its first two: docs/format.md, *Values*. 0: a collection or pointer. */
static unsigned size_of(unsigned first, unsigned second) {
  const unsigned low = first & 15;
  switch (first >> 4) {
  case 0:
  case 3: return 2;
  case 1: return 1 + (low & 7) + 1;
  case 2: return low & 8 ? 10 : 6;
  case 4:
  case 5: return low < 15 ? 1 + low : second < 128 ? 2 + second : 0;
  default: return 0;
  }
}

static void test_sizes(void **unused) {
  static const unsigned seconds[] = {0, 1, 15, 126, 127, 128, 200, 255};
  unsigned first, i;
  (void)unused;
  for (first = 0; first < 256; first++)
    for (i = 0; i < LENGTH(seconds); i++) {
      const uint8_t v[2] = {(uint8_t)first, (uint8_t)seconds[i]};
      const unsigned size = size_of(first, seconds[i]);
      if (size) assert_int_equal(bin_size(v), size);
      else assert_true(bin_size(v) > BIN_WIDE_REACH);
    }
}

/* An item at the end of bytes: is it a scalar, or a pointer to one, as far as the fast function can tell? */
static void test_scalar_items(void **unused) {
  static const struct {
    const char *hex;
    unsigned width, reach, back, fine;
  } cases[] = {{"0fff", 2, 2, 0, 1},
               {"3000", 2, 0, 0, 1},
               {"0fff", 2, 0, 0, 1},
               {"4000", 2, 2, 0, 1},
               {"4161", 2, 2, 0, 1},
               {"4161", 2, 0, 0, 0}, /* with reach 0, strings are for the slow function */
               {"5161", 2, 2, 0, 1},
               {"4261", 2, 2, 0, 0},
               {"1001", 2, 2, 0, 1},
               {"1101", 2, 2, 0, 0},
               {"6000", 2, 2, 0, 0},
               {"43616263", 4, 4, 0, 1},
               {"44616263", 4, 4, 0, 0},
               {"12010203", 4, 4, 0, 1},
               {"13010203", 4, 4, 0, 0},
               {"4f026162", 4, 4, 0, 1},
               {"4f036162", 4, 4, 0, 0},
               {"4f00", 2, 2, 0, 1},
               {"4f01", 2, 2, 0, 0},
               {"4261 6200 8002", 2, 4, 4, 1},
               {"4261 6200 8002", 2, 6, 4, 1},
               {"4261 6200 8002", 2, 2, 0, 0},
               {"4361 6263 8002", 2, 4, 4, 1},
               {"4461 6263 8002", 2, 4, 4, 0},
               {"4f02 6162 8002", 2, 4, 4, 1},
               {"4f03 6162 8002", 2, 4, 4, 0},
               {"2800 0000 0000 0000 f03f 8005", 2, 10, 10, 1},
               {"2800 0000 0000 f03f 8004", 2, 8, 8, 0},
               {"2400 0000 c03f 8003", 2, 6, 6, 1},
               {"2400 0000 8002", 2, 4, 4, 0},
               {"6000 8001", 2, 2, 2, 0},
               {"4161 8001 8001", 2, 4, 2, 0},
               {"4161 c001", 2, 4, 0, 0},
               {"4161 8000 0001", 4, 4, 2, 1},
               {"4261 8000 0001", 4, 4, 2, 0},
               {"4161 c000 0001", 4, 4, 0, 0},
               {"4161 8000 0001", 4, 0, 0, 0},
               {"4161 8001", 2, 0, 0, 0}};
  size_t i;
  (void)unused;
  for (i = 0; i < LENGTH(cases); i++) {
    uint8_t bytes[16];
    const bin_value p = bytes + unhex(cases[i].hex, bytes) - cases[i].width;
    bin_value v;
    const int fine = bin_check_scalar_item(p, cases[i].width, cases[i].reach, &v);
    if (fine != (int)cases[i].fine || (size_t)(p - v) != cases[i].back)
      fail_msg("%s, reach %u: %d, %d back", cases[i].hex, cases[i].reach, fine, (int)(p - v));
  }
}

/* A run of arrays' items or dicts' values ends at the first that is no such scalar. */
static void test_runs(void **unused) {
  static const struct {
    const char *hex;
    unsigned width, stride, skipped;
  } cases[] = {{"0001 0002 0003 0004", 2, 2, 8}, {"0001 0002 6000 0004", 2, 2, 4}, {"6000 0002 0003 0004", 2, 2, 0},
               {"6000 0002 6000 0004", 2, 4, 8}, {"6000 0002 6000 7000", 2, 4, 4}, {"4161 7000 4162 0001", 2, 4, 0},
               {"0001ffff 3000ffff", 4, 4, 8},   {"0001ffff 6000ffff", 4, 4, 4},   {"6000ffff 3000ffff", 4, 8, 8},
               {"3000ffff 6000ffff", 4, 8, 0}};
  size_t i;
  (void)unused;
  for (i = 0; i < LENGTH(cases); i++) {
    uint8_t bytes[16];
    const bin_value end = bytes + unhex(cases[i].hex, bytes);
    const bin_value p = bin_check_scalar_run(bytes, end, cases[i].width, cases[i].stride, 2);
    if (p != bytes + cases[i].skipped) fail_msg("%s: %d", cases[i].hex, (int)(p - bytes));
  }
}

/* Pointers of the collection at v lead back to the document's beginning, from its first item on, and as far as their
** bits allow. */
static void test_reach(void **unused) {
  static uint8_t bytes[40000];
  static struct bin_check c;
  const struct bin_doc d = {bytes, bytes + sizeof bytes, NULL, NULL, NULL, 0, 0};
  (void)unused;
  assert_int_equal(bin_check_reach(&c, &d, bytes, 2), 2);
  assert_int_equal(bin_check_reach(&c, &d, bytes + 100, 2), 102);
  assert_int_equal(bin_check_reach(&c, &d, bytes + 32764, 2), 32766);
  assert_int_equal(bin_check_reach(&c, &d, bytes + 32766, 2), 32766);
  assert_int_equal(bin_check_reach(&c, &d, bytes + 36000, 2), 32766);
  assert_int_equal(bin_check_reach(&c, &d, bytes + 36000, 4), 36002);
  c.utf8 = 1;
  assert_int_equal(bin_check_reach(&c, &d, bytes + 100, 2), 0);
}

/* ------------------------------------------------------------------------------------- keys */

/* A name of each length, at the beginning of the bytes and pointed to from their end, or in a slot. */
static void test_usual_keys(void **unused) {
  static const char name[] = "abcdefghijklmno";
  unsigned n, width;
  (void)unused;
  for (n = 0; n <= 15; n++)
    for (width = 2; width <= 4; width += 2) {
      uint8_t bytes[48];
      const size_t room = (n + 2) & ~1u, reach = room + 8;
      uint8_t *p = bytes + room;
      const bin_value end = bytes + sizeof bytes;
      bin_value key = NULL;
      uint64_t prefix = 0;
      const uint64_t wanted = bin_prefix(name, n);
      memset(bytes, 0xee, sizeof bytes); /* what follows a name does not count */
      bytes[0] = (uint8_t)(0x40 | n);
      memcpy(bytes + 1, name, n);
      memset(p, 0, 4);
      p[0] = 0x80, p[width - 1] = (uint8_t)(room / 2);
      assert_int_equal(bin_check_key(p, end, width, reach, &key, &prefix), n > 0 && n < 15);
      assert_true(key == (n > 0 && n < 15 ? bytes : NULL));
      assert_true(prefix == (n < 15 ? wanted : 0));
      if (n == 0 || n == 15) continue;
      prefix = wanted - 1, assert_true(bin_check_key(p, end, width, reach, &key, &prefix));
      prefix = wanted, assert_false(bin_check_key(p, end, width, reach, &key, &prefix)); /* the rest decides */
      prefix = wanted + 1, assert_false(bin_check_key(p, end, width, reach, &key, &prefix));
      prefix = 0, assert_true(bin_check_key(p, end, width, room, &key, &prefix));
      prefix = 0, assert_false(bin_check_key(p, end, width, room - 2, &key, &prefix)); /* before the document */
      prefix = 0, assert_true(bin_check_key(p, bytes + 9, width, reach, &key, &prefix));
      prefix = 0, assert_false(bin_check_key(p, bytes + 8, width, reach, &key, &prefix)); /* 8 bytes are read */
      prefix = 0, assert_int_equal(bin_check_key(bytes, end, width, reach, &key, &prefix), n < width);
      p[width - 1]--; /* the string would go on into the pointer */
      memmove(bytes + 2, bytes, n + 1);
      prefix = 0, p += 2;
      if (n + 1 == room) {
        p[0] = 0x80, p[1] = p[2] = p[3] = 0, p[width - 1] = (uint8_t)(room / 2);
        bytes[2]++, assert_false(bin_check_key(p, end, width, reach, &key, &prefix));
      }
    }
}

/* Dicts with the same first key have one slot of the table of shapes, wherever they are; others have many. */
static void test_slots_of_shapes(void **unused) {
  static struct bin_check c;
  static uint8_t bytes[1 << 13];
  size_t used = 0, i;
  unsigned wide;
  (void)unused;
  for (wide = 0; wide <= 1; wide++) {
    bin_value *slot = NULL;
    memset(c.shapes, 0, sizeof c.shapes);
    for (i = 0; i < 128; i++) { /* inline, then a pointer to the first bytes */
      uint8_t *v = bytes + 64 + 8 * i;
      v[0] = (uint8_t)(wide ? 0x78 : 0x70), v[1] = 2;
      memset(v + 2, 0, 4);
      v[2] = 0x41, v[3] = 'k';
      assert_true(i == 0 || bin_check_shape_slot(&c, v) == slot);
      slot = bin_check_shape_slot(&c, v);
      assert_true(slot >= c.shapes && slot < c.shapes + BIN_CHECK_SHAPES);
    }
    for (i = 0; i < 128; i++) {
      uint8_t *v = bytes + 64 + 8 * i;
      const size_t back = (size_t)(v + 2 - bytes) / 2;
      v[2] = (uint8_t)(0x80 | (wide ? 0 : back >> 8)), v[3] = (uint8_t)(wide ? 0 : back);
      if (wide) v[4] = (uint8_t)(back >> 8), v[5] = (uint8_t)back;
      assert_true(i == 0 || bin_check_shape_slot(&c, v) == slot);
      slot = bin_check_shape_slot(&c, v);
    }
    for (used = i = 0; i < 128; i++) { /* at one place, with pointers to many keys, */
      uint8_t *v = bytes + 1024;
      const size_t back = 8 * i + 1;
      v[2] = (uint8_t)(0x80 | (wide ? 0 : back >> 8)), v[3] = (uint8_t)(wide ? 0 : back);
      v[4] = (uint8_t)(back >> 8), v[5] = (uint8_t)back;
      slot = bin_check_shape_slot(&c, v);
      used += *slot == NULL;
      *slot = v;
    }
    assert_true(used >= BIN_CHECK_SHAPES / 4);
    memset(c.shapes, 0, sizeof c.shapes);
    for (used = i = 0; i < 128; i++) { /* and with as many pairs */
      uint8_t *v = bytes + 1024;
      v[1] = (uint8_t)(1 + i);
      slot = bin_check_shape_slot(&c, v);
      used += *slot == NULL;
      *slot = v;
    }
    assert_true(used >= BIN_CHECK_SHAPES / 4);
  }
}

/* ------------------------------------------------------------------------------------- limits */

static struct bin_check checked;

/* What a check with these limits says; `checked` is what it leaves. */
static enum bin_error judge_with(const uint8_t *bytes, size_t n, uint32_t max_depth, uint64_t max_values,
                                 uint64_t *values) {
  struct bin_check *const c = &checked;
  struct bin_doc d;
  int fine;
  memset(&d, 0, sizeof d);
  memset(c, 0xa5, sizeof *c); /* as it may be on the C stack */
  d.begin = bytes, d.end = bytes + n;
  c->alloc = heap_alloc, c->alloc_ud = &heap;
  c->max_depth = max_depth, c->max_values = max_values;
  c->utf8 = c->codes = 0;
  fine = bin_check(c, &d);
  assert_int_equal(fine, c->error == BIN_ERROR_NONE);
  assert_int_equal(heap.blocks, 0);
  if (values) *values = d.values;
  return c->error;
}

/* A dict whose keys have passed is remembered, unless they have long names, which count at each use. */
static void test_remembered(void **unused) {
  static const struct {
    size_t length;
    unsigned known;
  } names[] = {{1, 1}, {20, 1}, {100, 1}, {128, 0}, {300, 0}};
  size_t i, pairs;
  (void)unused;
  for (pairs = 1; pairs <= 2; pairs++)
    for (i = 0; i < LENGTH(names); i++) {
      static uint8_t bytes[400];
      uint8_t *w = bytes, *dict;
      size_t k;
      if (names[i].length < 15) *w++ = (uint8_t)(0x40 | names[i].length);
      else *w++ = 0x4f, *w++ = (uint8_t)(names[i].length & 127), bytes[1] |= names[i].length > 127 ? 128 : 0;
      if (names[i].length > 127) *w++ = (uint8_t)(names[i].length >> 7);
      memset(w, 'n', names[i].length);
      w += names[i].length;
      w += (w - bytes) & 1;
      dict = w;
      *w++ = 0x70, *w++ = (uint8_t)pairs;
      for (k = 0; k < pairs; k++, w += 4) { /* the same key twice needs the slow function */
        w[0] = 0x80, w[1] = (uint8_t)((w - bytes) / 2), w[2] = 0, w[3] = 1;
      }
      w[0] = 0x80, w[1] = (uint8_t)((w - dict) / 2), w += 2;
      assert_int_equal(judge_with(bytes, (size_t)(w - bytes), 10, UINT64_MAX, NULL), BIN_ERROR_NONE);
      if ((*bin_check_shape_slot(&checked, dict) == dict) != (int)names[i].known)
        fail_msg("%d, %d", (int)names[i].length, (int)pairs);
    }
}

/* Arrays in arrays, and dicts, of each depth, as deep as the limit, and by one deeper. */
static void test_depths(void **unused) {
  static uint8_t bytes[8 * 2000];
  unsigned deep, pairs;
  uint64_t values;
  (void)unused;
  for (pairs = 0; pairs <= 1; pairs++)
    for (deep = 1; deep <= 1000; deep += deep < 300 ? 1 : 100) {
      uint8_t *w = bytes + unhex("6001 0001", bytes);
      unsigned i;
      for (i = 1; i < deep; i++) w += unhex(!pairs ? "6001 8003" : i == 1 ? "7001 4161 8004" : "7001 4161 8005", w);
      w += unhex(deep > 1 && pairs ? "8003" : "8002", w);
      assert_int_equal(judge_with(bytes, (size_t)(w - bytes), deep, UINT64_MAX, &values), BIN_ERROR_NONE);
      assert_int_equal(values, deep + 1);
      assert_int_equal(judge_with(bytes, (size_t)(w - bytes), deep - 1, UINT64_MAX, NULL), BIN_ERROR_DEPTH);
    }
  assert_int_equal(judge_with(bytes, unhex("002a", bytes), 0, 1, &values), BIN_ERROR_NONE);
  assert_int_equal(values, 1);
}

/* Arrays in arrays, to each of which the root leads, too: what was found of an inner one is found again. */
static void test_revisits(void **unused) {
  enum { LEVELS = 400 };
  static uint8_t bytes[8 * LEVELS];
  uint8_t *w = bytes + unhex("6001 0001", bytes);
  uint64_t values, wanted = 1;
  size_t i;
  (void)unused;
  for (i = 1; i < LEVELS; i++) w += unhex("6001 8003", w);
  *w++ = (uint8_t)(0x60 | LEVELS >> 8), *w++ = (uint8_t)(LEVELS & 255);
  for (i = LEVELS; i-- > 0; w += 2) { /* the outermost first */
    const size_t back = (size_t)(w - bytes - 4 * i) / 2;
    w[0] = (uint8_t)(0x80 | back >> 8), w[1] = (uint8_t)back;
    wanted += i + 2;
  }
  *w++ = (uint8_t)(0x80 | (LEVELS + 1) >> 8), *w++ = (uint8_t)(LEVELS + 1);
  assert_int_equal(judge_with(bytes, (size_t)(w - bytes), LEVELS + 1, UINT64_MAX, &values), BIN_ERROR_NONE);
  assert_int_equal(values, wanted);
  assert_int_equal(judge_with(bytes, (size_t)(w - bytes), LEVELS + 1, wanted - 1, NULL), BIN_ERROR_VALUES);
}

/* A document in which readers visit just `more` values beyond those that its bytes allow. */
static void test_expansion(void **unused) {
  enum { LEVELS = 24, ITEMS = 100 };
  static uint8_t bytes[4096];
  size_t at[LEVELS];
  uint64_t extra[LEVELS], values;
  int more;
  (void)unused;
  for (more = -1; more <= 1; more++) {
    uint8_t *w = bytes;
    const size_t n = 4 + 6 * (LEVELS - 1) + 2 + 2 * ITEMS + 2;
    uint64_t rest = bin_most_values(n) - 1 - ITEMS + (uint64_t)(int64_t)more;
    int i, k;
    /* `extra`: the values that an item which leads to the array of this level adds to itself */
    for (i = 0; i < LEVELS; i++) {
      at[i] = (size_t)(w - bytes);
      w += unhex(i == 0 ? "6001 0001" : i == 1 ? "6002 8003 8004" : "6002 8004 8005", w);
      extra[i] = i ? 2 + 2 * extra[i - 1] : 1;
    }
    *w++ = 0x60, *w++ = ITEMS;
    for (i = 0, k = LEVELS - 1; i < ITEMS; i++) {
      size_t back;
      while (k >= 0 && extra[k] > rest) k--;
      back = k < 0 ? 0 : ((size_t)(w - bytes) - at[k]) / 2;
      if (k >= 0) rest -= extra[k];
      *w++ = (uint8_t)(k < 0 ? 0 : 0x80 | back >> 8), *w++ = (uint8_t)back;
    }
    *w++ = 0x80, *w++ = ITEMS + 1;
    assert_int_equal(w - bytes, n);
    assert_int_equal(rest, 0);
    assert_int_equal(judge_with(bytes, n, 100, UINT64_MAX, &values), more > 0 ? BIN_ERROR_EXPANSION : BIN_ERROR_NONE);
    if (more > 0) continue;
    assert_int_equal(values, bin_most_values(n) + (uint64_t)(int64_t)more);
    assert_int_equal(judge_with(bytes, n, 100, values, NULL), BIN_ERROR_NONE);
    assert_int_equal(judge_with(bytes, n, 100, values - 1, NULL), BIN_ERROR_VALUES);
  }
  assert_true(bin_most_values(0) == 1 << 24 && bin_most_values(10) == (1 << 24) + 640);
}

/* The same for the steps from pointer to pointer: a chain of 2200, and items that lead into it. */
static void test_work(void **unused) {
  enum { CHAIN = 2200, ITEMS = 2040 };
  static uint8_t bytes[4 * CHAIN + 2 * ITEMS + 100];
  int more;
  (void)unused;
  for (more = 0; more <= 1; more++) {
    const size_t n = 2 + 4 * CHAIN + 2 + 2 * ITEMS + 2;
    size_t rest = BIN_CHECK_WORK_LEAST + BIN_CHECK_WORK * n + (size_t)more, i;
    uint8_t *w = bytes + unhex("0005", bytes);
    assert_true(BIN_CHECK_WORK_LEAST == 1 << 22 && BIN_CHECK_WORK == 16);
    for (i = 0; i < CHAIN; i++) w += unhex(i ? "80000002" : "80000001", w);
    *w++ = 0x60 | ITEMS >> 8, *w++ = ITEMS & 255;
    for (i = 0; i < ITEMS; i++) {
      const size_t steps = rest < CHAIN ? rest : CHAIN, target = steps ? 4 * steps - 2 : 0;
      const size_t back = ((size_t)(w - bytes) - target) / 2;
      *w++ = (uint8_t)(0x80 | back >> 8), *w++ = (uint8_t)back;
      rest -= steps;
    }
    *w++ = (uint8_t)(0x80 | (ITEMS + 1) >> 8), *w++ = (uint8_t)(ITEMS + 1);
    assert_true(rest == 0 && (size_t)(w - bytes) == n);
    assert_int_equal(judge_with(bytes, n, 10, UINT64_MAX, NULL), more ? BIN_ERROR_EXPANSION : BIN_ERROR_NONE);
  }
}

/* Each use of an array with a long string counts a value for 32 bytes of it. Without a limit of its own a document may
** have as many values as bytes. */
static void test_long_texts(void **unused) {
  size_t texts;
  uint64_t values;
  (void)unused;
  for (texts = 15; texts <= 18; texts++) {
    uint8_t bytes[800];
    const size_t length = 32 * texts, n = 4 + length;
    bytes[0] = 0x4f, bytes[1] = (uint8_t)(128 | (length & 127)), bytes[2] = (uint8_t)(length >> 7);
    memset(bytes + 3, 'x', length + 1);
    bytes[n] = 0x60, bytes[n + 1] = 1, bytes[n + 2] = (uint8_t)(0x80 | (n + 2) >> 9),
    bytes[n + 3] = (uint8_t)((n + 2) / 2);
    assert_int_equal(judge_with(bytes, n + 4 + unhex("6002 8003 8004 8003", bytes + n + 4), 10, UINT64_MAX, &values),
                     BIN_ERROR_NONE);
    assert_int_equal(values, 1 + 2 + 2 + 2 * texts);
  }
  assert_true(bin_default_values(0) == BIN_VALUES_LEAST && bin_default_values(BIN_VALUES_LEAST + 1) > BIN_VALUES_LEAST);
}

/* ------------------------------------------------------------------------------------- what is remembered */

/* A dict whose keys are known is judged as if it were alone. */
static void test_known_dicts(void **unused) {
  static const char *const words[2][10] = {
      {"0005", "4161", "6000", "8006", "bfff", "8000", "4261", "6001", "1100", "800a"},
      {"00050000", "43616263", "60010005", "80000006", "bfffffff", "80000000", "44616263", "60020005", "13000000",
       "80000010"}};
  size_t wide, i, k, m;
  (void)unused;
  for (wide = 0; wide <= 1; wide++)
    for (i = 0; i < LENGTH(words[0]); i++)
      for (k = 0; k < LENGTH(words[0]); k++)
        for (m = 0; m < LENGTH(words[0]); m++) {
          char hex[300];
          uint8_t bytes[100];
          uint64_t alone, both;
          enum bin_error error;
          const char *pad = wide ? "0000" : "";
          snprintf(hex, sizeof hex, "6001 0001 %s03 4161%s 0001%s 4162%s 0001%s 4163%s 0001%s", wide ? "78" : "70", pad,
                   pad, pad, pad, pad, pad);
          snprintf(hex + strlen(hex), sizeof hex - strlen(hex), " %s03 4161%s %s 4162%s %s 4163%s %s %s",
                   wide ? "78" : "70", pad, words[wide][i], pad, words[wide][k], pad, words[wide][m],
                   wide ? "6001 800e 8002" : "6001 8008 8002");
          error = judge_with(bytes, unhex(hex, bytes), 10, UINT64_MAX, &alone);
          memcpy(hex + strlen(hex) - 14, wide ? "6002 801b 800f 8003" : "6002 800f 8009 8003", 20);
          assert_int_equal(judge_with(bytes, unhex(hex, bytes), 10, UINT64_MAX, &both), error);
          if (!error) assert_int_equal(both, alone + 4);
          if (i < 3 && k < 3 && m < 3) assert_int_equal(error, BIN_ERROR_NONE);
          if ((i > 3 && i < 9) || (k > 3 && k < 9) || (m > 3 && m < 9)) assert_int_not_equal(error, BIN_ERROR_NONE);
        }
}

/* What a check has learnt is not held for true by the next one, of other bytes at the same place. */
static void test_two_checks(void **unused) {
  uint8_t bytes[100];
  struct bin_doc d;
  const size_t n = unhex("49616161616161616162 49616161616161616163 7002 800b 0001 8008 0002"
                         "7002 8010 0001 800d 0002 6002 800b 8007 8003",
                         bytes);
  (void)unused;
  assert_int_equal(judge_with(bytes, n, 10, UINT64_MAX, NULL), BIN_ERROR_NONE);
  bytes[9] = 'd';
  memset(&d, 0, sizeof d);
  d.begin = bytes, d.end = bytes + n;
  assert_false(bin_check(&checked, &d));
  assert_int_equal(checked.error, BIN_ERROR_KEY_ORDER);
}

/* The collections of a base have bits of their own: one that lies there where a good one lies in the document is bad. */
static void test_base(void **unused) {
  uint8_t below[32], bytes[64];
  struct bin_doc base, d;
  const size_t base_n = unhex("6001 8000 6001 8000 0000 6000 8001", below);
  static const struct {
    const char *pointer;
    enum bin_error error;
  } cases[] = {{"c00a", BIN_ERROR_NONE}, {"c00d", BIN_ERROR_POINTER}, {"c00f", BIN_ERROR_POINTER}};
  size_t i;
  (void)unused;
  assert_int_equal(verdict(&heap, below, base_n, 0, &base), BIN_ERROR_NONE);
  for (i = 0; i < LENGTH(cases); i++) {
    const size_t n = unhex("6001 0001 6001 0001 6002 8005 8004 6001 c00a 6002 8006 8004 8003", bytes);
    unhex(cases[i].pointer, bytes + 16);
    assert_int_equal(verdict_on(&heap, &base, bytes, n, 0, &d), cases[i].error);
  }
}

/* So far from its beginning no narrow pointer of a document leads into the base. */
static void test_far_from_base(void **unused) {
  static const char *const cases[] = {"6001 c001 8002",
                                      "6001 0001 6002 8003 c001 8003",
                                      "7001 4161 c001 8003",
                                      "7001 c001 0001 8003",
                                      "7001 4161 0001 7001 4161 c001 6002 8007 8005 8003",
                                      "7001 4161 0001 7001 c001 0001 6002 8007 8005 8003"};
  enum { FAR = 34000 };
  static uint8_t bytes[FAR + 100];
  uint8_t below[2] = {0x60, 0};
  struct bin_doc base, d;
  size_t i;
  (void)unused;
  unhex("5ff4 8802 0000", bytes); /* data */
  assert_int_equal(verdict(&heap, below, 2, 0, &base), BIN_ERROR_NONE);
  for (i = 0; i < LENGTH(cases); i++) {
    const size_t n = FAR + unhex(cases[i], bytes + FAR);
    assert_int_equal(verdict_on(&heap, &base, bytes, n, 0, &d), BIN_ERROR_POINTER);
  }
  /* without a base, narrow ones are of older documents; wide ones never were */
  i = FAR + unhex("6801 c0000001 8003", bytes + FAR);
  assert_int_equal(verdict(&heap, bytes, i, 0, &d), BIN_ERROR_POINTER);
  i = FAR + unhex("6001 c000 8002", bytes + FAR);
  assert_int_equal(verdict(&heap, bytes, i, 0, &d), BIN_ERROR_NONE);
}

/* Codes without shared keys are the only error: the first of them, if there is no other. */
static void test_codes(void **unused) {
  uint8_t bytes[64];
  size_t n = unhex("7002 0001 0001 0002 0002 7002 0003 0001 4161 0001 6002 800b 8007 8003", bytes);
  (void)unused;
  assert_int_equal(judge_with(bytes, n, 10, UINT64_MAX, NULL), BIN_ERROR_KEYS);
  assert_ptr_equal(checked.where, bytes + 2);
  n = unhex("7002 0001 0001 0002 0002 7002 0003 0001 4161 8000 6002 800b 8007 8003", bytes);
  assert_int_equal(judge_with(bytes, n, 10, UINT64_MAX, NULL), BIN_ERROR_POINTER);
  n = unhex("7002 4161 0001 4162 0002 8005", bytes);
  assert_int_equal(judge_with(bytes, n, 10, UINT64_MAX, NULL), BIN_ERROR_NONE);
}

/* Each dict has the one before as its parent: 16 ancestors are allowed. */
static void test_ancestors(void **unused) {
  unsigned many, known;
  (void)unused;
  for (known = 0; known <= 1; known++) /* the ancestors are found again, or at once */
    for (many = 0; many <= 18; many++) {
      uint8_t bytes[200], *w = bytes + unhex("7001 4161 0001", bytes);
      unsigned i;
      for (i = 0; i < many; i++) w += unhex("7001 0800 8005", w);
      if (known) w += unhex(many ? "6002 8004 8005" : "6002 8004 8005", w), w += unhex("8003", w);
      else w += unhex("8003", w);
      assert_int_equal(judge_with(bytes, (size_t)(w - bytes), 100, UINT64_MAX, NULL),
                       many <= 16 ? BIN_ERROR_NONE : BIN_ERROR_ANCESTORS);
    }
}

/* Collections whose items overlap are allowed to have as many bytes as the document, and no more: a wide array, each of
** whose items has in its second half the header of a narrow array. */
static void test_overlap(void **unused) {
  uint8_t bytes[64];
  size_t items;
  (void)unused;
  for (items = 1; items <= 6; items++) {
    /* 0: the wide array of 4 items; 18: pairs that lead to it and to the array at 4, of so many items; the root */
    const size_t n = unhex("6804 00006000 00010000 00020000 00030000 7002 4161 800b 4162 800b 8005", bytes);
    enum bin_error error;
    bytes[5] = (uint8_t)items;
    error = judge_with(bytes, n, 10, UINT64_MAX, NULL);
    assert_int_equal(error, 16 + 2 * items + 8 <= n ? BIN_ERROR_NONE : BIN_ERROR_OVERLAP);
  }
  /* an array in an item of four bytes does not count twice */
  items = unhex("6808 60010001 60010002 60010003 60010004 60010005 60010006 60010007 60010008 8011", bytes);
  assert_int_equal(judge_with(bytes, items, 10, UINT64_MAX, NULL), BIN_ERROR_NONE);
  items = unhex("6805 60010001 60010002 60010003 60010004 60010005", bytes);
  items += unhex("600a 0000 0000 0000 0000 0000 0000 0000 0000 0000 0000 6002 8017 800d 8003", bytes + items);
  assert_int_equal(judge_with(bytes, items, 10, UINT64_MAX, NULL), BIN_ERROR_NONE);
}

int main(void) {
#define T(name) cmocka_unit_test_setup(test_##name, setup)
  const struct CMUnitTest tests[] = {
      T(sizes),      T(scalar_items), T(runs),      T(reach),         T(usual_keys), T(slots_of_shapes), T(depths),
      T(revisits),   T(remembered),   T(expansion), T(overlap),       T(work),       T(long_texts),      T(known_dicts),
      T(two_checks), T(base),         T(codes),     T(far_from_base), T(ancestors)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
