/* SPDX-License-Identifier: MIT
** body.h -- template: the loop of the raw encoder, for instances without vectors of 32 bytes.
** Must hold: as open.h.
**
** Parameter: LAYOUT, the prefix of the layout's readers. paste_body.h includes it once for each. */
#define LAY(name) FL_PASTE(LAYOUT, name)

/* As encode_open, in the instances of the loop: `shaped` is the shape's own function, or NULL. */
typedef enum encode_result (*LAY(encode_shaped))(struct encode_state *c, const char *t, struct encode_opened *f);

#include "pause.h"

#define ENCODE_BODY LAY(encode_body)
#define ENCODE_PUT_STRING json_put_string
#define ENCODE_TARGET
#define ENCODE_PUT_DOUBLE json_write_double
#define ENCODE_PUT_ROUNDED json_write_rounded
#include "loop.h"

#undef LAY
