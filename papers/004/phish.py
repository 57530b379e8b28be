#!/usr/bin/env python3
"""Section 8.2, tables 6 and 1 (R-30): phish of known pages, by the trick that each uses.

    papers/004/phish.py --binary build/release/twinset

The paper's phish are not public, so made ones: copies of five pages to log in at, as many of each kind as in table 6, and
other pages, which are real. Pages are held against the known ones as they are sent and as a browser shows them. Needs
article-html, rust-book-editions, llvm-docs-html and cppreference-html below TWINSET_DATA, and Chromium; run.py leaves this page out of --fast.
"""

import base64
import collections
import gzip
import html
import json
import pathlib
import random
import re
import sys
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import browser  # noqa: E402
from page import Page, data_set, read_lines  # noqa: E402

RIPPED, OTHERS, IMAGES, PHISH = 1_888, 1_764, 39, 85      # table 6
DIRECT, SPACED, SCRIPTED, MINOR = 35, 8, 7, 35            # likewise, of the 85
SHORT = 25                                                # characters: "longer than 25", 8.2
RENDERED_OTHERS = 10                                      # of the other pages each tenth is rendered
SEED = 30

# What the five pages say; each is made of sentences that people read when they log in.
BRANDS = {
    "harborbank.co.uk": ("Harbor Bank", "customer number", "Bank of the Harbor, founded 1874, member of the deposit scheme"),
    "parcelpost.example": ("Parcel Post", "tracking number", "Parcel Post delivers to nine countries on every working day"),
    "lanternmail.com": ("Lantern Mail", "mail address", "Lantern Mail keeps your letters on machines of its own"),
    "marketrow.com.au": ("Market Row", "member name", "Market Row brings together sellers from all over the coast"),
    "taxoffice.gov.uk": ("Tax Office", "taxpayer reference", "The Tax Office answers questions on weekdays from eight to six"),
}
SENTENCES = (
    "Enter your {key} and your password to log in to {name}.",
    "Forgot your password? {name} sends you a link by mail within minutes.",
    "{name} never asks for your password by telephone or in a letter.",
    "Look at the address of this page before you enter your {key}.",
    "By logging in you agree to the terms of use of {name}.",
    "New to {name}? It takes two minutes to open an account.",
    "Keep your {key} in a safe place, and never tell it to anybody.",
    "This computer is not mine: log me out when I close the window.",
    "{name} has changed its rules for payments to other countries.",
    "Call our service about a lost card or a stolen {key} at any hour.",
    "Read how {name} protects what it knows about its customers.",
    "Our branches are closed on the first Monday of each month.",
    "Please confirm your telephone number, so that {name} can reach you.",
    "{motto}.",
)


def login_page(domain):
    """A page with a head, a menu, a form, notices and a footer, as a site's own program writes it."""
    name, key, motto = BRANDS[domain]
    tag = re.sub(r"\W", "", name.lower())
    says = [sentence.format(name=name, key=key, motto=motto) for sentence in SENTENCES]
    notices = "\n".join(
        f'      <div class="{tag}-notice" id="{tag}-n{i}">\n        <p class="{tag}-text">{text}</p>\n'
        f'        <a href="/{tag}/help/{i}">More about it</a>\n      </div>'
        for i, text in enumerate(says[4:11]))
    return f"""<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Log in - {name}</title>
  <link rel="stylesheet" href="/{tag}/main.css">
  <script>window.{tag} = {{"page": "login", "version": 7}};</script>
</head>
<body>
  <div class="{tag}-menu" role="navigation">
    <a href="/{tag}/">{name}</a> <a href="/{tag}/about">About {name}</a> <a href="/{tag}/contact">Contact</a>
  </div>
  <div class="{tag}-main">
    <p class="{tag}-lead">{says[0]}</p>
    <form action="/{tag}/session" method="post">
      <div class="{tag}-field"><label for="key">Your {key}</label>
        <input id="key" name="key" autocomplete="username">
      </div>
      <div class="{tag}-field"><label for="secret">Your password at {name}</label>
        <input id="secret" name="secret" type="password">
      </div>
      <div class="{tag}-field"><button type="submit">Log in to {name}</button></div>
    </form>
    <p class="{tag}-hint">{says[1]}</p>
    <p class="{tag}-hint">{says[2]}</p>
    <p class="{tag}-hint">{says[3]}</p>
    <div class="{tag}-notices">
{notices}
    </div>
  </div>
  <div class="{tag}-footer">
    <p>{says[11]}</p>
    <p>{says[12]}</p>
    <p>{says[13]}</p>
  </div>
</body>
</html>
"""


