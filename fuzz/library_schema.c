/* SPDX-License-Identifier: MIT
** library_schema.c -- libFuzzer target: libfleece's JSON Schema. The first byte selects the draft and options, the rest of
** the first line is a schema, and what follows is the text that is checked; each is in a block that ends where it does.
** A wrong schema says why, and so does a text that is not valid. What is not JSON has the error that fleece_text_check
** gives it, but numbers may be too large for a double. The verdict and the first failure are the same, however many
** failures are asked for. The pointer and the offset of a failure are those of one value.
** Build: make build/tests/fuzz/library_schema */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../include/fleece.h"

enum { FOUND_MOST = 3, FAILURES = 20 };

static void must(int fine) {
  if (!fine) abort();
}

/* A copy in a block of exactly its size, or with a 0 after it. */
static char *copy_of(const uint8_t *data, size_t n, int is_terminated) {
  char *block = (char *)malloc(n + (size_t)is_terminated + !n);
  must(block != NULL);
  if (n) memcpy(block, data, n);
  if (is_terminated) block[n] = 0;
  return block;
}

/* Every URI has the same schema, a few times. */
struct other {
  const char *text;
  size_t n;
  int count;
};

static int find(void *ud, const char *uri, size_t n, fleece_text *schema) {
  struct other *other = (struct other *)ud;
  must(uri != NULL && !memchr(uri, '#', n));
  if (other->count++ >= FOUND_MOST) return 0;
  schema->at = other->text;
  schema->size = other->n;
  return 1;
}

/* ------------------------------------------------------------------------------------- failures */

/* Does the pointer lead to the value at the offset? Not if it is about a cause, or a name is missing or twice. */
static void must_be_at(const fleece_failure *f, const char *text, size_t n, const fleece_options *o) {
  const char *pointer = f->instance;
  fleece_text found;
  fleece_picker *p;
  if (f->cause_count || strlen(pointer) != f->instance_size) return;
  p = fleece_text_picker_new(&pointer, NULL, 1, o, NULL);
  must(p != NULL);
  (void)fleece_text_pick(p, text, n, &found, NULL, NULL); /* fails if a number is too large */
  fleece_text_picker_free(p);
  must(found.at == NULL || f->offset == FLEECE_NOWHERE || found.at == text + f->offset);
}

/* Strings end with a 0, and places are in the text. Returns how many failures there are, with causes. */
static size_t must_be_whole(const fleece_failure *f, size_t count, size_t n) {
  size_t i, all = count;
  for (i = 0; i < count; i++) {
    must(f[i].message_size > 0 && f[i].message[f[i].message_size] == 0);
    must(f[i].instance[f[i].instance_size] == 0 && f[i].schema[f[i].schema_size] == 0);
    must(f[i].absolute[f[i].absolute_size] == 0 && strlen(f[i].keyword) > 0);
    must(f[i].instance_size == 0 || f[i].instance[0] == '/');
    must(f[i].offset == FLEECE_NOWHERE ? f[i].line == 0 : f[i].offset < n && f[i].line > 0 && f[i].column > 0);
    must((f[i].causes != NULL) == (f[i].cause_count != 0));
    all += must_be_whole(f[i].causes, f[i].cause_count, n);
  }
  return all;
}

static void check(const fleece_schema *s, const char *text, size_t n, const fleece_options *reading) {
  fleece_failure one, all[FAILURES];
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  fleece_error e, plain;
  size_t count = 1;
  const int status = fleece_schema_check(s, text, n, NULL, NULL, NULL, &e);
  const int wanted = fleece_text_check(text, n, reading, NULL, &plain);
  must(status == e.status);
  if (strcmp(plain.message, "number too large") == 0) must(status != FLEECE_ERROR_ARGUMENT); /* no error here */
  else if (wanted) must(status == wanted && e.offset == plain.offset && strcmp(e.message, plain.message) == 0);
  else must(status != FLEECE_ERROR_JSON && status != FLEECE_ERROR_ARGUMENT);
  if (status == FLEECE_ERROR_INVALID) {
    const int explained = fleece_schema_check(s, text, n, &one, &count, &scratch, &e);
    must(explained == status || explained == FLEECE_ERROR_LIMIT || explained == FLEECE_ERROR_VALUE);
    if (explained == status) {
      size_t line = one.line, column = one.column, offset = one.offset, causes = one.cause_count;
      must(count == 1 && must_be_whole(&one, 1, n) > 0 && e.offset == one.offset && e.line == one.line);
      must_be_at(&one, text, n, reading);
      count = FAILURES;
      if (fleece_schema_check(s, text, n, all, &count, &scratch, NULL) == status) {
        must(count >= 1 && count <= FAILURES && must_be_whole(all, count, n) >= count);
        must(all[0].line == line && all[0].column == column && all[0].offset == offset);
        must(all[0].cause_count == causes);
        must_be_at(&all[count - 1], text, n, reading);
      }
    }
  }
  fleece_bytes_free(&scratch);
}

/* ------------------------------------------------------------------------------------- one input */

static void refused(const fleece_failure *f, const fleece_error *e, size_t n) {
  must(e->status == FLEECE_ERROR_SCHEMA || e->status == FLEECE_ERROR_JSON || e->status == FLEECE_ERROR_LIMIT);
  must(strlen(e->message) > 0 && (e->offset <= n || e->offset == FLEECE_NOWHERE));
  must(f->message && f->message_size > 0 && f->message[f->message_size] == 0);
  must(f->schema && f->schema[f->schema_size] == 0 && f->offset == e->offset && f->cause_count == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fleece_schema_options o = FLEECE_SCHEMA_OPTIONS_INIT;
  fleece_options reading = FLEECE_OPTIONS_INIT;
  fleece_bytes scratch = FLEECE_BYTES_INIT;
  const uint8_t *line = size ? (const uint8_t *)memchr(data, '\n', size) : NULL;
  struct other other = {NULL, 0, 0};
  fleece_failure failure;
  fleece_error e;
  fleece_schema *s;
  size_t n;
  char *schema, *text;
  if (!line || line == data) return 0;
  n = (size_t)(line - data) - 1;
  o.draft = data[0] % 7;
  o.flags = data[0] & 0x80 ? FLEECE_SCHEMA_FORMATS | FLEECE_SCHEMA_CONTENTS : 0;
  if (data[0] & 0x40) o.flags |= FLEECE_SCHEMA_HIDE_VALUES, o.reading = FLEECE_COMMENTS | FLEECE_BOM;
  if ((data[0] & 0x30) == 0x30) o.flags |= FLEECE_SCHEMA_STRICT;
  if ((data[0] & 0x30) == 0x20) o.uri = "http://a/b/c", o.find = find;
  if ((data[0] & 0x30) == 0x10) o.reading |= FLEECE_TERMINATED;
  o.max_steps = 20000;
  o.max_depth = 100;
  o.ud = &other;
  schema = copy_of(data + 1, n, 0);
  other.text = schema;
  other.n = n;
  s = fleece_schema_compile(schema, n, &o, &failure, &scratch, &e);
  must((s != NULL) == (e.status == FLEECE_OK));
  if (!s) refused(&failure, &e, n);
  free(schema); /* a schema needs its text no longer */
  if (s) {
    n = size - (size_t)(line + 1 - data);
    reading.flags = o.reading;
    reading.max_depth = o.max_depth;
    text = copy_of(line + 1, n, (o.reading & FLEECE_TERMINATED) != 0);
    check(s, text, n, &reading);
    free(text);
  }
  fleece_schema_free(s);
  fleece_bytes_free(&scratch);
  return 0;
}
