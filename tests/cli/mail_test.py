#!/usr/bin/env python3
"""Mail against Python's email and mailbox packages.

    python3 tests/cli/mail_test.py --binary build/release/twinset

A mailbox and a Maildir are written by Python's mailbox package, deduplicated, and read by it again: the messages must be
the first copies, with their flags. With TWINSET_DATA the words of each mail of the collection spamassassin, as twinset
decodes it, must be those that the rules of docs/mail.md give over Python's email package. mail_differences.json names
the mails where they are not, and why; that list must be exactly right. Skipped by a build without mail. Standard library
only.
"""

import argparse
import email
import email.header
import json
import mailbox
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PLAIN = {"text/plain", "text/enriched", "text/richtext"}
MAILS = 60


def run(binary, *arguments):
    return subprocess.run([binary, *arguments], check=True, capture_output=True, text=True).stdout


def reads_mail(binary):
    return subprocess.run([binary, "inspect", HERE.parent / "data/mail/page.eml"], check=False,
                          capture_output=True).returncode == 0


def made_mail(number):
    """A mail of which every third is a copy of the one before, under another id."""
    mail = mailbox.MaildirMessage()
    topic = number - 1 if number % 3 == 2 else number
    mail["From"] = "a@b.example"
    mail["Subject"] = f"Topic {topic}"
    mail["Message-ID"] = f"<{number}@b.example>"
    mail.set_payload("".join(f"From word {topic * 100 + i} on we went, {topic} times.\n" for i in range(20)))
    mail.set_subdir("cur")
    mail.set_flags("S" if number % 2 else "RS")
    return mail


def mailboxes(binary, folder):
    """Problems of a mailbox and a Maildir that were deduplicated."""
    made = {"mbox": mailbox.mbox(folder / "in.mbox"), "Maildir": mailbox.Maildir(folder / "Maildir")}
    flags = {}
    for number in range(MAILS):
        mail = made_mail(number)
        flags[mail["Message-ID"]] = mail.get_flags()
        for box in made.values():
            box.add(mail)
    for box in made.values():
        box.flush()
    first = {f"<{number}@b.example>" for number in range(MAILS) if number % 3 != 2}
    run(binary, "dedup", folder / "in.mbox", "-o", folder / "mbox_out")
    kept = mailbox.mbox(folder / "mbox_out/in.mbox", create=False)
    if {mail["Message-ID"] for mail in kept} != first or len(kept) != len(first):
        yield f"of the mailbox {len(kept)} messages are kept"
    sent = {mail["Message-ID"]: mail.as_bytes() for mail in made["mbox"]}
    if any(sent[mail["Message-ID"]] != mail.as_bytes() for mail in kept):
        yield "a message of the mailbox has changed"
    run(binary, "dedup", folder / "Maildir", "-o", folder / "maildir_out")
    for name in ("new", "tmp"):
        (folder / "maildir_out" / name).mkdir(exist_ok=True)
    kept = mailbox.Maildir(folder / "maildir_out", create=False)
    # Files of a Maildir come in the order of their names, so which copy is the first is another matter.
    topics = sorted(mail["Subject"] for mail in kept)
    if topics != sorted({made_mail(number)["Subject"] for number in range(MAILS)}):
        yield f"of the Maildir {len(topics)} messages are kept"
    if any(mail.get_flags() != flags[mail["Message-ID"]] for mail in kept):
        yield "a message of the Maildir has lost its flags"


# The rules of docs/mail.md over Python's email package. A text that Python cannot decode stays bytes.


def header_text(value):
    text = ""
    for piece, charset in email.header.decode_header(value):
        if isinstance(piece, bytes):
            try:
                piece = piece.decode(charset or "ascii")
            except (LookupError, UnicodeDecodeError):
                return piece
        text += piece
    return text


def leaf_text(part):
    data = part.get_payload(decode=True) or b""
    charset = part.get_param("charset")
    try:
        return data.decode((charset[2] if isinstance(charset, tuple) else charset) or "ascii")
    except (LookupError, UnicodeDecodeError):
        return data


