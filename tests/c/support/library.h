/* SPDX-License-Identifier: MIT
** library.h -- what the tests of the C interface share: documents from text, values as text. Behind the public
** header, and cmocka. */
#ifndef FLEECE_TESTS_LIBRARY_H
#define FLEECE_TESTS_LIBRARY_H

#define MAYBE __attribute__((unused)) /* not each test needs it */

MAYBE static fleece_value none(void) {
  const fleece_value v = {NULL, NULL};
  return v;
}

/* ------------------------------------------------------------------------------------- documents */

/* A document with bytes of its own. */
MAYBE static fleece_doc *doc_of_json(const char *text, uint32_t flags) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  fleece_doc *d;
  o.flags = flags;
  if (fleece_from_json(text, strlen(text), &o, &out, &e) != FLEECE_OK) fail_msg("%s: %s", text, e.message);
  o.flags = FLEECE_COPY;
  d = fleece_open(out.data, out.size, &o, &e);
  if (!d) fail_msg("%s: %s", text, e.message);
  fleece_bytes_free(&out);
  return d;
}

MAYBE static void close_doc(fleece_doc *d) { fleece_close(d); }

MAYBE static void assert_json(fleece_value v, uint32_t flags, const char *wanted) {
  fleece_bytes out = FLEECE_BYTES_INIT;
  fleece_options o = FLEECE_OPTIONS_INIT;
  fleece_error e;
  o.flags = flags;
  if (fleece_to_json(v, &o, &out, &e) != FLEECE_OK) fail_msg("no text for %s: %s", wanted, e.message);
  assert_string_equal(out.data, wanted);
  assert_int_equal(out.size, strlen(wanted));
  fleece_bytes_free(&out);
}

#endif
