#!/usr/bin/env python3
"""Faults of the world: each ends in one clear message, nothing half written.

    python3 tests/cli/faults_test.py --binary build/release/twinset [--seed N]

A full disk (a small tmpfs, where mounting one is allowed), output that cannot be
written or is another's, inputs that change or vanish while they are read, Ctrl-C
and other signals, a limit on the size of files, two runs into one folder, a closed
standard output. Where a run can be continued,
it is, and must end in the bytes of an undisturbed one. Standard library only.
"""

import contextlib
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import harness

DONE, USAGE, IO, LOST, INTERRUPTED = 0, 2, 4, 5, 130


class Bench:
    """A collection, an undisturbed run of it, and how long that took."""

    def __init__(self, binary, folder, seed, checks):
        self.binary, self.folder, self.checks = binary, folder, checks
        self.generator = random.Random(seed)
        self.size = 4 << 20
        while True:
            self.records = harness.collection(seed, self.size)
            self.paths = harness.write_three(folder / "in", self.records)
            shutil.rmtree(folder / "reference", ignore_errors=True)
            started = time.monotonic()
            done = self.dedup(folder / "reference")
            self.seconds = time.monotonic() - started
            if done.returncode != DONE or self.seconds > 0.15 or self.size >= 64 << 20:
                break
            self.size *= 2
        checks.check(done.returncode == DONE, f"an undisturbed run: {done.stderr}")
        self.reference = harness.snapshot(folder / "reference")

    def options(self, out, *more, paths=None):
        return ["dedup", *(paths or self.paths), "-o", out, *more]

    def dedup(self, out, *more, paths=None, **other):
        return harness.run(self.binary, self.options(out, *more, paths=paths), self.folder, **other)

    def refused(self, done, what, codes, *words):
        """One clear message: the code, and each word in what is said."""
        said = done.stderr.strip()
        self.checks.check(done.returncode in codes, f"{what}: exit {done.returncode}: {said}")
        errors = harness.errors(said)
        self.checks.check(len(errors) == 1, f"{what}: {len(errors)} messages, not one: {said}")
        for word in words:
            self.checks.check(any(word in line for line in errors),
                              f"{what}: does not say \"{word}\": {said}")

    def equal(self, out, what):
        said = harness.difference(self.reference, harness.snapshot(out))
        self.checks.check(not said, f"{what}: {said}")

    def nothing_final(self, out, what):
        """No file stands under a name that a finished run gives."""
        there = harness.snapshot(out) if pathlib.Path(out).exists() else {}
        half = [name for name in there if name in self.reference]
        self.checks.check(not half, f"{what}: left {half}")


# --- a full disk

def can_mount():
    probe = ["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /mnt"]
    with contextlib.suppress(FileNotFoundError):
        return subprocess.run(probe, capture_output=True, check=False).returncode == 0
    return False


def in_small_disk(bench, kibibytes, script):
    """Runs a shell script with a tmpfs of that size at $DISK, in a mount namespace of
    its own, so that nothing stays mounted whatever happens."""
    place = bench.folder / "disk"
    place.mkdir(exist_ok=True)
    script = (f"mount -t tmpfs -o size={kibibytes}k none '{place}' && cd '{place}' || exit 9\n"
              + script)
    return subprocess.run(["unshare", "--mount", "sh", "-c", script], text=True,
                          capture_output=True, check=False, timeout=120,
                          env=harness.environment(bench.folder, {"DISK": str(place)}))


def check_full(bench, what, done, before, after, kept):
    """One message of exit 4 that names the disk, nothing final; then the same bytes."""
    bench.checks.check("exit 4" in before, f"{what}: {before} {done.stderr}")
    errors = harness.errors(done.stderr)
    bench.checks.check(len(errors) == 1 and ("room" in errors[0] or "space" in errors[0])
                       and "/disk" in errors[0], f"{what}: {done.stderr}")
    half = [n for n in bench.reference if f"./out/{n}" in before.split("\n")]
    bench.checks.check(not half, f"{what}: left {half}")
    if bench.checks.check("exit 0" in after, f"{what}, grown: {after} {done.stderr}"):
        bench.equal(kept, what)


