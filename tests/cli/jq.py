# SPDX-License-Identifier: MIT
# jq.py -- the pairs of commands of docs/jq.md: both print what the page shows. Without jq only fleece is tested.

import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from program import ENV, ROOT, check, finish, same, skip  # noqa: E402

blocks = re.findall(r"```console\n(.*?)```", open(ROOT + "/docs/jq.md").read(), re.S)
files, pairs = blocks[0], blocks[1:]


def say(folder, command):
    r = subprocess.run(["sh", "-c", command], env=ENV, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return r.stdout.decode(), r.returncode


for folder in ("fleece", "jq"):
    os.mkdir(folder)
    same("the files for " + folder, say(folder, re.sub(r"(?m)^[$>] ", "", files)), ("", 0))
for block in pairs:
    commands = re.match(r"\$ (jq [^\n]*)\n\$ (fleece [^\n]*)\n", block)
    check("a pair: " + block.split("\n")[0], commands)
    printed = block[commands.end():]
    same(commands.group(2), say("fleece", commands.group(2)), (printed, 0))
    if shutil.which("jq"):
        same(commands.group(1), say("jq", commands.group(1)), (printed, 0))
if not shutil.which("jq"):
    skip("the commands of jq", "not installed: jq")
check("there are thirty pairs", len(pairs) >= 30, len(pairs))

os.chdir(ROOT)
finish()
