#!/usr/bin/env python3
"""Makes a set of many documentation sites, to judge how templates of pages are left out.

    bench/templates/make_set.py --folder /tmp/sites --output /tmp/sites/set.jsonl

Downloads documentation packages of Debian bookworm (run apt-get update first) into the folder,
unpacks their pages there and installs nothing. Each line of the output is a page:

    {"id", "url", "site", "version", "doc", "main", "html"}

`doc` names the same page in another release of the site; `main` is the text of the element that
the site's generator writes for the content. That element is a stand-in for a person's judgment.
Pages without it, such as redirects and frames, are left out and counted. Standard library and
Debian's tools only.
"""

import argparse
import hashlib
import html
import json
import pathlib
import re
import subprocess
import sys

# Site, generator, most pages of a version, roots inside the package, element of the content
# (tag, and a pattern for its attributes), and the releases: name and package. A package with
# "/updates" or "/bookworm" comes from the security archive or from the release itself.
JAVADOC = [("main", r"")]
DOXYGEN = [("div", r'class="contents"')]
DOCBOOK = [("div", r'class="(?:sect1|refentry|chapter|preface|part|appendix|article|book|section|'
                   r'bibliography|reference|glossary)"')]
SPHINX = [("div", r'class="body"')]
SITES = [
    ("boost", "quickbook", 1500, r"/(?:doc/html|HTML)/", DOCBOOK,
     [("1.74", "libboost1.74-doc"), ("1.81", "libboost1.81-doc")]),
    ("cmake", "Sphinx", 2000, r"/html/", SPHINX, [("3.25", "cmake-doc")]),
    ("erlang", "javadoc and OTP's own", 2000, r"/erlang-doc/",
     JAVADOC + [("div", r'class="innertube"')],
     [("25", "erlang-doc")]),
    ("ghc", "haddock", 500, r"/html/libraries/", [("div", r'id="content"')], [("9.0", "ghc-doc")]),
    ("glibmm", "doxygen", 450, r"/reference/html/", DOXYGEN,
     [("2.66", "libglibmm-2.4-doc"), ("2.74", "libglibmm-2.68-doc")]),
    ("gtk", "gi-docgen", 2000, r"/libgtk-4-doc/", [("section", r'id="main"')],
     [("4.8", "libgtk-4-doc")]),
    ("gtkmm", "doxygen", 250, r"/reference/html/", DOXYGEN,
     [("3.24", "libgtkmm-3.0-doc"), ("4.8", "libgtkmm-4.0-doc")]),
    ("javadoc", "javadoc", 600, r"/api/", JAVADOC,
     [("17.0.19", "openjdk-17-doc/bookworm"), ("17.0.21", "openjdk-17-doc/updates")]),
    ("pike", "Pike's own", 2000, r"/html/reference/", [("div", r'class="content"')],
     [("8.0", "pike8.0-doc")]),
    ("postgresql", "DocBook", 2000, r"/html/", DOCBOOK,
     [("15.18", "postgresql-doc-15/bookworm"), ("15.20", "postgresql-doc-15/updates")]),
    ("python", "Sphinx", 2000, r"/html/", SPHINX, [("3.11", "python3.11-doc")]),
    ("qt", "qdoc", 1200, r"/qt5/doc/", [("div", r'class="content mainContent"')],
     [("5.15", "qtbase5-doc-html")]),
    ("racket", "scribble", 500, r"/racket/", [("div", r'class="main"')], [("8.7", "racket-doc")]),
    ("rust", "rustdoc", 1500, r"/html/(?:std|core|alloc|rustc)/",
     [("section", r'id="main-content"')],
     [("1.63", "rust-doc"), ("1.85", "rust-web-doc")]),
    ("scala", "scaladoc", 400, r"/api/", [("div", r'id="template"')], [("2.11", "scala-doc")]),
    ("scipy", "Sphinx, pydata theme", 1500, r"/html/", [("article", r"")] + [("main", r"")],
     [("1.10", "python-scipy-doc")]),
    ("wx", "doxygen", 400, r"/html/", DOXYGEN, [("3.2", "wx3.2-doc")]),
]
SECURITY = "bookworm-security"


