#!/usr/bin/env python3
"""A filter beside rspamd's fuzzy storage: the same prototypes, edits of them, and legitimate mails.

    TWINSET_DATA=... bench/filter_peer.py --binary build/release/twinset

Prototypes are the spams of SpamAssassin with at least 50 words, equal ones once, each a plain mail of its text. Of each
come copies with words replaced, sentences shuffled, words added before and after, and half of the text left out; then all
legitimate mails. Both programs read mails as they are sent, one connection in line: rspamd (worker, fuzzy worker and Redis,
nothing but fuzzy_check) by its HTTP, twinset by its socket, with one thread. CPU time is that of all their processes. Needs
Debian's rspamd and redis-server. Standard library only.
"""

import argparse
import base64
import http.client
import json
import os
import pathlib
import random
import re
import shutil
import socket
import subprocess
import tempfile
import time

WORDS = 50
FLAG = 11
RSPAMD = """
options {{ pidfile = "{0}/pid"; filters = "fuzzy_check"; one_shot = true; tempdir = "{0}"; dbdir = "{0}"; rundir = "{0}"; }}
logging {{ type = "file"; filename = "{0}/log"; level = "error"; }}
metric {{ name = "default"; actions {{ reject = 15; }} group {{ name = "fuzzy"; symbol {{ name = "LOCAL"; weight = 10; }} }} }}
worker "normal" {{ bind_socket = "127.0.0.1:{1}"; count = 1; keepalive = true; max_tasks = 0; }}
worker "controller" {{ bind_socket = "127.0.0.1:{2}"; count = 1; secure_ip = ["127.0.0.1"]; password = "x"; }}
worker "fuzzy" {{ bind_socket = "127.0.0.1:{3}"; count = 1; backend = "redis"; servers = "127.0.0.1:{4}";
  allow_update = ["127.0.0.1"]; expire = 90d; sync = 1s; }}
redis {{ servers = "127.0.0.1:{4}"; }}
fuzzy_check {{ min_bytes = 100; timeout = 2s; retransmits = 1;
  rule "local" {{ algorithm = "mumhash"; servers = "127.0.0.1:{3}"; mime_types = ["*"]; read_only = false;
    skip_unknown = true; min_length = 10; fuzzy_map = {{ LOCAL {{ max_score = 20.0; flag = 11; }} }} }} }}
"""


