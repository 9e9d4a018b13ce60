# SPDX-License-Identifier: MIT
"""results.py -- what the logs of jobs say: counts of tests, reasons of skips, failures; and the summary of a run."""
import fnmatch
import os
import re
import subprocess

# Why a test may be skipped: each reason begins with one of these words and a colon.
SKIPS = {
    "long": "a part of the long run, which test-all and the soak run",
    "this Lua": "this Lua lacks what is tested, or the library to compare with does not exist for it",
    "this build": "a part was left out (FLEECE_PARTS)",
    "this system": "this kernel, CPU, user or compiler lacks what is tested",
    "not packaged": "needs a program or library that tools/install.sh cannot install here",
    "not installed": "needs a package that tools/install.sh installs; a failure where it has done so",
    "no data": "needs the shared documents: FLEECE_DATA is not set",
    "no checkout": "needs the git checkout, or the top of the repository",
}
PART_NEEDS = {"quick": "test", "rest": "test-all", "all": "test-all", "hosts": "hosts", "soak": "soak"}  # sets of tools/install.sh


def words(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def count_lua_unit(text):
    """(passed, failed, skipped) from LuaUnit's last line, or None."""
    line = re.findall(r"^Ran \d+ tests? in .*", text, re.M)
    if not line:
        return None
    of = {kind: int(n) for n, kind in re.findall(r"(\d+) (success|failure|error|skipped)", line[-1])}
    return of.get("success", 0), of.get("failure", 0) + of.get("error", 0), of.get("skipped", 0)


def count_tap(text):
    good = re.findall(r"^ok\b.*", text, re.M)
    bad = re.findall(r"^not ok\b.*", text, re.M)
    if not good and not bad:
        return None
    skipped = [line for line in good + bad if re.search(r"# *(skip|todo)", line, re.I)]
    failed = [line for line in bad if line not in skipped]
    planned = sum(int(n) for n in re.findall(r"^1\.\.(\d+)", text, re.M))
    missing = max(0, planned - len(good) - len(bad))  # announced but not reported
    return len(good) - sum(1 for line in good if line in skipped), len(failed) + missing, len(skipped)


def count(job, code, text):
    """A bad exit code counts as one failure (a crash or a leak), unless failed tests explain it. Of a job that was ended
    the tests count that it has reported."""
    if job.ended:
        return count_tap(re.sub(r"^1\.\.\d+", "", text, flags=re.M)) or (0, 0, 0)
    counts = count_lua_unit(text) if job.name.startswith("lua/") else count_tap(text)
    if counts is None:
        if code == 77:
            return 0, 0, 1
        return (1, 0, 0) if code == 0 and not job.name.startswith("lua/") else (0, 1, 0)
    passed, failed, skipped = counts
    return passed, failed or int(code != 0), skipped


def reasons(text):
    """Why tests were skipped: of each SKIP in the log of a job what follows it."""
    return re.findall(r"^(?:ok\b.*# SKIP|(?:# )?SKIPPED:) *(\S.*:.*)", text, re.M)


def is_listed(reason, part):
    """Does it begin with a word of SKIPS? A package that tools/install.sh has installed cannot be missing."""
    word = reason.split(":")[0]
    return word in SKIPS and not (word == "not installed" and os.path.exists("build/installed/" + PART_NEEDS[part]))


def is_costly(job):
    """Does tests/costly.txt say why this job takes more than a minute of CPU?"""
    return any(fnmatch.fnmatch(job.name, line.split(": ")[0]) for line in words("tests/costly.txt").splitlines())


def first_failures(job, most=12):
    """A few lines about failures and their reasons, because of a long log often only the end is kept."""
    found = re.findall(r"^\d+\) .*\n.*|^not ok(?!.*# *(?:TODO|SKIP)).*\n?.*|.*ERROR: (?:Address|Leak|Thread|libFuzzer).*|.*Test unit written.*|"
                       r".*runtime error:.*",
                       words(job.log), re.M)
    return [line[:300] for block in found for line in block.splitlines()][:most]


def executions(text):
    """The inputs that libFuzzer has run, by its own statistics."""
    return sum(int(n) for n in re.findall(r"stat::number_of_executed_units: *(\d+)", text))


def save_fuzzing(jobs):
    """Records a run of the fuzz targets for docs/about/security.md, where `make figures` puts it."""
    def said(*command):
        return subprocess.run(command, capture_output=True, text=True).stdout.strip()

    with open("bench/results/fuzz.md", "w", encoding="utf-8") as f:
        f.write("| target | inputs | CPU minutes | found |\n|---|--:|--:|--:|\n")
        for job in jobs:
            f.write("| `%s` | %d | %.1f | %d |\n" % (job.name, executions(words(job.log)), job.cpu / 60, job.counts[1]))
        f.write("\n`make fuzz SAVE=1`, with address and undefined-behaviour sanitizers; commit %s, %s.\n" % (
            said("git", "rev-parse", "--short=8", "HEAD"), said("date", "-u", "+%Y-%m-%d")))


def summary(jobs, mode):
    groups = {}
    for job in jobs:
        g = groups.setdefault(job.group, [0, 0, 0, 0.0, 0.0])
        for i, n in enumerate(job.counts + (job.seconds, job.cpu)):
            g[i] += n
    print()
    for job in jobs if mode == "fuzz" else ():
        runs = executions(words(job.log))
        print("%-24s %12d inputs fuzzed %8.0f a second of CPU" % (job.name, runs, runs / max(job.cpu, 0.01)))
    if mode == "fuzz" and os.environ.get("SAVE"):
        save_fuzzing(jobs)
    for name, (passed, failed, skipped, seconds, cpu) in groups.items():
        print("%-24s %6d passed %4d failed %4d skipped %6.0f s %6.0f s of CPU" % (name, passed, failed, skipped, seconds, cpu))
    print("\nThe slowest jobs: seconds, seconds of CPU")
    for job in sorted(jobs, key=lambda j: -j.cpu)[:20]:
        note = "" if job.cpu <= 60 or is_costly(job) else "  (not explained in tests/costly.txt)"
        print("  %6.1f %6.1f  %s%s" % (job.seconds, job.cpu, job.name, note))
    skipped = {}
    for reason in (r for job in jobs for r in job.skips):
        skipped.setdefault(reason.split(":")[0], []).append(reason)
    for word, said in sorted(skipped.items()):
        print("skipped, %d times, %s: %s" % (len(said), word, SKIPS.get(word, "no listed reason: " + said[0])))
    failed_jobs = [job for job in jobs if job.counts[1]]
    if failed_jobs:
        print("\nfailed in:")
    for job in failed_jobs:
        print("  %s (%d)" % (job.name, job.counts[1]))
        for reason in job.unlisted:
            print("    skipped without a reason that is listed: " + reason)
        print("\n".join("    " + line for line in first_failures(job)))
        print("    again: make test ONLY=%s%s" % (job.name, "" if mode == "plain" else " BUILD=" + mode))
    print("%d passed, %d failed, %d skipped" % tuple(sum(job.counts[i] for job in jobs) for i in range(3)))
    return not failed_jobs
