#!/usr/bin/env bash
# build.sh -- writes the documentation site to build/site, or to $1. The generator is installed into build/site-venv, in
# the versions of requirements.txt; after that no network is needed.
set -eu
cd "$(dirname "$0")/.."
out=${1:-$PWD/build/site}
venv=build/site-venv
if ! cmp -s site/requirements.txt $venv/requirements.txt; then
  tools/install.sh site
  rm -rf $venv
  mkdir -p build
  python3 -m venv $venv
  echo "site: installing MkDocs and its theme into $venv"
  $venv/bin/pip install -q --disable-pip-version-check --no-deps -r site/requirements.txt
  cp site/requirements.txt $venv/
fi
export PYTHONDONTWRITEBYTECODE=1 NO_MKDOCS_2_WARNING=1 SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:-0}"
if ! $venv/bin/mkdocs build --strict -f site/mkdocs.yml -d "$out" >build/site.log 2>&1; then
  grep -E 'WARNING|ERROR|Error|Aborted' build/site.log || cat build/site.log
  exit 1
fi
echo "site: open $out/index.html"
