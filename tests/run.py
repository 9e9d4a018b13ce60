#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py -- runs the tests and counts them. The last line is "N passed, N failed, N skipped".

Usage: tests/run.py [options] [FILTER ...]        a FILTER selects jobs by their name or a part of it between / and @;
                                                  if there are none, those whose name contains it

  --part quick|rest|all|hosts   what `make test` runs, what `make test-rest` runs, or both (default: all); or what
                          `make test-hosts` runs: programs whose packages are large, which a FILTER can name, too
  --part soak             random tests, failing allocations, fuzz targets, builds of some parts and emulated CPUs, in a random
                          order with new seeds, again and again for --minutes N (default: 60)
  --mode MODE             plain, dev (development objects), asan, tsan, valgrind or fuzz (default: plain)
  --runtime NAME          only this Lua: lua5.1 ... lua5.5, luajit
  --layout raw|api        only with the raw layout, or only without it
  --room ROOM             only the tests for one folder of src/
  --list                  prints the names of the jobs without running them
  --jobs N                how many run at the same time (default: the number of cores)

A job is one program in one variant; its log is in build/test/PROCESS/. The names of jobs:

  lua/RUNTIME@LAYOUT/FILE  one file below tests/lua in a process of its own; LAYOUT is raw or api (FLEECE_LAYOUT=api).
                           RUNTIME ends in -assert for the Luas that check how their C interface is used, or is
                           luajit-tarantool; FILE is "long" for all random tests with more rounds and all long tests
  c/NAME@VARIANT           a program of tests/c: in simd and swar, or for each Lua if it includes Lua's headers;
                           /long, in the soak: with millions of random values, or with each allocation failing once
  fuzz/NAME                replays the corpus of a fuzz target, or runs it (--mode fuzz: FUZZ_SECONDS=60 each, or
                           FUZZ_MINUTES in all)
  check/ cli/ hosts/ platform/ proof/ model/ peers/ mismatch/   a script that prints TAP

A script that prints no TAP is one test: exit code 0 passes, 77 skips. A job with another exit code counts as a
failure, whatever it has printed. A skipped test says why in a word of SKIPS (tests/results.py), or it is a failure.

A file of tests/lua runs in each Lua and in both layouts, unless a line of its head says where one is enough:
"-- runs: in one layout", if it reads and builds no tables, or only as other files do, or by both walks itself; or
"-- runs: in one Lua", if it tests code below Lua.
"""
import argparse
import concurrent.futures
import copy
import glob
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

from results import count, executions, first_failures, is_listed, reasons, summary, words

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RUNTIMES = ["lua5.1", "lua5.2", "lua5.3", "lua5.4", "lua5.5", "luajit"]
PLATFORMS = ["s390x", "arm64", "i386", "musl"]
ONE_RUNTIME = "lua5.4"  # if one is enough
QUICK_CHECKS = ["rooms", "parts", "sources", "docs", "object", "close", "make_2011"]  # need no packages
LONG_ROUNDS = "2"  # factor for the rounds of random tests in the long run; the soak has as many as its time allows
LONG = [(r, layout) for r in ("lua5.4", "luajit") for layout in ("raw", "api")] + [("lua5.1", "raw")]  # where test-all runs them
ROOM_TESTS = {"dropin": "tests/lua/dropin/", "regex": ("tests/lua/dropin/rapidjson/", "tests/lua/query/"),
              "values": ("tests/lua/query/", "tests/lua/patch/"),
              "document": ("tests/lua/binary/", "tests/lua/view/"), "format": "tests/lua/text/", "places": "tests/lua/text/",
              "files": "tests/lua/file/"}  # folders of src/ and where their tests in Lua are
ROOM_TESTS.update((room, "tests/lua/") for room in ("layout", "lua", "module", "parts"))
ROOM_TESTS.update((room, "tests/lua/%s/" % room) for room in ("encode", "decode", "stream", "query", "patch", "schema"))
COUNT = {"asan": "100000", "tsan": "100000", "valgrind": "2000", "dev": "20000"}  # FLEECE_TEST_COUNT; else below
COUNT_QUICK, COUNT_LONG = "200000", "2000000"
LOGS = "build/test/%d" % os.getpid()  # two runs at the same time must not share it
MEMORY = 8000000 * 1024  # so that a runaway test does not use up the machine
VAST = ("check/site", "build/tests/fuzz/")  # a browser and sanitizers reserve more addresses than that
LONGEST = 3600  # seconds; a job that hangs is a failure


def names_of(pattern, *without):
    found = (os.path.splitext(os.path.basename(f))[0] for f in glob.glob(pattern))
    return sorted(n for n in found if n not in without)


def by_name(pattern, known):
    """Adds the paths of files to `known`, by their names, which are unique."""
    for path in [] if known else sorted(glob.glob(pattern, recursive=True)):
        name = os.path.splitext(os.path.basename(path))[0]
        if name in known:
            sys.exit("two files have the name %s: %s, %s" % (name, known[name], path))
        known[name] = path
    return known


def lua_tests(known={}):
    return by_name("tests/lua/**/test_*.lua", known)


def c_tests(known={}):
    return by_name("tests/c/*/*.c", known)


def where(what, runtime, known={}):
    """The path of a Lua's headers, static library or interpreter; None if it has none."""
    if (what, runtime) not in known:
        r = subprocess.run(["tools/where.sh", what, runtime], capture_output=True, text=True, check=False)
        known[what, runtime] = r.stdout.strip() if r.returncode == 0 else None
    return known[what, runtime]


