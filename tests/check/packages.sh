#!/usr/bin/env bash
# packages.sh -- what packagers read agrees with the sources; the packages for Debian, RPM and Alpine are built from a
# release, checked by their lint programs, and used; the workflows are what GitHub takes. What it has caught: a module
# that the rockspec did not install (bd519a9b).
. "$(dirname "$0")/support/lib.sh"
wrong=
while read -r f; do
  name=fleece.${f%.lua} name=${name//\//.}
  grep -q "\[\"$name\"\] = \"$f\"" fleece-scm-1.rockspec || wrong="$wrong$f is not in the rockspec as $name"$'\n'
done < <(find compat -name '*.lua' | sort)
verdict "the rockspec has all of compat/" "${wrong%$'\n'}"

wrong=
while read -r f; do
  name=${f#lua/} name=${name%.lua} name=${name//\//.}
  grep -q "\[\"$name\"\] = \"$f\"" fleece-scm-1.rockspec || wrong="$wrong$f is not in the rockspec as $name"$'\n'
done < <(find lua -name '*.lua' | sort)
verdict "the rockspec has all of lua/" "${wrong%$'\n'}"

# Debian: yamllint; actionlint comes from its authors.
for lint in yamllint actionlint; do
  case $lint in yamllint) word="not installed" ;; *) word="not packaged" ;; esac
  if ! command -v $lint >/dev/null; then skipped "the workflows please $lint" "$word: $lint"; continue; fi
  case $lint in
    yamllint) said=$(yamllint -d '{extends: default, rules: {line-length: {max: 120}}}' .github/workflows 2>&1) ;;
    actionlint) said=$(actionlint .github/workflows/*.yml 2>&1) ;;
  esac
  verdict "the workflows please $lint" "$said"
done

# ---- packages, from a release
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS LUA_PATH LUA_CPATH LUA_INIT
problem() { nice "$@" >"$tmp/log" 2>&1 || { tail -n 8 "$tmp/log"; echo "exit code not 0"; }; }
names="the packages of Debian, RPM and Alpine"
if ! git rev-parse --verify -q HEAD >/dev/null 2>&1; then skipped "$names" "no checkout: no git checkout"; exit 0; fi
said=$(problem tools/dist.py "$tmp/dist")
verdict "tools/dist.py fills in the recipes" "$said$(grep -rnE '@[a-z0-9]+@' "$tmp/dist" --include=APKBUILD --include=*.spec --include=conanfile.py --include=portfile.cmake --include=vcpkg.json)"
[ -z "$said" ] || exit 0
archive=$(cd "$tmp/dist" && echo fleece-*.tar.gz) version=
version=${archive#fleece-} version=${version%.tar.gz}
# Does the Lua module in that folder work, and the program?
used() { (cd tests/hosts && LUA_CPATH="$1/?.so" lua5.4 run_use.lua 2>&1 | grep -v '"wrong":\[\]'); }

name="RPM: lua-fleece and fleece are built"
if ! command -v rpmbuild >/dev/null || ! [ -f /usr/include/lua5.4/lua.h ]; then skipped "$name" "not installed: rpmbuild or Lua 5.4 (Debian: rpm)"
else
  # --nodeps: Debian's packages are not known to rpm. Debian's folders for Lua are others.
  said=$(problem rpmbuild -ba --nodeps --define "_topdir $tmp/rpm" --define "_sourcedir $tmp/dist" --define "lua_version 5.4" \
    --define "lua_include /usr/include/lua5.4" --define "lua_interpreter lua5.4" --define "optflags -O0" \
    --define "debug_package %{nil}" "$tmp/dist/lua-fleece.spec")
  verdict "$name" "$said"
  if [ -z "$said" ]; then
    mkdir "$tmp/rpm/root"
    for f in "$tmp"/rpm/RPMS/*/*.rpm; do rpm2cpio "$f" | (cd "$tmp/rpm/root" && cpio -idm --quiet); done
    verdict "RPM: what is in the packages works" "$(used "$tmp/rpm/root/usr/lib64/lua/5.4")$(
      LUA_CPATH="$tmp/rpm/root/usr/lib64/lua/5.4/?.so;;" LUA_PATH="$tmp/rpm/root/usr/share/lua/5.4/?.lua;;" \
        lua5.4 "$tmp/rpm/root/usr/bin/fleece" --version 2>&1 | diff <(echo "fleece $version") -)"
    if ! command -v rpmlint >/dev/null; then skipped "RPM: rpmlint" "not installed: rpmlint"
    else
      # Who builds for a distribution signs and names the packager; groups and the build root are of old RPM; Debian's
      # rpm neither strips nor compresses; its rpmlint knows only the licences that its configuration lists.
      verdict "RPM: rpmlint" "$(rpmlint "$tmp"/rpm/RPMS/*/*.rpm "$tmp"/rpm/SRPMS/*.rpm "$tmp/dist/lua-fleece.spec" 2>&1 |
        grep -E ': [EW]: ' | grep -vE ' (no-signature|no-packager-tag|no-group-tag|no-buildroot-tag|invalid-license MIT)$' |
        grep -vE ' (unstripped-binary-or-object|manpage-not-compressed|no-manual-page-for-binary) ?')"
    fi
  fi
fi

