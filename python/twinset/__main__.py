"""The command line: python -m twinset is the program twinset."""

import importlib.metadata
import os
import pathlib
import sys
import sysconfig


def program():
    """The program of this package, wherever its installer has put it."""
    beside = pathlib.Path(__file__).resolve().parent.parent / "bin" / "twinset"
    found = [beside, pathlib.Path(sysconfig.get_path("scripts")) / "twinset"]
    try:
        files = importlib.metadata.files("twinset") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [pathlib.Path(file.locate()) for file in files if file.name == "twinset"] + found
    return next((path for path in found if path.is_file() and os.access(path, os.X_OK)), None)


def main():
    path = program()
    if path is None:
        sys.exit("twinset: the program twinset is not installed beside the package")
    sys.stdout.flush()
    os.execv(path, ["twinset", *sys.argv[1:]])


if __name__ == "__main__":
    main()