# --- the tricks: each makes a phish of a known page

def with_own_form(page, draw):
    """What every phish changes: where the password goes."""
    return re.sub(r'action="[^"]*"', f'action="gate{draw.randrange(1000)}.php"', page)


def copied(page, draw):
    """The page, or most of it: some notices go, and the copier leaves a mark."""
    page = with_own_form(page, draw)
    for notice in re.findall(r' *<div class="\w+-notice".*?</div>\n', page, re.DOTALL):
        if draw.random() < .4:
            page = page.replace(notice, "")
    return page.replace("</body>", f"<div>visitor {draw.randrange(10 ** 6)}</div></body>")


def respaced(page, draw):
    """The same words and tags with other line ends and indentation."""
    between = draw.choice(["\r\n", "\n\t\t", " ", "\n   \n"])
    head, body = copied(page, draw).split("<body>")
    return head + "<body>" + re.sub(r"\s+", lambda _: between if between != "\r\n" else draw.choice(["\r\n", "  "]), body)


def by_document_write(page, draw):
    return f"<script>document.write(unescape('{urllib.parse.quote(copied(page, draw))}'))</script>"


def by_inner_html(page, draw):
    body = copied(page, draw).split("<body>")[1].split("</body>")[0]
    coded = base64.b64encode(body.encode()).decode()
    return f"<html><body><script>document.body.innerHTML = atob('{coded}')</script></body></html>"


def by_elements(page, draw):
    """A script that makes each element and text of the page."""
    body = copied(page, draw).split("<body>")[1].split("</body>")[0]
    pieces = re.findall(r"</?\w[^>]*>|[^<]+", body)
    return f"""<html><body><script>
const open = [document.body];
for (const piece of {json.dumps(pieces).replace("</", "<" + chr(92) + "/")}) {{
  if (piece[0] != '<') open.at(-1).append(piece);
  else if (piece[1] == '/') open.pop();
  else {{
    const name = /^<(\\w+)/.exec(piece)[1], made = document.createElement(name);
    for (const [, key, value] of piece.matchAll(/([\\w-]+)="([^"]*)"/g)) made.setAttribute(key, value);
    open.at(-1).append(made);
    if (name != 'input') open.push(made);
  }}
}}
</script></body></html>"""


def as_image(page, draw):
    picture = base64.b64encode(bytes(draw.randrange(256) for _ in range(600))).decode()
    return with_own_form(f"""<html><body><img usemap="#m" src="data:image/png;base64,{picture}">
<form action="x"><input name="a"><input name="b" type="password"></form></body></html>""", draw)


def in_a_frame(page, draw):
    title = re.search("<title>(.*?)</title>", page).group(1)
    return (f"<html><head><title>{title}</title></head><body><iframe src='https://real.invalid/{draw.randrange(99)}' width=100%>"
            "</iframe></body></html>")


def own_layout(page, draw):
    """The name, the title and a few words of the original in a page of the phisher's own."""
    name = re.search("<title>Log in - (.*?)</title>", page).group(1)
    return with_own_form(f"""<html><head><title>Log in - {name}</title></head><body style="background:#eef"><center>
<h1>{name}</h1><div class=box{draw.randrange(99)}><b>{name}</b>: your account was limited, verify now
<form action="x"><p>Log in to {name}<p><input name=u placeholder="login"><p><input name=p type=password></form></div>
</center></body></html>""", draw)


def with_own_head(page):
    """The head is a part of the page, too."""
    return re.sub("<head>.*?</head>", "<head><title>Log in</title></head>", page, flags=re.DOTALL)


def each_word(page, change):
    """The page with the words that a reader sees changed."""
    head, body = with_own_head(page).split("<body>")
    return head + "<body>" + re.sub(r">([^<]+)<", lambda found: ">" + re.sub(r"[A-Za-z]+", change, found.group(1)) + "<", body)


