/* SPDX-License-Identifier: MIT
** text.h -- JSON texts that are read in place: memory for a call, testing and searching texts, paths as steps.
** Must hold: the caller's text need not have a 0 after it. The readers of json/index/locate.h do not need one; for
** all others the text is copied first, unless it is known to have one. */
#pragma once

#include "../json/index/goals.h"
#include "../json/index/locate.h"
#include "../json/index/pick.h"
#include "capi.h"

/* Memory for one call: first on the C stack, then the caller's scratch, then blocks. All of it is aligned for any
** struct and stays until the call ends. */
struct capi_room {
  char *free, *limit;        /* what is left of the stack's memory, or of the scratch */
  struct capi_block *blocks; /* a list */
  size_t allocated;          /* total size of the blocks */
  size_t first;              /* size of the stack's memory */
  fleece_bytes *scratch;     /* or NULL */
  int scratch_is_used;
  fleece_allocator memory; /* of the scratch, or the given one */
};

FL_PRIVATE void capi_room_begin(struct capi_room *room, void *first, size_t n, fleece_bytes *scratch,
                                const fleece_allocator *memory);

/* Returns n bytes, or NULL if out of memory. */
FL_PRIVATE void *capi_room_take(struct capi_room *room, size_t n);

/* Frees the blocks. If there were any, makes the scratch large enough for the same call. */
FL_PRIVATE void capi_room_end(struct capi_room *room);

enum { CAPI_TEXT_SCRATCH = 256 }; /* room for strings with escapes, before the call's memory is used */

struct capi_text {
  struct capi_room *room;
  const char *begin, *end; /* the caller's text, or the copy of it */
  const char *given;       /* the caller's text */
  uint32_t flags, max_depth;
  unsigned cpu;
  struct json_scan scan; /* after an error: its position */
  char scratch[CAPI_TEXT_SCRATCH];
};

/* Returns 0 with *error set if the arguments are invalid. */
FL_PRIVATE int capi_text_begin(struct capi_text *t, const char *text, size_t n, const fleece_options *o, unsigned cpu,
                               struct capi_room *room, fleece_error *error);

/* Returns the grammar for json_scan of these flags. */
FL_PRIVATE unsigned capi_grammar(uint32_t flags);

/* Returns the CPU features to use for n bytes. Asking the CPU takes as long as a small text: under a hypervisor,
** microseconds. */
FL_INLINE unsigned capi_cpu(size_t n) {
  enum { ASK_FROM = 16 * 1024 };
  return TEXT_CPU_OF_GLIBC || n >= ASK_FROM ? text_cpu() : 0;
}

/* Returns the text after a byte order mark, if the flags allow one. */
FL_PRIVATE const char *capi_text_start(const struct capi_text *t);

/* Returns memory for json_locate or json_is_text, a bit for each possible level, or NULL. */
FL_PRIVATE unsigned char *capi_text_containers(const struct capi_text *t, uint32_t *max_depth);

/* Makes sure that a 0 follows the text. Returns 0 if out of memory. */
FL_PRIVATE int capi_text_terminate(struct capi_text *t);

/* Prepares t->scan for a text with a 0 after it. */
FL_PRIVATE void capi_text_set_scan(struct capi_text *t);

/* Tests the text like fleece_from_json, and finds its value, in the text or its copy. `flags`: as in capi_text_read.
** Returns the status. For an array or object of strict JSON t->scan stays unset. */
FL_PRIVATE int capi_text_whole(struct capi_text *t, unsigned flags, struct json_slice *value, fleece_error *error);

/* Returns the beginning of the value, or NULL with an error in t->scan. */
FL_PRIVATE const char *capi_text_first(struct capi_text *t);

/* Tests the text like fleece_from_json, and finds the goals in the text or its copy. `flags`: JSON_PICK_; with
** JSON_PICK_STOP it stops when everything is found. Returns 0 with an error in t->scan. A 0 must follow the text. */
FL_PRIVATE int capi_text_read(struct capi_text *t, const struct json_goal *goals, uint32_t count, unsigned flags,
                              struct json_slice *found);

/* Sets *error from t->scan. */
FL_PRIVATE int capi_text_fail(const struct capi_text *t, fleece_error *error);

/* Reads a number of strict JSON or JSON5, maybe an infinity or NaN. If it is NUM_BIG, sets *u to an integer that only
** uint64 can hold, or to 0. Returns 0 if it is not a number. */
FL_PRIVATE int capi_read_number(const char *s, size_t n, struct num_value *v, uint64_t *u);

/* A path as steps. Only one at a time: the next one uses the same memory. */
struct capi_path {
  struct capi_room *room;
  struct json_step *steps;
  size_t count;
  size_t wildcards; /* how many of the steps are; at most `most_wildcards` */
  size_t most_wildcards;
  void *block;
  size_t bytes;
};

FL_INLINE void capi_path_begin(struct capi_path *p, struct capi_room *room) {
  memset(p, 0, sizeof *p);
  p->room = room;
}

/* Reads s[0..n). `after`: the index that "-" of a pointer means, or 0 if it is only a name. Returns the status. */
FL_PRIVATE int capi_read_path(struct capi_path *p, const char *s, size_t n, int64_t after, fleece_error *error);
