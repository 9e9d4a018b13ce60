/* SPDX-License-Identifier: MIT
** test_binary_keys.c -- the check of binary remembers dicts whose keys have passed: here, two dicts that have to do
** with each other, and for the second the verdict that the format demands of it alone (docs/format.md, sections
** *Dicts* and *Check*). Each document is judged with the first dict checked before, after, and not at all; and each
** question that the memory answers is asked with the first dict in all its slots, so that no hash decides what is
** compared.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/binary/test_binary_keys.c -lcmocka -lm */
#include "../support/binary_cases.h" /* which includes cmocka.h */

/* ------------------------------------------------------------------------------------- documents of two dicts */

struct pair_of_dicts {
  uint8_t bytes[300 * 1024];
  size_t n;        /* without the root */
  size_t dicts[2]; /* where they are */
};
static struct pair_of_dicts two;

static void put16(unsigned word) { two.bytes[two.n++] = (uint8_t)(word >> 8), two.bytes[two.n++] = (uint8_t)word; }
static void put_hex(const char *hex) { two.n += unhex(hex, two.bytes + two.n); }
static void put_pointer(unsigned width, size_t target) {
  const size_t back = (two.n - target) / 2;
  if (width == 4) put16(0x8000 | (unsigned)(back >> 16));
  put16((width == 2 ? 0x8000 : 0) | (unsigned)(back & 0xffff));
}

enum { BEFORE, AFTER, ALONE, ORDERS };

/* The verdict on a document that leads to the first dict before the second, after it, or not at all. */
static enum bin_error judge_two(const struct bin_doc *base, int order, int utf8) {
  const size_t n = two.n;
  struct bin_doc d;
  enum bin_error error;
  put16(order == ALONE ? 0x6801 : 0x6802);
  if (order == BEFORE) put_pointer(4, two.dicts[0]);
  put_pointer(4, two.dicts[1]);
  if (order == AFTER) put_pointer(4, two.dicts[0]);
  put_pointer(2, n);
  error = verdict_on(&heap, base, base ? two.bytes : at_edge(two.bytes, two.n), two.n, utf8, &d);
  if (!error) read_all(&d);
  two.n = n;
  assert_int_equal(heap.blocks, 0);
  return error;
}

/* Is the second dict taken for one with the keys of the first, if that is what is remembered? */
static int is_known(const struct bin_doc *base) {
  static struct bin_check c;
  const struct bin_doc d = {two.bytes, two.bytes + two.n, base, NULL, NULL, 0, 0};
  const struct bin_list l = bin_list_of(two.bytes + two.dicts[1]);
  size_t i;
  for (i = 0; i < LENGTH(c.shapes); i++) c.shapes[i] = two.bytes + two.dicts[0];
  c.doc = &d;
  return bin_check_has_known_keys(&c, &d, two.bytes + two.dicts[1], l.first, (size_t)l.count * 2 * l.width);
}

static void second_is(enum bin_error error, int known) {
  int order, utf8;
  for (order = 0; order < ORDERS; order++)
    for (utf8 = 0; utf8 < 2; utf8++) assert_int_equal(judge_two(NULL, order, utf8), error);
  assert_int_equal(is_known(NULL), known);
}

/* ------------------------------------------------------------------------------------- every pair of two keys */

static const char values[] =
    "42616200"          /*  0: the string "ab" */
    "42616300"          /*  4: "ac" */
    "42616200"          /*  8: "ab" at another place */
    "4678 426162797a00" /* 12: a string, in the middle of which, at 14, stands the string "ab", at 16 an array */
    "52616200"          /* 20: data */
    "0005 3000"         /* 24: a small integer, null */
    "8000000e"          /* 28: a pointer to the "ab" at 0 */
    "4161 4000"         /* 32: "a", "" */
    "4f026162"          /* 36: "ab" with a length of two bytes */
    "42610000";         /* 40: "a" and a zero: its first eight bytes are those of "a" */

/* What stands for a key: a place, or the bytes of the slot. In narrow slots the last two of them are missing. */
struct slot {
  int place;
  unsigned word, rest;
  enum bin_error narrow, wide; /* is it no key? */
  int rank;                    /* of keys: integers, then strings */
};
#define IN(place, rank) \
  { place, 0, 0, BIN_ERROR_NONE, BIN_ERROR_NONE, rank }