def full_disk(bench):
    if not can_mount():
        bench.checks.skip("a full disk: mounting a tmpfs needs root and unshare")
        return
    command = " ".join(f"'{part}'" for part in [bench.binary, *bench.options("$DISK/out")])
    command = command.replace("'$DISK/out'", "\"$DISK/out\"")
    need = sum(len(b) for b in bench.reference.values()) >> 10
    for part in (0.1, 0.5, 0.9):
        size = int(need * part)
        kept = bench.folder / f"kept{size}"
        # Fails; is looked at; the disk grows; the same command goes on.
        done = in_small_disk(bench, size, f"""
            {command}; echo "exit $?"; find . -type f | sort
            mount -o remount,size={need * 8 + 65536}k none "$DISK"
            echo again; {command}; echo "exit $?"; cp -r out '{kept}' """)
        before, _, after = done.stdout.partition("again\n")
        what = f"a disk of {size} KiB where {need} are needed"
        check_full(bench, what, done, before, after, kept)
    # A disk that was large enough until someone else filled it.
    caught = 0
    for part in (0.3, 0.5, 0.7, 0.9):
        kept = bench.folder / f"kept_filled{part}"
        done = in_small_disk(bench, need * 8 + 1024, f"""
            {command} & sleep {bench.seconds * part:.3f}
            dd if=/dev/zero of="$DISK/fill" bs=64k count={need} 2>/dev/null
            wait $!; echo "exit $?"; find . -type f | sort; rm "$DISK/fill"
            echo again; {command}; echo "exit $?"; cp -r out '{kept}' """)
        before, _, after = done.stdout.partition("again\n")
        what = f"a disk that fills up after {part} of the run"
        if "exit 0" in before:
            bench.equal(kept, what)
            continue
        caught += 1
        check_full(bench, what, done, before, after, kept)
    bench.checks.check(caught > 0, "a disk that fills up never did while a run wrote")
    # The folder for temporary files, full while the output's has room.
    command = " ".join(f"'{part}'" for part in [
        bench.binary, *bench.options(bench.folder / "tmp_full", "--tmp", ".", "--max-record", "1M",
                                      "--memory", "256M")])
    done = in_small_disk(bench, 1024, 
        f'dd if=/dev/zero of="$DISK/fill" bs=64k count=16 2>/dev/null; {command}')
    bench.refused(done, "no room for temporary files", [IO])
    bench.checks.check("space" in done.stderr or "room" in done.stderr,
                       f"no room for temporary files: {done.stderr}")
    bench.nothing_final(bench.folder / "tmp_full", "no room for temporary files")


# --- outputs

def bad_outputs(bench):
    folder = bench.folder
    (folder / "a_file").write_text("mine\n")
    bench.refused(bench.dedup(folder / "a_file"), "output is a file", [USAGE, IO], "a_file")
    bench.checks.check((folder / "a_file").read_text() == "mine\n", "output is a file: changed it")
    bench.refused(bench.dedup(folder / "a_file/out"), "output below a file", [USAGE, IO], "a_file")
    bench.refused(bench.dedup("/proc/twinset-out"), "output where nothing can be made",
                  [USAGE, IO], "/proc")

    other = folder / "others"
    other.mkdir()
    (other / "thesis.txt").write_text("mine\n")
    bench.refused(bench.dedup(other), "output is another's folder", [USAGE, IO], "others")
    bench.checks.check([p.name for p in other.iterdir()] == ["thesis.txt"],
                       "output is another's folder: changed it")

    # Over a finished run of the same command: said, done, nothing touched.
    times = {p: p.stat().st_mtime_ns for p in (folder / "reference").rglob("*")}
    done = bench.dedup(folder / "reference")
    bench.checks.check(done.returncode == DONE, f"a finished run again: {done.stderr}")
    bench.checks.check({p: p.stat().st_mtime_ns for p in (folder / "reference").rglob("*")} == times,
                       "a finished run again: touched the output")
    # Over a finished run of another command: refused, nothing touched.
    done = bench.dedup(folder / "reference", "--resemblance", "0.5")
    bench.refused(done, "another command's output", [USAGE, IO], "reference")
    bench.equal(folder / "reference", "another command's output")

    bench.refused(bench.dedup(folder / "r", "--report", folder / "no/such/report.html"),
                  "report below a missing folder", [USAGE, IO], "no/such")
    bench.nothing_final(folder / "r", "report below a missing folder")
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = harness.run(bench.binary, ["schemes"], folder, stdout=full)
    bench.refused(done, "standard output on a full device", [IO], "standard output")
    # A reader that went away, as head does, is not complained of.
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "w", encoding="utf-8") as closed:
        done = harness.run(bench.binary, ["schemes"], folder, stdout=closed)
    bench.checks.check(done.returncode == IO and not done.stderr,
                       f"a closed pipe: exit {done.returncode}, {done.stderr}")


