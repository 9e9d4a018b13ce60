# SPDX-License-Identifier: MIT
"""hooks.py -- what MkDocs reads apart from docs/: pages from other folders, and links to them.

README.md is the first page. PAGES are pages of the site, too. Any other file of the repository that a page links to
becomes a page that shows it, or is copied if it is a picture or a table. So the site is complete without the repository.
Pictures of the recorded results are made here, by a Lua.
"""
import os
import posixpath
import re
import subprocess

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = {"README.md": "index.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md",
         "SECURITY.md": "report.md",
         "bench/README.md": "bench.md", "src/README.md": "work-src.md", "src/decode/README.md": "work-decode.md",
         "src/document/README.md": "work-document.md", "src/dropin/README.md": "work-dropin.md",
         "src/layout/README.md": "work-layout.md", "src/number/README.md": "work-number.md",
         "src/lua/options/README.md": "work-options.md", "tests/README.md": "work-tests.md",
         "fuzz/README.md": "work-fuzz.md", "site/README.md": "work-documents.md"}
COPIED = (".svg", ".png", ".csv")
LANGUAGES = {".lua": "lua", ".c": "c", ".h": "c", ".py": "python", ".sh": "bash", ".conf": "nginx", ".cmake": "cmake"}
BOOSTS = {"learn": 3, "guide": 3, "cookbook": 2, "reference": 2, "nginx.md": 1.5, "haproxy.md": 1.5,
          "changelog.md": 0.2, "contributing.md": 0.2, "work": 0.2, "bench.md": 0.2, "architecture.md": 0.5, "layouts.md": 0.5}
SHIM = "https://unpkg.com/iframe-worker/shim"  # lets the search work in pages that are opened as files
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))|(<img src=\")([^\"]+)(\")")
FENCE = re.compile(r"^(```.*?^```|~~~.*?^~~~)", re.M | re.S)

PICTURES = "<!-- pictures of each workload: site/hooks.py -->"
RUNTIMES = {"lua5.4": "Lua 5.4", "luajit": "LuaJIT", "lua5.1": "Lua 5.1"}

def picture(runtime):
    """Each workload on one Lua, as SVG, drawn by any Lua that is installed."""
    results = re.search(r"bench/results/[^)]*\.csv", read("docs/rivals.md")).group()
    luas = [subprocess.run(["tools/where.sh", "lua", r], cwd=ROOT, capture_output=True, text=True) for r in RUNTIMES]
    lua = next((it.stdout.strip() for it in luas if it.returncode == 0), None)
    if not lua:
        raise PluginError("no Lua for the pictures of docs/about/benchmarks.md: tools/install.sh site")
    command = [lua, "bench/report/bars.lua", results, runtime]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

def source_of(uri):
    """The path in the repository of a page of the site."""
    return next((path for path, page in PAGES.items() if page == uri), "docs/" + uri)

def page_of(path):
    """The page of the site, or the copied file, that shows a file or folder of the repository."""
    if path in PAGES:
        return PAGES[path]
    if path.startswith("docs/"):
        return path[len("docs/"):]
    if os.path.isdir(os.path.join(ROOT, path)):
        return "files/" + path + "/index.md"
    return "files/" + path + ("" if path.endswith(COPIED) else ".md")

def linked(text, source):
    """The paths in the repository that the relative links outside of code blocks lead to."""
    for m in LINK.finditer(FENCE.sub("", text)):
        target = m.group(2) or m.group(6)
        if not re.match(r"[a-z]+:", target):
            yield posixpath.normpath(posixpath.join(posixpath.dirname(source), target))

def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as f:
        return f.read()

def on_config(config):
    version = re.search(r'#define FLEECE_VERSION "(.*)"', read("src/module/version.h")).group(1)
    config.copyright = "Fleece %s, MIT licence" % version
    return config

def shown(path):
    """The Markdown that shows a file, or lists a folder."""
    head = "---\nsearch:\n  exclude: true\n---\n# %s\n\n" % path
    if os.path.isdir(os.path.join(ROOT, path)):
        return head + "".join("- [%s](%s%s)\n" % (f, f, "" if f.endswith(COPIED) else ".md") for f in files_of(path))
    language = LANGUAGES.get(os.path.splitext(path)[1], "text")
    return head + "~~~~~~ %s\n%s\n~~~~~~\n" % (language, read(path))

def files_of(folder):
    return sorted(f for f in os.listdir(os.path.join(ROOT, folder)) if os.path.isfile(os.path.join(ROOT, folder, f)))

def on_files(files, config):
    sources = list(PAGES) + sorted("docs/" + f.src_uri for f in files if f.src_uri.endswith(".md"))
    wanted = {path for source in sources for path in linked(read(source), source) if page_of(path).startswith("files/")}
    for path in sorted(wanted):
        if os.path.isdir(os.path.join(ROOT, path)):
            wanted.update(path + "/" + f for f in files_of(path))
    for path, page in PAGES.items():
        files.append(File.generated(config, page, abs_src_path=os.path.join(ROOT, path)))
    for path in sorted(w for w in wanted if os.path.exists(os.path.join(ROOT, w))):
        if path.endswith(COPIED):
            files.append(File.generated(config, page_of(path), abs_src_path=os.path.join(ROOT, path)))
        else:
            files.append(File.generated(config, page_of(path), content=shown(path)))
    for runtime in RUNTIMES:
        files.append(File.generated(config, "about/workloads-%s.svg" % runtime, content=picture(runtime)))
    return files

def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    if here.startswith("files/"):
        return markdown
    # Search: what explains comes before what lists, and that before what is for those who work on Fleece.
    boost = BOOSTS.get(re.split("[/-]", here)[0], BOOSTS.get(here))
    if boost:
        page.meta["search"] = {"boost": boost}
    if here == "index.md":
        page.meta["hide"] = ["navigation"]
    pictures = ["![%s: each workload](workloads-%s.svg)" % (title, name) for name, title in RUNTIMES.items()]
    markdown = markdown.replace(PICTURES, "\n\n".join(["Green: Fleece; grey: the fastest other library."] + pictures))
    source = source_of(here)

    def replace(m):
        target = m.group(2) or m.group(6)
        if re.match(r"[a-z]+:", target):
            return m.group(0)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), target))
        to = posixpath.relpath(page_of(path), posixpath.dirname(here) or ".")
        return (m.group(1) + to + (m.group(3) or "") + m.group(4)) if m.group(2) else m.group(5) + to + m.group(7)

    parts = FENCE.split(markdown)
    return "".join(part if FENCE.match(part) else LINK.sub(replace, part) for part in parts)

def on_post_page(output, page, config):
    return output.replace(SHIM, posixpath.relpath("assets/worker.js", posixpath.dirname(page.file.dest_uri) or "."))

def on_post_template(output, template_name, config):
    return output.replace(SHIM, "/assets/worker.js")
