# SPDX-License-Identifier: MIT
"""test_browser.py -- the site in a headless Chromium, driven by chromedriver (W3C WebDriver over HTTP).

Usage: test_browser.py build/site chromium [SCREENSHOTS]     prints TAP; with a folder, screenshots are written there

A server of our own on the loopback address serves the site. Tested are: no script errors, no request to another host,
search, the width of each page on a phone, dark mode, and that code can be copied.
"""
import base64
import functools
import glob
import http.server
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

ROOT, CHROMIUM = sys.argv[1], shutil.which(sys.argv[2])
SHOTS = sys.argv[3] if len(sys.argv) > 3 else None
PHONE, DESK = (375, 740), (1280, 900)
# What a newcomer, a user of lua-cjson and an operator of a server type, and the answer that must be among the first four
# results.
SEARCHES = [("decode null", "learn/questions.html#how-do-i-decode-null"),
            ("array became object", "learn/questions.html#why-did-my-array-become-an-object"),
            ("one field large text", "learn/questions.html#how-do-i-read-one-field-of-a-large-text"),
            ("install luajit", "learn/questions.html#how-do-i-install-it-for-luajit-or-another-lua"),
            ("pretty print", "learn/questions.html#how-do-i-make-the-text-readable"),
            ("errors pcall", "learn/questions.html#how-do-i-get-errors-without-pcall"),
            ("cjson", "learn/questions.html#does-lua-cjsons-code-work-unchanged"),
            ("large integer", "learn/questions.html#why-is-a-large-integer-inexact"),
            ("ndjson", "learn/questions.html#how-do-i-read-ndjson-one-json-text-per-line"),
            ("order of keys", "learn/questions.html#why-is-the-order-of-members-different"),
            ("sort_keys", "reference/options.html#sort_keys"),
            ("empty_array", "guide/coming-from.html#from-lua-cjson"),
            ("encode_sparse_array", "guide/coming-from.html#from-lua-cjson"),
            ("precision 14", "reference/options.html#precision"),
            ("vim.NIL", "learn/questions.html#how-do-i-use-vimnil-boxnull-or-another-null"),
            ("says cannot encode", "guide/encode.html#encode-errors"),
            ("shared dict", "nginx.html#documents-in-a-shared-dict"),
            ("body filter", "nginx.html#changing-an-answer-a-body-filter"),
            ("apparmor", "about/production.html#confinement"),
            ("413", "haproxy.html#a-service-json-in-json-out"),
            ("fast layout", "learn/questions.html#is-it-really-using-the-fast-way"),
            ("old version after update", "learn/questions.html#the-old-version-still-runs-after-an-update"),
            ("webhook signature", "cookbook/services.html#verify-the-signature-of-a-webhook")]


