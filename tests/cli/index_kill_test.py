#!/usr/bin/env python3
"""Kills changes of an index at random moments: each is there whole or not at all, and none that was
acknowledged is lost.

    python3 tests/cli/index_kill_test.py --binary build/release/twinset [--seed N] [--kills 60]

A life of an index is changes drawn at random: documents added, old ones replaced, some deleted, all
merged. Each is killed (SIGKILL) at a moment drawn from its usual duration, and given again until it
comes through. After each kill the index must verify and hold what it held before the change, or
after it; a change that came through must be there ever after.

Then months are deduplicated one after the other against an index that each goes into, killed likewise and
given again: what is kept must be what one run over all keeps, and the index must hold each kept record once.

At last (I-16) a filter is killed while clients add prototypes to its set and remove them.
Standard library only.
"""

import argparse
import json
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import harness


def documents_of(binary, index):
    """Id -> text of all documents; None if the index is damaged."""
    if subprocess.run([binary, "index", "verify", index, "-q"], capture_output=True, check=False).returncode:
        return None
    done = subprocess.run([binary, "index", "export", index, "-q"], capture_output=True, text=True, check=False)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["id"]: line["text"] for line in lines} if done.returncode == 0 else None


def drawn_change(generator, model, folder, number):
    """The words of a command, and the model after it."""
    after = dict(model)
    kind = generator.random()
    if kind < 0.1:
        return ["compact"], after
    if kind < 0.3 and model:
        gone = generator.sample(sorted(model), min(len(model), generator.randint(1, 20)))
        for name in gone:
            del after[name]
        return ["delete", *gone], after
    rows = [(f"d{generator.randrange(400)}", " ".join(f"w{generator.randrange(3000)}" for _ in range(40)))
            # Some changes go past the log, into a segment.
            for _ in range(generator.choice((generator.randint(1, 120), generator.randint(1, 4), 300)))]
    after.update(rows)
    path = folder / f"{number}.jsonl"
    path.write_text("".join(json.dumps({"id": name, "text": text}) + "\n" for name, text in rows))
    return ["add", str(path)], after


def write_months(generator, folder, count):
    """Files of texts, copies and versions of them; their paths."""
    paths = []
    originals = [[f"w{generator.randrange(5000)}" for _ in range(60)] for _ in range(80)]
    for month in range(count):
        path = folder / f"month{month}.jsonl"
        with path.open("w") as file:
            for record in range(150):
                words = list(generator.choice(originals))
                for _ in range(generator.choice((0, 0, 1, 2, 4))):
                    words[generator.randrange(len(words))] = f"e{generator.randrange(10**6)}"
                file.write(json.dumps({"id": f"{month}-{record}", "text": " ".join(words)}) + "\n")
        paths.append(path)
    return paths


def check_months(binary, generator, folder, checks):
    """Months against an index, each killed and given again until it comes through; the number of kills."""
    months = write_months(generator, folder, 6)
    index = folder / "months.index"
    subprocess.run([binary, "dedup", *months, "-o", folder / "all", "-q"], check=True)
    subprocess.run([binary, "index", "create", index, "--scheme", "fss", "-r", "0.8", "--texts", "-q"], check=True)
    kills = kept = 0
    usual = 0.05  # seconds of a month, as seen
    for path in months:
        out = folder / f"out-{path.stem}"
        # The last one is left alone.
        for attempt in range(7):
            command = [binary, "dedup", path, "--against", index, "--add", "-o", out, "-q", "--threads",
                       str(generator.choice((1, 2)))]
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            started = time.monotonic()
            try:
                # Most of the moments are near the end, where the output gets its name and the index changes.
                wait = None if attempt == 6 else usual * generator.choice((1, generator.random()))
                _, said = process.communicate(timeout=wait)
                usual = 0.9 * usual + 0.1 * (time.monotonic() - started)
                checks.check(process.returncode == 0, f"{command} failed: {said}")
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
        whole = (folder / "all" / path.name).read_bytes()
        checks.check((out / path.name).read_bytes() == whole, f"{path.name} keeps other records than one run over all")
        kept += whole.count(b"\n")
        held = documents_of(binary, index)
        checks.check(held is not None and len(held) == kept,
                     f"after {path.name}: {'damaged' if held is None else len(held)} documents, {kept} were kept")
    return kills


class Killed(Exception):
    """The filter no longer answers."""


def ask(lines, requests, at_once=100):
    """Writes requests, some at once, then reads an answer to each, and yields it."""
    try:
        # A filter reads no more of a client that does not read.
        for begin in range(0, len(requests), at_once):
            some = requests[begin:begin + at_once]
            lines.write("".join(json.dumps(request) + "\n" for request in some))
            lines.flush()
            for _ in some:
                line = lines.readline()
                if not line.endswith("\n"):
                    raise Killed
                yield json.loads(line)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise Killed from error


