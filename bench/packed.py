"""The lines of a file of texts, packed by zstd or not."""

import subprocess


def read_lines(path):
    if path.endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", "--long=27", path], check=True,
                              stdout=subprocess.PIPE).stdout.decode().splitlines()
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()