def lua_unit(known=[]):
    """LuaUnit is pure Lua, so a copy for any version is fine."""
    if not known:
        known.append(next((os.path.dirname(f) + "/?.lua" for root in
                           ("/usr/share/lua", "/usr/local/share/lua", "/opt/homebrew/share/lua")
                           for f in sorted(glob.glob(root + "/5.*/luaunit.lua"), reverse=True)), None))
    return known[0]


class Job:
    """A command and its environment, or the reason why it is skipped."""

    def __init__(self, name, command=None, quick=False, skip=None, program=None, part=None, **env):
        self.name, self.command, self.skip = name, command, skip
        self.part = part or ("quick" if quick else "rest")
        self.program = program  # make must build this first
        self.env = env
        self.log = "%s/%s.log" % (LOGS, name.replace("/", "."))
        self.limit, self.ended = None, False  # seconds after which it is ended without blame; was it?
        self.skips = self.unlisted = []
        self.counts, self.seconds, self.cpu = (0, 0, 0), 0.0, 0.0  # cpu: seconds of its processes, however busy the machine is

    @property
    def group(self):
        return self.name.rsplit("/", 1)[0] if self.name.count("/") > 1 else self.name.split("/")[0]


# ---- the jobs -------------------------------------------------------------------------------------------------

def sanitizer_preload():
    """The sanitizer's run-time libraries must come before the interpreter's own."""
    found = []
    for lib in ("libasan.so", "libubsan.so"):
        path = subprocess.run([os.environ.get("CC", "cc"), "-print-file-name=" + lib], capture_output=True, text=True,
                              check=False).stdout.strip()
        if os.path.exists(path):
            found.append(os.path.realpath(path))  # Debian's libasan.so is a link; the loader needs the file
    return " ".join(found)


def object_folder(mode, runtime):
    return "build/" + ("" if mode == "plain" else mode + "/") + runtime


