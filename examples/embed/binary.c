/* SPDX-License-Identifier: MIT
** binary.c -- libfleece without Lua: converts a JSON text to a document, reads it in place, changes it, and writes it.
**
**   cc -o binary examples/embed/binary.c $(pkg-config --cflags --libs fleece) && ./binary
**
** It prints one line for each of: a look-up, an iteration, the size of a delta, the changed document. */
#include <fleece.h>
#include <stdio.h>

static const char text[] = "{\"people\": [{\"name\": \"Ada\", \"born\": 1815}, {\"name\": \"Alan\", \"born\": 1912}],"
                           " \"source\": \"https://example.org/people\"}";

static int failed(const char *what, const fleece_error *error) {
  fprintf(stderr, "%s: %s\n", what, error->message);
  return 1;
}

static void print_people(fleece_value people) {
  fleece_iterator i;
  fleece_iterate(&i, people);
  while (fleece_next(&i)) {
    size_t n;
    const char *name = fleece_string(fleece_get(i.value, "name"), &n);
    printf("%s%.*s (%d)", i.index ? ", " : "", (int)n, name ? name : "",
           (int)fleece_int64(fleece_get(i.value, "born"), 0));
  }
  printf("\n");
}

/* Adds a person, and appends the change to the document. */
static int add(const fleece_doc *doc, const char *person, fleece_bytes *delta, fleece_error *error) {
  fleece_options options = FLEECE_OPTIONS_INIT;
  fleece_edit *edit = fleece_edit_new(fleece_root(doc), NULL, error);
  fleece_mutable people;
  fleece_value value;
  int status;
  if (!edit) return error->status;
  people = fleece_mutable_open(fleece_edit_root(edit), "people", 6);
  value = fleece_edit_json(edit, person, strlen(person), NULL, error);
  status = fleece_mutable_insert_at(people, fleece_mutable_count(people), value);
  options.flags = FLEECE_EXTERN;
  if (status == FLEECE_OK) status = fleece_edit_write(edit, &options, delta, error);
  fleece_edit_free(edit);
  return status;
}

int main(void) {
  fleece_bytes bytes = FLEECE_BYTES_INIT, delta = FLEECE_BYTES_INIT, json = FLEECE_BYTES_INIT;
  fleece_options options = FLEECE_OPTIONS_INIT;
  fleece_doc *doc, *changed;
  fleece_error error;
  size_t n;
  const char *s;

  if (fleece_from_json(text, sizeof text - 1, NULL, &bytes, &error)) return failed("from_json", &error);
  doc = fleece_open(bytes.data, bytes.size, NULL, &error);
  if (!doc) return failed("open", &error);

  s = fleece_string(fleece_path(fleece_root(doc), "people[-1].name", 15, NULL), &n);
  printf("the last one is %.*s\n", (int)n, s);
  print_people(fleece_get(fleece_root(doc), "people"));

  if (add(doc, "{\"name\": \"Grace\", \"born\": 1906}", &delta, &error)) return failed("edit", &error);
  printf("a delta of %d bytes to %d\n", (int)delta.size, (int)bytes.size);
  options.base = doc;
  changed = fleece_open(delta.data, delta.size, &options, &error);
  if (!changed) return failed("open", &error);
  if (fleece_to_json(fleece_root(changed), NULL, &json, &error)) return failed("to_json", &error);
  printf("%s\n", json.data);

  fleece_close(changed);
  fleece_close(doc);
  fleece_bytes_free(&json), fleece_bytes_free(&delta), fleece_bytes_free(&bytes);
  return 0;
}
