/* SPDX-License-Identifier: MIT
** test_interrupted.c -- a signal each millisecond, without SA_RESTART: reads, writes and waits go on, and nothing is lost.
** Build: cc -std=gnu99 -O2 -Isrc tests/c/module/test_interrupted.c -lcmocka */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/file.h>
#include <sys/time.h>
#include <sys/wait.h>

#include "files/replace.h"
#include "../support/heap.h"

enum { SIZE = 600000, PIECE = 20000, PAUSE = 3000 /* microseconds */ };

static char sent[SIZE], got[SIZE + 1];
static volatile sig_atomic_t signals;

static void on_signal(int number) { (void)number, signals++; }

static void each_millisecond(int on) {
  const struct itimerval timer = {{0, on ? 1000 : 0}, {0, on ? 1000 : 0}};
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_signal;
  assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
  assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

/* A process that passes all bytes from one end to the other, slowly. */
static pid_t pass_on(int from, int to, int other1, int other2) {
  const pid_t child = fork();
  char piece[PIECE];
  ssize_t n, put;
  assert_true(child >= 0);
  if (child) return child;
  close(other1);
  close(other2);
  while ((n = read(from, piece, sizeof piece)) > 0) {
    usleep(PAUSE);
    for (put = 0; put < n;) put += write(to, piece + put, (size_t)(n - put));
  }
  _exit(0);
}

/* All bytes go through two slow pipes: written by one process, read by another. */
static void test_pipes(void **state) {
  int in[2], out[2], i;
  pid_t passing, writing;
  FILE *file;
  (void)state;
  for (i = 0; i < SIZE; i++) sent[i] = (char)(i * 7 + i / 1000);
  assert_int_equal(pipe(in), 0);
  assert_int_equal(pipe(out), 0);
  passing = pass_on(in[0], out[1], in[1], out[0]);
  close(in[0]);
  close(out[1]);
  writing = fork();
  assert_true(writing >= 0);
  if (writing == 0) {
    close(out[0]);
    each_millisecond(1);
    file = fdopen(in[1], "wb");
    if (!file || setvbuf(file, NULL, _IONBF, 0) != 0 || !file_write(file, sent, SIZE) || fclose(file) != 0) _exit(1);
    _exit(signals > 10 ? 0 : 2);
  }
  close(in[1]);
  file = fdopen(out[0], "rb");
  assert_non_null(file);
  signals = 0;
  each_millisecond(1);
  assert_int_equal(file_read(file, got, SIZE + 1), SIZE);
  each_millisecond(0);
  assert_false(ferror(file));
  assert_true(signals > 10);
  assert_memory_equal(got, sent, SIZE);
  fclose(file);
  assert_int_equal(waitpid(writing, &i, 0), writing);
  assert_int_equal(i, 0);
  assert_int_equal(waitpid(passing, &i, 0), passing);
}

/* Another process has the lock: all of the time is waited, and the reason is EAGAIN. */
static void test_lock(void **state) {
  static struct lock lock;
  struct timespec from, to;
  char path[] = "/tmp/fleece-interrupted-XXXXXX", name[64];
  const int fd = mkstemp(path);
  int ready[2];
  char byte;
  pid_t child;
  (void)state;
  assert_true(fd >= 0);
  snprintf(name, sizeof name, "%s.lock", path);
  assert_int_equal(pipe(ready), 0);
  child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    const int held = open(name, O_RDWR | O_CREAT, 0600);
    if (held < 0 || flock(held, LOCK_EX) != 0 || write(ready[1], "x", 1) != 1) _exit(1);
    pause();
    _exit(0);
  }
  assert_int_equal(read(ready[0], &byte, 1), 1);
  clock_gettime(CLOCK_MONOTONIC, &from);
  each_millisecond(1);
  assert_false(lock_take(&lock, path, 200));
  assert_int_equal(errno, EAGAIN);
  each_millisecond(0);
  clock_gettime(CLOCK_MONOTONIC, &to);
  assert_true((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000 >= 200);
  kill(child, SIGKILL);
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_true(lock_take(&lock, path, 200));
  lock_release(&lock);
  close(fd);
  remove(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_pipes), cmocka_unit_test(test_lock)};
  return cmocka_run_group_tests_name("interrupted", tests, NULL, NULL);
}
