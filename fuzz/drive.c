/* SPDX-License-Identifier: MIT
** drive.c -- runs a libFuzzer target on files and directories, with any compiler.
** May call: LLVMFuzzerTestOneInput, which the target defines.
** Must hold: every input is in a block of exactly its size, so that address sanitizers detect reads beyond it.
**
** After the corpus it runs inputs derived from it: each file with other high bits of its first two bytes, which often
** select what is tested; cut at every length up to 64 and at some beyond; and -r N (default 2000) seeded mutations. A
** target must accept any bytes. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { KEPT_MAX = 256, KEPT_BYTES = 4096 };
static struct {
  uint8_t *data;
  size_t size;
} kept[KEPT_MAX];
static size_t kept_count, inputs;
static uint64_t seed = 0x9E3779B97F4A7C15u;

static uint32_t random32(void) { /* xorshift64*, Vigna 2016 */
  seed ^= seed >> 12;
  seed ^= seed << 25;
  seed ^= seed >> 27;
  return (uint32_t)((seed * 0x2545F4914F6CDD1Du) >> 32);
}

static void give(const uint8_t *data, size_t size) {
  uint8_t *copy = malloc(size ? size : 1);
  if (!copy) abort();
  if (size) memcpy(copy, data, size);
  LLVMFuzzerTestOneInput(copy, size);
  free(copy);
  inputs++;
}

static void give_file(const char *path) {
  FILE *f = fopen(path, "rb");
  uint8_t *data = NULL;
  size_t size = 0, room = 0, got, n;
  if (!f) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(2);
  }
  do {
    if (size == room && !(data = realloc(data, room = room * 2 + 65536))) abort();
    got = fread(data + size, 1, room - size, f);
    size += got;
  } while (got);
  fclose(f);
  give(data, size);
  for (n = 0; n < 32 && size >= 2; n++) {
    data[n / 16] += 16;
    give(data, size);
  }
  for (n = 0; n < size; n += n < 64 ? 1 : 1 + size / 16) give(data, n);
  if (kept_count < KEPT_MAX && size <= KEPT_BYTES) {
    kept[kept_count].data = data;
    kept[kept_count++].size = size;
  } else {
    free(data);
  }
}

static void give_path(const char *path) {
  struct stat st;
  DIR *dir;
  struct dirent *entry;
  char name[4096];
  if (stat(path, &st) != 0) return; /* a target may have no corpus yet */
  if (!S_ISDIR(st.st_mode)) {
    give_file(path);
    return;
  }
  if (!(dir = opendir(path))) return;
  while ((entry = readdir(dir)) != NULL) {
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    give_path(name);
  }
  closedir(dir);
}

static void mutate(void) {
  static const char words[] = "{}[]\",:\\u0000\\ud800-+.eE0123456789truefalsenull\xef\xbb\xbf\xed\xa0\x80\xf4\x90";
  uint8_t data[KEPT_BYTES * 2];
  size_t size = 0, k, edits;
  if (kept_count) {
    k = random32() % kept_count;
    memcpy(data, kept[k].data, size = kept[k].size);
  } else {
    for (size = random32() % 256, k = 0; k < size; k++) data[k] = (uint8_t)random32();
  }
  for (edits = 1 + random32() % 8; edits > 0; edits--) {
    size_t at = size ? random32() % size : 0, n = 1 + random32() % 16;
    switch (random32() % 4) {
    case 0:
      if (size) data[at] ^= (uint8_t)(1u << (random32() % 8));
      break;
    case 1:
      if (size) data[at] = (uint8_t)words[random32() % (sizeof words - 1)];
      break;
    case 2: /* remove a piece */
      if (n > size - at) n = size - at;
      memmove(data + at, data + at + n, size - at - n);
      size -= n;
      break;
    default: /* repeat a piece */
      if (n > size - at) n = size - at;
      if (size + n > sizeof data) break;
      memmove(data + at + n, data + at, size - at);
      size += n;
    }
  }
  give(data, size);
}

int main(int argc, char **argv) {
  long rounds = 2000;
  size_t files;
  int i;
  give(NULL, 0);
  for (i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-r") == 0 && i + 1 < argc) rounds = atol(argv[++i]);
    else give_path(argv[i]);
  }
  files = inputs;
  while (rounds-- > 0) mutate();
  while (kept_count) free(kept[--kept_count].data);
  printf("ok - %s: %lu inputs from the corpus, %lu in all\n", argv[0], (unsigned long)files, (unsigned long)inputs);
  return 0;
}