def verdict(name, wrong):
    print(("not ok - " if wrong else "ok - ") + name, flush=True)
    for line in wrong[:20]:
        print("#   " + str(line))


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    """A session of WebDriver."""

    def __init__(self, scheme):
        self.port, self.home = free_port(), tempfile.mkdtemp()
        env = dict(os.environ, HOME=self.home)
        self.driver = subprocess.Popen(["chromedriver", "--port=%d" % self.port], env=env, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     "--blink-settings=preferredColorScheme=%d" % (0 if scheme == "dark" else 1),
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--user-data-dir=" + self.home + "/profile"]
        options = {"binary": CHROMIUM, "args": arguments}
        self.base = "http://127.0.0.1:%d/session" % self.port
        for attempt in range(600):
            try:
                made = self.call("POST", "", {"capabilities": {"alwaysMatch": {
                    "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}}})
                break
            except urllib.error.HTTPError as answer:  # the driver runs, the browser does not
                if attempt >= 3:
                    print("ok - the site in a browser # SKIP this system: Chromium does not start: %s" % answer.read()[:200])
                    self.driver.terminate()
                    sys.exit(0)
                time.sleep(1)
            except OSError:
                if attempt == 599 or self.driver.poll() is not None:
                    sys.exit("not ok - chromedriver does not start")
                time.sleep(0.1)
        self.base += "/" + made["sessionId"]

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, headers={"content-type": "application/json"},
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.call("POST", "/url", {"url": url})

    def script(self, code, *arguments):
        return self.call("POST", "/execute/sync", {"script": code, "args": list(arguments)})

    def size(self, width, height):
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}})

    def errors(self):
        return [e["message"] for e in self.call("POST", "/se/log", {"type": "browser"}) if e["level"] == "SEVERE"]

    def wait(self, code, *arguments):
        end = time.monotonic() + 40
        while time.monotonic() < end:
            value = self.script(code, *arguments)
            if value:
                return value
            time.sleep(0.1)
        return None

    def shot(self, name):
        if SHOTS:
            with open(os.path.join(SHOTS, name + ".png"), "wb") as f:
                f.write(base64.b64decode(self.call("GET", "/screenshot")))

    def close(self):
        try:
            self.call("DELETE", "")
        except OSError:
            pass
        self.driver.terminate()
        self.driver.wait()
        shutil.rmtree(self.home, ignore_errors=True)


WIDER = """
const wide = document.documentElement.scrollWidth
if (wide <= innerWidth) return null
for (const e of document.querySelectorAll('main *')) {
  const r = e.getBoundingClientRect()
  if (r.right > innerWidth + 1 && !e.closest('.md-typeset__scrollwrap, pre, .md-sidebar')) return wide + ': ' + e.outerHTML.slice(0, 120)
}
return wide + ': ?'"""
SEARCH = """
const input = document.querySelector('.md-search__input')
const toggle = document.querySelector('#__search')
if (!toggle.checked) toggle.click()
input.focus(); input.value = arguments[0]
input.dispatchEvent(new KeyboardEvent('keyup', { bubbles: true })); input.dispatchEvent(new Event('input', { bubbles: true }))
return true"""
FOUND = """
const links = [...document.querySelectorAll('.md-search-result__link')].map(a => a.pathname + a.hash)
return links.length ? links : null"""
LIGHTNESS = """
const c = getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)
return (c[0] + c[1] + c[2]) / 3"""


def test_pages(browser, files, pages):
    wide, wrong = [], []
    browser.size(*PHONE)
    for page in pages:
        browser.open(files + page)  # as files, where the index of the search is not loaded: twice as fast
        said = browser.script(WIDER)
        if said:
            wide.append("%s: %s" % (page, said))
        wrong += ["%s: %s" % (page, e) for e in browser.errors()]
        if SHOTS and page in ("index.html", "learn/questions.html", "reference/options.html", "about/benchmarks.html", "guide/encode.html"):
            browser.shot("phone-" + page.replace("/", "-"))
    verdict("%d pages fit a phone of %d pixels" % (len(pages), PHONE[0]), wide)
    verdict("no script errors, and no request that fails", wrong)


def test_search(browser, site, files):
    wrong = []
    browser.size(*DESK)
    for words, page in SEARCHES:
        browser.open(site + "index.html")
        browser.wait("return document.querySelector('.md-search__input') != null")
        browser.script(SEARCH, words)
        found = [path.lstrip("/") for path in browser.wait(FOUND) or []]
        if page not in found[:4]:
            wrong.append("%s: %s, not %s" % (words, found[:4], page))
        if words == SEARCHES[-1][0]:
            time.sleep(0.5)  # it is still opening
            browser.shot("search")
    browser.open(files + "index.html")
    browser.wait("return document.querySelector('.md-search__input') != null")
    browser.script(SEARCH, "webhook")
    if not browser.wait(FOUND):
        wrong.append("nothing is found in pages that are opened as files")
    verdict("search finds what newcomers look for", wrong + browser.errors())


def test_details(browser, site):
    browser.size(*DESK)
    browser.open(site + "learn/getting-started.html")
    browser.shot("desk-getting-started")
    verdict("code can be copied", [] if browser.wait("return document.querySelectorAll('.md-code__button, .md-clipboard').length > 5")
            else ["no buttons"])
    light = browser.script(LIGHTNESS)
    browser.script("document.querySelector('label[for=__palette_1]').click()")
    dark = browser.wait("const l = (() => {%s})(); return l < 80 ? [l] : null" % LIGHTNESS)
    browser.shot("desk-dark")
    verdict("dark mode can be chosen", [] if light > 200 and dark else ["lightness %s, then %s" % (light, dark)])
    browser.open(site + "index.html")
    browser.shot("desk-index")


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=ROOT))
threading.Thread(target=server.serve_forever, daemon=True).start()
files = "file://%s/" % os.path.abspath(ROOT)
site = "http://127.0.0.1:%d/" % server.server_port
pages = [os.path.relpath(p, ROOT) for p in sorted(glob.glob(ROOT + "/**/*.html", recursive=True))]
pages = [p for p in pages if not p.startswith("files/") and p != "404.html"]
browser = Browser("light")
try:
    test_pages(browser, files, pages)
    test_search(browser, site, files)
    test_details(browser, site)
finally:
    browser.close()
server.shutdown()
