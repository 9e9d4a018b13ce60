#!/usr/bin/env python3
"""dist.py -- writes a release of the commit HEAD into build/dist, or into the folder that is given: `make dist`.

    fleece-1.1.0.tar.gz         what git has, below fleece-1.1.0/
    fleece-1.1.0-1.rockspec     fleece-scm-1.rockspec with the version and the addresses of tools/release.txt
    fleece-1.1.0-1.src.rock     both of them, as `luarocks install` takes it without a network
    lua-fleece.spec, APKBUILD, conan/, vcpkg/   packaging/ with the version, the addresses and the sum of the archive
    SHA256SUMS

The same commit gives the same bytes: owners, modes, times and the order of files do not depend on who runs it or when.
"""
import gzip
import hashlib
import io
import os
import re
import subprocess
import sys
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def git(*arguments):
    settings = ["-c", "tar.umask=0022", "-c", "core.autocrlf=false"]
    run = subprocess.run(["git", "-C", ROOT, *settings, *arguments], capture_output=True,
                         env=dict(os.environ, LC_ALL="C"))
    if run.returncode:
        sys.exit("dist.py: a release is made from a checkout with git: " + run.stderr.decode().strip())
    return run.stdout


def committed(path):
    return git("show", "HEAD:" + path).decode()


def compressed(data):
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=out, mtime=0) as f:
        f.write(data)
    return out.getvalue()


def replaced(text, old, new):
    if text.count(old) != 1:
        sys.exit("dist.py: not once in fleece-scm-1.rockspec: " + old)
    return text.replace(old, new)


def addresses():
    return dict(re.findall(r"^(\w+) +(.+)$", committed("tools/release.txt"), re.M))


def recipe(path, version, tarball):
    """A file of packaging/, in which @name@ stands for what a release knows."""
    date = git("log", "-1", "--format=%cd", "--date=format:%a %b %d %Y", "HEAD").decode().strip()
    known = dict(addresses(), version=version, date=date, sha256=hashlib.sha256(tarball).hexdigest(),
                 sha512=hashlib.sha512(tarball).hexdigest())
    return re.sub(r"@([a-z0-9]+)@", lambda name: known[name.group(1)], committed("packaging/" + path)).encode()


def rockspec(version, tarball):
    address = addresses()
    text = replaced(committed("fleece-scm-1.rockspec"), '"scm-1"', '"%s-1"' % version)
    source = 'source = {\n  url = "%s/fleece-%s.tar.gz",\n  md5 = "%s",\n}'
    text = replaced(text, 'source = { url = "git+file://." }',
                    source % (address["download"], version, hashlib.md5(tarball).hexdigest()))
    return replaced(text, '  license = "MIT",\n', '  license = "MIT",\n  homepage = "%s",\n  issues_url = "%s",\n'
                    % (address["homepage"], address["issues"]))


def rock(files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "dist")
    version = re.search(r'#define FLEECE_VERSION "(.*)"', committed("src/module/version.h")).group(1)
    name = "fleece-" + version
    tarball = compressed(git("archive", "--format=tar", "--prefix=%s/" % name, "HEAD"))
    files = {name + ".tar.gz": tarball, name + "-1.rockspec": rockspec(version, tarball).encode()}
    files[name + "-1.src.rock"] = rock(files)
    for path in git("ls-tree", "-r", "--name-only", "HEAD:packaging").decode().split():
        files[path] = recipe(path, version, tarball)
    files["conan/test_package/program.c"] = committed("examples/embed/binary.c").encode()
    sums = ["%s  %s\n" % (hashlib.sha256(data).hexdigest(), name) for name, data in sorted(files.items())]
    files["SHA256SUMS"] = "".join(sums).encode()
    for name, data in files.items():
        os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
        print(os.path.join(folder, name))
    if git("status", "--porcelain", "--untracked-files=no"):
        print("dist.py: changes that are not committed are not in it", file=sys.stderr)


if __name__ == "__main__":
    main()
