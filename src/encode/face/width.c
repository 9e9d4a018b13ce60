/* SPDX-License-Identifier: MIT */
#include "width.h"

FL_PRIVATE int mod_width_begin(struct mod_width *x, lua_State *L, struct mod_state *m, const struct mod_options *o,
                               struct mod_sink *to) {
  compat_need_stack(L, 4);
  void *block = lua_newuserdata(L, json_fold_bytes(o->style.width));
  x->L = L;
  x->state = m;
  x->to = to;
  x->walk = &mod_push_holder(L, m)->walk;
  struct buffer *b = &x->walk->out.buffer;
  if (!buf_resize(b, BUF_FIRST)) return 0;
  x->walk->out.style = &o->style;
  x->walk->out.error = FL_ERROR_NONE;
  if (to) mod_width_pass(x, to);
  json_fold_begin(&x->fold, &x->walk->out, o->style.width, block);
  return 1;
}

FL_PRIVATE void mod_width_pass(struct mod_width *x, struct mod_sink *to) {
  x->to = to;
  to->raw = 0; /* the encoder must not start over here */
  x->walk->out.buffer.drain = mod_sink_drain;
  x->walk->out.buffer.drain_ud = to;
}

FL_PRIVATE int mod_width_drain(void *ud, const char *bytes, size_t n) {
  return json_fold_feed(&((struct mod_width *)ud)->fold, bytes, n);
}

FL_PRIVATE void mod_width_fail(const struct mod_width *x, struct mod_sink *s) {
  if (x->walk->out.error != FL_ERROR_SINK) {
    s->error = "not enough memory";
  } else if (s != x->to) {
    s->thrown = x->to->thrown;
    s->refused = x->to->refused;
    s->function = x->to->function;
    s->error = x->to->error;
  }
}

/* The drain of x->from. */
static int mod_width_take(void *ud, const char *bytes, size_t n) {
  struct mod_width *x = (struct mod_width *)ud;
  if (mod_width_drain(x, bytes, n)) return 1;
  mod_width_fail(x, &x->from);
  x->from.host_error = x->from.error;
  return 0;
}

FL_PRIVATE struct mod_sink *mod_width_sink(struct mod_width *x) {
  const struct mod_sink *to = x->to;
  memset(&x->from, 0, sizeof x->from);
  x->from.kind = MOD_SINK_HOST;
  x->from.raw = !to || to->kind <= MOD_SINK_HOST;
  x->from.host = mod_width_take;
  x->from.host_ud = x;
  return &x->from;
}

FL_PRIVATE int mod_width_end(struct mod_width *x) {
  struct buffer *b = &x->walk->out.buffer;
  if (!json_fold_end(&x->fold)) return 0;
  if (!x->to) return 1;
  x->fold.w = buf_flush(b, x->fold.w, 0);
  return x->fold.w || json_fail(&x->walk->out, FL_ERROR_SINK) != NULL;
}

FL_PRIVATE void mod_width_push(struct mod_width *x) {
  const size_t n = (size_t)(x->fold.w - x->walk->out.buffer.begin);
  luajit_reserve_heap(x->state, n);
  lua_pushlstring(x->L, x->walk->out.buffer.begin, n);
  mod_free_encode_state(x->walk);
  mod_let_collect(x->L, n);
}
