/* SPDX-License-Identifier: MIT
** library_text.c -- libFuzzer target: libfleece's functions for texts in place. The first byte selects options, the next
** four paths and changes, the rest is the text, in a block that ends where it does.
** A text is accepted as fleece_from_json accepts it, with the same error. What a path finds is the value of the document
** at this path; its parts mean what that means. With PARTIAL a valid text gives what it gives with FIRST. Setting a value
** that was found replaces these bytes; changes in one call give what they give one after the other.
** Build: make build/tests/fuzz/library_text */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../include/fleece.h"

enum { OPTION_BYTES = 5, PATHS = 4 };

static const char *const known_paths[] = {"",         "a",     "b",  "a.b",  "[0]", "[-1]", "a[1]", "a[-1]",
                                          "[-2][-1]", "[1].a", "/0", "/a/0", "/",   "/1/b", "/-",   "/a/a/a"};
enum { KNOWN_PATHS = sizeof known_paths / sizeof *known_paths };

static const uint32_t known_flags[] = {0,
                                       FLEECE_TERMINATED,
                                       FLEECE_COMMENTS | FLEECE_TRAILING_COMMAS,
                                       FLEECE_JSON5,
                                       FLEECE_JSON5 | FLEECE_REPLACE_UTF8 | FLEECE_BOM,
                                       FLEECE_BOM,
                                       FLEECE_REPLACE_UTF8 | FLEECE_TERMINATED,
                                       FLEECE_TRAILING_COMMAS};
enum { KNOWN_FLAGS = sizeof known_flags / sizeof *known_flags };

static void must(int fine) {
  if (!fine) abort();
}

/* One input. */
struct input {
  const char *text;
  size_t n;
  fleece_options o;
  const char *paths[PATHS];
  uint8_t words[PATHS];
  fleece_bytes document, scratch;
  int status; /* of fleece_from_json */
};

static fleece_picker *picker(const struct input *in, uint32_t more) {
  fleece_options o = in->o;
  fleece_picker *p;
  o.flags |= more;
  p = fleece_text_picker_new(in->paths, NULL, PATHS, &o, NULL);
  must(p != NULL);
  return p;
}

/* Are they the same places? */
static int same_places(const fleece_text *a, const fleece_text *b) {
  int i;
  for (i = 0; i < PATHS; i++)
    if (a[i].at != b[i].at || a[i].size != b[i].size) return 0;
  return 1;
}

/* ------------------------------------------------------------------------------------- values */

static void must_mean(struct input *in, fleece_text t, fleece_value v) {
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  fleece_options o = in->o;
  fleece_doc *one;
  size_t n = 0, m = 0;
  const char *s, *r;
  must(fleece_text_type(t) == fleece_type_of(v));
  must(fleece_text_boolean(t, 2) == fleece_boolean(v, 2));
  must(fleece_text_int64(t, 77) == fleece_int64(v, 77));
  must(fleece_text_uint64(t, 77) == fleece_uint64(v, 77));
  must(fleece_text_double(t, 7.5) == fleece_double(v, 7.5));
  if (fleece_type_of(v) == FLEECE_TYPE_STRING) {
    s = fleece_text_string(t, &n, &in->scratch, NULL);
    r = fleece_string(v, &m);
    must(s && r && n == m && memcmp(s, r, n) == 0);
  }
  if (!v.at) return;
  o.flags &= ~(uint32_t)FLEECE_TERMINATED; /* other text follows */
  must(fleece_from_json(t.at, t.size, &o, &bytes, NULL) == FLEECE_OK);
  must((one = fleece_open(bytes.data, bytes.size, NULL, NULL)) != NULL);
  must(fleece_equal(v, fleece_root(one), NULL) == 1);
  fleece_close(one);
  fleece_bytes_free(&bytes);
}

static void compare_with_document(struct input *in, const fleece_text *found) {
  fleece_doc *d = fleece_open(in->document.data, in->document.size, NULL, NULL);
  int i;
  must(d != NULL);
  for (i = 0; i < PATHS; i++) {
    const char *path = in->paths[i];
    const size_t n = strlen(path);
    must_mean(in, found[i],
              n == 0 || *path == '/' ? fleece_pointer(fleece_root(d), path, n, NULL)
                                     : fleece_path(fleece_root(d), path, n, NULL));
  }
  fleece_close(d);
}

static void pick(struct input *in, fleece_text *found, const fleece_error *wanted) {
  fleece_text again[PATHS];
  fleece_picker *p = picker(in, 0);
  fleece_error e;
  int i;
  must(fleece_text_pick(p, in->text, in->n, found, NULL, &e) == in->status && e.offset == wanted->offset);
  must(strcmp(e.message, wanted->message) == 0 && e.line == wanted->line && e.column == wanted->column);
  must(fleece_text_pick(p, in->text, in->n, again, &in->scratch, NULL) == in->status && same_places(found, again));
  fleece_text_picker_free(p);
  for (i = 0; i < PATHS; i++) {
    must(!found[i].at || (found[i].at >= in->text && found[i].at + found[i].size <= in->text + in->n));
    must(found[i].at ? found[i].size > 0 && !in->status : found[i].size == 0);
  }
  if (!in->status && in->document.size) compare_with_document(in, found);
}

static void pick_partly(struct input *in) {
  fleece_picker *first = picker(in, FLEECE_FIRST), *partial = picker(in, FLEECE_PARTIAL);
  fleece_text a[PATHS], b[PATHS];
  const int status = fleece_text_pick(partial, in->text, in->n, b, NULL, NULL);
  must(fleece_text_pick(first, in->text, in->n, a, NULL, NULL) == in->status);
  if (!in->status) must(status == FLEECE_OK && same_places(a, b));
  fleece_text_picker_free(first), fleece_text_picker_free(partial);
}

