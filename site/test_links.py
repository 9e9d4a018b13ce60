# SPDX-License-Identifier: MIT
"""test_links.py -- every link of the site leads somewhere, also to its anchor, and nothing is loaded from elsewhere.

Usage: test_links.py build/site      prints TAP
"""
import glob
import html.parser
import os
import sys
import urllib.parse

LOADED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src"}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loaded = set(), [], []
        with open(path, encoding="utf-8") as f:
            self.feed(f.read())

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for name in ("id", "name"):
            if attrs.get(name):
                self.ids.add(attrs[name])
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        if attrs.get(LOADED.get(tag)) and attrs.get("rel") != "canonical":
            self.loaded.append(attrs[LOADED[tag]])


def is_elsewhere(link):
    return bool(urllib.parse.urlparse(link).scheme or link.startswith("//"))


root = sys.argv[1]
pages = {p: Page(p) for p in sorted(glob.glob(root + "/**/*.html", recursive=True))}
broken, foreign, count = [], [], 0
for path, page in pages.items():
    foreign += ["%s: %s" % (path, url) for url in page.loaded if is_elsewhere(url) and not url.startswith("data:")]
    for link in page.links + page.loaded:
        if is_elsewhere(link):
            continue
        count += 1
        target, anchor = urllib.parse.urldefrag(link)
        file = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(target))) if target else path
        if os.path.isdir(file):
            file += "/index.html"
        anchor = urllib.parse.unquote(anchor)
        if path.endswith("404.html"):
            continue
        if not os.path.exists(file):
            broken.append("%s: %s" % (path, link))
        elif anchor and file in pages and anchor not in pages[file].ids:
            broken.append("%s: no such anchor: %s" % (path, link))

for name, wrong in (("%d links in %d pages lead somewhere" % (count, len(pages)), broken if count > 1000 else broken + ["too few"]),
                    ("nothing is loaded from elsewhere", foreign)):
    print(("not ok - " if wrong else "ok - ") + name)
    for line in wrong[:40]:
        print("#   " + line)
