/* SPDX-License-Identifier: MIT
** finding.h -- the model of the readers of json/index: goes a path step by step, and reads what it passes over again and
** again. For texts that are valid and have no white space between tokens. */
#ifndef FLEECE_TESTS_FINDING_H
#define FLEECE_TESTS_FINDING_H

#include "json/index/goals.h"
#include "json/index/quoted.h"

/* The byte after the value at p. */
static const char *find_after(const char *p, const char *end) {
  size_t depth = 0;
  while (p < end) {
    switch (*p) {
    case '"': p = json_after_string(p, end); break;
    case '[':
    case '{': depth++, p++; continue;
    case ']':
    case '}': depth--, p++; break;
    case ',':
    case ':': p++; continue;
    default:
      while (p < end && *p != ',' && *p != ']' && *p != '}') p++;
    }
    if (depth == 0) return p;
  }
  return end;
}

/* The number of items of the array at p. */
static int64_t find_count(const char *p, const char *end) {
  int64_t n = 0;
  for (p++; p < end && *p != ']'; n++) {
    p = find_after(p, end);
    p += p < end && *p == ',';
  }
  return n;
}

/* Goes one step from the value `from`; false: there is no such value. */
static int find_step(const struct json_slice *from, const struct json_step *step, struct json_slice *to) {
  const char *p = from->begin, *end = from->end;
  const int is_object = *p == '{';
  int64_t left = step->index;
  int found = 0;
  if (is_object ? !step->name : *p != '[' || !step->indexes) return 0;
  if (!is_object && left < 0) left += find_count(p, end);
  if (!is_object && left < 0) return 0;
  for (p++; p < end && *p != '}' && *p != ']'; p += p < end && *p == ',') {
    const char *name = p;
    int leads;
    if (is_object) {
      p = json_after_string(p, end);
      leads = json_step_is_name(step, name + 1, (size_t)(p - name) - 2);
      p++; /* the colon */
    } else {
      leads = left-- == 0;
    }
    name = p;
    p = find_after(p, end);
    if (!leads) continue;
    to->begin = name, to->end = p, found = 1;
    if (!is_object) return 1;
  }
  return found;
}

/* Goes from the text in *slice, valid JSON without white space, to the value that the steps lead to, one step at a time.
** Of members with the same name the last counts. False: there is none. */
static int find_value(struct json_slice *slice, const struct json_step *steps, size_t count) {
  size_t i;
  for (i = 0; i < count; i++)
    if (slice->begin == slice->end || !find_step(slice, &steps[i], slice)) return 0;
  return slice->begin < slice->end;
}

#endif