# --- inputs that change

def told_unreadable(got, rest):
    """An input that vanished before its first byte was read is in the quarantine, once,
    and the other inputs' kept records are as if it had never been named."""
    quarantine = got["quarantine.jsonl"]
    return (quarantine.count(b"\n") == 1 and b'"reason": "unreadable"' in quarantine
            and all(got.get(name) == data for name, data in rest.items()
                    if name.startswith(("a.", "b.", "c."))))


def changing_inputs(bench):
    """An input is appended to, rewritten or removed at a random moment. Whatever the
    moment: the old collection's output, the new one's, or one clear error."""
    folder, seen = bench.folder, {}
    extra = b'{"id": "late", "text": "a late record that nobody expected here"}\n'

    def append(path):
        with open(path, "ab") as file:
            file.write(extra)

    def rewrite(path):
        data = path.read_bytes()
        path.write_bytes(data.replace(b'"date": 1', b'"date": 2', 50))

    for name, change in (("appended to", append), ("rewritten", rewrite),
                         ("removed", lambda path: path.unlink())):
        shutil.rmtree(folder / "changed", ignore_errors=True)
        fresh = [pathlib.Path(p) for p in harness.write_three(folder / "changed", bench.records)]
        before = bench.dedup(folder / "before", paths=fresh)
        change(fresh[0])
        after = bench.dedup(folder / "after", paths=fresh)
        bench.checks.check(before.returncode == DONE, f"before {name}: {before.stderr}")
        whole = [harness.snapshot(folder / "before")]
        rest = bench.dedup(folder / "rest", paths=fresh[1:])
        bench.checks.check(rest.returncode == DONE, f"without the {name} input: {rest.stderr}")
        if after.returncode == DONE:
            whole.append(harness.snapshot(folder / "after"))
        errors = 0
        for attempt in range(12):
            shutil.rmtree(folder / "changed")
            harness.write_three(folder / "changed", bench.records)
            out = folder / "out"
            process = harness.start(bench.binary, bench.options(out, paths=fresh), folder)
            # Evenly over the run, so that some fall between the two passes.
            time.sleep(bench.seconds * (attempt + bench.generator.random()) / 12)
            change(fresh[0])
            stdout, stderr = process.communicate(timeout=120)
            done = subprocess.CompletedProcess([], process.returncode, stdout, stderr)
            what = f"input {name}, attempt {attempt}"
            if done.returncode == DONE:
                got = harness.snapshot(out)
                bench.checks.check(any(not harness.difference(w, got) for w in whole),
                                   f"{what}: neither the old nor the new collection's output")
            elif done.returncode == LOST:
                bench.checks.check(
                    told_unreadable(harness.snapshot(out), harness.snapshot(folder / "rest")),
                    f"{what}: lost, but not as an input that vanished: {stderr}")
            else:
                errors += 1
                bench.refused(done, what, [USAGE, IO], fresh[0].name)
                bench.nothing_final(out, what)
                # The same command is no dead end: it ends as a first run now would.
                now = bench.dedup(out, paths=fresh) if fresh[0].exists() else None
                if now is not None and bench.checks.check(
                        now.returncode == DONE, f"{what}, again: {now.stderr}"):
                    said = harness.difference(whole[-1], harness.snapshot(out))
                    bench.checks.check(not said, f"{what}, again: {said}")
            shutil.rmtree(out, ignore_errors=True)
            for left in out.parent.glob(out.name + "*"):
                shutil.rmtree(left, ignore_errors=True)
        seen[name] = errors
        for out in ("before", "after", "rest"):
            shutil.rmtree(folder / out, ignore_errors=True)
    bench.checks.check(all(seen.values()), f"a change never fell between the passes: {seen}")


# --- Ctrl-C, and two at once

def wait_until_caught(process, number):
    """Returns once the process has a handler for the signal, or has ended: before
    main() has set it, the system's own end would be right too."""
    status = pathlib.Path(f"/proc/{process.pid}/status")
    while process.poll() is None:
        with contextlib.suppress(OSError):
            caught = next(line for line in status.read_text().splitlines()
                          if line.startswith("SigCgt:"))
            if int(caught.split()[1], 16) >> (number - 1) & 1:
                return
        time.sleep(0.001)


