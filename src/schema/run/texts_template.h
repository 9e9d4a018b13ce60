/* SPDX-License-Identifier: MIT
** texts_template.h -- template: evaluate_template.h over texts.
** Must hold: as there.
** Parameters, undefined at the end: SCHEMA_TEXTS, the prefix of the instance's names; SCHEMA_REPORTS. Instances:
** schema/face/texts.c, capi/schema.c. */
#include "../../values/texts.h"

#define VALUE(name) value_texts_##name
#define SCHEMA(name) FL_PASTE(SCHEMA_TEXTS, name)
#define SCHEMA_LOOKS_UP 0
#define SCHEMA_DECIDES 1
#include "evaluate_template.h"

FL_INLINE uintptr_t FL_PASTE(SCHEMA_TEXTS, identity)(struct FL_PASTE(SCHEMA_TEXTS, run_of) * k, uint32_t node) {
  return (void)k, 2 * ((uintptr_t)node + 1);
}

FL_INLINE int FL_PASTE(SCHEMA_TEXTS, is_either)(struct FL_PASTE(SCHEMA_TEXTS, run_of) * k, uint32_t node) {
  return (void)k, (void)node, 0;
}
#undef SCHEMA_TEXTS
