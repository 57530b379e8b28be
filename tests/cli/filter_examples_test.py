#!/usr/bin/env python3
"""The programs of examples/filter beside a filter: a milter, and the backend of a forum; and ten thousand clients at once.

    python3 tests/cli/filter_examples_test.py --binary build/release/twinset

The milter is asked by miltertest, as a mail server asks it; that part is skipped where miltertest or the
Python module Milter is missing (Debian: miltertest, python3-milter).
"""

import http.client
import json
import os
import pathlib
import resource
import shutil
import socket
import subprocess
import sys
import tempfile
import time

import harness

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples" / "filter"
SPAM = ("Dear friend, our shop in the sun has cheap pills for everybody who answers this mail today and orders "
        "at once, delivered to your door in plain paper without any question of a doctor.")
HAM = ("The committee meets on Tuesday at nine in the small room; please read the minutes of the last meeting "
       "before, and bring the list of members who have not paid their dues for this year.")

# Sends a mail, and tells the reply and the headers that the milter added and changed.
MILTERTEST = """
conn = mt.connect("unix:" .. socket, 100, 0.05)
if conn == nil then error("no milter") end
mt.mailfrom(conn, "<a@example.org>")
for name, value in string.gmatch(headers, "([^:|]+): ([^|]*)|") do mt.header(conn, name, value) end
mt.eoh(conn)
mt.bodyfile(conn, body)
if mt.eom(conn) ~= nil then error("no reply") end
mt.echo("reply " .. string.char(mt.getreply(conn)))
if mt.eom_check(conn, MT_HDRDELETE, "X-Twinset") then mt.echo("deleted") end
for i = 0, 3 do
  local value = mt.getheader(conn, "X-Twinset", i)
  if value ~= nil then mt.echo("X-Twinset: " .. value) end
end
mt.disconnect(conn)
"""


