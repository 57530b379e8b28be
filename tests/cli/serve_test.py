#!/usr/bin/env python3
"""The service over real sockets: everything a client can do wrong gets one clear answer, and nothing
that was acknowledged is lost.

    python3 tests/cli/serve_test.py --binary build/release/twinset [--seed N]

Standard library only, but for schemathesis, of tests/cli/serve_requirements.txt, in build/serve/venv.
"""

import atexit
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata

import harness
import openapi

HOUSE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(HOUSE / "tests/python"))
import run as package  # noqa: E402  the environments of tests

JSON = {"Content-Type": "application/json"}
LINES = {"Content-Type": "application/x-ndjson"}
TOKEN = "0123456789abcdef0123456789abcdef"


class Served:
    """A running service, each of whose JSON answers is held against its description."""

    described = None
    answers = 0
    faults = []

    def __init__(self, binary, *arguments):
        self.process = subprocess.Popen([binary, "serve", *map(str, arguments), "--listen", "127.0.0.1:0"],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        atexit.register(self.process.kill)
        self.said = []
        self.port = None
        for line in self.process.stderr:
            self.said.append(line)
            if found := re.search(r"at http://127\.0\.0\.1:(\d+)/", line):
                self.port = int(found.group(1))
                break
        self.reader = threading.Thread(target=lambda: self.said.extend(self.process.stderr), daemon=True)
        self.reader.start()
        if self.port is None:
            self.process.wait()
            raise RuntimeError("".join(self.said))

    def ask(self, method, path, body=None, headers=None, timeout=30):
        """(status, headers, what the JSON says or the text)."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body)
            connection.request(method, path, body, headers if headers is not None else JSON if body is not None else {})
            answer = connection.getresponse()
            text = answer.read()
            with contextlib.suppress(ValueError):
                if answer.getheader("Content-Type") == "application/json" and text:
                    told = json.loads(text)
                    self.hold_against_description(method, path, answer.status, told)
                    return answer.status, answer.headers, told
            return answer.status, answer.headers, text
        finally:
            connection.close()

    def hold_against_description(self, method, path, status, answer):
        if self.described is None and path != "/openapi.json":
            found, _, description = self.ask("GET", "/openapi.json")
            Served.described = openapi.Description(description) if found == 200 else None
        if self.described is not None:
            Served.answers += 1
            Served.faults += [f"{method} {path}: {fault}" for fault in self.described.faults(method, path, status, answer)]

    def post(self, path, body, **more):
        status, _, answer = self.ask("POST", path, body, **more)
        return status, answer

    def raw(self, data, seconds=5.0, slow=0.0):
        """All that comes back for these bytes, sent at once or a byte in each `slow` seconds."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as client:
            back = b""
            try:
                if slow:
                    for byte in data:
                        client.sendall(bytes([byte]))
                        time.sleep(slow)
                else:
                    client.sendall(data)
            except OSError:
                pass
            with contextlib.suppress(OSError):
                while piece := client.recv(65536):
                    back += piece
            return back

    def stop(self, with_signal=signal.SIGTERM, seconds=40):
        self.process.send_signal(with_signal)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return None

    def resident(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+) kB", file.read()).group(1)) * 1024


def statuses(answer):
    return [int(found) for found in re.findall(rb"HTTP/1\.1 (\d\d\d) ", answer)]


def text_of(generator, words=60):
    return " ".join(f"word{generator.randrange(3000)}" for _ in range(words))


def make_index(binary, folder, name, texts, scheme=None):
    index = folder / name
    options = ["--scheme", scheme] if scheme else []
    subprocess.run([binary, "index", "create", index, "--texts", *options], check=True, capture_output=True)
    if texts:
        path = folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps({"id": i, "text": text, "url": f"http://a.org/{i}", "date": f"2026-01-{i % 28 + 1:02}"}) + "\n"
                                for i, text in enumerate(texts)))
        subprocess.run([binary, "index", "add", index, path, "--url", "url", "--date", "date", "-q"], check=True, capture_output=True)
    return index


def hostile_strings():
    """Texts that have broken programs: each a valid string of JSON."""
    pieces = ["", "\0", "\n", "\r\n", "\t", "\x1b[31m", "\x7f", "\u0085", "\u202e", "\u2028", "\u2029", "\ufeff",
              "\ufffe", "\uffff", "\U0001f600", "\U0010ffff", "e\u0301" * 50, "\u0300" * 300, "<script>alert(1)</script>",
              "<img src=x onerror=alert(1)>", "\"><svg/onload=alert(1)>", "'; DROP TABLE documents; --", "../../etc/passwd",
              "%00", "%s%s%s%n", "${jndi:ldap://a}", "{{7*7}}", "`id`", "$(id)", "| id", "; id", "\\", "\\u0000", "\"", "'",
              "null", "undefined", "NaN", "Infinity", "-0", "1e400", "0x10", "true", "[]", "{}", "[" * 1000, "{\"a\":" * 100,
              "<![CDATA[", "]]>", "<!--", "-->", "<?xml", "<!DOCTYPE html>", "&lt;", "&#0;", "\u0000<b>", "file:///etc/passwd",
              "http://[::1", "http://user:pass@host:99999/", "javascript:alert(1)", "data:text/html,x", "a" * 100_000,
              " " * 10_000, "\n" * 10_000, "\u200b" * 1000, "\u2066\u2067\u2068", "\ud7ff\ue000", "CON", "NUL", "LPT1"]
    return [piece + end for piece in pieces for end in ("", " x y z w v u", "\u0000", "\u202e end", "\r\nHost: evil", "\"}", "'\"<>&")]


