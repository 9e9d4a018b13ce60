/* SPDX-License-Identifier: MIT
** text_paths.c -- paths into texts as steps: JSON pointers and key paths.
** Must hold: as text.h. The names of the steps are in the path's block. */
#include "../binary/read/path.h"
#include "../json/index/steps.h"
#include "text.h"

/* Memory for `count` steps, as many tokens or steps of `size` bytes, and n bytes. */
static struct json_step *capi_need_steps(struct capi_path *p, size_t count, size_t size, size_t n) {
  const size_t bytes = count * (sizeof(struct json_step) + size) + n;
  if (bytes > p->bytes || !p->block) {
    p->bytes = bytes + bytes / 2;
    p->block = capi_room_take(p->room, p->bytes);
  }
  return p->steps = (struct json_step *)p->block;
}

static int capi_read_pointer(struct capi_path *p, const char *s, size_t n, int64_t after, fleece_error *error) {
  const size_t most = json_pointer_tokens(s, n);
  struct json_step *steps = capi_need_steps(p, most, sizeof(struct json_token), n);
  if (!steps) return capi_no_memory(error);
  if (!json_pointer_steps(s, n, after, steps, most, &p->count))
    return capi_error(error, FLEECE_ERROR_PATH, "not a JSON pointer", FLEECE_NOWHERE);
  return FLEECE_OK;
}

static int capi_read_key_path(struct capi_path *p, const char *s, size_t n, fleece_error *error) {
  struct json_step *steps = capi_need_steps(p, n + 1, sizeof(struct bin_step), n);
  struct bin_step *compiled;
  size_t where = 0, i;
  ptrdiff_t count;
  if (!steps) return capi_no_memory(error);
  compiled = (struct bin_step *)(void *)(steps + n + 1);
  count = bin_path_compile(s, n, compiled, (char *)(compiled + n + 1), &where);
  if (count < 0) return capi_error(error, FLEECE_ERROR_PATH, "not a path", where);
  p->count = (size_t)count;
  for (i = 0; i < p->count; i++)
    json_set_step(&steps[i], compiled[i].name, compiled[i].n, compiled[i].index, !compiled[i].name);
  return FLEECE_OK;
}

FL_PRIVATE int capi_read_path(struct capi_path *p, const char *s, size_t n, int64_t after, fleece_error *error) {
  p->steps = NULL;
  p->count = 0;
  if (!s && n > 0) return capi_bad_argument(error, "there is no path");
  if (n > JSON_POINTER_LONGEST / 4) return capi_no_memory(error);
  if (n == 0) return FLEECE_OK;
  return *s == '/' ? capi_read_pointer(p, s, n, after, error) : capi_read_key_path(p, s, n, error);
}