def interrupts(bench):
    out = bench.folder / "interrupted"
    caught = 0
    for attempt in range(12):
        process = harness.start(bench.binary, bench.options(out), bench.folder)
        wait_until_caught(process, signal.SIGINT)
        time.sleep(bench.seconds * (attempt + bench.generator.random()) / 12)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        stdout, stderr = process.communicate(timeout=120)
        took = time.monotonic() - asked
        if process.returncode == DONE:
            bench.equal(out, "Ctrl-C that came late")
            shutil.rmtree(out)
            continue
        caught += 1
        done = subprocess.CompletedProcess([], process.returncode, stdout, stderr)
        bench.refused(done, "Ctrl-C", [INTERRUPTED], "interrupted")
        bench.checks.check(took < 2, f"Ctrl-C: took {took:.1f} s to stop")
        bench.nothing_final(out, "Ctrl-C")
    bench.checks.check(caught > 0, "Ctrl-C never caught a run under way")
    done = bench.dedup(out)
    bench.checks.check(done.returncode == DONE, f"after Ctrl-C: {done.stderr}")
    bench.equal(out, "after Ctrl-C")


def idle_pipes(bench):
    """A run that waits for a pipe on which nothing comes ends at once, and leaves nothing."""
    folder = bench.folder
    harness.run(bench.binary, ["index", "create", "idle.index", "-q"], folder)
    fifo = folder / "fifo"
    os.mkfifo(fifo)
    tmp = folder / "for_pipes"
    tmp.mkdir()
    commands = [["dedup", "-", "-o", "piped"], ["dedup", "-"], ["cluster", "-", "-o", "piped"], ["plan", "-"],
                ["sketch", "-"], ["join", "-"], ["spans", "-", "-o", "piped"], ["query", "idle.index", "-"],
                ["index", "add", "idle.index", "-"], ["index", "delete", "idle.index", "-"], ["group", "idle.index"],
                ["track", "-", "--url", "u", "--date", "d", "-o", "piped"], ["labels", "import", "-", "-o", "piped"],
                ["compare", "-", bench.paths[0]], ["compare", fifo, bench.paths[0]]]
    for command in commands:
        command = [*map(str, command), *(["--tmp", str(tmp)] if command[0] in ("plan", "sketch", "query") else [])]
        for line in ("", '{"text": "one line"}\n'):
            what = f"{' '.join(command)}, idle after {len(line)} bytes"
            process = subprocess.Popen([str(bench.binary), *command], cwd=folder, text=True, stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=harness.environment(folder))
            process.stdin.write(line)
            process.stdin.flush()
            wait_until_caught(process, signal.SIGINT)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
            asked = time.monotonic()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=5)
            took = time.monotonic() - asked
            process.kill()
            stdout, stderr = process.communicate()
            bench.checks.check(took < 1, f"{what}: took {took:.1f} s to stop")
            done = subprocess.CompletedProcess([], process.returncode, stdout, stderr)
            bench.refused(done, what, [INTERRUPTED], "interrupted")
            left = [path.name for path in (*tmp.iterdir(), *folder.glob("piped*"))]
            bench.checks.check(not left, f"{what}: left {left}")