def mail_of(text):
    return (b"From: a@b.example\nTo: c@d.example\nSubject: mail\nMessage-ID: <1@b.example>\n"
            b"Date: Tue, 5 May 2026 10:00:00 +0000\nMIME-Version: 1.0\n"
            b"Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + text.encode())


def replaced(share):
    def edit(words, others, chosen):
        return [others[chosen.randrange(len(others))] if chosen.random() < share else word for word in words]
    return edit


def shuffled(words, _, chosen):
    parts = [words[i:i + 12] for i in range(0, len(words), 12)]
    chosen.shuffle(parts)
    return [word for part in parts for word in part]


def padded(words, others, chosen):
    some = [others[chosen.randrange(len(others))] for _ in range(max(10, len(words) // 10))]
    return some[:len(some) // 2] + words + some[len(some) // 2:]


EDITS = [("none", lambda words, others, chosen: words), ("1 % of the words replaced", replaced(.01)),
         ("2 %", replaced(.02)), ("5 %", replaced(.05)), ("10 %", replaced(.1)),
         ("pieces of 12 words shuffled", shuffled), ("a tenth of words added around", padded),
         ("half left out", lambda words, others, chosen: words[:len(words) // 2])]


def collection(path):
    """(texts of spam, texts of ham), as the collection has them decoded."""
    packed = subprocess.run(["zstd", "-dc", "--long=31", path], check=True, capture_output=True).stdout
    texts = {"spam": {}, "ham": {}}
    for line in packed.splitlines():
        mail = json.loads(line)
        words = mail["text"].split()
        if len(words) >= WORDS:
            texts["spam" if "spam" in mail["label"] else "ham"][" ".join(words)] = words
    return list(texts["spam"].values()), list(texts["ham"].values())


def free_ports(count):
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports


def cpu_seconds(processes):
    """Of these and their children."""
    family, tick = {process.pid for process in processes}, os.sysconf("SC_CLK_TCK")
    total = 0
    for status in sorted(pathlib.Path("/proc").glob("[0-9]*/stat"), key=lambda path: int(path.parent.name)):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(status.parent.name) in family or int(fields[1]) in family:
            family.add(int(status.parent.name))
            total += int(fields[11]) + int(fields[12])
    return total / tick


class Rspamd:
    name = "rspamd"

    def __init__(self, _, folder):
        ports = free_ports(4)
        (folder / "conf").write_text(RSPAMD.format(folder, *ports))
        self.processes = [
            subprocess.Popen(["redis-server", "--port", str(ports[3]), "--save", "", "--dir", folder],
                             stdout=subprocess.DEVNULL),
            subprocess.Popen(["rspamd", "-i", "-f", "-c", folder / "conf"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)]
        self.worker, self.controller = self.connected(ports[0]), self.connected(ports[1])

    @staticmethod
    def connected(port):
        for _ in range(1200):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
            try:
                connection.connect()
                return connection
            except OSError:
                time.sleep(.1)
        raise SystemExit("rspamd does not listen")

    def told(self, connection, path, mail, headers):
        connection.request("POST", path, mail, headers)
        return json.loads(connection.getresponse().read())

    def add(self, number, mail):
        told = self.told(self.controller, "/fuzzyadd", mail, {"Flag": FLAG, "Weight": 20, "Password": "x"})
        # It takes no texts without words of its tokenizer; copies of these are not found.
        if not told.get("success") and "No content" not in told.get("error", ""):
            raise SystemExit(f"rspamd does not take mail {number}: {told}")

    def settle(self):
        time.sleep(3)  # it makes additions every second

    def matches(self, mail):
        return "LOCAL" in self.told(self.worker, "/checkv2", mail, {}).get("symbols", {})

    def end(self):
        for process in reversed(self.processes):
            process.terminate()
            process.wait()


class Twinset:
    def __init__(self, binary, folder, resemblance):
        path = folder / "s"
        self.processes = [subprocess.Popen([binary, "filter", "--set", folder / "set", "--listen", path, "-q", "-j", "1",
                                            "-r", resemblance], stdout=subprocess.DEVNULL)]
        for _ in range(600):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(path))
                break
            except OSError:
                time.sleep(.01)
        self.stream = client.makefile("rwb")

    def told(self, **request):
        self.stream.write(json.dumps(request).encode() + b"\n")
        self.stream.flush()
        return json.loads(self.stream.readline())

    def add(self, number, mail):
        told = self.told(op="add", id=str(number), format="eml", raw=base64.b64encode(mail).decode())
        if not told["ok"]:
            raise SystemExit(f"the filter does not take mail {number}: {told}")

    def settle(self):
        pass

    def matches(self, mail):
        return self.told(format="eml", raw=base64.b64encode(mail).decode())["verdict"] == "match"

    def end(self):
        for process in self.processes:
            process.terminate()
            process.wait()


def measured(peer, prototypes, copies, ham):
    try:
        for number, words in enumerate(prototypes):
            peer.add(number, mail_of(" ".join(words)))
        peer.settle()
        found, asked = [], 0
        begun, cpu = time.perf_counter(), cpu_seconds(peer.processes)
        for mails in [*copies, ham]:
            found.append(sum(map(peer.matches, mails)) / len(mails))
            asked += len(mails)
        seconds, cpu = time.perf_counter() - begun, cpu_seconds(peer.processes) - cpu
    finally:
        peer.end()
    return found, asked / seconds, asked / cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--binary", required=True, type=pathlib.Path)
    options = parser.parse_args()
    for program in ("rspamd", "redis-server"):
        if shutil.which(program) is None:
            raise SystemExit(f"there is no {program}")
    chosen = random.Random(1)
    spam, ham = collection(pathlib.Path(os.environ["TWINSET_DATA"]) / "spamassassin/messages.jsonl.zst")
    others = sorted({word for words in ham for word in words if re.fullmatch("[a-z]+", word)})
    copies = [[mail_of(" ".join(edit(words, others, chosen))) for words in spam] for _, edit in EDITS]
    ham = [mail_of(" ".join(words)) for words in ham]
    print(f"{len(spam):,} prototypes, {len(ham):,} legitimate mails\n")
    rows = []
    for name, make in (("`twinset`, `-r 0.8`", lambda *places: Twinset(*places, "0.8")),
                       ("`twinset`, `-r 0.5`", lambda *places: Twinset(*places, "0.5")), ("rspamd", Rspamd)):
        with tempfile.TemporaryDirectory(prefix="filter-peer-") as folder:
            rows.append((name, *measured(make(options.binary.resolve(), pathlib.Path(folder)), spam, copies, ham)))
    print("| Copies that match |" + "|".join(name for name, *_ in rows) + "|\n|---|" + "--:|" * len(rows))
    for i, what in enumerate([name for name, _ in EDITS] + ["legitimate mails"]):
        print(f"| {what} |" + "|".join(f"{100 * found[i]:.1f} %" for _, found, _, _ in rows) + "|")
    for i, what in ((2, "mails a second"), (3, "... of CPU time")):
        print(f"| {what} |" + "|".join(f"{row[i]:,.0f}" for row in rows) + "|")


if __name__ == "__main__":
    main()
