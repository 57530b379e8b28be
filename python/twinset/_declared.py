"""Signatures, docstrings and stubs, from the options and fields that the core declares.

Nothing here names an option or a field. The build writes stubs() and scheme_stubs() into files.
"""

import fractions
import inspect
import keyword
import math
import re
import textwrap
from typing import NamedTuple, Optional

from . import _twinset


class Option(NamedTuple):
    name: str        # as the core knows it
    usage: str       # "--max-record SIZE"
    kind: str        # "bool", "int", "int?", "size", "share", "share?", "range", "choice", ...
    default: str     # as it would be typed
    help: str
    by_default: str  # in words, where the value does not say it
    words: Optional[list]
    required: bool
    names_files: bool      # or folders, by its values
    takes_inputs: bool     # files to read; of verbs that take texts these may be texts in memory

    @property
    def keyword(self):
        """Its name in Python: "for_" of "for"."""
        return self.name + "_" if keyword.iskeyword(self.name) else self.name

    @property
    def operand(self):
        return not self.usage.startswith("-")

    def value(self):
        """The default as a value of Python."""
        if self.kind == "texts":
            return ()
        if self.kind == "bool":
            return self.default == "true"
        if self.kind == "text":
            return self.default
        if not self.default:
            return None
        if self.kind in ("int", "int?", "size") and self.default.isdigit():
            return int(self.default)
        if self.kind in ("share", "share?"):
            return float(self.default)
        return self.default

    def parameter(self):
        kinds = inspect.Parameter
        kind = kinds.POSITIONAL_OR_KEYWORD if self.operand else kinds.KEYWORD_ONLY
        default = kinds.empty if self.required and self.kind == "text" else self.value()
        return kinds(self.keyword, kind, default=default)

    def doc(self):
        default = self.by_default or ("" if self.value() in ((), "", None, False) else repr(self.value()))
        return [self.keyword + (f" [{python_words(default)}]" if default else ""),
                *fill(python_words(self.help), "    ")]

    def annotation(self):
        words = f"Literal[{', '.join(map(repr, self.words))}]" if self.words else ""
        return {"bool": "bool", "int": "int", "int?": "Optional[int]", "size": "Union[int, str]",
                "share": "Share", "share?": "Optional[Share]",
                "range": "Union[str, Tuple[Optional[Share], Optional[Share]], None]",
                "choice": words, "choice?": f"Optional[{words}]", "text": "Union[Path, float]",
                "texts": "Union[Path, Sequence[Path]]"}[self.kind]


class Verb(NamedTuple):
    name: str
    summary: str
    takes_texts: bool  # in memory, in place of files
    options: list
    fields: list       # (name, type, help, fields of nested values or None)
    lists: list        # of its folder: tables of its results, which go before fields of the same name
    held_in: str       # "folder"; "memory": over texts in memory without a folder, too; "lines"

    def result(self):
        """The name of its class of results."""
        return "".join(word.capitalize() for word in self.name.split("_")) + "Result"

    def find(self, keyword_name):
        return next((o for o in self.options if o.keyword == keyword_name), None)

    def signature(self):
        kinds = inspect.Parameter
        parameters = [option.parameter() for option in sorted(self.options, key=lambda o: not o.operand)]
        parameters.append(kinds("progress", kinds.KEYWORD_ONLY, default=False))
        return inspect.Signature(parameters)

    def doc(self):
        lines = [self.summary, ""]
        if self.takes_texts:
            lines += fill("inputs may be texts in memory: a table or column with __arrow_c_stream__ "
                          "(pyarrow, polars, duckdb, pandas), a dataset of Hugging Face, a list of "
                          "str or bytes. A str or a pathlib.Path names a file, folder or glob; "
                          "several files are a list of pathlib.Path.") + [""]
        for option in self.options:
            lines += option.doc()
        lines.append("progress [False]")
        lines += fill("True: a bar of tqdm, if it is installed. Or a function of (stage, done "
                      "bytes, total bytes, records).", "    ")
        return "\n".join(lines)


_MOST_DENOMINATOR = 10**6  # the core reads six decimals


def share(value):
    """A share as it would be typed. A float is the fraction nearest to it, of a denominator of at most
    a million: 0.8 is 0.8, 2 / 3 is 2/3, and so no pair at exactly that share is lost by rounding."""
    if isinstance(value, (str, int)) or not hasattr(value, "__float__"):
        return str(value)
    if not isinstance(value, fractions.Fraction):
        value = float(value)
        if not math.isfinite(value):
            return str(value)  # which the core refuses
        value = fractions.Fraction(value).limit_denominator(_MOST_DENOMINATOR)
    if value.denominator == 1:
        return str(value.numerator)
    if _MOST_DENOMINATOR % value.denominator == 0:
        return f"{float(value):.6f}".rstrip("0")
    return f"{value.numerator}/{value.denominator}"


def fill(text, indent=""):
    return textwrap.wrap(text, 92, initial_indent=indent, subsequent_indent=indent)


def python_words(text):
    """The core's help speaks of flags: --max-record is max_record here, twinset show is show()."""
    text = re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda m: m.group(1).replace("-", "_"), text)
    return re.sub(r"\btwinset ([a-z]+)\b", r"twinset.\1()", text)


# Of the questions to an Index, by its method.
QUESTIONS = {method: [Option(*option) for option in options] for method, options in _twinset.index_settings().items()}