def lua_job(mode, core, layout, file, soak=False):
    """One test file in one Lua. core: a runtime, or the name of a special build of one. soak: its random and long tests."""
    runtime = core.split("-")[0]
    name = "lua/%s@%s/%s" % (core, layout, file)
    long_run = file == "long"
    job = Job(name, quick=core == runtime and not long_run,
              part="soak" if long_run and (runtime, layout) not in LONG else None)
    lua = where("lua", runtime)
    folder = object_folder(mode, runtime)
    if lua is None:
        job.skip = "not installed: no interpreter for " + runtime
    elif where("include", runtime) is None:
        job.skip = "not installed: no headers for " + runtime
    elif lua_unit() is None:
        job.skip = "not installed: LuaUnit (Debian: lua-unit)"
    if core != runtime:
        lua = "build/runtimes/%s/bin/lua" % core
    elif mode in ("asan", "valgrind") and runtime == "luajit" and os.path.exists("build/runtimes/luajit-assert/bin/lua"):
        lua = "build/runtimes/luajit-assert/bin/lua"  # uses malloc for every object, so that the checker sees each one
    job.command = [lua, "tests/lua/run.lua"] + ([] if long_run else [lua_tests()[file]])
    if long_run or soak:
        job.command += ["-p", "random", "-p", "long_run"]
    job.env = {"LUA_PATH": "tests/lua/support/?.lua;lua/?.lua;lua/?/init.lua;%s;;" % lua_unit(),
               "LUA_CPATH": "%s/%s/?.so;;" % (ROOT, folder), "FLEECE_RUNTIME": runtime,
               "FLEECE_TEST_BUILD": mode, "FLEECE_LAYOUT": "api" if layout == "api" else None,
               "FLEECE_TEST_OWN_LUA": "1" if "build/runtimes/" in (lua or "") else None}
    if long_run or soak:
        job.env["FLEECE_TEST_ROUNDS"] = os.environ.get("FLEECE_TEST_ROUNDS", LONG_ROUNDS)
        job.env["FLEECE_TEST_LONG"] = "1"
    if mode == "asan":
        leaks = 0 if runtime == "luajit" else 1  # tagged pointers hide live blocks from the checker
        job.env.update(LD_PRELOAD=sanitizer_preload(), UBSAN_OPTIONS="print_stacktrace=1",
                       LSAN_OPTIONS="report_objects=1",
                       ASAN_OPTIONS="detect_leaks=%d:abort_on_error=0:allocator_may_return_null=1" % leaks)
    elif mode == "valgrind":
        job.command = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full",
                       "--errors-for-leak-kinds=definite"] + job.command
    return job


def uses_lua(source):
    return re.search(r'^#\s*include\s+[<"](.*/)?(lua|lauxlib|lualib|fleece\.c)', words(source), re.M)


def has_cmocka(known=[]):
    if not known:
        text = "".join("#include <%s.h>\n" % h for h in ("stdarg", "stddef", "stdint", "setjmp", "cmocka"))
        known.append(subprocess.run([os.environ.get("CC", "cc"), "-x", "c", "-fsyntax-only", "-"], input=text, text=True,
                                    capture_output=True, check=False).returncode == 0)
    return known[0]


def has_long_run(name):
    return re.search(r'FLEECE_TEST_COUNT|lua_alloc\.h"', words(c_tests()[name]))


def runs_in(file, what, known={}):
    """Is one Lua, or one layout, enough for this file of tests/lua?"""
    if file not in known:
        known[file] = re.search(r"^-- runs: in one (Lua|layout)$", words(lua_tests()[file]), re.M)
    return known[file] and what in ("layout", known[file].group(1))


def c_job(mode, name, variant, long_run=False):
    source = c_tests()[name]
    program = "build/tests/%s/%s/%s" % (mode, variant, name)
    count = COUNT_LONG if long_run else COUNT.get(mode, COUNT_QUICK)
    job = Job("c/%s@%s%s" % (name, variant, "/long" if long_run else ""), [program], program=program,
              quick=not long_run and (variant in ("simd", "swar") or bool(OPTIONS.runtime) or
                                      variant == ONE_RUNTIME and not name.startswith("alloc")),
              CMOCKA_MESSAGE_OUTPUT="TAP", FLEECE_TEST_COUNT=os.environ.get("FLEECE_TEST_COUNT", count),
              FLEECE_TEST_LONG="1" if long_run else None, part="soak" if long_run else None)
    if variant in RUNTIMES and where("include", variant) is None:
        job.skip = "not installed: no headers for " + variant
    elif variant in RUNTIMES and where("lib", variant) is None:
        job.skip = "not installed: no static library of " + variant
    elif "cmocka.h" in words(source) and not has_cmocka():
        job.skip = "not installed: cmocka (Debian: libcmocka-dev)"
    if mode == "valgrind":
        job.command = ["valgrind", "-q", "--error-exitcode=99", "--leak-check=full", program]
    return job


