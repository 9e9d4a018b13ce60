/* SPDX-License-Identifier: MIT
** lazy.h -- lazy(text): a view of JSON text, which is converted to a document.
** Must hold: as binary.h; the binary form is in a userdata of the document. */
#pragma once

#include "../view/read.h"

/* Replaces mod_copy_piece and `piece`, which are on top, by a userdata with the written document. A finalizer that runs
** meanwhile can use the encoder. */
FL_PRIVATE const char *mod_push_document_copy(lua_State *L, struct mod_state *m, struct bin_encoder *e,
                                              struct encode_state *c, struct mod_piece *piece);

/* mod_begin_encoder for a document that this call reads itself: of duplicate names the last one counts. Pushes what
** mod_push_document_copy needs. */
FL_PRIVATE struct bin_encoder *mod_begin_private_document(lua_State *L, struct mod_state *m, struct encode_state **c,
                                                          struct mod_piece *piece);

/* lazy(text [, options]) -> a view of the text's value, or the value itself if it is a scalar */
FL_PRIVATE int mod_lazy(lua_State *L);
