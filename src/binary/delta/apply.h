/* SPDX-License-Identifier: MIT
** apply.h -- applies a JSON delta (delta.h, docs/format.md) to a value, and writes the new value into an encoder.
** Must hold: both documents are checked. The delta is a document, too, usually converted from JSON. No recursion.
** Each item of a changed array is looked up in the delta; `work` bounds all work. */
#pragma once

#include "../encode/copy.h"
#include "text.h"
#include "../read/path.h"

/* Where a delta does not fit: a path for fleece.path, such as people[2].name, maybe truncated. */
enum { BIN_PATCH_PLACE = 200 };

struct bin_patch_place {
  char text[BIN_PATCH_PLACE];
  size_t n;
};

struct bin_patch_frame {
  struct bin_list old_list; /* of an array: this and the next three */
  bin_value delta;
  size_t next;
  size_t at;                                      /* the current item */
  size_t old_next, old_end, changes, changes_end; /* of a dict: the remaining members */
  size_t first;
  uint8_t is_dict;
};

struct bin_patch {
  struct bin_work *work;
  struct bin_copier copier;
  struct bin_encoder *e;
  const struct bin_doc *old_doc, *delta_doc;
  struct bin_text text;
  struct bin_members members;
  struct bin_patch_frame *frames;
  size_t depth, room;
};

/* Applies a delta to a value and writes the result into an encoder. Returns 0 with w->error or e->error set; `place` is
** where the delta does not fit, empty for the root and for other errors. */
FL_PRIVATE int bin_patch(struct bin_work *w, struct bin_encoder *e, const struct bin_doc *old_doc, bin_value old,
                         const struct bin_doc *delta_doc, bin_value delta, struct bin_patch_place *place);
