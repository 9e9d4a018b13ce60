/* SPDX-License-Identifier: MIT
** test_replace.c -- files that appear whole or not at all: their bytes, mode, owner and place; what failures leave.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/module/test_replace.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "files/replace.h"

static char folder[] = "/tmp/fleece-replace-XXXXXX";

/* How many names the folder has. */
static int names(const char *path) {
  DIR *d = opendir(path);
  int n = -2; /* "." and ".." */
  assert_non_null(d);
  while (readdir(d)) n++;
  closedir(d);
  return n;
}

static void put(const char *path, const char *text, mode_t mode) {
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(path, mode), 0);
}

static void must_have(const char *path, const char *text, mode_t mode) {
  char bytes[64];
  struct stat about;
  FILE *file = fopen(path, "rb");
  size_t n;
  assert_non_null(file);
  n = fread(bytes, 1, sizeof bytes - 1, file);
  fclose(file);
  bytes[n] = 0;
  assert_string_equal(bytes, text);
  assert_int_equal(lstat(path, &about), 0);
  assert_int_equal(about.st_mode & 07777, mode);
}

static int replace_begin(struct replace *r, const char *path) { return replace_find(r, path) && replace_open(r); }

/* Replaces what `path` names; errno, or 0. */
static int replace(const char *path, const char *text) {
  struct replace r;
  if (!replace_begin(&r, path)) return errno;
  assert_int_equal(fwrite(text, 1, strlen(text), r.file), strlen(text));
  return replace_commit(&r, 1) ? 0 : errno;
}

static void test_modes(void **state) {
  static const mode_t modes[] = {0600, 0640, 0444, 0755, 0666, 04711}, masks[] = {022, 077, 002};
  size_t i;
  (void)state;
  umask(022);
  for (i = 0; i < sizeof modes / sizeof *modes; i++) {
    put("old", "old", modes[i]);
    assert_int_equal(replace("old", "new"), 0);
    must_have("old", "new", modes[i]);
    remove("old");
  }
  for (i = 0; i < sizeof masks / sizeof *masks; i++) {
    umask(masks[i]);
    assert_int_equal(replace("fresh", "new"), 0);
    must_have("fresh", "new", 0666 & ~masks[i]);
    remove("fresh");
  }
  umask(022);
  assert_int_equal(names("."), 0);
}

/* Until it is whole it has a name of its own, which only its owner may read; then what the target is at that time counts. */
static void test_meanwhile(void **state) {
  struct replace r;
  (void)state;
  put("target", "old", 0644);
  assert_true(replace_begin(&r, "target"));
  assert_int_equal(names("."), 2);
  must_have(r.temporary, "", 0600);
  must_have("target", "old", 0644);
  assert_int_equal(chmod("target", 0620), 0);
  fputs("new", r.file);
  assert_true(replace_commit(&r, 0));
  must_have("target", "new", 0620);

  assert_true(replace_begin(&r, "target"));
  fputs("lost", r.file);
  replace_abort(&r);
  replace_abort(&r);
  must_have("target", "new", 0620);

  assert_true(replace_begin(&r, "target"));
  remove("target");
  fputs("new", r.file);
  assert_true(replace_commit(&r, 1));
  must_have("target", "new", 0620);
  assert_false(replace_commit(&r, 1));
  remove("target");

  assert_true(replace_begin(&r, "fresh"));
  must_have(r.temporary, "", 0600);
  fputs("new", r.file);
  put("fresh", "another", 0604);
  assert_true(replace_commit(&r, 1));
  must_have("fresh", "new", 0604);
  remove("fresh");
  assert_int_equal(names("."), 0);
}

/* Never opens what is there, and never takes a name twice. */
static void test_names(void **state) {
  struct replace a, b;
  size_t i;
  (void)state;
  assert_true(replace_find(&a, "target") && replace_find(&b, "target"));
  assert_string_not_equal(a.temporary, b.temporary);
  for (i = 0; a.temporary[i]; i++) continue;
  assert_true(i >= 2 * REPLACE_RANDOM);
  put(a.temporary, "not ours", 0666);
  assert_false(replace_open(&a));
  assert_int_equal(errno, EEXIST);
  must_have(a.temporary, "not ours", 0666);
  remove(a.temporary);
  put("precious", "mine", 0666);
  assert_int_equal(symlink("precious", b.temporary), 0);
  assert_false(replace_open(&b));
  must_have("precious", "mine", 0666);
  remove(b.temporary);
  remove("precious");
}

