#!/usr/bin/env python3
"""Thirty-seven made pages, as a browser shows them and as twinset reads them.

    bench/browser/beside_browser.py --binary build/release/twinset

Chromium prints each page to PDF, pdftotext takes the words out of it, and twinset deduplicates the
page and these words: they are copies if it reads the same words in the same order. Needs chromium
and poppler-utils; run it by hand, docs/html.md has its figures. Prints a line for each page and their
sum, and exits 1 if a page that is not among KNOWN differs.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

# Page -> why it differs.
KNOWN = {}

XHTML = """<?xml version="1.0" encoding="UTF-8"?>
<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}</head><body>
{body}
<p>The last boat leaves the harbor at nine.</p></body></html>
"""
HTML = """<!DOCTYPE html>
<html><head><meta charset="utf-8">{head}</head><body>
{body}
<p>The last boat leaves the harbor at nine.</p></body></html>
"""
TITLE = "<title></title>"

PAGES = {
    # XHTML: name -> head, body
    "plain.xhtml": (TITLE, "<h1>Tides &amp; times</h1><p>The caf&#233; opens <b>at</b> noon<br/>or later.</p>"),
    "empty_script.xhtml": (TITLE + '<script src="a.js"/>', '<p>First</p><script src="b.js"/><p>then second.</p>'),
    "empty_title.xhtml": ("<title/>", "<p>A page without a title.</p>"),
    "empty_style.xhtml": (TITLE + '<style type="text/css"/>', "<p>No rule hides this.</p>"),
    "cdata.xhtml": (TITLE, "<p>If <![CDATA[a < b & c > d]]> then stop.</p>"),
    "cdata_script.xhtml": (TITLE + "<script><![CDATA[ if (a < b) { var hidden = 1; } ]]></script>", "<p>Only this is read.</p>"),
    "empty_div.xhtml": (TITLE, '<div id="a"/><div>One</div><span/><div>two</div>'),
    "empty_iframe.xhtml": (TITLE, "<p>Before</p><iframe/><p>after the frame.</p>"),
    "empty_textarea.xhtml": (TITLE, "<p>Before</p><textarea/><p>after the field.</p>"),
    "instruction.xhtml": (TITLE, '<p>Seen</p><?php echo "not seen"; ?><p>again.</p>'),
    "comment.xhtml": (TITLE, "<p>Seen</p><!-- <p>not seen</p> --><p>again.</p>"),
    "script_in_capitals.xhtml": (TITLE, "<P>Unknown tags</P> <SCRIPT>are shown</SCRIPT> <p>as text.</p>"),
    "template.xhtml": (TITLE, "<p>Seen</p><template><p>not seen</p></template><p>again.</p>"),
    "table.xhtml": (TITLE, "<table><tr><td>North</td><td>South</td></tr><tr><td>East</td><td>West</td></tr></table>"),
    "style_in_body.xhtml": (TITLE, '<style>p.hidden::before { content: "" }</style><p>Rules are not read.</p>'),
    # Shadow trees
    "open.html": (TITLE, '<div><template shadowrootmode="open"><h2>Inside</h2><slot></slot></template><p>light words</p></div>'),
    "closed.html": (TITLE, '<div><template shadowrootmode="closed"><p>closed but shown</p></template></div>'),
    "without_slot.html": (TITLE, '<div><template shadowrootmode="open"><p>only the shadow</p></template><p>never shown</p></div>'),
    "named_slots.html": (TITLE, '<div><template shadowrootmode="open"><slot name="b"></slot><slot name="a"></slot></template>'
                                '<p slot="a">written first</p><p slot="b">shown first</p></div>'),
    "fallback.html": (TITLE, '<div><template shadowrootmode="open"><p><slot>the fallback</slot></p></template></div>'),
    "fallback_replaced.html": (TITLE, '<div><template shadowrootmode="open"><slot>the fallback</slot></template><p>replaces it</p></div>'),
    "nested.html": (TITLE, '<div><template shadowrootmode="open"><p>outer</p><section><template shadowrootmode="open">'
                           '<p>inner</p></template></section></template></div>'),
    "plain_template.html": (TITLE, "<p>Seen</p><template><p>not seen</p></template><p>again.</p>"),
    "bad_mode.html": (TITLE, '<div><template shadowrootmode="wide"><p>not seen</p></template><p>light words</p></div>'),
    "second_root.html": (TITLE, '<div><template shadowrootmode="open"><p>the first</p></template>'
                                '<template shadowrootmode="open"><p>the second</p></template></div>'),
    "no_host.html": (TITLE, '<ul><template shadowrootmode="open"><li>not seen</li></template><li>light words</li></ul>'),
    "body_host.html": (TITLE, '<template shadowrootmode="open"><h2>Frame of the page</h2><slot></slot></template><p>light words</p>'),
    "forwarded.html": (TITLE, '<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open"><h2><slot name="t"></slot></h2>'
                              '<p><slot></slot></p></template>the rest <slot name="s" slot="t">x</slot></x-b></template>never shown<i slot="s">A head</i></x-a>'),
    "default_and_named.html": (TITLE, '<x-a>zero <template shadowrootmode="open"><p><slot></slot></p><p><slot name="s"></slot></p>'
                                      '<p><slot name="s">once more</slot></p></template>one <b slot="s">two </b>three <b slot="s">four</b></x-a>'),
    "white_space.html": (TITLE, '<div><template shadowrootmode="open"><p>seen</p><slot>no fallback</slot></template> </div>'),
    "end_tags_left_out.html": (TITLE, '<nav><template shadowrootmode="open"><slot name="s"></slot><p>between</p><slot></slot></template>'
                                      '<li>one<li slot="s">two<li>three</nav>'),
    "misfit_end_tag.html": (TITLE, '<x-a><template shadowrootmode="open"><div><slot></slot></div><p>tail</p></template><div>one</x-a>two</div></x-a>'),
    "in_frame.html": (TITLE, "<iframe srcdoc='<div><template shadowrootmode=open><p>framed</p></template>gone</div>'></iframe>"),
    # Pages in pages
    "srcdoc.html": (TITLE, '<p>Before</p><iframe srcdoc="<p>A page in it</p>"></iframe><p>after.</p>'),
    "srcdoc_entities.html": (TITLE, '<iframe srcdoc="&lt;p&gt;Salt &amp;amp; pepper&lt;/p&gt;"></iframe>'),
    "srcdoc_in_srcdoc.html": (TITLE, '<iframe srcdoc="<p>outer</p><iframe height=60 srcdoc=&quot;<p>inner</p>&quot;></iframe>"></iframe>'),
    "srcdoc_and_src.html": (TITLE, '<iframe src="other.html" srcdoc="<p>this one</p>">no frames here</iframe>'),
}


def printed_words(page, folder):
    pdf = folder / "page.pdf"
    subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                    "--no-pdf-header-footer", f"--user-data-dir={folder}/profile",
                    f"--print-to-pdf={pdf}", page.as_uri()],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    done = subprocess.run(["pdftotext", "-raw", str(pdf), "-"], check=True, capture_output=True)
    return done.stdout.decode("utf-8").replace("\f", "\n")


def reads_the_same(binary, page, words, folder):
    text = folder / "words.txt"
    text.write_text(words, encoding="utf-8")
    done = subprocess.run([binary, "dedup", str(page), str(text), "--dry-run", "--json"],
                          check=True, capture_output=True, text=True)
    return '"lexical": 1' in done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--binary", required=True)
    parser.add_argument("--show", action="store_true", help="the browser's words, too")
    arguments = parser.parse_args()
    equal, bad = 0, 0
    with tempfile.TemporaryDirectory(prefix="twinset-browser-") as name:
        folder = pathlib.Path(name)
        for page_name, (head, body) in PAGES.items():
            page = folder / page_name
            layout = XHTML if page_name.endswith(".xhtml") else HTML
            page.write_text(layout.format(head=head, body=body), encoding="utf-8")
            words = printed_words(page, folder)
            same = reads_the_same(arguments.binary, page, words, folder)
            equal += same
            bad += not same and page_name not in KNOWN
            print(f"{'ok' if same else 'DIFFERS':7} {page_name:26} {KNOWN.get(page_name, '')}".rstrip())
            if arguments.show or (not same and page_name not in KNOWN):
                print("        " + " ".join(words.split()))
    print(f"browser: {equal} of {len(PAGES)} pages read as the browser shows them")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