def texts(part):
    """(is a page, text) of all that is read of a part."""
    kind = part.get_content_type()
    if part.is_multipart() and part.get_content_maintype() == "message":
        inner = []
        for mail in part.get_payload():
            inner += ([(False, header_text(mail["subject"]))] if mail["subject"] else []) + texts(mail)
        return inner
    if part.is_multipart():
        parts = [texts(each) for each in part.get_payload()]
        if kind != "multipart/alternative":
            return [text for each in parts for text in each]
        best, rank = [], 0
        for each in parts:
            blank = not any(text.strip() for _, text in each)
            good = 0 if blank else 1 if any(page for page, _ in each) else 2
            if good > rank or good == rank == 1:
                best, rank = each, good
        return best
    if part.get_content_disposition() == "attachment" or kind not in PLAIN | {"text/html"}:
        return []
    return [(kind == "text/html", leaf_text(part))]


def text_of(raw):
    """(the text, whether Python decoded all of it)"""
    if raw.startswith(b"From "):
        raw = raw.partition(b"\n")[2]
    mail = email.message_from_bytes(raw)
    found = ([] if mail["subject"] is None else [(False, header_text(str(mail["subject"])))]) + texts(mail)
    decoded = all(isinstance(text, str) for _, text in found)
    found = [(page, text if isinstance(text, str) else text.decode("latin-1")) for page, text in found]
    if any(page for page, _ in found):
        found = [(page, text if page else text.replace("&", "&amp;").replace("<", "&lt;")) for page, text in found]
    return "\n".join(text for _, text in found), decoded


def words(text, decoded):
    """Of a text in a charset that Python was not told, the words in ASCII, which most charsets share."""
    return re.findall(r"[^\W_]+" if decoded else r"[a-z0-9]+", text.lower())


def differences(binary, folder, collection):
    """The numbers of the mails that differ."""
    packed = subprocess.run(["zstd", "-dc", "--long=31", collection], check=True, capture_output=True).stdout
    raws = [json.loads(line)["raw"].encode("latin-1") for line in packed.splitlines()]
    for name in ("cur", "new", "tmp"):
        (folder / "md" / name).mkdir(parents=True)
    for number, raw in enumerate(raws):
        (folder / "md/cur" / f"{number:05}.x:2,S").write_bytes(raw)
    run(binary, "index", "create", folder / "X.index", "--texts")
    run(binary, "index", "add", folder / "X.index", folder / "md")
    run(binary, "index", "export", folder / "X.index", "-o", folder / "texts.jsonl")
    ours = {}
    for line in (folder / "texts.jsonl").read_text().splitlines():
        document = json.loads(line)
        ours[int(pathlib.Path(document["id"]).name[:5])] = document["text"]
    if set(ours) != set(range(len(raws))):
        raise SystemExit(f"FAILED {len(ours)} of {len(raws)} mails were read")
    differ = []
    for number, raw in enumerate(raws):
        theirs, decoded = text_of(raw)
        if words(theirs, decoded) != words(ours[number], decoded):
            differ.append(number)
    return differ, len(raws)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    parser.add_argument("--show", action="store_true", help="print the numbers of all mails that differ")
    options = parser.parse_args()
    binary = options.binary.resolve()
    if not reads_mail(binary):
        print("skipped: a build without mail\n1 passed, 0 failed")
        return 0
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for problem in mailboxes(binary, folder):
            print("FAILED", problem)
            failed += 1
        collection = pathlib.Path(os.environ.get("TWINSET_DATA", "")) / "spamassassin/messages.jsonl.zst"
        if "TWINSET_DATA" not in os.environ or not collection.exists():
            print("skipped: spamassassin is not below TWINSET_DATA")
        else:
            named = json.loads((HERE / "mail_differences.json").read_text())
            expected = sorted(number for each in named for number in each["mails"])
            found, mails = differences(binary, folder, collection)
            if options.show:
                print(found)
            if found != expected:
                failed += 1
                print(f"FAILED differ, and are not in mail_differences.json: {sorted(set(found) - set(expected))}; "
                      f"are there, and do not: {sorted(set(expected) - set(found))}")
            print(f"{mails} mails, {len(found)} with other words than Python's email package finds")
    print(f"{2 - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
