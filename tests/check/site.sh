#!/usr/bin/env bash
# site.sh -- builds the documentation site and tests it: links and anchors in all pages, then in a headless Chromium
# what a reader does: search, scripts, a phone, dark mode. Not part of `make test`: it installs MkDocs
# (site/build.sh). What it has caught: a version of an extension that Debian's Python cannot install (5fa0c39a).
. "$(dirname "$0")/support/lib.sh"

if ! python3 -c 'import venv, ensurepip' 2>/dev/null; then skipped "the site" "not installed: python3-venv"; exit 0; fi
if ! said=$(site/build.sh 2>&1); then
  case $said in
    *WARNING*|*ERROR*) verdict "make site" "$said" ;;
    *) skipped "the site" "not installed: MkDocs cannot be installed: $(tail -n 1 <<<"$said")" ;;
  esac
  exit 0
fi
verdict "make site" ""
python3 site/test_links.py build/site
for chromium in "${CHROMIUM:-chromium}" chromium-browser google-chrome ''; do command -v "$chromium" >/dev/null 2>&1 && break; done
if [ -z "$chromium" ] || ! command -v chromedriver >/dev/null; then
  skipped "the site in a browser" "not installed: Chromium and its driver (tools/install.sh site-test)"
else
  python3 site/test_browser.py build/site "$chromium"
fi
