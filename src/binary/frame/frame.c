/* SPDX-License-Identifier: MIT
** Read as values, the first 48 bytes are a pointer and data of 44 bytes, which readers of a document from its start
** pass over. The next four bytes of the magic change when a file is copied as text, as in PNG. */
#include "frame.h"

static const uint8_t bin_frame_magic[BIN_FRAME_MAGIC] = {BIN_FRAME_FIRST, 'F', 0x5f, 44, '\r', '\n', 0x1a, '\n'};

/* Offsets of the fields; numbers are little-endian. */
enum {
  BIN_FRAME_AT_VERSION = 8,
  BIN_FRAME_AT_FLAGS = 9,
  BIN_FRAME_AT_UNITS = 10,
  BIN_FRAME_AT_NAMES = 12,
  BIN_FRAME_AT_BODY = 16,
  BIN_FRAME_AT_BASE = 24,
  BIN_FRAME_AT_BEFORE = 32,
  BIN_FRAME_AT_NAMES_SUM = 36,
  BIN_FRAME_AT_BODY_SUM = 40,
  BIN_FRAME_AT_SUM = 44
};

FL_PRIVATE const char *bin_frame_message(enum bin_frame_error error) {
  static const char *const messages[] = {
#define X(code, message) message,
      BIN_FRAME_ERRORS(X)
#undef X
  };
  return messages[error];
}

FL_PRIVATE void bin_frames_init(struct bin_frames *f, unsigned cpu) {
  memset(f, 0, sizeof *f);
  f->cpu = cpu;
}

FL_PRIVATE int bin_frame_begins(const void *bytes, size_t n) {
  const uint8_t *s = (const uint8_t *)bytes;
  if (n < BIN_FRAME_MAGIC) return n > 0 && memcmp(s, bin_frame_magic, n) == 0;
  return memcmp(s, bin_frame_magic, 2) == 0 || memcmp(s + 2, bin_frame_magic + 2, BIN_FRAME_MAGIC - 2) == 0;
}

static int bin_frame_fail(struct bin_frames *f, enum bin_frame_error error, uint64_t where) {
  f->error = error;
  f->where = where;
  return 0;
}

FL_INLINE uint64_t bin_frame_number(const uint8_t *head, unsigned at, unsigned n) { return bin_little(head + at, n); }

FL_INLINE void bin_frame_store(uint8_t *head, unsigned at, unsigned n, uint64_t x) {
  for (unsigned i = 0; i < n; i++) head[at + i] = (uint8_t)(x >> 8 * i);
}

FL_PRIVATE int bin_frame_read(struct bin_frames *f, struct bin_part *part, const uint8_t *head, size_t n,
                              uint64_t size) {
  FL_ASSERT(size >= f->end && n <= size - f->end);
  if (n == 0 && f->parts > 0) return 0;
  if (n > 0 && f->parts > 0 && head[0] == BIN_FRAME_PENDING) return f->pending = size - f->end, 0;
  if (!bin_frame_begins(head, n))
    return bin_frame_fail(f, f->parts > 0 ? BIN_FRAME_ERROR_DAMAGED : BIN_FRAME_ERROR_NONE, f->end);
  if (n < BIN_FRAME_HEAD) return bin_frame_fail(f, BIN_FRAME_ERROR_CUT, size);
  part->at = f->end;
  part->sum = (uint32_t)bin_frame_number(head, BIN_FRAME_AT_SUM, 4);
  if (part->sum != bin_checksum(f->cpu, 0, head, BIN_FRAME_AT_SUM))
    return bin_frame_fail(f, BIN_FRAME_ERROR_DAMAGED, part->at);
  const unsigned flags = head[BIN_FRAME_AT_FLAGS];
  if (head[BIN_FRAME_AT_VERSION] != BIN_FRAME_VERSION || flags > BIN_FRAME_AMENDS)
    return bin_frame_fail(f, BIN_FRAME_ERROR_NEWER, part->at);
  const uint32_t before = (uint32_t)bin_frame_number(head, BIN_FRAME_AT_BEFORE, 4);
  if (flags != (f->parts > 0 ? BIN_FRAME_AMENDS : 0u) || bin_frame_number(head, BIN_FRAME_AT_BASE, 8) != part->at ||
      before != f->sum)
    return bin_frame_fail(f, BIN_FRAME_ERROR_PLACE, part->at);
  const uint64_t frame_n = BIN_FRAME_UNIT * bin_frame_number(head, BIN_FRAME_AT_UNITS, 2);
  part->names_n = bin_frame_number(head, BIN_FRAME_AT_NAMES, 4);
  part->body_n = bin_frame_number(head, BIN_FRAME_AT_BODY, 8);
  part->names_sum = (uint32_t)bin_frame_number(head, BIN_FRAME_AT_NAMES_SUM, 4);
  part->body_sum = (uint32_t)bin_frame_number(head, BIN_FRAME_AT_BODY_SUM, 4);
  if (frame_n < BIN_FRAME_HEAD || part->names_n > frame_n - BIN_FRAME_HEAD || part->body_n < 2 || part->body_n % 2)
    return bin_frame_fail(f, BIN_FRAME_ERROR_DAMAGED, part->at);
  if (frame_n > size - part->at || part->body_n > size - part->at - frame_n)
    return bin_frame_fail(f, BIN_FRAME_ERROR_CUT, size);
  part->body = part->at + frame_n;
  return 1;
}

