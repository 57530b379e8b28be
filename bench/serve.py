#!/usr/bin/env python3
"""The service under load: an index of made documents, questions of many clients, documents added meanwhile.

    python3 bench/serve.py --binary build/release/twinset --load build/bench/bench/serve_load [--documents 10000000]

Makes the index unless --index has one, serves it, and prints for each load the questions a second and how long they took: as many as the
clients can, then --rate a second at moments that do not depend on the answers, alone and while documents are added one at a time and a hundred
at a time. The clients run on the same machine. At the end the index is opened again and must have every acknowledged document. Standard
library only.
"""

import argparse
import json
import pathlib
import re
import subprocess
import tempfile
import time

A_CHUNK = 1_000_000


def make(arguments, index):
    twinset, load = arguments.binary, arguments.load
    schemes = [word for scheme in arguments.scheme for word in ("--scheme", scheme)]
    subprocess.run([twinset, "index", "create", index, "-q", "--resemblance", "0.8", *schemes], check=True)
    begun = time.perf_counter()
    for first in range(0, arguments.documents, A_CHUNK):
        count = min(A_CHUNK, arguments.documents - first)
        lines = subprocess.Popen([load, "write", "--first", str(first), "--documents", str(count)], stdout=subprocess.PIPE)
        subprocess.run([twinset, "index", "add", index, "-", "--url", "url", "--date", "date", "-q"], stdin=lines.stdout, check=True)
        if lines.wait() != 0:
            raise SystemExit("serve_load write failed")
    print(f"{arguments.documents:,} documents made and added in {time.perf_counter() - begun:.0f} s")


def documents_of(twinset, index):
    stats = subprocess.run([twinset, "index", "stats", index, "--json"], check=True, capture_output=True, text=True).stdout
    return json.loads(stats)["documents"]


def serve(arguments, index):
    """The process, and its port."""
    begun = time.perf_counter()
    process = subprocess.Popen([arguments.binary, "serve", index, "--listen", "127.0.0.1:0"], stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        found = re.search(r"http://[^/\s]*:(\d+)", line)
        if found:
            print(f"it served after {time.perf_counter() - begun:.2f} s")
            return process, found.group(1)
    raise SystemExit("twinset serve does not serve")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--load", type=pathlib.Path, required=True)
    parser.add_argument("--index", type=pathlib.Path, help="that is there, of as many documents made by serve_load; it grows")
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--scheme", action="append")
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--rate", type=int, default=400)
    parser.add_argument("--add-rate", type=int, default=100, help="documents a second")
    parser.add_argument("--seconds", type=int, default=30)
    arguments = parser.parse_args()
    arguments.scheme = arguments.scheme or ["fss", "mod(samples=16)"]
    with tempfile.TemporaryDirectory() as name:
        index = arguments.index or pathlib.Path(name, "made.index")
        if not index.exists():
            make(arguments, index)
        before = documents_of(arguments.binary, index)
        process, port = serve(arguments, index)
        added = 0

        def ask(title, **more):
            print(f"\n{title}", flush=True)
            words = ["--port", port, "--documents", arguments.documents, "--clients", arguments.clients, "--seconds", arguments.seconds,
                     "--pid", process.pid]
            for option, value in more.items():
                words += ["--" + option.replace("_", "-"), value]
            done = subprocess.run([arguments.load, "ask", *map(str, words)], capture_output=True, text=True)
            print(done.stdout + done.stderr, end="")
            if done.returncode != 0:
                raise SystemExit(1)
            found = re.search(r"^adds +(\d+)", done.stdout, re.M)
            return int(found.group(1)) * more.get("documents_an_add", 1) if found else 0

        rate, add_rate = arguments.rate, arguments.add_rate
        ask("once, so that what is asked for is in memory")
        ask(f"{arguments.clients} clients, each asks again when it is answered")
        ask(f"{rate} questions a second", rate=rate)
        added += ask(f"{rate} questions a second, {add_rate} documents a second one by one", rate=rate, add_rate=add_rate)
        added += ask(f"{rate} questions a second, {10 * add_rate} documents a second by the hundred", rate=rate, add_rate=max(1, add_rate // 10),
                     documents_an_add=100)
        process.terminate()
        if process.wait() != 0:
            raise SystemExit("twinset serve ended with an error")
        after = documents_of(arguments.binary, index)
        print(f"\n{after - before:,} documents are there of {added:,} that were acknowledged")
        if after - before < added:
            raise SystemExit("some are lost")


if __name__ == "__main__":
    main()
