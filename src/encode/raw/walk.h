/* SPDX-License-Identifier: MIT
** walk.h -- template: the raw encoder, from Lua tables to JSON text, pasted once per layout.
** Must hold: as open.h; for all it cannot decide the encoder returns ENCODE_REDO.
**
** Parameter: LAYOUT, the prefix of the layout's readers. Instances: instances.h. */
#define LAY(name) FL_PASTE(LAYOUT, name)

#if FLEECE_WIDE
#define ENCODE_BODY LAY(encode_body_wide)
#define ENCODE_PUT_STRING json_put_string_wide
#define ENCODE_TARGET TEXT_WIDE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double_wide
#define ENCODE_PUT_ROUNDED json_write_rounded_wide
#include "loop.h"
#define ENCODE_FAST_BODY encode_body_wide
#define ENCODE_FAST_TARGET TEXT_WIDE_TARGET
#else
#define ENCODE_FAST_BODY encode_body
#define ENCODE_FAST_TARGET
#endif

/* The instances: the default texts without a run-time option (that of E4 is for E1 to E3 too), rounded numbers, as
** other JSON libraries write them, and one that knows all options. Each is a function of its own, so that its loop lies
** where it lay when the others change. CPUs without wide vectors share the default one and the styled one. */
#define ENCODE_INSTANCE(name, escape, numbers)                                                                        \
  FL_NOINLINE FL_ALIGNED ENCODE_FAST_TARGET enum encode_result LAY(name)(struct encode_state * c, const char *root) { \
    return LAY(ENCODE_FAST_BODY)(c, root, escape, 0, numbers, ENCODE_KEYS_NUMBERS, NULL);                             \
  }
ENCODE_INSTANCE(encode_json, JSON_ESCAPE_JSON, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e0, JSON_ESCAPE_E0, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_e4, JSON_ESCAPE_E4, ENCODE_NUM_SHORTEST)
ENCODE_INSTANCE(encode_rounded_json, JSON_ESCAPE_JSON, ENCODE_NUM_ROUNDED)
ENCODE_INSTANCE(encode_rounded_e4, JSON_ESCAPE_E4, ENCODE_NUM_ROUNDED)

FL_INLINE enum encode_result LAY(encode_plain)(struct encode_state *c, const char *root) {
  const enum json_escape escape = c->out.style->escape;
  if (FL_LIKELY(escape == JSON_ESCAPE_JSON)) return LAY(encode_json)(c, root);
  return escape == JSON_ESCAPE_E0 ? LAY(encode_e0)(c, root) : LAY(encode_e4)(c, root);
}

FL_NOINLINE enum encode_result LAY(encode_styled)(struct encode_state *c, const char *root, LAY(encode_shaped) shaped) {
  return LAY(encode_body)(c, root, 0, 1, ENCODE_NUM_STYLED, ENCODE_KEYS_NUMBERS, shaped);
}

#if FLEECE_WIDE
FL_NOINLINE enum encode_result LAY(encode_json_narrow)(struct encode_state *c, const char *root) {
  return LAY(encode_body)(c, root, JSON_ESCAPE_JSON, 0, ENCODE_NUM_SHORTEST, ENCODE_KEYS_NUMBERS, NULL);
}
#endif

FL_NOINLINE enum encode_result LAY(encode_slower_)(struct encode_state *c, const char *root, enum encode_speed speed) {
  FL_ASSERT(speed != ENCODE_SHAPED || (c->policy->shape && c->policy->shape->encode));
  if (speed == ENCODE_SHAPED) return c->policy->shape->encode(c, root);
#if FLEECE_WIDE
  if (!json_may(&c->out, TEXT_CPU_WIDE)) {
    if (speed == ENCODE_FASTEST && c->out.style->escape == JSON_ESCAPE_JSON) return LAY(encode_json_narrow)(c, root);
    return LAY(encode_styled)(c, root, NULL);
  }
#endif
  if (speed == ENCODE_STYLED) return LAY(encode_styled)(c, root, NULL);
  FL_ASSERT(speed == ENCODE_ROUNDED);
  return c->out.style->escape == JSON_ESCAPE_JSON ? LAY(encode_rounded_json)(c, root) : LAY(encode_rounded_e4)(c, root);
}

FL_FUNC enum encode_result LAY(encode)(struct encode_state *c, const char *root, enum encode_speed speed) {
  if (FL_LIKELY(speed == ENCODE_FASTEST && (!FLEECE_WIDE || json_may(&c->out, TEXT_CPU_WIDE))))
    return LAY(encode_plain)(c, root);
  return LAY(encode_slower_)(c, root, speed);
}

#include "ordered.h"

#undef ENCODE_FAST_BODY
#undef ENCODE_FAST_TARGET
#undef ENCODE_INSTANCE
#undef LAY
