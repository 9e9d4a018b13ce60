#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""times.py -- runs the commands of the table in CONTRIBUTING.md and writes there how long each took: `make times`.

Usage: tools/times.py [COMMAND ...]   only these rows, by their text, such as "make test"

The table stands between "<!-- times -->" and "<!-- end of times -->"; a row is | question | `command` | time |. A question
that begins with "after an edit" is asked after src/encode/face/encode.c was touched. The time of a command that fails is
not written.
"""
import datetime
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE, BEGIN, END = "CONTRIBUTING.md", "<!-- times -->", "<!-- end of times -->"


def in_words(seconds):
    return "%d:%02d min" % divmod(round(seconds), 60) if seconds >= 60 else "%.0f s" % max(seconds, 1)


def measured(question, command):
    """The seconds that a command takes, or None."""
    if question.startswith("after an edit"):
        subprocess.run(command, shell=True, stdout=subprocess.DEVNULL, check=False)
        os.utime("src/encode/face/encode.c")
    print("== " + command, flush=True)
    begin = time.monotonic()
    code = subprocess.run(command, shell=True, stdin=subprocess.DEVNULL, check=False).returncode
    return time.monotonic() - begin if code == 0 else print("times.py: %s fails; its row stays" % command)


def main():
    os.chdir(ROOT)
    with open(PAGE, encoding="utf-8") as f:
        before, table, after = re.split("%s|%s" % (BEGIN, END), f.read())
    rows, failed = table.split("\n"), 0
    for i, row in enumerate(rows):
        cells = re.match(r"\| (.*) \| `(.*)` \| .* \|$", row)
        if not cells or sys.argv[1:] and cells.group(2) not in sys.argv[1:]:
            continue
        seconds = measured(*cells.groups())
        failed += seconds is None
        if seconds is not None:
            rows[i] = "| %s | `%s` | %s |" % (cells.groups() + (in_words(seconds),))
    said = "Measured on %s with %d cores by `make times`." % (datetime.date.today(), os.cpu_count())
    rows = [said if re.match(r"(Measured|Seen) on .*`make times`", row) else row for row in rows]
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + BEGIN + "\n".join(rows) + END + after)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