class Filter:
    """A `twinset filter` that listens."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.socket = folder / "filter.sock"
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.binary, "filter", "--set", self.folder / "spam.index", "--listen", self.socket],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if self.socket.exists():
                break
            time.sleep(.05)

    def kill(self):
        self.process.kill()
        self.process.wait()


def milter_python():
    """A Python that has Milter, or None."""
    for program in (sys.executable, "/usr/bin/python3"):
        if os.access(program, os.X_OK) and subprocess.run(
                [program, "-c", "import Milter"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
            return program
    return None


class Milter:
    def __init__(self, python, filter_, *options):
        self.folder = filter_.folder
        self.socket = self.folder / f"milter{len(options)}.sock"
        self.process = subprocess.Popen(
            [python, EXAMPLES / "mail_milter.py", "--filter", filter_.socket, "--listen", f"unix:{self.socket}", *options],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def send(self, body, headers):
        """What miltertest prints of a mail with this body, bytes, and headers {name: value}."""
        script, file = self.folder / "mail.lua", self.folder / "body"
        file.write_bytes(body)
        told = "".join(f"{name}: {value}|" for name, value in headers)
        script.write_text(f"socket, body, headers = {json.dumps(str(self.socket))}, {json.dumps(str(file))}, "
                          f"{json.dumps(told)}\n{MILTERTEST}")
        done = subprocess.run(["miltertest", "-s", script], text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=60, check=False)
        return done.stdout.splitlines()

    def end(self):
        self.process.terminate()
        self.process.wait()


def reads_mail(binary):
    return subprocess.run([binary, "inspect", EXAMPLES.parent.parent / "tests/data/mail/page.eml"], check=False, capture_output=True).returncode == 0


def check_milter(checks, filter_):
    if not reads_mail(filter_.binary):
        checks.skip("the milter: a build without mail")
        return
    python = milter_python()
    if python is None or shutil.which("miltertest") is None:
        checks.skip("the milter: no miltertest, or no Python with Milter (Debian: miltertest, python3-milter)")
        return
    plain = [("From", "a@example.org"), ("Subject", "news"), ("Content-Type", "text/plain; charset=utf-8")]
    html = [("From", "a@example.org"), ("Subject", "news"), ("Content-Type", "text/html"),
            ("Content-Transfer-Encoding", "base64")]
    milter = Milter(python, filter_)
    told = milter.send(SPAM.encode(), plain)
    checks.check(told and told[0] in ("reply c", "reply a") and told[1:2] and
                 told[1].startswith("X-Twinset: match; prototype=known 1; resemblance="), f"spam is marked: {told}")
    checks.check("X-Twinset: pass" in milter.send(HAM.encode(), plain), "ham passes")
    checks.check("X-Twinset: unknown" in milter.send(b"see you", plain), "a short mail is unknown")
    import base64
    page = base64.encodebytes(f"<html><body><p>{SPAM.replace(' ', ' <b></b>', 5)}</p></body></html>".encode())
    told = milter.send(page, html)
    checks.check(any(line.startswith("X-Twinset: match") for line in told), f"so is a page in base64: {told}")
    told = milter.send(SPAM.encode(), [*plain, ("X-Twinset", "pass")])
    checks.check("deleted" in told and any(line.startswith("X-Twinset: match") for line in told),
                 f"a forged header goes: {told}")
    for body, headers in ((b"\xff\x00" * 3000, [("Content-Type", "multipart/mixed; boundary=x"), ("Subject", "=?x?q?=?=")]),
                          (SPAM.encode(), [("Content-Type", "text/plain; charset=nowhere"), ("Subject", "\\xff")])):
        told = milter.send(body, headers)
        checks.check(any(line.startswith("X-Twinset: ") for line in told), f"a broken mail has a verdict: {told}")
    filter_.kill()
    checks.check("X-Twinset: unchecked" in milter.send(SPAM.encode(), plain), "without a filter a mail goes on")
    filter_.start()
    told = milter.send(SPAM.encode(), plain)
    checks.check(any(line.startswith("X-Twinset: match") for line in told), f"and is checked again after: {told}")
    milter.end()
    strict = Milter(python, filter_, "--reject")
    told = strict.send(SPAM.encode(), plain)
    checks.check(told == ["reply y"], f"with --reject it is refused: {told}")
    checks.check("X-Twinset: pass" in strict.send(HAM.encode(), plain), "and ham is not")
    strict.end()


def check_many_clients(checks, filter_):
    """10,000 at once, who all ask before one is answered."""
    many = 10_000
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < many + 500:
        checks.skip(f"10,000 clients: the system allows {hard} descriptors")
        return
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    clients = []
    for number in range(many):
        client = socket.socket(socket.AF_UNIX)
        client.connect(str(filter_.socket))  # waits while others are let in
        client.settimeout(60)
        client.sendall(json.dumps({"id": number, "text": SPAM if number % 2 else HAM}).encode() + b"\n")
        clients.append(client)
    right = 0
    for number, client in enumerate(clients):
        told = json.loads(client.makefile("rb").readline())
        right += told.get("id") == number and told.get("verdict") == ("match" if number % 2 else "pass")
        client.close()
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    checks.check(right == many, f"{right:,} of {many:,} clients at once have their answers")


class Forum:
    def __init__(self, filter_):
        self.process = subprocess.Popen(
            [sys.executable, EXAMPLES / "forum.py", "--filter", filter_.socket, "--port", "0"],
            stdout=subprocess.PIPE, text=True)
        self.host = self.process.stdout.readline().strip().removeprefix("http://")

    def ask(self, method, path, body=None):
        connection = http.client.HTTPConnection(self.host, timeout=30)
        connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body))
        response = connection.getresponse()
        told = response.status, json.loads(response.read())
        connection.close()
        return told

    def end(self):
        self.process.terminate()
        self.process.wait()


def check_forum(checks, filter_):
    forum = Forum(filter_)
    told = forum.ask("POST", "/posts", {"text": HAM})
    checks.check(told == (201, {"id": 1, "state": "shown"}), f"a post is shown: {told}")
    other = "Whoever wants my old bicycle may have it for a cake; it has two wheels, one brake and a bell that rings."
    told = forum.ask("POST", "/posts", {"text": other})
    checks.check(told == (201, {"id": 2, "state": "shown"}), f"so is another: {told}")
    told = forum.ask("POST", "/reports", {"post": 2})
    checks.check(told == (200, {"id": 2, "state": "removed"}), f"a moderator takes it away: {told}")
    # A kill loses nothing that was acknowledged, and the backend connects again.
    filter_.kill()
    told = forum.ask("POST", "/posts", {"text": other})
    checks.check(told == (201, {"id": 3, "state": "shown", "unchecked": True}), f"without a filter posts go on: {told}")
    told = forum.ask("POST", "/reports", {"post": 1})
    checks.check(told[0] == 503, f"and a report is not acknowledged: {told}")
    filter_.start()
    told = forum.ask("POST", "/posts", {"text": other + " Thanks!"})
    checks.check(told == (201, {"id": 4, "state": "held", "like": "post 2"}), f"nearly the same is held: {told}")
    told = forum.ask("DELETE", "/reports/2")
    checks.check(told == (200, {"id": 2, "state": "shown"}), f"a moderator pardons: {told}")
    told = forum.ask("POST", "/posts", {"text": other})
    checks.check(told == (201, {"id": 5, "state": "shown"}), f"and it is shown again: {told}")
    for method, path, body, status in (("POST", "/posts", b"{", 400), ("POST", "/posts", {"post": 1}, 400),
                                       ("POST", "/reports", {"post": 99}, 404), ("DELETE", "/reports/99", None, 404),
                                       ("POST", "/else", {"text": ""}, 404), ("POST", "/posts", b"x" * 70000, 413)):
        told = forum.ask(method, path, body)
        checks.check(told[0] == status, f"{method} {path} {str(body)[:20]}: {told}")
    forum.end()


def main():
    options = harness.arguments(__doc__, seed=False)
    checks = harness.Checks("filter_examples")
    sys.path.insert(0, str(EXAMPLES))
    from client import Client
    with tempfile.TemporaryDirectory(prefix="twinset-filter-") as folder:
        filter_ = Filter(options.binary, pathlib.Path(folder))
        # As the milter joins them.
        Client(str(filter_.socket), patience=20).ask(op="add", id="known 1", text="news\n" + SPAM)
        check_many_clients(checks, filter_)
        check_milter(checks, filter_)
        check_forum(checks, filter_)
        filter_.kill()
    return checks.finish()


if __name__ == "__main__":
    sys.exit(main())