/* ------------------------------------------------------------------------------------- changes */

static fleece_change change_of(const struct input *in, int i) {
  static const char *const values[] = {"{\"new\":[1]}", "[]", "\"x\"", " -1e5 "};
  const char *value = values[in->words[i] / 64];
  fleece_change c;
  c.operation = i == 0 ? FLEECE_SET : in->words[i] / 16 % 4;
  c.path = in->paths[i];
  c.path_size = strlen(c.path);
  c.value = value;
  c.value_size = strlen(value);
  return c;
}

/* Sets the first value. */
static void set_one(struct input *in, fleece_text found) {
  const fleece_change c = change_of(in, 0);
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_error e;
  const int status = fleece_text_edit(in->text, in->n, &c, 1, &in->o, &out, &in->scratch, &e);
  if (in->status) {
    must(status == FLEECE_OK || status == in->status || status == FLEECE_ERROR_CHANGE); /* huge numbers are allowed */
  } else if (found.at && status == FLEECE_ERROR_LIMIT) {
    must(in->o.max_depth > 0); /* the value makes the text deeper than that */
  } else if (found.at && status != FLEECE_OK) {
    must(status == FLEECE_ERROR_CHANGE && strcmp(e.message, "there are several members of this name") == 0);
  } else if (found.at) {
    const size_t before = (size_t)(found.at - in->text), after = in->n - before - found.size;
    const char *value = c.value + (*c.value == ' ');
    const size_t n = c.value_size - 2 * (size_t)(*c.value == ' ');
    must(out.size == before + n + after || out.size == before + c.value_size + after);
    if (out.size != before + n + after) value = c.value;
    must(memcmp(out.data, in->text, before) == 0 && memcmp(out.data + before, value, out.size - before - after) == 0);
    must(memcmp(out.data + out.size - after, found.at + found.size, after) == 0);
  }
  fleece_bytes_free(&out);
}

/* All changes that can be made, one after the other, and then in one call. */
static void set_all(struct input *in) {
  fleece_change done[PATHS];
  fleece_bytes now = FLEECE_BYTES_INIT, next = FLEECE_BYTES_INIT, swap;
  fleece_options o = in->o, partial;
  size_t count = 0;
  int i, status;
  if (fleece_text_edit(in->text, in->n, NULL, 0, &o, &now, NULL, NULL) != FLEECE_OK) return;
  must(now.size == in->n && memcmp(now.data, in->text, in->n) == 0);
  for (i = 0; i < PATHS; i++) {
    done[count] = change_of(in, i);
    status = fleece_text_edit(now.data, now.size, &done[count], 1, &o, &next, NULL, NULL);
    if (status == FLEECE_ERROR_LIMIT) break; /* a value has been added that is too deep to be read */
    if (status != FLEECE_OK) continue;
    swap = now, now = next, next = swap;
    count++;
  }
  must(fleece_text_edit(in->text, in->n, done, count, &o, &next, &in->scratch, NULL) == FLEECE_OK);
  must(next.size == now.size && memcmp(next.data, now.data, now.size) == 0);
  partial = o;
  partial.flags |= FLEECE_PARTIAL;
  must(fleece_text_edit(in->text, in->n, done, count, &partial, &next, NULL, NULL) == FLEECE_OK);
  must(next.size == now.size && memcmp(next.data, now.data, now.size) == 0);
  if (!in->status) {
    status = fleece_text_check(now.data, now.size, &o, NULL, NULL);
    must(status == FLEECE_OK || status == FLEECE_ERROR_LIMIT);
  }
  fleece_bytes_free(&now), fleece_bytes_free(&next);
}

/* ------------------------------------------------------------------------------------- one input */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input in = {0};
  fleece_text found[PATHS];
  fleece_error a, b;
  char *block;
  size_t zero;
  int i;
  if (size < OPTION_BYTES) return 0;
  in.o.flags = known_flags[data[0] % KNOWN_FLAGS];
  in.o.max_depth = data[0] & 0x80 ? 3 : 0;
  for (i = 0; i < PATHS; i++) {
    in.words[i] = data[i + 1];
    in.paths[i] = known_paths[data[i + 1] % KNOWN_PATHS];
  }
  in.n = size - OPTION_BYTES;
  zero = (in.o.flags & FLEECE_TERMINATED) != 0;
  must((block = (char *)malloc(in.n + zero + !in.n)) != NULL);
  memcpy(block, data + OPTION_BYTES, in.n);
  if (zero) block[in.n] = 0;
  in.text = block;
  in.status = fleece_from_json(in.text, in.n, &in.o, &in.document, &a);
  if (in.status == FLEECE_ERROR_VALUE) { /* NaN, which documents do not have */
    in.status = fleece_text_check(in.text, in.n, &in.o, NULL, &a);
    in.document.size = 0;
  }
  must(fleece_text_check(in.text, in.n, &in.o, &in.scratch, &b) == in.status && a.offset == b.offset);
  must(strcmp(a.message, b.message) == 0 && a.line == b.line && a.column == b.column);
  pick(&in, found, &a);
  pick_partly(&in);
  set_one(&in, found[0]);
  set_all(&in);
  fleece_bytes_free(&in.document), fleece_bytes_free(&in.scratch);
  free(block);
  return 0;
}
