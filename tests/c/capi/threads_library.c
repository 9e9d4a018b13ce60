/* SPDX-License-Identifier: MIT
** threads_library.c -- libfleece in many threads: all read one document and check texts with one schema, and write with
** objects of their own. Meant for the thread sanitizer too (make tsan).
** Build: make build/tests/plain/simd/threads_library */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "../../../include/fleece.h"

enum { THREADS = 8, ROUNDS = 4000, PEOPLE = 300 };

static const fleece_doc *shared;
static const fleece_schema *letters; /* of the alphabet, and others: what a search keeps of both must be its own */

static int check_letters(int which) {
  static const char *const texts[] = {"\"\xc3\xa9t\xc3\xa9\"", "\"\xe4\xb8\xad\xe6\x96\x87\"",
                                      "\"\xe4\xb8\xad"
                                      "1\""};
  return fleece_schema_check(letters, texts[which], strlen(texts[which]), NULL, NULL, NULL, NULL);
}

static void *work(void *argument) {
  const int id = (int)(intptr_t)argument;
  fleece_bytes out = FLEECE_BYTES_INIT, json = FLEECE_BYTES_INIT;
  fleece_encoder *e = fleece_encoder_new(NULL, NULL);
  intptr_t wrong = 0;
  int round;
  for (round = 0; round < ROUNDS; round++) {
    const fleece_value people = fleece_root(shared), one = fleece_at(people, (size_t)((id + 7 * round) % PEOPLE));
    char path[80];
    const int n = sprintf(path, "/%d/some name/0", (id + 7 * round) % PEOPLE);
    fleece_iterator i;
    fleece_doc *copy;
    wrong += fleece_int64(fleece_get(one, "id"), -1) != (id + 7 * round) % PEOPLE;
    wrong += fleece_equal(fleece_pointer(people, path, (size_t)n, NULL), fleece_get(one, "id"), NULL) != 1;
    fleece_put_array(e);
    for (fleece_iterate(&i, one); fleece_next(&i);) fleece_put_value(e, i.value);
    fleece_put_end(e);
    wrong += fleece_finish(e, &out, NULL) != FLEECE_OK;
    copy = fleece_open(out.data, out.size, NULL, NULL);
    wrong += fleece_equal(fleece_at(fleece_root(copy), 0), fleece_get(one, "id"), NULL) != 1;
    wrong += fleece_to_json(one, NULL, &json, NULL) != FLEECE_OK;
    fleece_close(copy);
    wrong += check_letters((id + round) % 3) != ((id + round) % 3 == 2 ? FLEECE_ERROR_INVALID : FLEECE_OK);
  }
  fleece_encoder_free(e);
  fleece_bytes_free(&out), fleece_bytes_free(&json);
  return (void *)wrong;
}

int main(void) {
  static const char pattern[] = "{\"pattern\": \"^[\\\\p{L}]+$\"}";
  static char text[PEOPLE * 60];
  fleece_bytes bytes = FLEECE_BYTES_INIT;
  pthread_t thread[THREADS];
  fleece_doc *doc;
  fleece_schema *schema;
  size_t n = 0;
  long wrong = 0;
  int i;
  for (i = 0; i < PEOPLE; i++)
    n += (size_t)sprintf(text + n, "%s{\"id\":%d,\"some name\":[%d,\"\xc3\xa9\"]}", i ? "," : "[", i, i);
  n += (size_t)sprintf(text + n, "]");
  if (fleece_from_json(text, n, NULL, &bytes, NULL) != FLEECE_OK) return 1;
  shared = doc = fleece_open(bytes.data, bytes.size, NULL, NULL);
  letters = schema = fleece_schema_compile(pattern, strlen(pattern), NULL, NULL, NULL, NULL);
  if (!doc || !schema) return 1;
  for (i = 0; i < THREADS; i++)
    if (pthread_create(&thread[i], NULL, work, (void *)(intptr_t)i) != 0) return 1;
  for (i = 0; i < THREADS; i++) {
    void *result;
    pthread_join(thread[i], &result);
    wrong += (long)(intptr_t)result;
  }
  fleece_close(doc);
  fleece_schema_free(schema);
  fleece_bytes_free(&bytes);
  if (wrong) printf("%ld results were wrong\n", wrong);
  return wrong != 0;
}
