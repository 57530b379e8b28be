"""A made web of any size, and the CPU time of what is run on it."""

import random
import resource

PAGE_CHUNKS = 40
TAILS = 5_000


def write_web(path, most_bytes, seed):
    """Pages of new chunks; returns the bytes of HTML."""
    draw = random.Random(seed)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(3, 9)))
             for _ in range(4_000)]
    # Written to JSON as they are: neither quotes nor backslashes are in them.
    tails = [" ".join(draw.choices(words, k=18)) + "\\n" for _ in range(TAILS)]
    written = number = 0
    with open(path, "w", encoding="ascii") as file:
        while written < most_bytes:
            first = number * PAGE_CHUNKS
            page = "".join([f"<p>{seed}-{first + i} {tail}" for i, tail in
                            enumerate(draw.choices(tails, k=PAGE_CHUNKS))])
            file.write(f'{{"url": "http://s{number // 50}.example/{seed}-{number}.html", '
                       f'"html": "{page}"}}\n')
            written += len(page) - PAGE_CHUNKS   # a line end is two characters of JSON
            number += 1
    return written


def cpu_seconds(run):
    """Of the program that `run` starts and waits for."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