VERBS = {name: Verb(name, summary, takes_texts, [Option(*option) for option in options], *others)
         for name, summary, takes_texts, options, *others in _twinset.verbs()}


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


def field_stubs(fields, indent, tables=()):
    """The attributes of a class of results, each nested value being a class within it."""
    lines, seen = [f"{indent}{name}: Table" for name in tables], set(tables)
    for name, kind, help_text, nested in fields:
        if name in seen or not name.isidentifier() or keyword.iskeyword(name):
            continue
        seen.add(name)
        if nested is not None:
            inner = camel(name) + "Fields"
            lines.append(f"{indent}class {inner}(Record):")
            lines += field_stubs(nested, indent + "    ") or [f"{indent}    ..."]
            kind = kind.format(inner)
        lines.append(f"{indent}{name}: {kind}")
        if help_text:
            quoted = help_text.replace("\\", "\\\\").replace('"""', "'''")
            lines.append(f'{indent}"""{python_words(quoted)}"""')
    return lines


def verb_stub(verb):
    parts, star = [], False
    for parameter in verb.signature().parameters.values():
        option = verb.find(parameter.name)
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        if option is None:
            parts.append("progress: Union[bool, Callable[[str, int, int, int], object]] = ...")
        elif verb.takes_texts and option.takes_inputs:
            parts.append(f"{option.keyword}: Any = ...")
        else:
            default = "" if parameter.default is inspect.Parameter.empty else " = ..."
            parts.append(f"{option.keyword}: {option.annotation()}{default}")
    doc = textwrap.indent(verb.doc().replace("\\", "\\\\"), "    ").strip()
    return (f"def {verb.name}({', '.join(parts)}) -> {verb.result()}:\n"
            f'    """{doc}\n    """\n')


STUB_HEAD = '''# Made from the declared options and fields by twinset/_declared.py.
import fractions
import os
from typing import Any, Callable, Dict, Iterable, Iterator, List, Literal, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import schemes as schemes
from ._errors import Error as Error, FileError as FileError, UsageError as UsageError
from ._results import Compared as Compared, Passage as Passage, Record as Record, Result as Result, RunWarning as RunWarning
from ._twinset import Signer as Signer, SignedTexts as SignedTexts, Table as Table
from ._verbs import lexicon as lexicon

Path = Union[str, os.PathLike[str]]
Share = Union[float, str, fractions.Fraction]

__version__: str
def resemblance(a: Union[str, bytes], b: Union[str, bytes], *, analyzer: str = ..., shingle: Optional[int] = ..., html: bool = ...) -> Optional[float]: ...
def containment(a: Union[str, bytes], b: Union[str, bytes], *, analyzer: str = ..., shingle: Optional[int] = ..., html: bool = ...) -> Optional[float]: ...
'''


def index_stub():
    """The class Index, and those of what it answers with."""
    text = ""
    for name, fields in _twinset.index_values():
        text += f"\nclass {name}(Record):\n" + "\n".join(field_stubs(fields, "    ")) + "\n"
    def asked(method):
        return ", ".join(f"{option.keyword}: {option.annotation()} = ..." for option in QUESTIONS[method])
    from ._index import Index
    text += f'\nclass Index:\n    """{Index.__doc__}"""\n'
    for name, parameters, returned in (("__init__", "index: Path", "None"), ("stats", "", "IndexStats"),
                                       ("find", "id: Union[str, int]", "Optional[IndexDocument]"),
                                       ("query", f"text: Union[str, bytes], *, html: bool = ..., {asked('query')}", "IndexAnswer"),
                                       ("query_document", f"id: Union[str, int], *, {asked('query_document')}", "IndexAnswer"),
                                       ("locate", f"url: str, *, {asked('locate')}", "PageLocation"),
                                       ("lookup", f"id: Union[str, int], *, {asked('lookup')}", "IndexLookup"),
                                       ("group", f"hits: Iterable[Any], *, asker: Optional[Iterable[Any]] = ..., "
                                        f"load: Optional[Mapping[str, float]] = ..., {asked('group')}", "GroupedHits")):
        doc = inspect.cleandoc(getattr(Index, name).__doc__ or "")
        body = textwrap.indent(f'\n"""{doc}"""', " " * 8) if name != "__init__" else " ..."
        text += f"    def {name}({', '.join(filter(None, ('self', parameters)))}) -> {returned}:{body}\n"
    return text


def scheme_stubs():
    """schemes.pyi."""
    text = "# Made from the declared schemes by twinset/_declared.py.\n"
    for name, summary, source, parameters in _twinset.schemes():
        listed = "".join(f", {parameter}: {type(standard).__name__} = ..."
                         for parameter, standard, _ in parameters)
        doc = f"{summary}\n\nSource: {source}".replace("\\", "\\\\").replace("\n", "\n    ")
        star = "*" if parameters else ""
        text += f'def {name}({star}{listed}) -> str:\n    """{doc}\n    """\n'
    return text


def stubs():
    """__init__.pyi."""
    text = STUB_HEAD
    for verb in VERBS.values():
        text += f"\nclass {verb.result()}({'Compared' if verb.name == 'compare' else 'Result'}):\n"
        text += "\n".join(field_stubs(verb.fields, "    ", verb.lists) or ["    ..."]) + "\n"
        text += "\n" + verb_stub(verb)
    return text + index_stub()