#define NO(place) \
  { place, 0, 0, BIN_ERROR_KEY, BIN_ERROR_KEY, 0 }
#define WORD(word, error, rank) \
  { -1, word, 0, BIN_ERROR_##error, BIN_ERROR_##error, rank }
/* clang-format off */
static const struct slot slots[] = {
  WORD(0x0000, NONE, 1), WORD(0x0005, NONE, 2), WORD(0x4000, NONE, 3), IN(34, 3), WORD(0x4161, NONE, 4), IN(32, 4),
  IN(40, 5), IN(0, 6), IN(8, 6), IN(14, 6), IN(28, 6), IN(36, 6), IN(4, 7), WORD(0x4162, NONE, 8),
  {-1, 0x4261, 0x6200, BIN_ERROR_TRUNCATED, BIN_ERROR_NONE, 6}, /* "ab" fits in a wide slot */
  NO(16), NO(20), NO(24), NO(26), WORD(0x0fff, KEY, 0), WORD(0x5161, KEY, 0), WORD(0x7000, KEY, 0),
  WORD(0x3000, KEY, 0), WORD(0x0800, PARENT, 0), WORD(0x8000, POINTER, 0), WORD(0xbfff, POINTER, 0)
};
/* clang-format on */
enum { SLOTS = LENGTH(slots) };

static void put_dict(int which, unsigned width, const struct slot *a, const struct slot *b) {
  int i;
  two.dicts[which] = two.n;
  put16(width == 2 ? 0x7002 : 0x7802);
  for (i = 0; i < 2; i++) {
    const struct slot *s = i ? b : a;
    if (s->place >= 0) {
      put_pointer(width, (size_t)s->place);
    } else {
      put16(s->word);
      if (width == 4) put16(s->rest);
    }
    put16((unsigned)i + 1);
    if (width == 4) put16(0);
  }
}

/* The verdict on a dict of two keys by itself: the first fault in it. */
static enum bin_error demanded(unsigned width, const struct slot *a, const struct slot *b) {
  const enum bin_error first = width == 2 ? a->narrow : a->wide, second = width == 2 ? b->narrow : b->wide;
  if (first) return first;
  if (second) return second == BIN_ERROR_PARENT ? BIN_ERROR_KEY : second; /* a parent's mark comes first */
  return a->rank <= b->rank ? BIN_ERROR_NONE : BIN_ERROR_KEY_ORDER;
}

static void judge_slots(unsigned width1, unsigned width2, const struct slot *const *s, size_t *knowns) {
  const enum bin_error wanted = demanded(width2, s[2], s[3]);
  const int same = width1 == width2 && s[0] == s[2] && s[1] == s[3];
  int order;
  two.n = unhex(values, two.bytes);
  put_dict(0, width1, s[0], s[1]);
  put_dict(1, width2, s[2], s[3]);
  for (order = 0; order < (s[0] == &slots[0] ? ORDERS : 1); order++) {
    const enum bin_error got = judge_two(NULL, order, 0);
    if (got != wanted)
      fail_msg("slots %d %d, then %d %d (widths %u, %u), order %d: %d, not %d", (int)(s[0] - slots),
               (int)(s[1] - slots), (int)(s[2] - slots), (int)(s[3] - slots), width1, width2, order, got, wanted);
  }
  assert_int_equal(is_known(NULL), same); /* so it is, and a good key found known is one of a good dict */
  *knowns += same;
}

static void test_two_keys(void **unused) {
  size_t a, b, c, d, knowns = 0;
  unsigned width1, width2;
  for (width1 = 2; width1 <= 4; width1 += 2)
    for (a = 0; a < SLOTS; a++)
      for (b = a; b < SLOTS; b++) {
        if (demanded(width1, &slots[a], &slots[b])) continue;
        for (width2 = 2; width2 <= 4; width2 += 2)
          for (c = 0; c < SLOTS; c++)
            for (d = 0; d < SLOTS; d++) {
              const struct slot *const s[4] = {&slots[a], &slots[b], &slots[c], &slots[d]};
              /* all that share a place with the first, and a sample of the others */
              if (c != a && d != b && c != b && d != a && (7 * a + 5 * b + 3 * c + d) % 8) continue;
              judge_slots(width1, width2, s, &knowns);
            }
      }
  assert_true(knowns > 150);
  (void)unused;
}

/* ------------------------------------------------------------------------------------- other headers */

static void begin_two(const char *before) { two.n = unhex(before, two.bytes); }
static void add_dict(int which, const char *hex) {
  two.dicts[which] = two.n;
  put_hex(hex);
}
static void fill_to(size_t n) {
  memset(two.bytes + two.n, 0, n - two.n);
  two.n = n;
}

/* More pairs than the first one has: what stands behind it are bytes like its keys, which nobody has looked at. */
static void test_counts_differ(void **unused) {
  begin_two("");
  add_dict(0, "7001 4161 0000");
  put_hex("4163 0000 4162 0000");
  add_dict(1, "7003 4161 0000 4163 0000 4162 0000");
  second_is(BIN_ERROR_KEY_ORDER, 0);
  begin_two("");
  add_dict(0, "7001 4161 0000");
  put_hex("3000 0000");
  add_dict(1, "7002 4161 0000 3000 0000");
  second_is(BIN_ERROR_KEY, 0);
  begin_two(""); /* fewer */
  add_dict(0, "7003 4161 0000 4162 0000 4163 0000");
  add_dict(1, "7002 4161 0000 4162 0000");
  second_is(BIN_ERROR_NONE, 0);
  begin_two(""); /* the same, and other values */
  add_dict(0, "7003 4161 0000 4162 0000 4163 0000");
  add_dict(1, "7003 4161 6000 4162 3800 4163 4178");
  second_is(BIN_ERROR_NONE, 1);
  begin_two(""); /* the last of an odd number is another */
  add_dict(0, "7003 4161 0000 4162 0000 4163 0000");
  add_dict(1, "7003 4161 0000 4162 0000 4160 0000");
  second_is(BIN_ERROR_KEY_ORDER, 0);
  begin_two("4162");
  add_dict(0, "7003 4161 0000 4162 0000 8006 0000");
  add_dict(1, "7003 4161 0000 4162 0000 800d 0000");
  second_is(BIN_ERROR_NONE, 1);
  begin_two("4160 4162"); /* one place before */
  add_dict(0, "7003 4161 0000 4162 0000 8006 0000");
  add_dict(1, "7003 4161 0000 4162 0000 800e 0000");
  second_is(BIN_ERROR_KEY_ORDER, 0);
  (void)unused;
}

/* The same bytes, but slots of another width: two narrow ones are one wide key. */
static void test_widths_differ(void **unused) {
  begin_two("");
  add_dict(0, "7801 42616200 00000000");
  add_dict(1, "7002 4261 6200 0000 0000"); /* the string would end in its value's slot */
  second_is(BIN_ERROR_TRUNCATED, 0);
  begin_two("");
  add_dict(0, "7801 42616200 00000000"); /* and as many */
  add_dict(1, "7001 4261 0000");
  second_is(BIN_ERROR_TRUNCATED, 0);
  begin_two("");
  add_dict(0, "7004 4161 0000 4162 0000 4163 0000 4164 0000");
  add_dict(1, "7004 4261 0000 4162 0000 4163 0000 4164 0000");
  second_is(BIN_ERROR_TRUNCATED, 0);
  begin_two("");
  add_dict(0, "7004 4162 0000 4162 0000 4163 0000 4163 0000");
  add_dict(1, "7802 41620000 00000000 41630000 00000000");
  second_is(BIN_ERROR_NONE, 0);
  begin_two("4140"); /* in the wide dict, 0x8001 and the value behind it lead to the beginning */
  fill_to(0x20000 - 8);
  add_dict(0, "7004 4160 0000 4161 4161 8001 0000 4162 0000");
  add_dict(1, "7802 41600000 00000000 80010009 00000000");
  two.bytes[two.dicts[1] + 13] = (uint8_t)((two.dicts[1] + 10) / 2); /* a pointer of 0x10000 + that much */
  second_is(BIN_ERROR_KEY_ORDER, 0);
  (void)unused;
}

/* The distance between two pointers must not be taken for none where it is too large for their bits. */
static void test_far_apart(void **unused) {
  static const size_t distances[] = {0x4000, 0x8000, 0xfffe, 0x10000, 0x18000, 0x20000, 0x40000};
  size_t i;
  for (i = 0; i < LENGTH(distances); i++) {
    const size_t n = distances[i];
    begin_two("4161");
    add_dict(0, "7001 8002 0000");
    fill_to(n);
    put_hex("3000"); /* as far before the second dict as the string is before the first */
    add_dict(1, "7001 8002 0000");
    assert_int_equal(two.dicts[1] - two.dicts[0], n);
    second_is(BIN_ERROR_KEY, 0);
    begin_two("4161");
    add_dict(0, "7801 80000002 00000000");
    fill_to(n);
    put_hex("3000");
    add_dict(1, "7801 80000002 00000000");
    second_is(BIN_ERROR_KEY, 0);
    begin_two("4161"); /* a wide one reaches */
    add_dict(0, "7801 80000002 00000000");
    fill_to(n);
    add_dict(1, "7801");
    put_pointer(4, 0);
    put_hex("00000000");
    second_is(BIN_ERROR_NONE, 1);
  }
  (void)unused;
}

/* A narrow distance that does not fit sets the bit of pointers into a base: of old it was one of the distance's, and
** still is where there is no base (section *Pointers*). */
static void test_one_bit_too_far(void **unused) {
  int order;
  begin_two("4161");
  fill_to(0x7ffc - 2);
  add_dict(0, "7001");
  put_pointer(2, 0);
  put_hex("0000");
  add_dict(1, "7001");
  put_pointer(2, 0);
  put_hex("0000");
  assert_int_equal(two.bytes[two.dicts[0] + 2] << 8 | two.bytes[two.dicts[1] + 2], 0xbfc0);
  second_is(BIN_ERROR_NONE, 0);
  for (order = 0; order < ORDERS; order++) {
    static const uint8_t empty[] = {0x60, 0x00};
    const struct bin_doc base = {empty, empty + 2, NULL, NULL, empty, 0, 0};
    assert_int_equal(judge_two(&base, order, 0), BIN_ERROR_POINTER);
    assert_false(is_known(&base));
  }
  (void)unused;
}

/* 2047 pairs and more: the keys begin behind the rest of the count. The first dict's rest and values are what the
** second has as keys. */
static void test_long_counts(void **unused) {
  int which, i, good;
  for (good = 0; good < 2; good++) {
    begin_two("");
    for (which = 0; which < 2; which++) {
      add_dict(which, "77ff 0000");
      for (i = 0; i < 2047; i++) {
        if (good || which == 0) put16(0x4161);
        else put16(i == 0 ? 0 : i % 2 ? 0x4162 : 0x4161);
        put16(good || which ? 0 : i % 2 ? 0x4161 : 0x4162);
      }
    }
    second_is(good ? BIN_ERROR_NONE : BIN_ERROR_KEY_ORDER, 0);
  }
  (void)unused;
}

/* The first dict may lie behind the second one: then a key may end in time for it, but run into the second one. */
static void test_key_runs_into_dict(void **unused) {
  static const char *const dicts[][3] = {{"4761", "7001 8002 0001", "7001 8005 0001"},
                                         {"4761", "7002 8002 0001 4162 0000", "7002 8007 0001 4162 0000"},
                                         {"4f0f", "7001 8002 0001 0000 0000 0000 0000 0000", "7001 800a 0001"}};
  size_t i;
  int order;
  for (i = 0; i < LENGTH(dicts); i++) {
    begin_two(dicts[i][0]);
    add_dict(1, dicts[i][1]);
    add_dict(0, dicts[i][2]);
    for (order = 0; order < ORDERS; order++) assert_int_equal(judge_two(NULL, order, 0), BIN_ERROR_TRUNCATED);
    assert_false(is_known(NULL));
    two.dicts[1] = two.dicts[0];
    assert_int_equal(judge_two(NULL, ALONE, 0), BIN_ERROR_NONE);
  }
  (void)unused;
}

/* What follows the keys of a dict that is known is looked at, and a parent's mark is no key. */
static void test_the_rest_counts(void **unused) {
  begin_two("");
  add_dict(0, "7001 4161 0000");
  add_dict(1, "7001 4161 8000");
  second_is(BIN_ERROR_POINTER, 1);
  begin_two("7000");
  add_dict(0, "7002 0800 8003 4161 0000");
  add_dict(1, "7002 0800 3000 4161 0000");
  second_is(BIN_ERROR_PARENT, 0);
  begin_two("7000");
  add_dict(0, "7002 0800 8003 4161 0000");
  add_dict(1, "7002 0800 8008 4161 0000");
  second_is(BIN_ERROR_NONE, 0);
  (void)unused;
}

/* UTF-8 is asked for or not: a key that was not looked at for it is not remembered from one check to the next. */
static void test_utf8(void **unused) {
  int order, utf8;
  for (order = 0; order < ORDERS; order++)
    for (utf8 = 0; utf8 < 2; utf8++) {
      const enum bin_error bad = utf8 ? BIN_ERROR_UTF8 : BIN_ERROR_NONE;
      begin_two("42c3a900 42c32800");
      add_dict(0, "7001 8005 0000");
      add_dict(1, "7001 8008 0000"); /* the same place */
      assert_int_equal(judge_two(NULL, order, utf8), BIN_ERROR_NONE);
      assert_true(is_known(NULL));
      begin_two("42c3a900 42c32800");
      add_dict(0, "7001 8005 0000");
      add_dict(1, "7001 8006 0000"); /* what is bad */
      assert_int_equal(judge_two(NULL, order, utf8), bad);
      begin_two("42c3a900");
      add_dict(0, "7001 8003 0000");
      add_dict(1, "7001 8006 41ff"); /* a bad value behind a good key */
      assert_int_equal(judge_two(NULL, order, utf8), bad);
    }
  (void)unused;
}

/* ------------------------------------------------------------------------------------- documents with a base */

static struct bin_doc base_doc;

/* The base lies right before the document, so that a pointer out of the one would lead into the other. What points
** to the base's dict is a wide pointer with the extern flag. */
static enum bin_error judge_behind(const char *base, size_t base_dict, const char *hex, int base_first, int utf8) {
  uint8_t *bytes = (uint8_t *)malloc(4096);
  struct bin_doc d;
  enum bin_error error;
  size_t n, base_n;
  MUST(bytes);
  base_n = unhex(base, bytes);
  assert_int_equal(verdict(&heap, bytes, base_n, 0, &base_doc), BIN_ERROR_NONE);
  n = base_n + unhex(hex, bytes + base_n);
  two.n = 0;
  memcpy(two.bytes, bytes + base_n, n - base_n);
  two.n = n - base_n;
  put16(0x6802);
  if (!base_first) put_pointer(4, 0);
  put16(0xc000);
  put16((unsigned)(two.n - 2 + base_n - base_dict) / 2);
  if (base_first) put_pointer(4, 0);
  put_pointer(2, n - base_n);
  memcpy(bytes + base_n, two.bytes, two.n);
  bytes = (uint8_t *)realloc(bytes, base_n + two.n);
  base_doc.begin = bytes, base_doc.end = bytes + base_n;
  error = verdict_on(&heap, &base_doc, bytes + base_n, two.n, utf8, &d);
  if (!error) read_all(&d);
  free(bytes);
  assert_int_equal(heap.blocks, 0);
  return error;
}

/* The document begins with the dict in question. */
static void test_base(void **unused) {
  /* clang-format off */
  static const struct { const char *base, *hex; enum bin_error error; } cases[] = {
    {"42616200 7001 8003 0000 8003", "7001 c007 0000", BIN_ERROR_NONE},    /* its "ab" */
    {"42616200 7001 8003 0000 8003", "7001 8007 0000", BIN_ERROR_POINTER}, /* the same bytes without the flag */
    {"42616200 7001 8003 0000 8003", "7001 c008 0000", BIN_ERROR_POINTER}, /* before the base */
    {"42616200 7001 8003 0000 8003", "7001 c005 0000", BIN_ERROR_KEY},     /* its dict */
    {"42616200 7001 8003 0000 8003", "7001 c001 0000", BIN_ERROR_POINTER}, /* not in it */
    {"42616200 7001 4161 0000 8003", "7001 4161 0000", BIN_ERROR_NONE},    /* bytes of the slot */
    {"42616200 7001 4161 0000 8003", "7002 4162 0000 4161 0000", BIN_ERROR_KEY_ORDER}
  };
  /* clang-format on */
  size_t i;
  int first, utf8;
  for (i = 0; i < LENGTH(cases); i++)
    for (first = 0; first < 2; first++)
      for (utf8 = 0; utf8 < 2; utf8++) {
        const enum bin_error error = judge_behind(cases[i].base, 4, cases[i].hex, first, utf8);
        if (error != cases[i].error) fail_msg("%s: %d, not %d", cases[i].hex, error, cases[i].error);
      }
  /* The base was not looked at for UTF-8; what the document leads to is. */
  for (first = 0; first < 2; first++) {
    const char *base = "42ff6200 7001 4161 0000 8003";
    assert_int_equal(judge_behind(base, 4, "7001 c007 0000", first, 0), BIN_ERROR_NONE);
    assert_int_equal(judge_behind(base, 4, "7001 c007 0000", first, 1), BIN_ERROR_UTF8);
  }
  (void)unused;
}

/* Two dicts of a document, with keys in its base: the same ones, and the same numbers without the flag. */
static void test_keys_in_base(void **unused) {
  /* clang-format off */
  static const struct { const char *first, *second; enum bin_error error; int known; } cases[] = {
    {"7002 c007 0000 c007 0000", "7002 c00c 0000 c00c 0000", BIN_ERROR_NONE, 1},
    {"7002 c007 0000 c007 0000", "7002 c00c 0000 800c 0000", BIN_ERROR_POINTER, 0}, /* the same without the flag */
    {"7002 c007 0000 c007 0000", "7002 c00a 0000 c00e 0000", BIN_ERROR_KEY_ORDER, 0},
    {"7002 c007 0000 c007 0000", "7002 c00c 0000 c003 0000", BIN_ERROR_POINTER, 0}, /* not before the document */
    {"7002 8002 0000 8004 0000", "7002 8007 0000 8009 0000", BIN_ERROR_NONE, 1},
    {"7002 8002 0000 8004 0000", "7002 8007 0000 c009 0000", BIN_ERROR_POINTER, 0},
    {"7002 8002 0000 c007 0000", "7002 8007 0000 c00c 0000", BIN_ERROR_NONE, 1},
    {"7002 4161 0000 4161 0000", "7002 4161 0000 4161 0000", BIN_ERROR_NONE, 1}
  };
  /* clang-format on */
  uint8_t bytes[16];
  size_t i;
  int order, utf8;
  /* "aa" at 0, "ab" at 4; the document has "a" before its dicts. */
  const size_t n = unhex("42616100 42616200 8002", bytes);
  memset(&base_doc, 0, sizeof base_doc);
  assert_int_equal(verdict(&heap, bytes, n, 0, &base_doc), BIN_ERROR_NONE);
  for (i = 0; i < LENGTH(cases); i++)
    for (order = 0; order < ORDERS; order++)
      for (utf8 = 0; utf8 < 2; utf8++) {
        enum bin_error error;
        begin_two("4161");
        add_dict(0, cases[i].first);
        add_dict(1, cases[i].second);
        error = judge_two(&base_doc, order, utf8);
        if (error != cases[i].error) fail_msg("%s: %d, not %d", cases[i].second, error, cases[i].error);
        assert_int_equal(is_known(&base_doc), cases[i].known);
      }
  (void)unused;
}

/* A distance into the base that does not fit becomes a small integer, if nobody looks. */
static void test_base_too_far(void **unused) {
  enum { N = 0x8000 };
  uint8_t *bytes = (uint8_t *)calloc(1, N);
  int order;
  MUST(bytes);
  unhex("42636300", bytes + N + 2 + 10 - 2 * 0x3fff); /* the string "cc", as far before the first dict's third key */
  unhex("6000 8001", bytes + N - 4);
  memset(&base_doc, 0, sizeof base_doc);
  assert_int_equal(verdict(&heap, bytes, N, 0, &base_doc), BIN_ERROR_NONE);
  for (order = 0; order < ORDERS; order++) {
    begin_two("0005");
    add_dict(0, "7003 4161 0000 4162 0000 ffff 0000");
    add_dict(1, "7003 4161 0000 4162 0000 0006 0000");
    assert_int_equal(two.dicts[1] - two.dicts[0], 2 * 7);
    assert_int_equal(judge_two(&base_doc, order, 0), BIN_ERROR_KEY_ORDER);
    assert_false(is_known(&base_doc));
    two.dicts[1] = two.dicts[0];
    assert_int_equal(judge_two(&base_doc, order, 0), BIN_ERROR_NONE);
  }
  free(bytes);
  (void)unused;
}

int main(void) {
#define T(name) cmocka_unit_test_setup(test_##name, setup)
  const struct CMUnitTest tests[] = {
      T(two_keys),           T(counts_differ),   T(widths_differ), T(far_apart), T(one_bit_too_far), T(long_counts),
      T(key_runs_into_dict), T(the_rest_counts), T(utf8),          T(base),      T(keys_in_base),    T(base_too_far)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