def fuzz_job(mode, name):
    if mode == "fuzz":
        folder, program = "build/fuzz/" + name, "build/tests/fuzz/%s" % name
        os.makedirs(folder, exist_ok=True)
        skip = None if shutil.which("clang") else "not installed: clang"
        # The entropic schedule would take a third of the time of most targets.
        # The memory of a Lua state grows, so a search for leaks after each input would find nothing: it comes at the end.
        leaks = "-detect_leaks=%d" % ("lua_target.h" not in words("fuzz/%s.c" % name))
        return Job("fuzz/" + name, [program, "-max_total_time=" + (os.environ.get("FUZZ_SECONDS") or "60"), leaks, "-timeout=10",
                                    "-max_len=2048", "-print_funcs=0", "-print_final_stats=1", "-error_exitcode=1",
                                    "-entropic=0", "-reload=0", "-artifact_prefix=%s/" % folder, folder, "fuzz/corpus/" + name],
                   program=program, skip=skip, ASAN_OPTIONS="malloc_context_size=3:quarantine_size_mb=16")
    program = "build/tests/%s/replay/%s" % (mode, name)
    return Job("fuzz/" + name, [program, "fuzz/corpus/" + name], program=program)


def begin_fuzz(jobs):
    """A new seed, and of FUZZ_MINUTES the same part for each target; libFuzzer uses the last of several options."""
    seed = int(os.environ.get("FLEECE_TEST_SEED") or random.SystemRandom().randrange(1, 2 ** 31))
    print("fuzz: FLEECE_TEST_SEED=%d" % seed, flush=True)
    seconds = float(os.environ.get("FUZZ_MINUTES") or 0) * 60 * OPTIONS.jobs / len(jobs)
    for job in jobs:
        job.command += ["-seed=%d" % seed] + (["-max_total_time=%d" % max(1, seconds)] if seconds else [])


def room_of_test(name):
    """The folders of src/ whose headers a test in C includes, directly or through headers of tests/c; and its own, except
    for the plain programs, which take long."""
    path = c_tests()[name]
    seen, todo, rooms = set(), [path], {path.split("/")[2]} if name.startswith("test_") else set()
    while todo:
        path = todo.pop()
        if path in seen or not os.path.exists(path):
            continue
        seen.add(path)
        for include in re.findall(r'#\s*include\s+"([^"]+)"', words(path)):
            room = re.match(r"(?:\.\./)*(\w+)/.*\.h$", include)
            if room and os.path.isdir("src/" + room.group(1)):
                rooms.add(room.group(1))
            todo.append(os.path.normpath(os.path.join(os.path.dirname(path), include)))
    return rooms