static void test_links(void **state) {
  char link[32];
  int i;
  (void)state;
  assert_int_equal(mkdir("a", 0755), 0);
  put("a/target", "old", 0640);
  put("line", "mine", 0644);
  assert_int_equal(symlink("target", "a/1"), 0);
  assert_int_equal(symlink("../a/1", "a/2"), 0);
  assert_int_equal(symlink("a/2", "3"), 0);
  assert_int_equal(replace("3", "new"), 0);
  must_have("a/target", "new", 0640);
  assert_int_equal(symlink("line\n", "4"), 0);
  assert_int_equal(replace("4", "new"), 0);
  must_have("line", "mine", 0644);
  must_have("line\n", "new", 0644);
  assert_int_equal(symlink("loop", "loop"), 0);
  assert_int_equal(replace("loop", "new"), ELOOP);
  assert_int_equal(symlink("nowhere/x", "5"), 0);
  assert_int_equal(replace("5", "new"), ENOENT);
  assert_int_equal(symlink("a", "6"), 0);
  assert_int_equal(replace("6", "new"), EISDIR);
  for (i = 0; i <= 40; i++) { /* more than any system follows */
    char to[32];
    snprintf(link, sizeof link, "a/l%d", i);
    snprintf(to, sizeof to, "l%d", i + 1);
    assert_int_equal(symlink(to, link), 0);
  }
  assert_int_equal(replace("a/l0", "new"), ELOOP);
  assert_int_equal(replace("a/l1", "new"), 0);
  must_have("a/l41", "new", 0644);
  for (i = 0; i <= 41; i++) {
    snprintf(link, sizeof link, "a/l%d", i);
    remove(link);
  }
  assert_int_equal(names("a"), 3);
  remove("a/1"), remove("a/2"), remove("a/target");
  remove("3"), remove("4"), remove("5"), remove("6"), remove("line"), remove("line\n"), remove("loop"), remove("a");
  assert_int_equal(names("."), 0);
}

static void test_failures(void **state) {
  static char longest[REPLACE_PATH + 1];
  static char much[100000];
  struct rlimit limit, before;
  struct replace r;
  (void)state;
  memset(longest, 'x', sizeof longest - 1);
  assert_int_equal(replace(longest, "new"), ENAMETOOLONG);
  longest[REPLACE_PATH - 1] = 0;
  assert_int_equal(replace(longest, "new"), ENAMETOOLONG);
  assert_int_equal(replace("", "new"), ENOENT);
  assert_int_equal(replace("nowhere/x", "new"), ENOENT);
  assert_int_equal(replace("nothing/", "new"), EISDIR);
  assert_int_equal(replace(".", "new"), EISDIR);
  assert_int_equal(replace("/dev/null", "new"), 0);
  assert_true(replace_find(&r, "/dev/null") && r.temporary[0] == 0);
  assert_true(replace_find(&r, "/dev/fd/1") && r.temporary[0] == 0);

  put("target", "old", 0644);
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  limit = before, limit.rlim_cur = 50000;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  memset(much, 'x', sizeof much);
  assert_true(replace_begin(&r, "target"));
  (void)(fwrite(much, 1, sizeof much, r.file) + 1);
  assert_false(replace_commit(&r, 1));
  assert_true(errno == EFBIG || errno == EIO);
  assert_true(replace_begin(&r, "target"));
  assert_int_equal(fwrite(much, 1, 49999, r.file) + fwrite(much, 1, 5, r.file), 50004); /* the last in the buffer */
  assert_false(replace_commit(&r, 1));
  assert_int_equal(errno, EFBIG);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  must_have("target", "old", 0644);
  assert_int_equal(names("."), 1);

  assert_true(replace_begin(&r, "target")); /* its name has become a folder's */
  remove("target");
  assert_int_equal(mkdir("target", 0755), 0);
  assert_false(replace_commit(&r, 1));
  assert_int_equal(names("."), 1);
  remove("target");
}

/* Another user replaces a file of ours: what it cannot give away, it does not open to others. */
static void test_owner(void **state) {
  static const struct {
    mode_t before, after;
  } rows[] = {{0660, 0600}, {0664, 0644}, {0646, 0646}, {06755, 0755}, {0600, 0600}};
  struct stat about;
  size_t i;
  (void)state;
  if (getuid() != 0) {
    printf("# SKIPPED: this system: only root can give files away\n");
    skip();
  }
  assert_int_equal(chmod(".", 0777), 0);
  for (i = 0; i < sizeof rows / sizeof *rows; i++) {
    int status;
    put("target", "old", 0600);
    assert_int_equal(chown("target", 12345, 23456), 0);
    assert_int_equal(chmod("target", rows[i].before), 0);
    assert_int_equal(replace("target", "root's"), 0); /* root gives it back */
    must_have("target", "root's", rows[i].before);
    assert_int_equal(stat("target", &about), 0);
    assert_int_equal(about.st_uid, 12345);
    assert_int_equal(about.st_gid, 23456);
    if (fork() == 0) _exit(setgid(777) || setuid(777) || replace("target", "new") ? 1 : 0);
    assert_true(wait(&status) > 0 && status == 0);
    must_have("target", "new", rows[i].after);
    assert_int_equal(stat("target", &about), 0);
    assert_int_equal(about.st_uid, 777);
    assert_int_equal(about.st_gid, 777);
    remove("target");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes),    cmocka_unit_test(test_meanwhile),
                                     cmocka_unit_test(test_names),    cmocka_unit_test(test_links),
                                     cmocka_unit_test(test_failures), cmocka_unit_test(test_owner)};
  int failed;
  if (!mkdtemp(folder) || chdir(folder) != 0) return 1;
  failed = cmocka_run_group_tests_name("replace", tests, NULL, NULL);
  if (chdir("/") != 0 || rmdir(folder) != 0) return 1;
  return failed;
}
