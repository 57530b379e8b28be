#!/usr/bin/env python3
"""Parses a report with Python's HTML parser: a second opinion beside page_check.h.

    python3 check_page.py report.html

Exit 0 if nothing in it but its own script can run, load or leave the page; else the findings, exit 1.
"""

import json
import sys
from html.parser import HTMLParser

RUNS = {"iframe", "object", "embed", "link", "base", "form", "input", "button", "img",
        "image", "video", "audio", "source", "track", "template", "portal", "frame", "frameset",
        "math", "foreignobject", "use", "animate", "set", "marquee", "textarea", "select"}
EMPTY = {"meta"}
# The block of facts, then the page's script.
SCRIPTS = [[("type", "application/json"), ("id", "facts")], []]


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.findings, self.open, self.styles, self.scripts, self.facts = [], [], 0, [], ""

    def find(self, what):
        self.findings.append(f"line {self.getpos()[0]}: {what}")

    def handle_starttag(self, tag, attributes):
        if tag in RUNS:
            self.find(f"tag {tag}")
        for name, value in attributes:
            if name.startswith("on") or name in ("style", "srcdoc", "src", "action", "formaction"):
                self.find(f"attribute {name}")
            if name in ("href", "xlink:href") and not (value or "").startswith("#"):
                self.find(f"link to {value}")
            if name == "http-equiv" and value != "Content-Security-Policy":
                self.find(f"http-equiv {value}")
        self.styles += tag == "style"
        if tag == "script":
            self.scripts.append(attributes)
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.find(f"end tag {tag} inside {self.open[-1:]}")
        else:
            self.open.pop()

    def handle_data(self, text):
        if "style" in self.open:
            if "url(" in text or "@import" in text or "evil" in text.lower():
                self.find("the style sheet loads something")
        if "script" in self.open and len(self.scripts) == 1:
            self.facts += text

    def handle_comment(self, text):
        self.find("comment")

    def handle_pi(self, text):
        self.find("processing instruction")

    def unknown_decl(self, text):
        self.find("declaration")


def main():
    page = Page()
    with open(sys.argv[1], "rb") as file:
        page.feed(file.read().decode("utf-8"))  # strict: raises on bad UTF-8
    page.close()
    if page.open:
        page.find(f"never closed: {page.open}")
    if page.styles != 1:
        page.find(f"{page.styles} style sheets")
    if page.scripts != SCRIPTS:
        page.find(f"scripts: {page.scripts}")
    if "<" in page.facts or not isinstance(json.loads(page.facts), dict):
        page.find("the facts are no inert JSON")
    print("\n".join(page.findings[:20]))
    return 1 if page.findings else 0


if __name__ == "__main__":
    sys.exit(main())
