/* SPDX-License-Identifier: MIT
** walk.h -- template: the raw encoder, from Lua tables to JSON text, pasted once per layout.
** Must hold: as open.h; for all it cannot decide the encoder returns ENCODE_REDO.
**
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: instances.h. */
#define LAY(name) FL_PASTE(LAYOUT, name)

/* The instances: the default texts without a run-time option (that of E4 is for E1 to E3 too), and one that knows all
** options. Each is a function of its own, so that its loop lies where it lay whatever becomes of the others. */
#define ENCODE_INSTANCE(name, target, body, escape, numbers)                                              \
  FL_NOINLINE FL_ALIGNED target enum encode_result LAY(name)(struct encode_state * c, const char *root) { \
    return LAY(body)(c, root, escape, 0, numbers, ENCODE_KEYS_NUMBERS, NULL);                             \
  }
#define ENCODE_NO_TARGET
ENCODE_INSTANCE(encode_json, ENCODE_NO_TARGET, encode_body, JSON_ESCAPE_JSON, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e0, ENCODE_NO_TARGET, encode_body, JSON_ESCAPE_E0, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e4, ENCODE_NO_TARGET, encode_body, JSON_ESCAPE_E4, ENCODE_NUM_SHORTEST)

FL_INLINE enum encode_result LAY(encode_plain)(struct encode_state *c, const char *root) {
  const enum json_escape escape = c->out.style->escape;
  if (FL_LIKELY(escape == JSON_ESCAPE_JSON)) return LAY(encode_json)(c, root);
  return escape == JSON_ESCAPE_E0 ? LAY(encode_e0)(c, root) : LAY(encode_e4)(c, root);
}

FL_NOINLINE enum encode_result LAY(encode_styled)(struct encode_state *c, const char *root, LAY(encode_shaped) shaped) {
  return LAY(encode_body)(c, root, 0, 1, ENCODE_NUM_STYLED, ENCODE_KEYS_NUMBERS, shaped);
}

/* Rounded numbers: other JSON libraries write them so. */
FL_NOINLINE FL_ALIGNED enum encode_result LAY(encode_rounded)(struct encode_state *c, const char *root) {
  if (c->out.style->escape == JSON_ESCAPE_JSON)
    return LAY(encode_body)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_ROUNDED, ENCODE_KEYS_NUMBERS, NULL);
  return LAY(encode_body)(c, root, JSON_ESCAPE_E4, 0, ENCODE_NUM_ROUNDED, ENCODE_KEYS_NUMBERS, NULL);
}

#if FLEECE_WIDE
#define ENCODE_BODY LAY(encode_body_wide)
#define ENCODE_PUT_STRING json_put_string_wide
#define ENCODE_TARGET TEXT_WIDE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double_wide
#define ENCODE_PUT_ROUNDED json_write_rounded_wide
#include "loop.h"

ENCODE_INSTANCE(encode_json_wide, TEXT_WIDE_TARGET, encode_body_wide, JSON_ESCAPE_JSON, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e0_wide, TEXT_WIDE_TARGET, encode_body_wide, JSON_ESCAPE_E0, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e4_wide, TEXT_WIDE_TARGET, encode_body_wide, JSON_ESCAPE_E4, ENCODE_NUM_SHORTEST)

FL_INLINE enum encode_result LAY(encode_plain_wide)(struct encode_state *c, const char *root) {
  const enum json_escape escape = c->out.style->escape;
  if (FL_LIKELY(escape == JSON_ESCAPE_JSON)) return LAY(encode_json_wide)(c, root);
  return escape == JSON_ESCAPE_E0 ? LAY(encode_e0_wide)(c, root) : LAY(encode_e4_wide)(c, root);
}

FL_NOINLINE FL_ALIGNED TEXT_WIDE_TARGET enum encode_result LAY(encode_rounded_wide)(struct encode_state *c,
                                                                                    const char *root) {
  if (c->out.style->escape == JSON_ESCAPE_JSON)
    return LAY(encode_body_wide)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_ROUNDED, ENCODE_KEYS_NUMBERS, NULL);
  return LAY(encode_body_wide)(c, root, JSON_ESCAPE_E4, 0, ENCODE_NUM_ROUNDED, ENCODE_KEYS_NUMBERS, NULL);
}
#endif

FL_NOINLINE enum encode_result LAY(encode_slower_)(struct encode_state *c, const char *root, enum encode_speed speed) {
  if (speed == ENCODE_STYLED) return LAY(encode_styled)(c, root, NULL);
  FL_ASSERT(speed != ENCODE_SHAPED || (c->policy->shape && c->policy->shape->encode));
  if (speed == ENCODE_SHAPED) return c->policy->shape->encode(c, root);
#if FLEECE_WIDE
  if (speed == ENCODE_ROUNDED && json_may(&c->out, TEXT_CPU_WIDE)) return LAY(encode_rounded_wide)(c, root);
#endif
  return speed == ENCODE_ROUNDED ? LAY(encode_rounded)(c, root) : LAY(encode_plain)(c, root);
}

FL_FUNC enum encode_result LAY(encode)(struct encode_state *c, const char *root, enum encode_speed speed) {
#if FLEECE_WIDE
  if (FL_LIKELY(speed == ENCODE_FASTEST && json_may(&c->out, TEXT_CPU_WIDE))) return LAY(encode_plain_wide)(c, root);
#endif
  return LAY(encode_slower_)(c, root, speed);
}

#include "ordered.h"

#undef ENCODE_NO_TARGET
#undef ENCODE_INSTANCE
#undef LAY