def all_jobs(mode, part):
    runtimes = [OPTIONS.runtime] if OPTIONS.runtime else RUNTIMES
    layouts = [OPTIONS.layout] if OPTIONS.layout else ["raw", "api"]
    files = sorted(lua_tests())
    fuzz = names_of("fuzz/*.c", "drive")
    if mode == "fuzz":
        return [fuzz_job(mode, n) for n in fuzz]
    jobs = []
    if mode != "tsan":
        jobs += [lua_job(mode, r, layout, f) for r in runtimes for layout in layouts for f in files
                 if OPTIONS.filters or not (r != (OPTIONS.runtime or ONE_RUNTIME) and runs_in(f, "Lua")
                                            or layout != layouts[0] and runs_in(f, "layout"))]
    if mode in ("plain", "dev", "asan") and part != "quick":
        jobs += [lua_job(mode, r, layout, "long") for r in runtimes for layout in layouts]
    for name in sorted(c_tests()):
        if mode == "tsan" and not name.startswith("threads"):
            continue
        variants = runtimes if uses_lua(c_tests()[name]) else ["simd", "swar"] if mode in ("plain", "dev") else ["simd"]
        jobs += [c_job(mode, name, v) for v in variants]
        if mode == "plain" and part != "quick" and has_long_run(name):
            jobs += [c_job(mode, name, v, True) for v in variants]
    if mode in ("plain", "asan", "dev"):
        jobs += [fuzz_job(mode, n) for n in fuzz]
    if mode not in ("plain", "dev"):
        return jobs
    jobs += [Job("check/" + n, ["bash", "tests/check/%s.sh" % n], quick=n in QUICK_CHECKS)
             for n in names_of("tests/check/*.sh")]
    jobs += [Job("cli/" + n, ["python3", "tests/cli/%s.py" % n], quick=True) for n in names_of("tests/cli/*.py", "common")]
    if OPTIONS.runtime:
        return jobs
    jobs += [Job("cli/shells", ["python3", "tests/cli/cli.py", "--shells"])]
    jobs += [Job("%s/%s" % (room, n), ["python3", "tests/%s/%s.py" % (room, n)])
             for room in ("proof", "model", "peers", "hosts") for n in names_of("tests/%s/*.py" % room, "common")
             if room != "model" or n.startswith("test_")]
    if part == "hosts" or OPTIONS.filters:
        jobs += [Job("hosts/large/" + n, ["python3", "tests/hosts/large/%s.py" % n], part="hosts",
                     PYTHONPATH=ROOT + "/tests/hosts") for n in names_of("tests/hosts/large/*.py")]
    for core in sorted(map(os.path.basename, glob.glob("build/runtimes/*-assert") + glob.glob("build/runtimes/*-tarantool"))):
        jobs += [lua_job(mode, core, y, f) for y in layouts[:1 + ("tarantool" in core)] for f in files if not runs_in(f, "Lua")]
    platforms = PLATFORMS + (["armhf"] if os.environ.get("FLEECE_TEST_PLATFORM") else [])
    jobs += [Job("platform/" + p, ["bash", "tests/platform/run.sh", p], LUAUNIT=lua_unit()) for p in platforms]
    jobs += [Job("mismatch/run", ["bash", "tests/mismatch/run.sh"])]
    return jobs


def picked(jobs, text):
    """The jobs that a filter selects: test_decode is only that file, without test_decode_gc."""
    exact = [j for j in jobs if j.name == text or text in re.split("[/@]", j.name) or text in j.name.split("/")]
    return exact or [j for j in jobs if text in j.name]


def shortened(what, names):
    """A few of the names in one line."""
    more = ", and %d more" % (len(names) - 8) if len(names) > 8 else ""
    return "%s: %s%s" % (what, ", ".join(names[:8]), more) if names else ""


def in_room(job, room):
    """Does a job test this folder of src/?"""
    kind = job.name.split("/")[0]
    if kind == "c":
        return room in room_of_test(re.match(r"c/(\w+)@", job.name).group(1)) and "@swar" not in job.name
    if kind != "lua" or room not in ROOM_TESTS or job.name.endswith("/long"):
        return False
    return lua_tests()[job.name.rsplit("/", 1)[1]].startswith(ROOM_TESTS[room])


# ---- running one ----------------------------------------------------------------------------------------------

def is_vast(job):
    return job.name.startswith(VAST) or (job.program or "").startswith(VAST)