# abuild exists on Alpine only: its steps are run here by a shell of the same kind, for one Lua.
name="Alpine: the functions of APKBUILD build, check and package"
if ! command -v dash >/dev/null || ! [ -f /usr/include/lua5.4/lua.h ]; then skipped "$name" "not installed: dash or Lua 5.4"
else
  mkdir -p "$tmp/alpine/src" "$tmp/alpine/pkg"
  sed 's/^_luas=.*/_luas="5.4"/' "$tmp/dist/APKBUILD" >"$tmp/alpine/APKBUILD"
  cat >"$tmp/alpine/steps" <<'SH'
set -eu
cd "$1"
srcdir=$1/src pkgdir=$1/pkg
. ./APKBUILD
echo "$sha512sums" | grep . | (cd ../dist && sha512sum -c --quiet -)
tar xzf ../dist/fleece-*.tar.gz -C src
amove() { for f; do mkdir -p "$subpkgdir/$(dirname "$f")"; mv "$pkgdir/$f" "$subpkgdir/$f"; done; }
for step in build check package; do (cd "$builddir" && $step); done
for s in $subpackages; do
  case $s in *-doc) continue ;; esac
  subpkgname=${s%%:*} subpkgdir=$1/${s%%:*} s=${s#*:}
  mkdir -p "$subpkgdir"
  (cd "$builddir" && ${s%%:*})
done
SH
  said=$(problem env CFLAGS=-O0 dash "$tmp/alpine/steps" "$tmp/alpine")
  verdict "$name" "$said"
  [ -n "$said" ] || verdict "Alpine: each file is in its package" "$(used "$tmp/alpine/lua5.4-fleece/usr/lib/lua/5.4")$(
    [ -x "$tmp/alpine/fleece/usr/bin/fleece" ] || echo "no program"
    find "$tmp/alpine/pkg" -type f | grep -v '/share/man/')"
  command -v shellcheck >/dev/null &&
    verdict "Alpine: shellcheck" "$(shellcheck -s dash -f gcc -e SC2034,SC2154 packaging/APKBUILD)"
fi

name="Conan: the recipe builds the library, and a program that uses it"
conan=$PWD/build/conan/bin/conan
if ! [ -x "$conan" ] || ! command -v cmake >/dev/null; then skipped "$name" "not installed: conan or cmake"
else
  sed -i.old "s|https://[^/]*/download/|file://$tmp/dist/|" "$tmp/dist/conan/conanfile.py"
  export CONAN_HOME=$tmp/conan
  said=$(problem "$conan" profile detect)
  [ -n "$said" ] || said=$(problem "$conan" create "$tmp/dist/conan" -s build_type=Debug)
  [ -n "$said" ] || said=$(grep -q '^the last one is Alan$' "$tmp/log" || tail -n 8 "$tmp/log")
  verdict "$name" "$said"
fi

name="Debian: the packages are built"
if ! command -v dpkg-buildpackage >/dev/null || ! dpkg -s dh-lua debhelper >/dev/null 2>&1; then
  skipped "$name" "not installed: dh-lua or debhelper"; exit 0
fi
# For the oldest and the newest Lua, without optimization and dh-lua's own tests: a quarter of the time. The workflow
# builds all as they are published.
mkdir "$tmp/debian" && tar xzf "$tmp/dist/$archive" -C "$tmp/debian" && rm "$tmp"/debian/*/debian/lua5.[23].dh-lua.conf
said=$(cd "$tmp/debian/fleece-$version" && DEB_BUILD_OPTIONS="noopt nocheck noautodbgsym" DEB_CFLAGS_APPEND=-g0 \
  problem dpkg-buildpackage -us -uc)
verdict "$name" "$said"
[ -z "$said" ] || exit 0
if ! command -v lintian >/dev/null; then skipped "Debian: lintian" "not installed: lintian"
else verdict "Debian: lintian" "$(lintian --allow-root --fail-on error,warning "$tmp"/debian/*.changes 2>&1)"
fi

# Installed in a copy of this system that takes no change of it: a layer over it that is gone with the process.
name="Debian: installed, used and removed"
mkdir "$tmp/layer"
cat >"$tmp/install" <<'SH'
set -eu
mount -t tmpfs tmpfs "$1/layer"
mkdir "$1/layer/upper" "$1/layer/work" "$1/layer/root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$1/layer/upper,workdir=$1/layer/work" "$1/layer/root"
[ "${2:-}" != try ] || exit 0
mkdir "$1/layer/root/fleece"
cp "$1"/debian/*.deb "$1/layer/root/fleece"
cp -r debian tests "$1/layer/root/fleece"
exec chroot "$1/layer/root" sh -euc '
  cd /fleece
  dpkg -i ./*.deb
  LUAS="lua5.1 lua5.4 luajit" debian/tests/use /fleece
  [ "$(echo "[1, 2]" | fleece min)" = "[1,2]" ]
  dpkg -P fleece lua-fleece-dev lua-fleece
  ! find /usr/bin /usr/lib /usr/share -path "*lua*" -name "*fleece*" -type f | grep .'
SH
if [ "$(id -u)" != 0 ] || ! unshare -m bash "$tmp/install" "$tmp" try >/dev/null 2>&1; then
  skipped "$name" "this system: this needs root, and a kernel that lets it mount"
else verdict "$name" "$(problem unshare -m bash "$tmp/install" "$tmp")"
fi
