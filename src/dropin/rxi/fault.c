/* SPDX-License-Identifier: MIT */
#include "fault.h"

FL_PRIVATE const char *rxi_fault_scalar(struct dropin_fault *f, const char *p) {
  const char *after = rxi_token(p, f->end);
  enum dropin_strtod_kind kind;
  double d;
  const char *word = p;
  if (*p == '-' || json_is_digit(*p))
    return rxi_is_number(p, after, &kind, &d) ? after : dropin_fault_is(f, DROPIN_FAULT_NUMBER, p);
  if (*p != 't' && *p != 'f' && *p != 'n') return dropin_fault_is(f, DROPIN_FAULT_CHARACTER, p);
  if (json_read_literal(&word, f->end) <= JSON_LITERAL_NULL && word == after) return after;
  return dropin_fault_is(f, DROPIN_FAULT_WORD, p);
}

FL_PRIVATE const char *rxi_fault_piece(const struct dropin_fault *f, size_t *n) {
  const char *piece = f->at + (f->cause == DROPIN_FAULT_ESCAPE);
  if (!f->rules->rests[f->cause]) *n = 0;
  else if (f->cause == DROPIN_FAULT_ESCAPE || f->cause == DROPIN_FAULT_CHARACTER) *n = piece < f->end;
  else *n = (size_t)(rxi_token(piece, f->end) - piece);
  return piece;
}
