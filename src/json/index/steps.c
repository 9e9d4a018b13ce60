/* SPDX-License-Identifier: MIT */
#include "steps.h"

FL_PRIVATE int json_pointer_steps(const char *s, size_t n, int64_t after, struct json_step *steps, size_t most,
                                  size_t *count) {
  struct json_token *tokens = (struct json_token *)(void *)(steps + most);
  if (!json_read_pointer(s, n, tokens, (char *)(tokens + most), count)) return 0;
  FL_ASSERT(*count <= most);
  for (size_t i = 0; i < *count; i++) {
    const struct json_token *t = &tokens[i];
    if (after && t->n == 1 && *t->name == '-') json_set_step(&steps[i], t->name, t->n, after, 1);
    else if (t->index != JSON_NO_INDEX) json_set_step(&steps[i], t->name, t->n, (int64_t)t->index, 1);
    else json_set_step(&steps[i], t->name, t->n, 0, 0);
  }
  return 1;
}