def other_words(page, draw):
    """No word is left, as of a translation: here each has other letters."""
    tongue = str.maketrans("abcdefghijklmnopqrstuvwxyz", "eftghijokalmnpuqrsvwzxyibc")
    page = re.sub(r"(class|id|for|href)=\"[^\"]*\"", r'\1="n"', with_own_form(page, draw))
    return each_word(page, lambda word: word.group().translate(tongue))


def edited(page, draw):
    """A zero is written for an o, or an l for an i, in each part."""
    page = each_word(with_own_form(page, draw), lambda word: word.group().replace("o", "0").replace("i", "l"))
    return re.sub(r"class=\"\w+-", 'class="x-', page)


def other_attributes(page, draw):
    """The words stay, and each tag has classes of the phisher's kit."""
    return re.sub(r"<(p|div)( [^>]*)?>", lambda tag: f'<{tag.group(1)} class="k{draw.randrange(10 ** 6)}">',
                  with_own_head(with_own_form(page, draw)))


# (kind, trick, pages): the first three kinds as in table 6; the last rows are its 35 of "minor content".
TRICKS = (
    ("direct copies", copied, DIRECT),
    ("other white space", respaced, SPACED),
    ("by scripts: document.write", by_document_write, 3),
    ("by scripts: innerHTML", by_inner_html, 2),
    ("by scripts: element by element", by_elements, 2),
    ("own layout, a few words", own_layout, 12),
    ("other attributes in each tag", other_attributes, 7),
    ("a letter changed in each part", edited, 6),
    ("other words, as translated", other_words, 6),
    ("a frame", in_a_frame, 4),
    ("pictures", as_image, IMAGES),
)


def make_phish(draw):
    """(kind, domain, page) of each; the five pages are imitated in turn."""
    domains = list(BRANDS)
    number = 0
    for kind, trick, count in TRICKS:
        for _ in range(count):
            domain = domains[number % len(domains)]
            number += 1
            yield kind, domain, trick(login_page(domain), draw)


def other_pages(folders, draw):
    """Real pages with their URLs: articles, chapters of a book in HTML, two manuals."""
    pages = [(f"http://article{i}.example/", gzip.decompress(path.read_bytes()).decode("utf-8", "replace"))
             for i, path in enumerate(sorted((folders["article-html"] / "html").glob("*.gz")))]
    for name, count in (("rust-book-editions", 74), ("llvm-docs-html", 800), ("cppreference-html", 800)):
        (path,) = folders[name].glob("*.zst")
        lines = draw.sample(read_lines(path), count)
        pages += [(f"http://{name}{i}.example/", line.get("html") or f"<p>{html.escape(line['text'])}")
                  for i, line in enumerate(lines)]
    return pages[:OTHERS]


class Search:
    """The pages that the program names, by the labels of the known pages."""

    def __init__(self, page, name, known, pages, cutting, *options):
        labels = page.folder / f"{name.replace(' ', '-').replace(',', '')}.labels"
        page.twinset("discover", "--from", known, "--format", "html", "--text", "html", "--min-chars", SHORT + 1, *cutting,
                     "-o", labels, "--quiet")
        told = page.twinset("phish", labels, pages, "--format", "html", "--text", "html", "--json", "--quiet", "--top", 5000,
                            *options)
        self.found = {line["url"]: line for line in map(json.loads, told.splitlines())}

    def of(self, made, kind):
        """How many pages of a kind are found, each as an imitation of the right page."""
        return sum(self.found[url]["imitates"] == f"https://login.{domain}/" for url, (of, domain) in made.items()
                   if of == kind and url in self.found)


RULES = (("markup", ()), ("markup, attributes ignored", ("--chunk-attributes", "ignore")),
         ("text", ("--content", "text", "--at", "p,div,ends")))
STRICT = (("one part", ()), ("three parts", ("--min-parts", "3")), ("half of its parts", ("--min-share", "0.5")))


