/* SPDX-License-Identifier: MIT
** scan.c -- libFuzzer target: compares the scanner, in every grammar, and the checker with a reader of RFC 8259 that
** goes byte by byte.
** Build: make build/tests/fuzz/scan */
#include "../tests/c/support/scanning.h"
#include "json/grammar/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct oracle o;
  size_t where = size + 1;
  char *text;
  int error;
  MUST(text = malloc(size + 1));
  if (size) memcpy(text, data, size);
  text[size] = 0;
  must_hold(text, size);
  oracle_read(&o, text, size);
  error = json_check(text, size, DEEPEST, &where);
  MUST(error == o.error && (!error || where == o.at));
  free(o.notes.s);
  free(text);
  return 0;
}
