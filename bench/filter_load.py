#!/usr/bin/env python3
"""A filter at a socket under load: questions beside additions, and many prototypes.

    python3 bench/filter_load.py --binary build/release/twinset [--prototypes 1000000] [--scheme fss]

One client asks in line, then while another adds 1,000 prototypes a second, then without waiting for answers. Then as many prototypes as
wanted come from a file, a set without texts, and copies of every fiftieth with a word replaced, or with all words shuffled, ask. The clients
and their JSON are of the same machine. Standard library only.
"""

import argparse
import json
import pathlib
import random
import socket
import subprocess
import tempfile
import threading
import time

WORDS = 80
QUESTIONS = 8000
ADDED_A_SECOND = 1000


class Filter:
    """A filter that serves, and clients of it."""

    def __init__(self, binary, folder, *options):
        self.path = folder / "s"
        self.process = subprocess.Popen([binary, "filter", "--listen", self.path, "-q", *options],
                                        stdout=subprocess.DEVNULL)
        self.client().close()

    def client(self):
        for _ in range(6000):
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(self.path))
                return client.makefile("rwb")
            except (FileNotFoundError, ConnectionRefusedError):
                client.close()
                time.sleep(0.01)
        raise SystemExit("the filter does not listen")

    def memory(self):
        """MB of its own, and of mapped files."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return [int(status.split(name)[1].split()[0]) // 1024 for name in ("RssAnon:", "RssFile:")]

    def end(self):
        self.process.terminate()
        self.process.wait()


def line_of(**request):
    return json.dumps(request).encode() + b"\n"


def in_line(filtered, lines):
    """The answers, and the seconds of each, in rising order."""
    client = filtered.client()
    answers, seconds = [], []
    for line in lines:
        begun = time.perf_counter()
        client.write(line)
        client.flush()
        answers.append(client.readline())
        seconds.append(time.perf_counter() - begun)
    return answers, sorted(seconds)


def told(name, seconds):
    def milliseconds(share):
        return f"{1e3 * seconds[min(len(seconds) - 1, int(len(seconds) * share))]:.2f}"
    print(f"| {name} | {len(seconds) / sum(seconds):,.0f} | {milliseconds(.5)} | {milliseconds(.99)} | {milliseconds(1)} |")


def add_steadily(filtered, text, ends, counted):
    client, asked, begun = filtered.client(), 0, time.perf_counter()
    while not ends.is_set():
        due = int((time.perf_counter() - begun) * ADDED_A_SECOND) - asked
        if due <= 0:
            time.sleep(0.001)
            continue
        client.write(b"".join(line_of(op="add", id=f"p{asked + i}", text=text()) for i in range(due)))
        client.flush()
        for _ in range(due):
            assert json.loads(client.readline())["ok"]
        asked += due
    counted.append(asked / (time.perf_counter() - begun))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--prototypes", type=int, default=1_000_000)
    parser.add_argument("--scheme", default="fss")
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    chance = random.Random(1)
    vocabulary = [f"word{i}" for i in range(50_000)]

    def text():
        return " ".join(chance.choices(vocabulary, k=WORDS))

    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        filtered = Filter(binary, folder, "--set", folder / "live.index")
        lines = [line_of(text=text()) for _ in range(QUESTIONS)]
        print("| Questions | a second | median ms | 99 % ms | longest ms |\n|---|--:|--:|--:|--:|")
        told("in line", in_line(filtered, lines)[1])
        ends, counted = threading.Event(), []
        adding = threading.Thread(target=add_steadily, args=(filtered, text, ends, counted))
        adding.start()
        time.sleep(1)
        told("... beside additions", in_line(filtered, lines)[1])
        ends.set()
        adding.join()
        client, begun = filtered.client(), time.perf_counter()
        sender = threading.Thread(target=lambda: (client.write(b"".join(lines)), client.flush()))
        sender.start()
        for _ in lines:
            client.readline()
        sender.join()
        print(f"\n{counted[0]:,.0f} prototypes a second were added; without waiting for answers, "
              f"{QUESTIONS / (time.perf_counter() - begun):,.0f} questions a second\n")
        filtered.end()

        path = folder / "many.jsonl"
        asked = []
        with path.open("w") as file:
            for i in range(arguments.prototypes):
                words = chance.choices(vocabulary, k=WORDS)
                file.write(json.dumps({"id": i, "text": " ".join(words)}) + "\n")
                if i % 50 == 0:
                    is_copy = i % 100 == 0
                    if is_copy:
                        words[chance.randrange(WORDS)] = "replaced"
                    else:
                        chance.shuffle(words)
                    asked.append((i if is_copy else None, line_of(text=" ".join(words))))
        begun = time.perf_counter()
        filtered = Filter(binary, folder, "--set", folder / "many.index", "--prototypes", path, "--sketches",
                          "--scheme", arguments.scheme)
        filtered.client().close()
        print(f"{arguments.prototypes:,} prototypes of {WORDS} words, {arguments.scheme}: added in {time.perf_counter() - begun:.1f} s\n")
        print("| Questions | a second | median ms | 99 % ms | longest ms |\n|---|--:|--:|--:|--:|")
        answers, seconds = in_line(filtered, [line for _, line in asked])
        told("in line", seconds)
        right = sum(json.loads(answer).get("prototype") == wanted for (wanted, _), answer in zip(asked, answers))
        own, mapped = filtered.memory()
        print(f"\n{right:,} of {len(asked):,} answers are right; {own} MB of its own, {mapped} MB of mapped files")
        filtered.end()


if __name__ == "__main__":
    main()
