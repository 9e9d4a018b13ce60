/* SPDX-License-Identifier: MIT
** fused_chosen.h -- a part of fused.c: what a schema remembers of objects whose first member has chosen their units.
** Must hold: of an object that begins with the same bytes, and lacks the other members that were asked for, the same
** units are chosen. Those members are tags of the level, which may not come. */
#pragma once

#include "fused.h"

/* What the units of an object depend on, besides its first name and on which members are missing: the scalar of the
** first member; more, so that nothing is remembered. */
enum { MOD_SCHEMA_READS_VALUE = 1, MOD_SCHEMA_READS_MORE = 2 };

enum { MOD_SCHEMA_CHOSEN_TEXT = 32, MOD_SCHEMA_CHOSEN_CHECKERS = 4, MOD_SCHEMA_CHOSEN_HASHED = 16 };

struct mod_schema_chosen {
  uint32_t unit; /* of the object; SCHEMA_NONE: free */
  uint32_t least, most;
  uint8_t length; /* of the text after the bracket: the first name, and its value if that counts */
  uint8_t tag_count, tags_seen, checker_count;
  char text[MOD_SCHEMA_CHOSEN_TEXT];
  const struct schema_op *ops[MOD_SCHEMA_CHOSEN_CHECKERS];
  uint8_t from[MOD_SCHEMA_CHOSEN_CHECKERS];
  const struct value_name *tags[MOD_SCHEMA_FUSED_TAGS];
};

FL_STATIC_ASSERT((MOD_SCHEMA_CHOSEN & (MOD_SCHEMA_CHOSEN - 1)) == 0, chosen_is_a_power_of_two);
FL_STATIC_ASSERT(MOD_SCHEMA_CHOSEN * sizeof(struct mod_schema_chosen) % 16 == 0, chosen_keeps_the_alignment);

/* Returns the entry for an object by the first bytes of its text, of which 16 can be read. */
FL_INLINE struct mod_schema_chosen *mod_schema_chosen_at(const struct mod_schema_fused *f, uint32_t unit, const char *p,
                                                         int reads_value) {
  const uint64_t x = fl_load64(p) ^ (uint64_t)unit << 32;
  return &f->chosen[schema_fold(reads_value ? schema_stir(fl_load64(p + 8), x) : x) & (MOD_SCHEMA_CHOSEN - 1)];
}
