/* SPDX-License-Identifier: MIT
** view_json.h -- documents, views and data among the values that encode writes.
** May call: lua_*, convert/binary_to_json.h, convert/api_walk.h, module/view.h.
** Must hold: as convert/lua_to_json_api.h: memory is the walk's, so that nothing here raises. */
#ifndef FLEECE_MODULE_VIEW_JSON_H
#define FLEECE_MODULE_VIEW_JSON_H

#include "../convert/api_walk.h"
#include "../convert/binary_to_json.h"
#include "view.h"

/* An api_walk's `keeps`. */
FL_FUNC int view_is_value(lua_State *L) { return view_test(L, -1) || view_test_doc(L, -1) || view_test_data(L, -1); }

/* An api_walk's `write_kept`: the text of the value on top, which stays. JSON_TEXT_ROOM bytes are reserved. */
FL_FUNC char *view_write_json(struct api_walk *a, char *w) {
  const struct mod_view *v = view_test(a->L, -1);
  const struct mod_doc *owner = v ? v->owner : view_test_doc(a->L, -1);
  const struct mod_data *data = view_test_data(a->L, -1);
  struct json_out *out = &a->walk->out;
  struct binary_to_json k;
  if (data) return bj_put_base64(out, w, (const uint8_t *)(data + 1), data->n);
  if (!owner->doc.begin) return api_fail(a, FL_ERROR_HOOK, "the document is closed");
  k.out = out;
  k.doc = &owner->doc;
  k.escape = (int)out->style->escape;
  k.json5 = 0;
  k.kinds = 0;
  k.indent = a->depth;
  k.max_depth = out->style->max_depth - a->depth;
  w = bj_write(&k, w, v ? v->value : owner->doc.root);
  if (!w && out->error == FL_ERROR_DEPTH) {
    *num_write_u64(a->detail_room, out->style->max_depth) = 0;
    a->detail = a->detail_room;
  }
  return w;
}

#endif
