/* SPDX-License-Identifier: MIT
** binary.c -- libFuzzer target: the input is checked as a binary document, and read if accepted. It is also read as
** JSON text and written in both modes, which the check must accept and which must read back the same.
** Build: make build/tests/fuzz/binary
**
** The document is in a block of exactly its size, so that a read beyond it is detected. */
#include "../tests/c/support/binary.h"

/* For any bytes the check ends and leaks nothing; a document that it accepts can be read without further checks. */
static void any_bytes(const uint8_t *data, size_t size) {
  struct heap h = {0};
  struct bin_doc d;
  uint8_t *bytes = (uint8_t *)malloc(size ? size : 1);
  enum bin_error error;
  MUST(bytes);
  if (size) memcpy(bytes, data, size);
  error = verdict(&h, bytes, size, 0, &d);
  if (!error) {
    read_all(&d);
    must_count_levels(&h, NULL, &d);
  }
  if (verdict(&h, bytes, size, 1, &d) == BIN_ERROR_NONE) MUST(!error);
  else MUST(error || size);
  MUST(h.blocks == 0);
  free(bytes);
}

/* The first byte is the length of a base, which follows; the rest is a document that may point into it. */
static void with_base(const uint8_t *data, size_t size) {
  struct heap h = {0};
  const size_t n = size > 2 ? (size_t)data[0] * 2 : 0;
  struct bin_doc base, d;
  uint8_t *first, *rest;
  if (n == 0 || n + 2 > size) return;
  MUST((first = (uint8_t *)malloc(n)) && (rest = (uint8_t *)malloc(size - n - 1)));
  memcpy(first, data + 1, n);
  memcpy(rest, data + 1 + n, size - n - 1);
  if (!verdict(&h, first, n, 0, &base) && !verdict_on(&h, &base, rest, size - n - 1, 0, &d)) {
    read_all(&d);
    must_count_levels(&h, &base, &d);
  }
  MUST(h.blocks == 0);
  free(first);
  free(rest);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *text = (char *)malloc(size + 1);
  MUST(text);
  if (size) memcpy(text, data, size);
  text[size] = 0;
  any_bytes(data, size);
  with_base(data, size);
  must_become_binary(text, size);
  free(text);
  return 0;
}