def check_answers(checks, served, texts):
    status, headers, answer = served.ask("GET", "/health")
    checks.check((status, answer) == (200, {"status": "ok"}), "health")
    for name, wanted in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"), ("Cache-Control", "no-store")):
        checks.check(headers.get(name) == wanted, f"header {name}: {headers.get(name)}")
    checks.check("default-src 'none'" in headers.get("Content-Security-Policy", ""), "no policy")
    checks.check("Access-Control-Allow-Origin" not in headers, "CORS")
    checks.check(served.ask("GET", "/ready")[0] == 200, "ready")
    status, headers, page = served.ask("GET", "/")
    policy = headers.get("Content-Security-Policy", "")
    checks.check(status == 200 and b'id="page"' in page and "script-src 'sha256-" in policy and "connect-src 'self'" in policy
                 and "unsafe" not in policy, f"the page: {status} {policy}")
    status, answer = served.post("/query", {"text": texts[3], "top": 2})
    checks.check(status == 200 and answer["hits"][0]["id"] == 3 and answer["hits"][0]["same"] == "bytes", f"query: {answer}")
    status, answer = served.post("/query", {"id": 7, "resemblance": "90%"})
    checks.check(status == 200 and answer["hits"][0]["id"] == 7, f"query by id: {answer}")
    status, answer = served.post("/query", {"url": "http://a.org/9", "resemblance": 0.9, "containment": None})
    checks.check(status == 200 and answer["hits"][0]["id"] == 9, f"query by url: {answer}")
    for path, body in (("/group", {"hits": [1, "2", "nobody", {"id": 3, "text": texts[1]}]}), ("/locate", {"url": "http://a.org/1"}), ("/lookup", {"name": "5"}),
                       ("/track", {"url": "http://a.org/1"}), ("/filter", {"text": texts[0]}), ("/filter", {"text": "x"}), ("/document", {"id": 5}),
                       ("/query", {"text": texts[0], "passages": True}), ("/query", {"text": texts[0], "top": 0, "resemblance": 0})):
        status, answer = served.post(path, body)
        checks.check(status == 200, f"{path} {body}: {status} {answer}")
    lines = [json.dumps({"text": texts[5]}), "nix", "", json.dumps({"id": 1}), "[]", json.dumps({"id": "none there"})]
    status, answer = served.post("/query", "\r\n".join(lines), headers=LINES)
    found = [json.loads(line) for line in answer.decode().splitlines()]
    checks.check(status == 200 and len(found) == 5, f"lines: {answer}")
    checks.check([next(iter(line)) for line in found] == ["hits", "error", "hits", "error", "error"], f"lines: {found}")
    for line in found:
        served.hold_against_description("POST", "/query", 400 if "error" in line else 200, line)
    status, _, answer = served.ask("GET", "/metrics")
    checks.check(status == 200 and b'twinset_requests_total{route="/query",status="200"}' in answer
                 and b"twinset_index_documents 300" in answer, "metrics")
    status, headers, _ = served.ask("HEAD", "/about")
    checks.check(status == 200 and int(headers["Content-Length"]) > 10, "HEAD")


def check_wrong(checks, served):
    for path, body, wanted, word in (
            ("/query", b"{\"text\": \"a\xff\"}", 400, "byte 11 is not valid UTF-8"),
            ("/query", b"[" * 100_000, 400, "64 levels"),
            ("/query", b"{\"a\":" * 100, 400, "64 levels"),
            ("/query", b"", 400, "byte 0"),
            ("/query", b"{\"text\": \"a\"", 400, "ends too early"),
            ("/query", b"[]", 400, "an object is wanted"),
            ("/query", {"texts": "a"}, 400, "known are text"),
            ("/query", b"{\"text\": \"a\", \"text\": \"b\"}", 400, "twice"),
            ("/query", {"text": 1}, 400, "a string, not a number"),
            ("/query", {"text": "a", "id": 1}, 400, "one of text, id and url"),
            ("/query", {"text": "a", "top": -1}, 400, "top: "),
            ("/query", {"text": "a", "top": 1.5}, 400, "top: "),
            ("/query", {"text": "a", "top": None}, 400, "top: "),
            ("/query", {"text": "a", "top": 10 ** 30}, 400, "too large"),
            ("/query", {"text": "a", "resemblance": 1.1}, 400, "resemblance: "),
            ("/query", {"text": "a", "passages": "yes"}, 400, "true or false"),
            ("/lookup", {}, 400, "name: is needed")):
        status, answer = served.post(path, body)
        checks.check(status == wanted and word in answer["error"]["message"], f"{path} {body!r:.60}: {status} {answer}")
        checks.check(set(answer["error"]) == {"code", "message"}, f"the form of {answer}")
    for method, path, headers, wanted in (
            ("GET", "/nothing", {}, 404), ("GET", "/query", {}, 405), ("DELETE", "/query", {}, 405), ("POST", "/health", JSON, 405),
            ("POST", "/query", {}, 415), ("POST", "/query", {"Content-Type": "text/plain"}, 415),
            ("POST", "/query", {"Content-Type": "application/x-www-form-urlencoded"}, 415),
            ("POST", "/query", {**JSON, "Origin": "http://evil.example"}, 403), ("POST", "/query", {**JSON, "Origin": "null"}, 403),
            ("POST", "/query", {**JSON, "Origin": f"http://127.0.0.1:{served.port}"}, 400),
            ("GET", "/health", {"Host": "evil.example"}, 421), ("GET", "/health", {"Host": "127.0.0.1.evil.example"}, 421),
            ("GET", "/health", {"Host": "localhost:1"}, 200), ("GET", "/about?x=1", {}, 400), ("GET", "/about?%zz", {}, 400),
            ("GET", "/overview", {}, 404)):
        status, answer_headers, answer = served.ask(method, path, "x" if method == "POST" else None, headers)
        checks.check(status == wanted, f"{method} {path} {headers}: {status} {answer}")
        if status == 405:
            checks.check("Allow" in answer_headers, "405 without Allow")