FL_PRIVATE int bin_frame_take(struct bin_frames *f, const struct bin_part *part, const uint8_t *bytes, int verify) {
  const uint64_t frame_n = part->body - part->at;
  FL_ASSERT(part->at == f->end && frame_n >= BIN_FRAME_HEAD);
  if (bytes) {
    const size_t more = (size_t)frame_n - BIN_FRAME_HEAD;
    if (bin_checksum(f->cpu, 0, bytes + BIN_FRAME_HEAD, more) != part->names_sum)
      return bin_frame_fail(f, BIN_FRAME_ERROR_NAMES, part->at + BIN_FRAME_HEAD);
    if (verify && bin_checksum(f->cpu, 0, bytes + frame_n, (size_t)part->body_n) != part->body_sum)
      return bin_frame_fail(f, BIN_FRAME_ERROR_BODY, part->body);
  }
  if (f->parts++ == 0) f->begin = part->body;
  if (part->names_n) f->names = part->at + BIN_FRAME_HEAD, f->names_n = part->names_n;
  f->end = part->body + part->body_n;
  f->last = part->at;
  f->sum = part->sum;
  return 1;
}

FL_PRIVATE int bin_frames_find(struct bin_frames *f, const void *bytes, size_t n, int verify) {
  const uint8_t *s = (const uint8_t *)bytes;
  struct bin_part part;
  for (;;) {
    const size_t left = n - (size_t)f->end;
    if (!bin_frame_read(f, &part, s + f->end, left < BIN_FRAME_HEAD ? left : BIN_FRAME_HEAD, n)) break;
    if (!bin_frame_take(f, &part, s + part.at, verify)) break;
  }
  return !f->error;
}

FL_PRIVATE int bin_frame_load_names(const struct bin_doc *d, struct bin_keys *k) {
  if (bin_tag(d->root) != BIN_TAG_ARRAY) return 0;
  struct bin_list l = bin_list_of(d->root);
  for (size_t i = 0; i < l.count; i++) {
    bin_value v = bin_list_item(d, &l, i);
    size_t n;
    if (bin_tag(v) != BIN_TAG_STRING) return 0;
    const char *s = bin_bytes(v, &n);
    if (bin_keys_add(k, s, n) != (int)i) return 0;
  }
  return 1;
}

FL_PRIVATE void bin_frame_write(unsigned cpu, uint8_t *frame, size_t names_n, const void *body, size_t body_n,
                                const struct bin_frames *before) {
  const size_t n = bin_frame_size(names_n);
  FL_ASSERT(names_n <= BIN_FRAME_NAMES_MOST && body_n >= 2 && body_n % 2 == 0);
  memcpy(frame, bin_frame_magic, sizeof bin_frame_magic);
  frame[BIN_FRAME_AT_VERSION] = BIN_FRAME_VERSION;
  frame[BIN_FRAME_AT_FLAGS] = before ? BIN_FRAME_AMENDS : 0;
  bin_frame_store(frame, BIN_FRAME_AT_UNITS, 2, n / BIN_FRAME_UNIT);
  bin_frame_store(frame, BIN_FRAME_AT_NAMES, 4, names_n);
  bin_frame_store(frame, BIN_FRAME_AT_BODY, 8, body_n);
  bin_frame_store(frame, BIN_FRAME_AT_BASE, 8, before ? before->end : 0);
  bin_frame_store(frame, BIN_FRAME_AT_BEFORE, 4, before ? before->sum : 0);
  bin_frame_store(frame, BIN_FRAME_AT_NAMES_SUM, 4, bin_checksum(cpu, 0, frame + BIN_FRAME_HEAD, n - BIN_FRAME_HEAD));
  bin_frame_store(frame, BIN_FRAME_AT_BODY_SUM, 4, bin_checksum(cpu, 0, body, body_n));
  bin_frame_store(frame, BIN_FRAME_AT_SUM, 4, bin_checksum(cpu, 0, frame, BIN_FRAME_AT_SUM));
}