def run_process(job, log):
    env = {k: v for k, v in os.environ.items() if not re.match(r"LUA_(INIT|PATH_|CPATH_)|FLEECE_LAYOUT$|LUA_C?PATH$", k)}
    for key, value in job.env.items():
        if value is not None:
            env[key] = value

    def limits():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with subprocess.Popen(job.command, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, env=env,
                          start_new_session=True,
                          preexec_fn=limits if OPTIONS.mode in ("plain", "dev") and not is_vast(job) else None) as process:
        seconds = min(LONGEST, job.limit or LONGEST)
        stop = threading.Timer(seconds, os.killpg, (process.pid, signal.SIGKILL))
        if OPTIONS.mode != "fuzz":
            stop.start()
        _, status, usage = os.wait4(process.pid, 0)  # unlike wait, it also tells the CPU time
        if stop.is_alive():
            stop.cancel()
        elif seconds < LONGEST:
            job.ended = True
        elif OPTIONS.mode != "fuzz":
            log.write(b"\nnot ok - stopped after %d seconds\n" % LONGEST)
        process.returncode = os.waitstatus_to_exitcode(status)
        job.cpu = usage.ru_utime + usage.ru_stime
        return process.returncode


def run_job(job, progress):
    progress.begin(job)
    start = time.monotonic()
    with open(job.log, "wb") as log:
        if job.skip:
            log.write(("ok - # SKIP %s\n" % job.skip).encode())
            code = 77
        elif job.program and not os.path.exists(job.program):
            log.write(("%s was not built; see %s/programs.log\n" % (job.program, LOGS)).encode())
            code = 1
        else:
            code = run_process(job, log)
    text = words(job.log)
    job.counts = (0, 0, 1) if job.skip else count(job, code, text)
    job.skips = reasons(text) if job.counts[2] else []
    job.unlisted = [r for r in job.skips if not is_listed(r, OPTIONS.part)] + ["no reason"] * (job.counts[2] - len(job.skips))
    if job.unlisted and OPTIONS.mode in ("plain", "dev"):
        job.counts = (job.counts[0], job.counts[1] + len(job.unlisted), job.counts[2] - len(job.unlisted))
    job.seconds = time.monotonic() - start
    progress.end(job, code, text)