def check_bytes(checks, served):
    """Requests as no library sends them."""
    host = b"Host: localhost\r\n"
    for data, wanted in (
            (b"nonsense\r\n\r\n", [400]),
            (b"GET / HTTP/1.1\r\n\r\n", [400]),
            (b"GET /health HTTP/1.1\r\n" + host + host + b"\r\n", [400]),
            (b"GET /health HTTP/1.1\r\n" + host + b"X: " + b"a" * 20_000 + b"\r\n\r\n", [431]),
            (b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n" + host + b"\r\n", [431]),
            (b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n", [413]),
            (b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]),
            (b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", [400]),
            (b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
            # Three requests at once, of which the second is wrong, and the third not asked to be kept.
            (b"GET /health HTTP/1.1\r\n" + host + b"\r\nGET /no HTTP/1.1\r\n" + host + b"\r\nGET /ready HTTP/1.1\r\n" + host
             + b"Connection: close\r\n\r\n", [200, 404, 200]),
            (b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
             b"8\r\n{\"text\":\r\n4\r\n\"a\"}\r\n0\r\n\r\n", [200]),
            (b"GET /health HTTP/1.0\r\n" + host + b"\r\n", [200])):
        found = statuses(served.raw(data))
        checks.check(found == wanted, f"{data[:80]!r}: {found}, not {wanted}")
    waits = b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nContent-Length: 12\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", served.port), timeout=5) as client:
        client.sendall(waits)
        checks.check(client.recv(100).startswith(b"HTTP/1.1 100 "), "no 100 Continue")
        client.sendall(b"{\"text\":\"a\"}")
        checks.check(statuses(client.recv(65536)) == [200], "no answer after 100 Continue")
    # An endless body is cut off at the limit, and not held.
    sent = 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as client:
        client.sendall(b"POST /query HTTP/1.1\r\n" + host + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        piece = b"10000\r\n" + b" " * 65536 + b"\r\n"
        with contextlib.suppress(OSError):
            while sent < 200 << 20:
                client.sendall(piece)
                sent += 65536
        back = b""
        with contextlib.suppress(OSError):
            back = client.recv(65536)
    checks.check(sent < 100 << 20, f"an endless body was read to {sent} bytes")
    checks.check(not back or statuses(back) == [413], f"an endless body: {back[:40]}")
    status, _, answer = served.ask("POST", "/query", b" " * (17 << 20), JSON)
    checks.check(status == 413 and "16777216" in answer["error"]["message"], f"a large body: {status} {answer}")
    checks.check(served.ask("GET", "/health")[0] == 200, "not there after bad bytes")


def check_slow(checks, served):
    """Many slow clients: each is told after ten seconds, and others are answered meanwhile."""
    clients = []
    for i in range(200):
        client = socket.create_connection(("127.0.0.1", served.port), timeout=30)
        client.sendall(b"POST /query HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"te"
                       if i % 2 else b"GET /health HTTP/1.1\r\nHo")
        clients.append(client)
    began = time.monotonic()
    checks.check(served.ask("GET", "/health")[0] == 200, "health beside slow clients")
    checks.check(served.post("/query", {"text": "a b c d e f"})[0] == 200, "a query beside slow clients")
    checks.check(time.monotonic() - began < 5, "slow clients slow others")
    told = []
    for client in clients:
        with contextlib.suppress(OSError):
            told += statuses(client.recv(65536))
        client.close()
    waited = time.monotonic() - began
    checks.check(told == [408] * 200 and 8 < waited < 25, f"{len(told)} of 200 slow clients were told after {waited:.0f} s: {set(told)}")


def check_hostile(checks, served):
    wrong = 0
    strings = hostile_strings()
    for string in strings:
        for body in ({"text": string}, {"id": string}, {"url": string}):
            status, answer = served.post("/query", body)
            wrong += status not in (200, 400) or (status == 400 and any(unicodedata.category(c) == "Cc" or c in "\u202e\u2066\u2028" for c in answer["error"]["message"]))
    checks.check(len(strings) > 400 and wrong == 0, f"{wrong} of {3 * len(strings)} hostile queries")


def check_token(checks, binary, index, folder):
    token_file = folder / "token"
    token_file.write_text(TOKEN + "\n")
    token_file.chmod(0o644)
    served = Served(binary, index, "--read-only", "--token-file", token_file, "--host", "search.example")
    # It may answer 401, too, and says so.
    served.described = openapi.Description(served.ask("GET", "/openapi.json", None, {"Authorization": f"Bearer {TOKEN}"})[2])
    checks.check(any("others can read the token" in line for line in served.said), f"no warning: {served.said}")
    for given, wanted in ((None, 401), ("", 401), ("Bearer", 401), ("Bearer ", 401), (f"Bearer {TOKEN[:-1]}", 401), (f"Bearer {TOKEN}x", 401),
                          (f"Basic {TOKEN}", 401), (TOKEN, 401), (f"Bearer {TOKEN}", 200), (f"bearer {TOKEN}", 200)):
        status, headers, answer = served.ask("GET", "/about", None, {} if given is None else {"Authorization": given})
        checks.check(status == wanted, f"token {given}: {status} {answer}")
        checks.check(wanted == 200 or headers.get("WWW-Authenticate") == "Bearer", "401 without WWW-Authenticate")
    for path, wanted in (("/health", 200), ("/ready", 200), ("/", 200), ("/metrics", 401), ("/openapi.json", 401), ("/nothing", 401)):
        checks.check(served.ask("GET", path)[0] == wanted, f"{path} without a token")
    checks.check(served.ask("GET", "/health", None, {"Host": "search.example"})[0] == 200, "--host")
    checks.check(served.stop() == 0, "stop")
    for arguments, word in ((["--listen", "0.0.0.0:0"], "token"), (["--listen", "nowhere"], "not an address"), (["--token-file", folder / "none"], "cannot read")):
        done = subprocess.run([binary, "serve", index, *map(str, arguments)], capture_output=True, text=True, timeout=20, check=False)
        checks.check(done.returncode in (2, 4) and word in done.stderr and done.stderr.count("\n") == 1, f"{arguments}: {done}")
    short = folder / "short"
    short.write_text("secret\n")
    done = subprocess.run([binary, "serve", index, "--token-file", short], capture_output=True, text=True, timeout=20, check=False)
    checks.check(done.returncode == 2 and "16 or more" in done.stderr, f"a short token: {done}")


def check_rate(checks, binary, index):
    served = Served(binary, index, "--read-only", "--rate", 5)
    answers = [served.ask("GET", "/health") for _ in range(12)]
    limited = [headers.get("Retry-After") for status, headers, _ in answers if status == 429]
    checks.check(5 <= len(limited) <= 7 and set(limited) == {"1"}, f"rate: {[status for status, _, _ in answers]}")
    time.sleep(1.1)
    checks.check(served.ask("GET", "/health")[0] == 200, "after a second")
    checks.check(served.stop() == 0, "stop")


def check_stop(checks, binary, index, texts):
    """Under load each request that was begun is answered, and the exit code is 0."""
    served = Served(binary, index, "--read-only", "--threads", 2)
    lost = []
    done = []

    def load():
        connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
        try:
            while True:
                try:
                    connection.request("POST", "/query", json.dumps({"text": texts[1]}), JSON)
                except OSError:
                    return  # Closed between requests, or no more connections are taken.
                answer = connection.getresponse()
                body = answer.read()
                if answer.status == 200 and "hits" in json.loads(body):
                    done.append(1)
                elif answer.status == 503:
                    return
                else:
                    lost.append(answer.status)
        except http.client.RemoteDisconnected:
            return  # Idle in the server's eyes when it stopped.
        except (OSError, http.client.HTTPException, ValueError) as error:
            lost.append(repr(error))

    threads = [threading.Thread(target=load) for _ in range(32)]
    for thread in threads:
        thread.start()
    time.sleep(1)
    code = served.stop()
    for thread in threads:
        thread.join()
    lost = [what for what in lost if "ConnectionReset" not in str(what)]
    checks.check(code == 0 and not lost and len(done) > 32, f"SIGTERM under load: {code}, {len(done)} done, lost {lost[:5]}")


def documents_of(binary, index):
    done = subprocess.run([binary, "index", "export", index, "-q"], capture_output=True, text=True, check=False)
    return {json.loads(line)["id"] for line in done.stdout.splitlines()} if done.returncode == 0 else None


def check_changes(checks, binary, folder, generator):
    index = make_index(binary, folder, "changes.index", [])
    served = Served(binary, index)
    status, answer = served.post("/add", {"documents": [{"id": "a", "text": text_of(generator)}, {"id": 2, "text": text_of(generator), "url": "http://x/"},
                                                        {"id": "a", "text": "another text"}]})
    checks.check(status == 200 and answer["added"] == 2 and answer["repeated"] == 1, f"add: {status} {answer}")
    status, answer = served.post("/query", {"id": "a"})
    checks.check(status == 200 and answer["hits"][0]["id"] == "a", f"what was added: {answer}")
    status, answer = served.post("/document", {"id": "a"})
    checks.check(status == 200 and answer["text"] == "another text", f"document: {answer}")
    for body in ({"documents": [{"id": "b"}]}, {"documents": [{"text": "x"}]}, {"documents": [{"id": None, "text": "x"}]},
                 {"documents": [{"id": 1, "text": "x", "fields": 3}]}, {"documents": {}}, {}):
        status, answer = served.post("/add", body)
        checks.check(status == 400, f"add {body}: {status} {answer}")
    status, answer = served.post("/add", "".join(json.dumps(line) + "\n" for line in ({"id": 10, "text": "x y z"}, {"id": 11}, {"id": 12, "text": "q"})),
                                 headers=LINES)
    checks.check([next(iter(json.loads(line))) for line in answer.decode().splitlines()] == ["taken", "error", "taken"], f"lines: {answer}")
    status, answer = served.post("/delete", {"ids": ["a", 99]})
    checks.check(status == 200 and answer["deleted"] == 1 and answer["not_there"] == [99], f"delete: {answer}")
    # A million ids.
    status, answer = served.post("/delete", {"ids": list(range(1000, 1_001_000))}, timeout=120)
    checks.check(status == 200 and answer["deleted"] == 0 and len(answer["not_there"]) == 1_000_000, f"a million ids: {status} {str(answer)[:100]}")
    checks.check(served.resident() < 1 << 30, f"{served.resident() >> 20} MiB after a million ids")
    # Another server on the same index.
    done = subprocess.run([binary, "serve", index, "--listen", "127.0.0.1:0"], capture_output=True, text=True, timeout=20, check=False)
    checks.check(done.returncode == 4 and done.stderr.count("\n") == 1 and "twinset" in done.stderr, f"two servers: {done}")
    other = Served(binary, index, "--read-only")
    status, answer = other.post("/add", {"documents": []})
    checks.check(status == 403 and answer["error"]["code"] == "read_only", f"read-only: {status} {answer}")
    checks.check(other.post("/query", {"id": 2})[0] == 200, "a reader beside the writer")
    served.post("/add", {"documents": [{"id": "later", "text": text_of(generator)}]})
    for _ in range(50):
        status, answer = other.post("/query", {"id": "later"})
        if status == 200:
            break
        time.sleep(0.1)
    checks.check(status == 200, f"a reader does not see what was added: {answer}")
    checks.check(other.stop() == 0 and served.stop() == 0, "stop")
    checks.check(documents_of(binary, index) == {2, 10, 12, "later"}, f"the index holds {documents_of(binary, index)}")


def check_replaced(checks, binary, folder, generator):
    """The command line changes, compacts and replaces an index beneath a service that reads it, which is asked all the while."""
    texts = [text_of(generator) for _ in range(50)]
    index = make_index(binary, folder, "beneath.index", texts)
    served = Served(binary, index, "--read-only")
    ended = threading.Event()
    statuses_seen = []

    def ask():
        while not ended.is_set():
            status, answer = served.post("/query", {"text": texts[7]})
            statuses_seen.append(status if status != 200 or answer["hits"][0]["id"] == 7 else answer)

    def command(*arguments):
        return subprocess.run([binary, "index", *map(str, arguments), "-q"], capture_output=True, text=True, timeout=60, check=False)

    def sees(body, wanted, what):
        """Within ten seconds."""
        for _ in range(100):
            status, answer = served.post("/query", body)
            if status == wanted:
                break
            time.sleep(0.1)
        checks.check(status == wanted, f"{what}: {status} {answer}")

    asking = [threading.Thread(target=ask) for _ in range(4)]
    for thread in asking:
        thread.start()
    later = folder / "later.jsonl"
    later.write_text(json.dumps({"id": "later", "text": text_of(generator)}) + "\n")
    checks.check(command("add", index, later).returncode == 0, "index add beneath a reader")
    sees({"id": "later"}, 200, "what another process added")
    checks.check(command("delete", index, "later", "3").returncode == 0, "index delete beneath a reader")
    sees({"id": "later"}, 400, "what another process deleted")
    checks.check(command("compact", index).returncode == 0, "index compact beneath a reader")
    sees({"id": 3}, 400, "a compacted index")
    sees({"id": 7}, 200, "a compacted index")
    # Another index of the same name, by rename.
    other = make_index(binary, folder, "other.index", texts + ["the text that only the other index has"])
    index.rename(folder / "old.index")
    other.rename(index)
    sees({"id": 50, "resemblance": "100%"}, 200, "an index that took its place")
    status, answer = served.post("/document", {"id": 50})
    checks.check(status == 200 and answer["text"].startswith("the text that only"), f"an index that took its place: {answer}")
    # None, for a while: what was opened is asked on, and the service says that it is not well.
    index.rename(folder / "away.index")
    for _ in range(100):
        status, _, told = served.ask("GET", "/ready")
        if status != 200:
            break
        time.sleep(0.1)
    checks.check(status == 500 and told["error"]["code"] == "io" and "beneath.index" in told["error"]["message"], f"ready without its index: {status} {told}")
    sees({"id": 7}, 200, "the index that is away")
    (folder / "away.index").rename(index)
    for _ in range(100):
        status, _, told = served.ask("GET", "/ready")
        if status == 200:
            break
        time.sleep(0.1)
    checks.check(status == 200, f"ready with its index again: {status} {told}")
    ended.set()
    for thread in asking:
        thread.join()
    checks.check(len(statuses_seen) > 20 and set(statuses_seen) == {200}, f"meanwhile: {len(statuses_seen)} queries, {[seen for seen in statuses_seen if seen != 200][:3]}")
    checks.check(served.stop() == 0, "stop")
    # Beneath a service that changes it, the command line changes nothing.
    served = Served(binary, index)
    for arguments in (("add", index, later), ("delete", index, "7"), ("compact", index)):
        done = command(*arguments)
        checks.check(done.returncode == 4 and done.stderr.count("\n") == 1 and "being changed" in done.stderr, f"{arguments[0]} beneath a writer: {done}")
    checks.check(served.post("/query", {"id": 7})[0] == 200, "a writer whose index others tried to change")
    # Its folder goes and another comes: it says so, and then works on that one.
    index.rename(folder / "gone.index")
    status, answer = served.post("/add", {"documents": [{"id": "x", "text": "x y z"}]})
    checks.check(status == 500 and answer["error"]["code"] == "io", f"add to an index that is away: {status} {answer}")
    (folder / "gone.index").rename(index)
    for _ in range(100):
        status, answer = served.post("/add", {"documents": [{"id": "x", "text": "x y z"}]})
        if status == 200:
            break
        time.sleep(0.1)
    checks.check(status == 200, f"add to an index that is back: {status} {answer}")
    checks.check(served.stop() == 0 and "x" in documents_of(binary, index), "stop")


def check_kill(checks, binary, folder, generator):
    """kill -9 under load: every acknowledged add is there."""
    index = make_index(binary, folder, "killed.index", [])
    acknowledged = set()
    lock = threading.Lock()
    for turn in range(4):
        served = Served(binary, index)

        def add(worker, served=served, turn=turn):
            connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=20)
            number = 0
            with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
                while True:
                    ids = [f"{turn}-{worker}-{number + i}" for i in range(3)]
                    number += 3
                    connection.request("POST", "/add", json.dumps({"documents": [{"id": name, "text": f"{name} {number} some words that are its own"} for name in ids]}), JSON)
                    answer = connection.getresponse()
                    if answer.status == 200 and json.loads(answer.read())["added"] == 3:
                        with lock:
                            acknowledged.update(ids)

        threads = [threading.Thread(target=add, args=(worker,)) for worker in range(8)]
        for thread in threads:
            thread.start()
        time.sleep(generator.uniform(0.3, 1.0))
        served.process.kill()
        served.process.wait()
        for thread in threads:
            thread.join()
        there = documents_of(binary, index)
        checks.check(there is not None and acknowledged <= there, f"turn {turn}: {len(acknowledged - (there or set()))} of {len(acknowledged)} acknowledged adds are lost")
    checks.check(len(acknowledged) > 20, f"{len(acknowledged)} adds")


def check_full_disk(checks, binary, folder, generator):
    mounted = folder / "small"
    mounted.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", mounted], capture_output=True, check=False).returncode:
        return checks.skip("a full disk: no tmpfs can be mounted here")
    try:
        index = make_index(binary, mounted, "full.index", [])
        served = Served(binary, index)
        status = 200
        acknowledged = set()
        for number in range(200):
            status, answer = served.post("/add", {"documents": [{"id": number, "text": text_of(generator, 20_000)}]})
            if status != 200:
                break
            acknowledged.add(number)
        checks.check(status == 507 and answer["error"]["code"] == "disk_full" and "No space left" in answer["error"]["message"], f"a full disk: {status} {answer}")
        checks.check(served.post("/query", {"id": 0})[0] == 200, "no query on a full disk")
        checks.check(served.stop() == 0, "stop on a full disk")
        subprocess.run(["mount", "-o", "remount,size=64m", mounted], check=True)
        there = documents_of(binary, index)
        checks.check(there is not None and acknowledged <= there, "adds lost on a full disk")
        served = Served(binary, index)
        checks.check(served.post("/add", {"documents": [{"id": "after", "text": "x y z"}]})[0] == 200, "no add after there was space")
        checks.check(served.stop() == 0, "stop")
    finally:
        subprocess.run(["umount", "-l", mounted], check=False)
    return None


def check_documentation(checks, binary, folder, generator):
    """The examples of docs/serve.md, in their order, of an empty index: curl's give the lines below them, Python's the words of its comment."""
    page = (HOUSE / "docs/serve.md").read_text()
    served = Served(binary, make_index(binary, folder, "documented.index", []))
    asked = 0
    for kind, block in re.findall(r"^```(\w*)\n(.*?)^```$", page, re.M | re.S):
        here = block.replace("http://127.0.0.1:8080", f"http://127.0.0.1:{served.port}")
        if kind == "python":
            examples = [([sys.executable, "-c", here], re.search(r"# (.*)\n$", block)[1] + "\n")]
        else:
            examples = [(["sh", "-c", command], told) for command, told in re.findall(r"^\$ (curl .*)\n((?:[^$].*\n)*)", here, re.M)]
        for command, told in examples:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
            checks.check(done.returncode == 0 and done.stdout == told, f"{command[-1]}: {done.stdout} {done.stderr}, not {told}")
            asked += 1
    checks.check(asked == 3, f"{asked} examples in docs/serve.md")
    checks.check(served.stop() == 0, "stop")


def check_other_runs(checks, binary, folder, generator):
    """Runs of other verbs are answered as described, too."""
    texts = [text_of(generator) for _ in range(20)]
    path = folder / "pages.jsonl"
    path.write_text("".join(json.dumps({"id": f"p{i}", "url": f"http://a.org/{i % 20}", "date": f"2026-01-{i // 20 + 1:02}",
                                        "text": texts[i % 20] + (" and more" if i % 3 else "")}) + "\n" for i in range(60)))
    for verb, options, asked in (("cluster", [], ("/clusters?sort=resemblance", "/clusters/1", "/tiles?by=source", "/record?name=p0", "/record?name=p20", "/record?name=p40",
                                                  "/pair?a=p0&b=p20", "/lists/pairs", "/lists/clusters")),
                                 ("track", ["--url", "url", "--date", "date"], ("/versions?limit=3", "/versions?search=1", "/lists/changes", "/lists/hosts")),
                                 ("spans", [], ("/lists/spans?reverse=true",))):
        output = folder / f"{verb}.out"
        subprocess.run([binary, verb, path, "-o", output, "-q", *options], check=True, capture_output=True)
        served = Served(binary, output, "--read-only")
        for target in ("/about", "/overview", "/lists", *asked):
            status, _, answer = served.ask("GET", target)
            checks.check(status == 200, f"{target} of {verb}: {status} {str(answer)[:200]}")
        checks.check(served.stop() == 0, "stop")


def check_description(checks):
    """Every answer until now was as openapi.json says, and nothing in that is open."""
    checks.check(not Served.faults, f"{len(Served.faults)} differences from openapi.json, such as {Served.faults[:3]}")
    checks.check(Served.answers > 1000, f"only {Served.answers} answers were held against openapi.json")
    described = Served.described
    for name, schema in described.document["components"]["schemas"].items():
        places = list(described.open_objects(schema))
        checks.check(not places or name == "OpenApi", f"{name} is open at {places}")
    for path, operations in described.document["paths"].items():
        for method, operation in operations.items():
            for content in operation["responses"]["200"]["content"].values():
                places = list(described.open_objects(content["schema"]))
                checks.check(content["schema"] and not places, f"the answer of {method} {path} is open at {places}")
    # What the comparison is worth: changed answers are told.
    told = {"status": "ok"}
    checks.check(described.faults("GET", "/health", 200, told) == [], "health")
    for wrong in ({}, {"status": 1}, {"status": "ok", "more": 1}, [], None):
        checks.check(len(described.faults("GET", "/health", 200, wrong)) == 1, f"{wrong} passes as health")
    checks.check(len(described.faults("GET", "/health", 207, told)) == 1, "a status that is not described")


def check_run(checks, binary, folder, generator):
    """A finished run, and decisions about it."""
    texts = [text_of(generator) for _ in range(40)]
    path = folder / "run.jsonl"
    path.write_text("".join(json.dumps({"id": f"r{i}", "text": texts[i % 40] + (" end" if i >= 40 else "")}) + "\n" for i in range(60)))
    subprocess.run([binary, "dedup", path, "-o", folder / "clean", "-q"], check=True, capture_output=True)
    served = Served(binary, folder / "clean")
    status, _, about = served.ask("GET", "/about")
    checks.check(status == 200 and about["run"]["verb"] == "dedup" and about["index"] is None, f"about: {about}")
    status, _, facts = served.ask("GET", "/overview")
    checks.check(status == 200 and facts.get("sections"), f"overview: {str(facts)[:100]}")
    status, _, page = served.ask("GET", "/clusters?limit=5&sort=documents")
    checks.check(status == 200 and page["total"] == 20 and len(page["clusters"]) == 5, f"clusters: {str(page)[:200]}")
    number = page["clusters"][0]["cluster"]
    status, _, cluster = served.ask("GET", f"/clusters/{number}")
    checks.check(status == 200 and len(cluster["members"]) == 2, f"cluster: {str(cluster)[:200]}")
    for path_, wanted in (("/clusters/999999", 404), ("/clusters/x", 400), ("/clusters?sort=size", 400), ("/clusters?limit=-1", 400),
                          ("/lists", 200), ("/lists/none", 404), ("/lists/removed?limit=3", 200), ("/tiles", 200), ("/record?name=r1", 200),
                          ("/record?name=nobody", 400), ("/record", 400), ("/pair?a=r1&b=r41", 200), ("/decisions", 200), ("/versions", 400)):
        status, _, answer = served.ask("GET", path_)
        checks.check(status == wanted, f"{path_}: {status} {str(answer)[:200]}")
    removed = next(member for member in cluster["members"] if member["fate"] == "removed")
    status, answer = served.post("/decisions", {"decisions": [{"record": removed["id"], "decision": "restore"}]})
    checks.check(status == 200 and len(answer["decisions"]) == 1, f"decide: {status} {answer}")
    checks.check(served.post("/decisions", {"decisions": [{"record": "nobody", "decision": "restore"}]})[0] == 400, "decide about nobody")
    status, answer = served.post("/compare", {"a": texts[0], "b": texts[0] + " and more"})
    checks.check(status == 200, f"compare: {answer}")
    checks.check(served.stop() == 0, "stop")
    done = subprocess.run([binary, "restore", folder / "clean", "--decisions", folder / "clean.decisions.jsonl", "-o", folder / "back"],
                          capture_output=True, text=True, check=False)
    checks.check(done.returncode == 0, f"restore of the decisions: {done}")


def without_tuples(schema):
    """schemathesis 4.32 rewrites the tuples of an answer and then refuses them; openapi.py checks those."""
    if isinstance(schema, list):
        return [without_tuples(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    tuples = "prefixItems" in schema and schema.get("type") == "array"
    return {key: without_tuples(value) for key, value in schema.items() if not (tuples and key in ("prefixItems", "items", "minItems"))}


def check_schemathesis(checks, binary, folder, index, seed):
    """All that the description of an index and a run allows and forbids is answered as it says."""
    environment = HOUSE / "build/serve/venv"
    package.prepare_environment(environment, pathlib.Path(__file__).with_name("serve_requirements.txt"))
    served = Served(binary, index, folder / "clean", "--decisions", folder / "asked.jsonl")
    description = without_tuples(served.ask("GET", "/openapi.json")[2])
    file = folder / "openapi.json"

    def asks(*options):
        file.write_text(json.dumps(description))
        done = subprocess.run([environment / "bin/schemathesis", "run", file, "--url", f"http://127.0.0.1:{served.port}", "--checks", "all",
                               # Of what the schema allows an index may lack the name, and every path has a GET or a POST alone.
                               "--exclude-checks", "positive_data_acceptance,unsupported_method", "--seed", str(seed), "--no-color", *options],
                              cwd=folder, capture_output=True, text=True, timeout=300, check=False)
        return done.returncode, done.stdout + done.stderr

    began = time.monotonic()
    code, said = asks("--phases", "coverage,fuzzing", "--max-examples", "2", "--workers", "2")
    counted = re.search(r"(\d+) generated, (\d+) passed", said)
    checks.check(code == 0 and counted and int(counted[1]) == int(counted[2]) > 500, f"schemathesis, seed {seed}: {said[-3000:]}")
    checks.check(served.ask("GET", "/health")[0] == 200, "not there after schemathesis")
    # What that is worth: an answer that is not as described fails it.
    description["paths"]["/health"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]["properties"]["status"] = {"const": "well"}
    code, said = asks("--phases", "fuzzing", "--max-examples", "1", "--include-path", "/health")
    checks.check(code == 1 and "Response violates schema" in said, f"a wrong answer passes schemathesis: {code} {said[-2000:]}")
    checks.check(served.stop() == 0, "stop")
    print(f"schemathesis: {counted[1] if counted else 'no'} requests in {time.monotonic() - began:.0f} s, seed {seed}", flush=True)


def main():
    options = harness.arguments(__doc__)
    generator = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    checks = harness.Checks("serve_test")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="twinset-serve-"))
    began = time.monotonic()
    try:
        texts = [text_of(generator) for _ in range(300)]
        index = make_index(options.binary, folder, "a.index", texts)
        served = Served(options.binary, index, "--read-only", "--threads", 2)
        for check in (lambda: check_answers(checks, served, texts), lambda: check_wrong(checks, served), lambda: check_bytes(checks, served),
                      lambda: check_hostile(checks, served), lambda: check_slow(checks, served)):
            check()
        checks.check(served.resident() < 512 << 20, f"{served.resident() >> 20} MiB at most")
        checks.check(served.stop(signal.SIGINT) == 0, "Ctrl-C")
        check_token(checks, options.binary, index, folder)
        check_rate(checks, options.binary, index)
        check_stop(checks, options.binary, index, texts)
        check_changes(checks, options.binary, folder, generator)
        check_replaced(checks, options.binary, folder, generator)
        check_kill(checks, options.binary, folder, generator)
        check_full_disk(checks, options.binary, folder, generator)
        check_run(checks, options.binary, folder, generator)
        check_other_runs(checks, options.binary, folder, generator)
        check_documentation(checks, options.binary, folder, generator)
        check_schemathesis(checks, options.binary, folder, index, options.seed)
        check_description(checks)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return checks.finish(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    raise SystemExit(main())
