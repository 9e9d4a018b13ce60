/* SPDX-License-Identifier: MIT
** check.c -- libFuzzer target: compares the JSON checker, and the test by vectors for each CPU, with the grammar of
** RFC 8259, implemented rule by rule. The vectors take arrays and objects, and may refuse large numbers.
** Build: make build/tests/fuzz/check */
#include <stdlib.h>

#include "json/grammar/check.h"
#include "json/index/locate.h"
#include "text/cpu.h"

enum { DEEPEST = 20 };
#include "rfc8259.h"

/* May the test by vectors refuse a valid text? Then it is a scalar, or has an exponent or more than 200 digits. */
static int may_refuse(const char *text, size_t n) {
  const char *p = text;
  while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r') p++;
  if ((*p != '[' && *p != '{') || n > 200) return 1;
  for (p++; p < text + n; p++)
    if ((*p == 'e' || *p == 'E') && p[-1] >= '0' && p[-1] <= '9') return 1;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t where = size + 1;
  char *text = malloc(size + 1); /* ends with 0, as Lua strings do */
  unsigned char containers[JSON_CONTAINERS(DEEPEST)];
  const unsigned all = text_cpu(), cpus[] = {all, all & ~(unsigned)TEXT_CPU_WIDEST, 0, JSON_INDEX_BLOCKS};
  int error, ok, i;
  if (!text) abort();
  memcpy(text, data, size);
  text[size] = 0;
  error = json_check(text, size, DEEPEST, &where);
  for (i = 0; i < 4; i++)
    if (json_is_text(text, size, DEEPEST, containers, cpus[i]) ? error != 0 : !error && !may_refuse(text, size))
      abort();
  free(text);
  ok = is_json(data, size);
  if (ok != (error == 0) || (error && (where > size || !json_check_message(error)))) abort();
  return 0;
}
