"""text-dedup: its minhash command with 5-grams, 256 values, xxh3 and one process; every other option as it
is, but that short texts are not removed for being short.
"""
# requires: text-dedup==0.4.0 datasets==5.2.0 numpy==2.4.6

import subprocess
import sys

import datasets
import peer


def command(path, threshold, out):
    subprocess.run(
        [sys.executable, "-m", "text_dedup.minhash", "--path", "json", "--data_files", str(path), "--split",
         "train", "--cache_dir", str(out / "cache"), "--output", str(out / "clean"), "--column", "text",
         "--ngram", "5", "--min_length", "0", "--threshold", str(threshold), "--num_perm", "256",
         "--hash_func", "xxh3", "--num_proc", "1"], check=True)
    return datasets.load_from_disk(str(out / "clean"))["id"]


SETTINGS = {"256": command}

if __name__ == "__main__":
    peer.main(SETTINGS)
