/* SPDX-License-Identifier: MIT
** lenient.h -- what some texts have beyond RFC 8259: other grammars, and text that is not UTF-8.
** May call: json/scan.h, which includes it; number/, text/.
** Must hold: every function is called where the strict reader is stuck; without leave in the scan's options it
** says why the text is not JSON. */
#ifndef FLEECE_JSON_LENIENT_H
#define FLEECE_JSON_LENIENT_H

enum json_lenient_kind { JSON_LENIENT_STRING, JSON_LENIENT_NUMBER, JSON_LENIENT_NULL };

struct json_lenient_value {
  enum json_lenient_kind kind;
  struct json_string string;
  struct num_value number;
};

FL_NOINLINE const char *json_lenient_space(struct json_scan *j, const char *p) {
  (void)j;
  return p;
}

FL_NOINLINE const char *json_lenient_string(struct json_scan *j, const char *p, struct json_string *out) {
  (void)out;
  return json_string_error_(j, p);
}

FL_NOINLINE const char *json_lenient_name(struct json_scan *j, const char *p, struct json_string *out) {
  (void)out;
  return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_NAME, p);
}

FL_NOINLINE const char *json_lenient_value(struct json_scan *j, const char *p, struct json_lenient_value *out) {
  (void)out;
  return json_scan_error(j, p == j->end ? JSON_CHECK_END : JSON_CHECK_VALUE, p);
}

#endif
