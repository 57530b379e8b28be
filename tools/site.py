#!/usr/bin/env python3
"""Makes the site of the documentation: build/site, a folder of pages that load nothing from elsewhere.

    make site                              # the same, in an environment with mkdocs
    python3 tools/site.py --out build/site

The pages are the Markdown files of the repository where they stand, so that their links hold here as on
a code host. README.md is the first page; the order of its links is that of the guide. Two pages are
made: the API of Python from the signatures and docstrings of the package, if it can be imported, and
that of C++ from the public headers. A link that leads nowhere is an error. Needs mkdocs.
"""

import argparse
import inspect
import pathlib
import re
import shutil
import subprocess
import sys

HOUSE = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)#\s]+)(#[^)\s]*)?(\))")


def tracked(house):
    listed = subprocess.run(["git", "-C", house, "ls-files", "-z"], capture_output=True, check=True)
    return [pathlib.PurePosixPath(name) for name in listed.stdout.decode().split("\0") if name]


def title_of(text, path):
    found = re.search(r"^# (.+)$", text, re.M)
    return re.sub(r"[`*]", "", found.group(1)) if found else path.stem


def targets_in(text, path):
    """The files of the repository that a page links to, as paths from its root."""
    for _, target, _, _ in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        parts = []
        for part in (path.parent / target).parts:
            if part == "..":
                parts = parts[:-1]
            else:
                parts.append(part)
        yield pathlib.PurePosixPath(*parts)


def copy_pages(house, pages):
    """Copies all Markdown files and what they link to. Returns path -> text of the former."""
    files = set(tracked(house))
    texts = {path: (house / path).read_text() for path in files if path.suffix == ".md"}
    wanted = set(texts)
    for path, text in texts.items():
        wanted |= {target for target in targets_in(text, path) if target in files}
    for path in wanted:
        (pages / path).parent.mkdir(parents=True, exist_ok=True)
        if path in texts:
            (pages / path).write_text(texts[path])
        else:
            shutil.copyfile(house / path, pages / path)
    return texts


def code(text, language=""):
    return f"```{language}\n{text.rstrip()}\n```\n\n"


def python_page():
    """The API of the package, from what it says of itself; None where it cannot be imported."""
    try:
        import twinset
        import twinset.compat.datasketch  # noqa: F401
    except ImportError:
        return None
    out = ["# Python: the API\n\nMade from the package's own signatures and docstrings; the guide has a page "
           "about the rest.\n"]
    for name in sorted(getattr(twinset, "__all__", dir(twinset))):
        value = getattr(twinset, name)
        if name.startswith("_") or inspect.ismodule(value):
            continue
        out.append(f"\n## {name}\n\n")
        try:
            signature = str(inspect.signature(value))
        except (TypeError, ValueError):
            signature = ""
        out.append(code(name + signature, "python"))
        out.append(code(inspect.getdoc(value) or ""))
        if inspect.isclass(value):
            for method, made in sorted(vars(value).items()):
                told = inspect.getdoc(made)
                if not method.startswith("_") and told:
                    out.append(f"`{method}`\n\n" + code(told))
    return "".join(out)


def headers_page(house):
    """The public headers: what each is for, with its example, as its first comment has it."""
    out = ["# C++: the public headers\n\nEach header says what it is for, shows an example that compiles, and "
           "documents each function where it declares it.\n"]
    for header in sorted((house / "include/twinset").glob("*.h")):
        comment = []
        for line in header.read_text().split("\n"):
            if not line.startswith("//"):
                break
            comment.append(line[3:])
        out.append(f"\n## twinset/{header.name}\n\n" + code("\n".join(comment)))
    return "".join(out)


def navigation(texts, made):
    """The table of contents as YAML: every page once."""
    guide = [target for target in targets_in(texts[pathlib.PurePosixPath("README.md")],
                                             pathlib.PurePosixPath("README.md"))
             if target.parent.name == "docs" and target.suffix == ".md"]
    rest = {path for path in texts if path.parent.name == "docs"} - set(guide)
    sections = {
        "Guide": list(dict.fromkeys(guide)) + sorted(rest),
        "Formats": sorted(path for path in texts if path.parent.name == "formats"),
        "API": made,
        "Papers": sorted(path for path in texts if path.parts[0] == "papers"),
        "Measured": sorted(path for path in texts if path.parts[0] == "bench"),
    }
    listed = {path for paths in sections.values() for path in paths}
    project = sorted(path for path in set(texts) - listed if str(path) != "README.md")
    sections["Project"] = project
    lines = ["  - twinset: README.md"]
    for section, paths in sections.items():
        if not paths:
            continue
        lines.append(f"  - {section}:")
        for path in paths:
            title = title_of(texts[path], path)
            quoted = title.replace("'", "''")
            lines.append(f"    - '{quoted}': {path}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default=HOUSE / "build/site")
    parser.add_argument("--house", type=pathlib.Path, default=HOUSE, help="another repository, for a test")
    arguments = parser.parse_args()
    out = arguments.out.resolve()
    work = out.parent / (out.name + ".pages")
    shutil.rmtree(work, ignore_errors=True)
    pages = work / "pages"
    pages.mkdir(parents=True)
    texts = copy_pages(arguments.house, pages)
    made = []
    for name, text in (("api_python.md", python_page()), ("api_cpp.md", headers_page(arguments.house))):
        if text is None:
            print("the package twinset cannot be imported: the site has no API of Python")
            continue
        (pages / name).write_text(text)
        made.append(pathlib.PurePosixPath(name))
        texts[made[-1]] = text
    (work / "mkdocs.yml").write_text(f"""\
site_name: twinset
docs_dir: {pages}
site_dir: {out}
use_directory_urls: false
theme:
  name: readthedocs
  highlightjs: false
markdown_extensions: [tables, fenced_code, toc]
validation:
  links: {{not_found: warn, anchors: warn, absolute_links: warn}}
nav:
{navigation(texts, made)}
""")
    # Not --quiet: what is not logged does not count for --strict.
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--config-file",
                           work / "mkdocs.yml"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
        return done.returncode
    shutil.rmtree(work)
    print(f"{sum(1 for _ in out.rglob('*.html'))} pages in {out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