def connected(path, process):
    """A text file of a connection to the socket, once it is there."""
    for _ in range(1000):
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(str(path))
            return client.makefile("rw")
        except (FileNotFoundError, ConnectionRefusedError):
            client.close()
            if process.poll() is not None:
                raise SystemExit(f"the filter ended: {process.returncode}") from None
            time.sleep(0.01)
    raise SystemExit("the filter does not listen")


def check_filter(binary, generator, folder, checks, kills):
    """Prototypes added and removed at a socket, and the filter killed: none acknowledged is lost, none removed is there."""
    model, unsure = {}, {}
    path = folder / "f.sock"
    for kill in range(kills + 1):
        process = subprocess.Popen([binary, "filter", "--set", folder / "f.index", "--listen", path, "-q"],
                                   stdout=subprocess.DEVNULL)
        lines = connected(path, process)
        # What was not acknowledged may be there or not; then it is known.
        for name, text in unsure.items():
            (answer,) = ask(lines, [{"text": text}])
            if answer.get("prototype") == name:
                model[name] = text
            else:
                model.pop(name, None)
        unsure = {}
        asked = list(model.items())
        wrong = [name for (name, text), answer in zip(asked, ask(lines, [{"text": text} for _, text in asked]))
                 if answer.get("prototype") != name]
        (stats,) = ask(lines, [{"op": "stats"}])
        checks.check(not wrong and stats["prototypes"] == len(model),
                     f"after {kill} kills {wrong} are lost; {stats['prototypes']} prototypes, {len(model)} were added")
        if kill == kills:
            process.terminate()
            checks.check(process.wait() == 0 and not path.exists(), "the filter does not end well")
            return
        stops = threading.Timer(generator.uniform(0.01, 0.15), process.kill)
        stops.start()
        try:
            for number in range(10**6):
                changes = []
                for each in range(generator.randint(1, 40)):
                    if model and generator.random() < 0.2:
                        changes.append({"op": "remove", "id": generator.choice(sorted(model))})
                    else:
                        text = " ".join(f"w{generator.randrange(3000)}" for _ in range(30))
                        changes.append({"op": "add", "id": f"{kill}-{number}-{each}", "text": text})
                unsure = {change["id"]: change.get("text") or model[change["id"]] for change in changes}
                for change, answer in zip(changes, ask(lines, changes)):
                    checks.check(answer["ok"], f"{answer}")
                    if change["op"] == "add":
                        model[change["id"]] = change["text"]
                    else:
                        model.pop(change["id"], None)
                    unsure.pop(change["id"], None)
        except Killed:
            pass
        stops.join()
        process.wait()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", type=pathlib.Path, required=True)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--kills", type=int, default=60)
    arguments = parser.parse_args()
    binary = arguments.binary.resolve()
    generator = random.Random(arguments.seed)
    checks = harness.Checks("index kill -9")
    kills = changes = 0
    with tempfile.TemporaryDirectory(dir="/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None) as name:
        folder = pathlib.Path(name)
        index = folder / "x"
        subprocess.run([binary, "index", "create", index, "--texts", "--scheme", "mod(samples=64)", "--scheme",
                        "fss", "-q"], check=True)
        model = {}
        usual = 0.03  # seconds of a change, as seen
        while kills < arguments.kills:
            (action, *words), after = drawn_change(generator, model, folder, changes)
            changes += 1
            for attempt in range(100):
                command = [binary, "index", action, index, *words, "-q", "--threads",
                           str(generator.choice((1, 2)))]
                started = time.monotonic()
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
                # After some attempts it is left alone.
                wait = None if attempt == 5 else generator.uniform(0, 1.2 * usual)
                try:
                    _, said = process.communicate(timeout=wait)
                    usual = 0.9 * usual + 0.1 * (time.monotonic() - started)
                    checks.check(process.returncode == 0, f"{command} failed: {said}")
                    finished = True
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.communicate()
                    kills += 1
                    finished = False
                held = documents_of(binary, index)
                whole = held == after or (not finished and held == model)
                checks.check(whole, f"after change {changes} ({action}), {'made' if finished else 'killed'}: "
                             f"{'damaged' if held is None else len(held)} documents, before {len(model)}, "
                             f"after {len(after)}")
                if not whole:
                    return checks.finish(f"seed {arguments.seed}")
                if finished or held == after:
                    break
            model = after
        months = check_months(binary, generator, folder, checks)
        filtered = max(arguments.kills // 6, 1)
        check_filter(binary, generator, folder, checks, filtered)
    return checks.finish(f"{kills} kills in {changes} changes, {months} in 6 months, {filtered} of a filter, "
                         f"seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