def of_other_publishers(page, folder):
    """Articles of today's Web, half of them known, and the others held against these: (articles known, others,
    {rule: named by each strictness})."""
    urls = {name: known["url"] for name, known in json.loads((folder / "ground-truth.json").read_text()).items()}
    articles = [{"url": urls[path.name.split(".")[0]], "html": gzip.decompress(path.read_bytes()).decode("utf-8", "replace")}
                for path in sorted((folder / "html").glob("*.gz"))]
    known = page.write_records("articles_known.jsonl", articles[::2])
    others = page.write_records("articles.jsonl", articles[1::2])
    return len(articles[::2]), len(articles[1::2]), {
        rule: [len(Search(page, f"{rule} {strict}", known, others, cutting, *options).found) for strict, options in STRICT]
        for rule, cutting in RULES}


def main():
    page = Page("Phish, by the trick that each uses", __doc__)
    folders = {name: data_set(name)
               for name in ("article-html", "rust-book-editions", "llvm-docs-html", "cppreference-html")}
    for name, folder in folders.items():
        if folder is None:
            page.skip(f"there is no {name} below TWINSET_DATA")
    if browser.program() is None:
        page.skip("there is no Chromium")
    draw = random.Random(SEED)
    made, sent = {}, {}
    for i, (kind, domain, text) in enumerate(make_phish(draw)):
        url = f"http://{domain}.p{i}.example/login.php"
        made[url], sent[url] = (kind, domain), text
    others = dict(other_pages(folders, draw))
    known = {f"https://login.{domain}/": login_page(domain) for domain in BRANDS}
    page.hold(len(others) == OTHERS and len(made) == PHISH + IMAGES and len(others) + len(made) == RIPPED,
              "the pages are as many as in table 6")
    with browser.Browser() as chromium:
        shown = {url: chromium.render(text) for url, text in sent.items()}
        shown_known = {url: chromium.render(text) for url, text in known.items()}
        shown_others = {url: chromium.render(text) if i % RENDERED_OTHERS == 0 else text
                        for i, (url, text) in enumerate(others.items())}

    def records(name, *parts):
        return page.write_records(name, [{"url": url, "html": text} for part in parts for url, text in part.items()])

    own = {"https://www.harborbank.co.uk/again": login_page("harborbank.co.uk")}
    as_sent = records("sent_known.jsonl", known), records("sent.jsonl", sent, others, own)
    as_shown = records("shown_known.jsonl", shown_known), records("shown.jsonl", shown, shown_others, own)
    bytes_kept = ("--white-space", "keep")
    readers = ("--content", "text", "--at", "p,div,ends")
    searches = {
        "sent, white space kept": Search(page, "a", *as_sent, bytes_kept),
        "sent": Search(page, "b", *as_sent, ()),
        "shown, white space kept": Search(page, "c", *as_shown, bytes_kept),
        "shown": Search(page, "d", *as_shown, ()),
        "shown, half of its parts": Search(page, "e", *as_shown, (), "--min-share", "0.5"),
        "shown, by text": Search(page, "f", *as_shown, readers),
    }
    counts = {name: {kind: search.of(made, kind) for kind, _, _ in TRICKS} for name, search in searches.items()}
    scripts = [kind for kind, _, _ in TRICKS if kind.startswith("by scripts")]
    false = {name: len(search.found.keys() - made.keys()) for name, search in searches.items()}

    def minor(name):
        return sum(counts[name][kind] for kind, _, _ in TRICKS[5:-1])

    def total(name):
        return sum(counts[name].values())

    found = counts["shown"]
    page.hold(found["direct copies"] == DIRECT and found["other white space"] == SPACED and
              sum(found[kind] for kind in scripts) == SCRIPTED, "shown, all copies are found: 35 + 8 + 7")
    page.hold(total("sent") == DIRECT + SPACED, "as they are sent, the copies without scripts: 43")
    page.hold(counts["sent, white space kept"]["other white space"] == 0, "by bytes no copy with other white space")
    page.hold(not any(false.values()), "no other page is named, nor the bank's own on another host")
    parts = collections.Counter(page_of["labeled"] for page_of in searches["shown"].found.values())
    page.text(f"""
Table 6 classifies 1,888 suspected phish of PayPal that could be read. Here are as many pages: {PHISH} made phish of five pages to log in at,
{IMAGES} more that are pictures, which the paper leaves out, and {OTHERS:,} real pages of articles, a book and two manuals. Each phish has a host that begins
with the imitated one; a page of the bank's own on another of its hosts is held against the labels, too. Labels are the parts of
the five pages with more than 25 characters, and one part is enough. A page is held against them as it is sent, or as Chromium shows it after its scripts
have run, with the known pages likewise; of the other pages each tenth is rendered.""")
    page.table(["", "paper", "sent", "shown"], [
        ("ripped", "1,888", f"{RIPPED:,}", f"{RIPPED:,}"),
        ("other pages; named", f"{OTHERS:,}; 0", f"{OTHERS:,}; {false['sent']}", f"{OTHERS:,}; {false['shown']}"),
        ("pictures, removed; named", "39; -", f"{IMAGES}; {counts['sent']['pictures']}", f"{IMAGES}; {counts['shown']['pictures']}"),
        ("phish", PHISH, PHISH, PHISH),
        ("found", "50 (58.8 %)", f"{total('sent')} ({total('sent') / PHISH:.1%})".replace("%", " %"),
         f"{total('shown')} ({total('shown') / PHISH:.1%})".replace("%", " %")),
        ("direct copies", DIRECT, counts["sent"]["direct copies"], found["direct copies"]),
        ("by white space that is normalized", SPACED, counts["sent"]["other white space"], found["other white space"]),
        ("by scripts", SCRIPTED, sum(counts["sent"][kind] for kind in scripts), sum(found[kind] for kind in scripts)),
        ("minor content, missed", MINOR, MINOR - minor("sent"), MINOR - minor("shown"))])
    page.text(f"""
Table 1 of the paper has 43 found among the same pages: those are the pages as they are sent, without the 7 of scripts. Where it is said when they were collected the paper
differs from itself: 24 and 25 September 2014 in section 5, October 2014 in 8.2; the numbers of pages are the same.

How many pages use each trick is made here as table 6 has it, so the shares say nothing about phish of today. What is measured is which tricks are seen
through. The same by trick, and by other rules: white space kept is `--white-space keep`, half of its parts `--min-share 0.5`, by text
`--content text --at p,div,ends`.""")
    page.table(["trick", "pages", *searches], [
        (kind, count, *(counts[name][kind] for name in searches)) for kind, _, count in TRICKS] + [
        ("other pages", f"{OTHERS:,}", *(false[name] for name in searches))])
    page.text(f"""
A phish that is found holds from {min(parts)} to {max(parts)} parts of the page that it imitates. **What exact chunks cannot see:** pictures; frames, whose content is a page of its own; other
words, as of a translation; and a letter changed in each part. Classes of one's own in each tag hide a copy from markup, and not from text. A
page in the phisher's own layout holds the name and less than 26 characters in a row of the original.""")
    count_known, count_others, named = of_other_publishers(page, folders["article-html"])
    page.text(f"""
## Pages of today have markup in common

The paper's site was one of a kind. Pages that are written by the same program or kit have markup in common, such as
`<div class="sharedaddy sd-sharing-enabled">`, which is longer than 25 characters. Of {count_known + count_others} articles of many publishers half are known here, and the others are
held against these. So many of {count_others} are named, some of them of publishers with one owner:""")
    page.table(["what is compared", *(strict for strict, _ in STRICT)], [(rule, *counted) for rule, counted in named.items()])
    page.hold(named["markup"][0] > 5 * named["text"][0] and not any(counted[-1] for counted in named.values()),
              "text names few of them, and half of the parts no page")
    page.text("""
So for known pages in general **labels of text** are the better rule (`discover --content text --at p,div,ends --min-chars 26`, the
browser extension's), which also finds more of the phish above; or markup with a share.""")
    page.finish(f"35 + 8 + 7 of 85 by pages as a browser shows them, {total('sent')} as they are sent, {false['shown']} of {OTHERS:,} others named; by "
                f"text {total('shown, by text')} of 85; pictures, frames, other words and edits in each part are not seen; of {count_others} "
                f"articles of other publishers markup names {named['markup'][0]}, text {named['text'][0]}")


if __name__ == "__main__":
    main()