def text_of(page):
    """The words of HTML: without scripts, styles and tags."""
    page = re.sub(r"(?is)<!--.*?-->|<(script|style|head)\b.*?</\1\s*>", " ", page)
    return " ".join(html.unescape(re.sub(r"(?s)<[^>]*>", " ", page)).split())


def element(page, tag, attributes):
    """The first element of this tag whose attributes match, up to its own end tag; or None."""
    start = re.search(rf"(?is)<{tag}\b(?=[^>]*{attributes})[^>]*>", page)
    if not start:
        return None
    depth = 1
    for mark in re.finditer(rf"(?i)<(/?){tag}\b", page[start.end():]):
        depth += -1 if mark[1] else 1
        if depth == 0:
            return page[start.start():start.end() + mark.start()]
    return page[start.start():]


def main_text(page, containers):
    for tag, attributes in containers:
        found = element(page, tag, attributes)
        if found is not None:
            return text_of(found)
    return None


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def document_name(path, root):
    """The path after the site's root, without releases: what names the page in another one."""
    found = re.search(root, "/" + path)
    return None if not found else ("/" + path)[found.end():]


def chosen(names, most):
    """At most so many names, always the same ones, in both releases alike."""
    order = sorted(names, key=lambda name: hashlib.sha256(name.encode()).digest())
    return sorted(order[:most])


def run(*command, **keywords):
    return subprocess.run(command, check=True, capture_output=True, text=True, **keywords).stdout


def version_in(package, archive):
    """The version of a package that the release itself has, or that the security archive has."""
    for line in run("apt-cache", "madison", package).splitlines():
        name, version, where = (part.strip() for part in line.split("|"))
        if (SECURITY in where) == (archive == "updates") and "bookworm" in where:
            return version
    sys.exit(f"apt has no {package} in {archive}; run apt-get update")


def unpacked(folder, wanted):
    """The folder with the pages of a package; downloads it unless that was done before."""
    package, _, archive = wanted.partition("/")
    where = folder / "unpacked" / wanted.replace("/", "@")
    if not (where / "done").exists():
        downloads = folder / "downloads" / where.name
        downloads.mkdir(parents=True, exist_ok=True)
        what = f"{package}={version_in(package, archive)}" if archive else package
        run("apt-get", "download", "-q", what, cwd=downloads)
        where.mkdir(parents=True, exist_ok=True)
        run("dpkg-deb", "-x", str(next(downloads.glob("*.deb"))), str(where))
        (where / "done").touch()
    return where


def pages_of(where, root):
    found = {}
    for path in sorted(where.rglob("*.html")):
        if path.is_file() and not path.is_symlink():
            name = document_name(str(path.relative_to(where)), root)
            if name:
                found.setdefault(name, path)
    return found


def write_site(site, folder, out):
    name, _, most, root, containers, releases = site
    for release, package in releases:
        pages = pages_of(unpacked(folder, package), root)
        written = without = 0
        for doc in chosen(pages, most * 4):
            if written == most:
                break
            page = decoded(pages[doc].read_bytes())
            content = main_text(page, containers)
            if not content:
                without += 1
                continue
            out.write(json.dumps({
                "id": f"{name}/{release}/{doc}", "url": f"https://{name}.example/{release}/{doc}",
                "site": name, "version": release, "doc": doc, "main": content,
                 "html": page}) + "\n")
            written += 1
        print(f"{name} {release}: {written} pages; {without} without content left out", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for downloads")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="JSON lines to write")
    parser.add_argument("--only", nargs="*", help="sites to take")
    arguments = parser.parse_args()
    with open(arguments.output, "w", encoding="utf-8") as out:
        for site in SITES:
            if not arguments.only or site[0] in arguments.only:
                write_site(site, arguments.folder, out)


if __name__ == "__main__":
    main()