def signals(bench):
    """The exit code of each signal, no word too much, and nothing left in the temporary folder."""
    tmp = bench.folder / "for_signals"
    tmp.mkdir()
    commands = {
        "dedup": (["dedup", *bench.paths, "-o", bench.folder / "signaled"], "nothing was left"),
        "cluster": (["cluster", *bench.paths, "-o", bench.folder / "signaled"], "nothing was left"),
        "dedup --checkpoint": (["dedup", *bench.paths, "-o", bench.folder / "signaled",
                                "--checkpoint", "100k"], None),
        "plan": (["plan", *bench.paths, "--tmp", tmp], "nothing was left"),
        "evaluate": (["evaluate", *bench.paths, "--tmp", tmp], "nothing was left"),
        "evaluate --schemes": (["evaluate", *bench.paths, "--schemes", "fss,mod", "--tmp", tmp],
                               "nothing was left"),
        "dedup --dry-run": (["dedup", *bench.paths, "--dry-run", "--tmp", tmp], "nothing was left"),
    }
    signal.signal(signal.SIGHUP, signal.SIG_DFL)  # These tests may be run under nohup.
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        for name, (options, said) in commands.items():
            word = said
            what = f"{name}, {number.name}"
            for part in (0.3, 0.15, 0.07, 0.03, 0):  # Earlier, if it was done by then.
                process = harness.start(bench.binary, options, bench.folder)
                wait_until_caught(process, number)
                time.sleep(bench.seconds * part)
                process.send_signal(number)
                process.send_signal(signal.SIGHUP)  # A terminal that goes sends it besides.
                stdout, stderr = process.communicate(timeout=120)
                left = [path.name for path in tmp.iterdir()]
                stands = [path.name for path in bench.folder.glob("signaled*")]
                for path in bench.folder.glob("signaled*"):
                    shutil.rmtree(path)
                if process.returncode != DONE:
                    break
            # What it says is so: a run that saved its state stands to be continued.
            if word is None:
                word = "the same command" if stands else "nothing was left"
            elif name in ("dedup", "cluster"):
                left += stands
            bench.checks.check(not left, f"{what}: left {left}")
            done = subprocess.CompletedProcess([], process.returncode, stdout, stderr)
            bench.refused(done, what, [128 + number], "interrupted", word)
    # Under nohup a hangup is no reason to stop.
    out = bench.folder / "nohup"
    process = subprocess.Popen(["nohup", str(bench.binary), *map(str, bench.options(out))],
                               cwd=bench.folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=harness.environment(bench.folder))
    time.sleep(bench.seconds * 0.5)
    process.send_signal(signal.SIGHUP)
    _, stderr = process.communicate(timeout=120)
    bench.checks.check(process.returncode == DONE, f"nohup: {process.returncode}: {stderr}")
    bench.equal(out, "nohup")


def file_size_limit(bench):
    """A limit on the size of files (ulimit -f) is an error, not the end of the process."""
    out = bench.folder / "limited"
    command = [str(bench.binary), *map(str, bench.options(out))]
    done = subprocess.run(["sh", "-c", 'ulimit -f 64; exec "$@"', "sh", *command], text=True,
                          cwd=bench.folder, capture_output=True, check=False, timeout=120,
                          env=harness.environment(bench.folder))
    bench.refused(done, "ulimit -f", [IO], "File too large", "limited")
    bench.nothing_final(out, "ulimit -f")
    done = bench.dedup(out)
    bench.checks.check(done.returncode == DONE, f"after ulimit -f: {done.stderr}")
    bench.equal(out, "after ulimit -f")


def mount_point(bench):
    """An empty folder that cannot be replaced is refused before the work."""
    if not can_mount():
        bench.checks.skip("an output that is a mount point: mounting needs root and unshare")
        return
    command = " ".join(f"'{part}'" for part in [bench.binary, *bench.options("$DISK")])
    command = command.replace("'$DISK'", "\"$DISK\"")
    done = in_small_disk(bench, 64, f"cd /; {command}")
    bench.refused(done, "output is a mount point", [IO], "mount point")


def two_at_once(bench):
    out = bench.folder / "shared"
    met = False
    for part in (0.5, 0.3, 0.7, 0.4, 0.6):
        first = harness.start(bench.binary, bench.options(out), bench.folder)
        time.sleep(bench.seconds * part)
        first.send_signal(signal.SIGSTOP)
        if first.poll() is None and not (out / "summary.json").exists():
            met = True
            second = bench.dedup(out, timeout=10)
            bench.refused(second, "a second run into one folder", [USAGE, IO], "shared")
        first.send_signal(signal.SIGCONT)
        _, stderr = first.communicate(timeout=120)
        bench.checks.check(first.returncode == DONE, f"the first of two runs: {stderr}")
        bench.equal(out, "the first of two runs")
        shutil.rmtree(out)
        if met:
            break
    bench.checks.check(met, "two runs into one folder never met")


def main():
    arguments = harness.arguments(__doc__)
    print(f"seed {arguments.seed}")
    checks = harness.Checks("faults")
    with harness.folder_for("faults") as name:
        bench = Bench(arguments.binary, pathlib.Path(name), arguments.seed, checks)
        print(f"{bench.size >> 20} MiB of text; an undisturbed run takes {bench.seconds:.2f} s")
        if not checks.failed:
            for part in (bad_outputs, full_disk, mount_point, file_size_limit, changing_inputs,
                         interrupts, idle_pipes, signals, two_at_once):
                part(bench)
    return checks.finish(f"seed {arguments.seed}")


if __name__ == "__main__":
    sys.exit(main())
