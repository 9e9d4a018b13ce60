#!/usr/bin/env bash
# dist.sh -- the release of `make dist`: the same bytes wherever it is made, and what is in it builds and installs. It
# has caught nothing so far; it is the only one that builds from a release.
. "$(dirname "$0")/support/lib.sh"
if ! command -v git >/dev/null || ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then
  skipped "make dist" "no checkout: no git checkout"; exit 0
fi
find_lua
v=${found#lua}
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH LUA_INIT
problem() { "$@" >"$tmp/log" 2>&1 || tail -n 5 "$tmp/log"; }
# Is the module in that folder of this version?
installed() {
  (cd / && LUA_CPATH="$1/?.so" "$lua" -e 'local f = require "fleece" print(f.json {1, 2} .. f._VERSION)' 2>&1) |
    diff <(echo "$wanted") -
}

# Once here, once from a copy in another folder, by someone with other settings. What is not committed must not matter.
said=$(problem tools/dist.py "$tmp/one")
[ -n "$said" ] || said=$(problem git clone -q --shared . "$tmp/clone")
[ -n "$said" ] || said=$(cd "$tmp/clone" && umask 077 && echo changed >>README.md && touch new &&
  TZ=Asia/Tokyo LC_ALL=C HOME=$tmp GIT_AUTHOR_DATE=2001-01-01T00:00:00 problem tools/dist.py "$tmp/two")
[ -n "$said" ] || said=$(diff -r "$tmp/one" "$tmp/two")
verdict "two runs of make dist give the same bytes" "$said"
verdict "the sums are those of the files" "$(cd "$tmp/one" && problem python3 -c 'import hashlib
for line in open("SHA256SUMS"):
    want, name = line.split()
    assert hashlib.sha256(open(name, "rb").read()).hexdigest() == want, name')"
archive=$(cd "$tmp/one" && echo fleece-*.tar.gz) name=${archive%.tar.gz}
verdict "the archive is one folder with a file for each of git's" \
  "$(tar tzf "$tmp/one/$archive" | sed -n "s|^$name/\(.*[^/]\)$|\1|p" | sort |
    diff <(git ls-tree -r --name-only HEAD | sort) -)"
verdict "files belong to root, nobody else may write them" \
  "$(tar tvzf "$tmp/one/$archive" --numeric-owner |
    awk '$2 != "0/0" || $1 ~ /^.....w/ || $1 ~ /^........w/' | head -n 3)"

# Commands that work only when Fleece is published say so.
verdict "commands that need publication are marked in the documents" "$(awk '
  FNR == 1 { code = 0; note = "" }
  /^```/ { code = !code; if (!code) note = ""; next }
  !code && /^<!--/ { note = $0 }
  !code && !/^<!--/ && NF { note = "" }
  /luarocks install [^ ]*fleece|(apt|apt-get|dnf|yum|zypper) install .*fleece|apk add .*fleece|brew install .*fleece/ &&
    !(code && note ~ /not published yet/) { print FILENAME ": " $0 }' README.md docs/*.md docs/*/*.md)"

if [ -z "$found" ]; then skipped "the archive builds and installs" "not installed: no Lua with headers"; exit 0; fi
tar xzf "$tmp/one/$archive" -C "$tmp" && mv "$tmp/$name" "$tmp/tree"
wanted="[1,2]$(sed -n 's/^#define FLEECE_VERSION "\(.*\)"/\1/p' "$tmp/tree/src/module/version.h")"
said=$(problem make -C "$tmp/tree" LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" CFLAGS=-O0)
[ -n "$said" ] || said=$(problem make -C "$tmp/tree" install LUA_VERSION="$v" LUA_INCLUDE_DIR="$inc" CFLAGS=-O0 \
  PREFIX=/usr DESTDIR="$tmp/at")
[ -n "$said" ] || said=$(installed "$tmp/at/usr/lib/lua/$v")
verdict "the archive builds and installs" "$said"

if ! command -v luarocks >/dev/null 2>&1 || ! command -v unzip >/dev/null; then
  skipped "LuaRocks takes the release" "not installed: luarocks or unzip"; exit 0
fi
rocks() {
  problem env http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9 \
    luarocks --lua-version "$v" --tree "$tmp/$1" "${@:2}"
}
said=$(problem luarocks --lua-version "$v" lint "$tmp/one/$name-1.rockspec")
verdict "the rockspec is what LuaRocks asks for" "$said"
rm -f "$tmp/tree/fleece.so"
said=$(cd "$tmp/tree" && rocks made make "$tmp/one/$name-1.rockspec" CFLAGS=-O0)
[ -n "$said" ] || said=$(installed "$tmp/made/lib/lua/$v")
verdict "luarocks make with the rockspec, in the unpacked archive" "$said"
# As a server has it: the command of the documents.
mkdir "$tmp/server" && cp "$tmp/one/$name-1.src.rock" "$tmp/server"
command=$(sed -n 's/^luarocks \(install fleece\)$/\1/p' docs/packages.md)
said=$(problem luarocks-admin --lua-version "$v" make_manifest "$tmp/server")
# shellcheck disable=SC2086  # two words
[ -n "$said" ] || said=$(rocks installed --only-server="$tmp/server" $command CFLAGS=-O0)
[ -n "$said" ] || said=$(installed "$tmp/installed/lib/lua/$v")
verdict "luarocks install of the rock, from a server of its own" "$said"
verdict "LuaRocks knows it by name and version" \
  "$(luarocks --lua-version "$v" --tree "$tmp/installed" list --porcelain | cut -f1,2 |
    diff <(printf 'fleece\t%s-1\n' "${name#fleece-}") -)"