class Progress:
    """On a terminal one line that is rewritten; else a line every ten seconds, so that a log stays readable."""

    def __init__(self, total):
        self.total, self.done, self.failed = total, 0, 0
        self.running, self.lock = [], threading.Lock()
        self.start = self.said = time.monotonic()
        self.terminal = sys.stdout.isatty()

    def begin(self, job):
        with self.lock:
            self.running.append(job.name)
            self.say()

    def say(self, now=False):
        elapsed = time.monotonic() - self.start
        line = "%d of %d jobs, %d:%02d, %d failed; now %s" % (
            self.done, self.total, elapsed // 60, elapsed % 60, self.failed, " ".join(self.running) or "done")
        if self.terminal:
            print("\r\x1b[K" + line[:shutil.get_terminal_size().columns - 1], end="", flush=True)
        elif now or time.monotonic() - self.said >= 10:
            self.said = time.monotonic()
            print(line, flush=True)

    def end(self, job, code, text):
        with self.lock:
            self.running.remove(job.name)
            self.done += 1
            self.failed += job.counts[1]
            if job.counts[1]:
                if self.terminal:
                    print("\r\x1b[K", end="")
                print("---- %s failed (exit code %d); the end of %s:" % (job.name, code, job.log))
                print("".join("  | %s\n" % line[:300] for line in text.splitlines()[-40:]), flush=True)


# ---- all of them ----------------------------------------------------------------------------------------------

def build_programs(jobs):
    programs = sorted({j.program for j in jobs if j.program and not j.skip})
    if not programs:
        return
    print("building %d test programs" % len(programs), flush=True)
    with open(LOGS + "/programs.log", "w", encoding="utf-8") as log:
        code = subprocess.run(["make", "--no-print-directory", "-k", "-s", "-j%d" % OPTIONS.jobs] + programs, stdout=log,
                              stderr=subprocess.STDOUT, check=False).returncode
    if code:
        print("\n".join("  | " + line for line in words(LOGS + "/programs.log").splitlines()[-30:]))


def locale():
    """Makes a locale that writes 0.5 as 0,5, which small machines do not have (needs Debian's package locales)."""
    folder = ROOT + "/build/test/locale"
    if not os.path.isdir(folder + "/de_DE.UTF-8") and shutil.which("localedef"):
        os.makedirs(folder, exist_ok=True)
        subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", folder + "/de_DE.UTF-8"], capture_output=True, check=False)
    if os.path.isdir(folder + "/de_DE.UTF-8"):
        os.environ["LOCPATH"] = folder


def soak_jobs():
    """Everything that is random or long: a file of tests/lua at a time, so that the order mixes them."""
    mixed = [f for f in sorted(lua_tests()) if re.search(r"test_\w*(random|long_run)", words(lua_tests()[f]))]
    jobs = [j for j in all_jobs("plain", "soak") if j.part == "soak" and not j.name.startswith("lua/")]
    jobs += [lua_job("plain", r, layout, f, soak=True) for r in RUNTIMES for layout in ("raw", "api") for f in mixed]
    jobs += [fuzz_job("fuzz", n) for n in names_of("fuzz/*.c", "drive")]
    jobs += [Job("check/%s@%s/parts" % (r, cc), ["bash", "tests/check/parts.sh", r], CC=cc, FLEECE_TEST_LONG="1")
             for r in RUNTIMES for cc in ("gcc", "clang")]
    jobs += [Job("platform/" + p, ["bash", "tests/platform/run.sh", p], LUAUNIT=lua_unit(), FLEECE_TEST_PLATFORM="all")
             for p in PLATFORMS + ["armhf"]]
    return [j for j in jobs if OPTIONS.runtime is None or OPTIONS.runtime in re.split("[/@]", j.name)]


def soak(jobs):
    """Runs the jobs in a random order, with a new seed each time, until the time is over. What runs then is ended and
    counts as not run, but failures that it has reported are found."""
    end, ran, found = time.monotonic() + 60 * OPTIONS.minutes, {}, []
    seed = int(os.environ.get("FLEECE_TEST_SEED") or random.SystemRandom().randrange(1, 2 ** 31))
    print("soak: %g minutes, %d jobs, the order is of FLEECE_TEST_SEED=%d" % (OPTIONS.minutes, len(jobs), seed), flush=True)
    order, lock, progress = random.Random(seed), threading.Lock(), Progress(0)
    todo = []

    def worker():
        while time.monotonic() < end:
            with lock:
                if not todo:
                    todo.extend(order.sample(jobs, len(jobs)))
                job = copy.copy(todo.pop())
                progress.total += 1
                job.env = dict(job.env, FLEECE_TEST_SEED=str(order.randrange(1, 2 ** 31)))
                if job.name.startswith("fuzz/"):
                    job.command = job.command[:1] + ["-seed=" + job.env["FLEECE_TEST_SEED"]] + job.command[1:]
                job.log = "%s/%d.%s.log" % (LOGS, progress.total, job.name.replace("/", "."))
            job.limit = end - time.monotonic()
            run_job(job, progress)
            with lock:
                sums = ran.setdefault(job.name if job.group == "fuzz" else job.group.split("@")[0], [0, 0, 0, 0.0])
                for i, n in enumerate((not job.ended, job.counts[0], executions(words(job.log)), job.cpu)):
                    sums[i] += n
                if job.counts[1]:
                    found.append(job)
                else:
                    os.remove(job.log)
    threads = [threading.Thread(target=worker) for _ in range(OPTIONS.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print()
    for kind, (runs, passed, executed, cpu) in sorted(ran.items()):
        print("%-24s %6d runs %8d tests passed %12d inputs fuzzed %6.0f s of CPU" % (kind, runs, passed, executed, cpu))
    for job in found:
        print("found by %s with FLEECE_TEST_SEED=%s, see %s:" % (job.name, job.env["FLEECE_TEST_SEED"], job.log))
        print("\n".join("    " + line for line in first_failures(job)))
    print("%d passed, %d failed" % (sum(n[1] for n in ran.values()), len(found)))
    return 1 if found else 0


def use_ccache():
    """Checks that build the library in several ways compile the same source with the same flags: once is enough."""
    if os.path.isdir("/usr/lib/ccache") and shutil.which("ccache"):
        os.environ.update(PATH="/usr/lib/ccache:" + os.environ["PATH"], CCACHE_DIR=ROOT + "/build/ccache", CCACHE_NOHASHDIR="1")


def times_of_last_run():
    try:
        return json.loads(words("build/test/times.json"))
    except (OSError, ValueError):
        return {}


def arguments():
    parser = argparse.ArgumentParser(usage=__doc__, add_help=False)
    parser.add_argument("--part", choices=["quick", "rest", "all", "hosts", "soak"], default="all")
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--mode", choices=["plain", "dev", "asan", "tsan", "valgrind", "fuzz"], default="plain")
    parser.add_argument("--runtime", choices=RUNTIMES)
    parser.add_argument("--layout", choices=["raw", "api"])
    parser.add_argument("--room")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=int(os.environ.get("JOBS") or os.cpu_count() or 2))
    parser.add_argument("-h", "--help", action="store_true")
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    if options.help:
        print(__doc__)
        sys.exit(0)
    return options


def main():
    os.chdir(ROOT)
    os.environ["LC_ALL"] = "C"
    os.environ["FLEECE_TEST_SHELLS"] = "1" if OPTIONS.part != "quick" else ""
    jobs = soak_jobs() if OPTIONS.part == "soak" else [
        j for j in all_jobs(OPTIONS.mode, OPTIONS.part)
        if (j.part == OPTIONS.part or OPTIONS.part == "all" and (OPTIONS.filters or j.part in ("quick", "rest")))
        and (not OPTIONS.room or in_room(j, OPTIONS.room))]
    if OPTIONS.filters:
        wanted = {j.name for f in OPTIONS.filters for j in picked(jobs, f)}
        others = sorted({j.name.split("/")[-1] for f in OPTIONS.filters for j in jobs if f in j.name and j.name not in wanted})
        jobs = [j for j in jobs if j.name in wanted]
        if not OPTIONS.list:
            print(shortened("chosen", [j.name for j in jobs]) + shortened("; not", others if len(jobs) < 8 else []))
    if OPTIONS.list:
        print("\n".join(j.name for j in jobs))
        return 0
    if not jobs:
        print("no job has such a name; tests/run.py --list shows them\n0 passed, 0 failed, 0 skipped")
        return 1
    if OPTIONS.mode == "fuzz":
        begin_fuzz(jobs)
    for old in glob.glob("build/test/[0-9]*"):
        if not os.path.exists("/proc/" + os.path.basename(old)):
            shutil.rmtree(old, ignore_errors=True)
    os.makedirs(LOGS)
    locale()
    times = times_of_last_run()
    use_ccache()
    build_programs(jobs)
    if OPTIONS.part == "soak":
        return soak([j for j in jobs if not j.skip])
    jobs.sort(key=lambda j: -times.get(j.name, 600 if j.name.count("/") < 2 or j.name.endswith("/long") else 1))  # the longest first
    progress = Progress(len(jobs))
    if all(j.name in times for j in jobs):
        expected = sum(times[j.name] for j in jobs) / OPTIONS.jobs
        print("%d jobs, about %d:%02d as the last time" % (len(jobs), expected // 60, expected % 60), flush=True)
    else:
        print("%d jobs" % len(jobs), flush=True)
    with concurrent.futures.ThreadPoolExecutor(OPTIONS.jobs) as pool:
        list(pool.map(lambda j: run_job(j, progress), jobs))
    progress.say(now=True)
    times.update((j.name, round(j.seconds, 2)) for j in jobs if not j.skip)
    with open("build/test/times.json", "w", encoding="utf-8") as f:
        json.dump(times, f)
    jobs.sort(key=lambda j: j.name)
    return 0 if summary(jobs, OPTIONS.mode) else 1


if __name__ == "__main__":
    OPTIONS = arguments()
    sys.exit(main())
