"""A function for each verb, with the options that the core declares as its keywords."""

import contextlib
import difflib
import os
import re
import shutil
import tempfile
import weakref

from . import _twinset
from ._declared import VERBS, share
from ._errors import Error, UsageError, set_place
from ._results import Compared, Result, raise_if_lost, warn


def name_of(value):
    """The name of a file, or an id, which may be a number; a scalar of pyarrow, too."""
    value = value.as_py() if hasattr(value, "as_py") else value
    return str(value.__index__()) if hasattr(value, "__index__") else os.fsdecode(value)


def _typed(function, option, value):
    """The value as it would be typed: a str, or a list of them."""
    def wrong(expected):
        kind = type(value).__name__
        return TypeError(f"{function}(): {option.keyword}= takes {expected}, not {kind}")

    if option.kind == "texts":
        if isinstance(value, (str, os.PathLike)):
            return [os.fsdecode(value)]
        try:
            return [name_of(each) for each in value]
        except TypeError:
            raise wrong("names of files or values, as str or pathlib.Path, or ids") from None
    if option.kind == "bool":
        if isinstance(value, bool) or type(value).__name__ == "bool_":
            return "true" if value else "false"
        raise wrong("True or False")
    if option.kind in ("int", "int?"):
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            if isinstance(value, str):
                return value
            raise wrong("a whole number")
        return str(value.__index__())
    if option.kind == "size":
        return value if isinstance(value, str) else str(value.__index__()) \
            if hasattr(value, "__index__") else str(int(value))
    if option.kind in ("share", "share?"):
        if not isinstance(value, str) and not hasattr(value, "__float__"):
            raise wrong("a share, such as 0.8")
        return share(value)
    if option.kind == "range" and isinstance(value, (tuple, list)) and len(value) == 2:
        return ":".join("" if end is None else share(end) for end in value)
    if isinstance(value, (str, os.PathLike)) or option.kind == "text" and isinstance(value, bytes):
        return os.fsdecode(value)
    if option.kind == "text" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return share(value)  # a distance, a share: words stand for other values of such an option
    if option.kind in ("choice", "choice?", "range"):
        raise wrong("one of " + ", ".join(option.words or ["a range such as 0.2:0.8"]))
    raise wrong("a str")


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def _is_name(text):
    """Is this the name of a file?"""
    if not text or not text.isprintable():
        return False
    return " " not in text and _twinset.is_input_name(text) or os.path.exists(text)


def _are_paths(values):
    """Are these names of files, not texts in memory?"""
    if _is_path(values):
        return True
    if not isinstance(values, (list, tuple)) or not values:
        return False
    if all(isinstance(value, os.PathLike) for value in values):
        return True
    if len(values) <= 1000 and all(isinstance(value, str) and len(value) < 4096 and _is_name(value)
                                   for value in values):
        raise UsageError("these texts are names of files: pass them as pathlib.Path to read the files")
    return False


def _is_index(value):
    """Is this the folder of an index, which stands beside texts in memory, too?"""
    return _is_path(value) and os.path.isfile(os.path.join(os.fsdecode(value), "manifest"))


def _texts(data, settings, verb):
    """Texts in memory, with the columns that the settings name."""
    def set_to(name):
        given = settings.get(name)
        option = next((o for o in verb.options if o.name == name), None)
        return given if given is not None else option.default if option else ""

    defaults = {option.name: option.default for option in verb.options if option.kind == "text"}
    values = [value.encode("utf-8", "replace").decode()
              for name, setting in {**defaults, **settings}.items() if name not in ("text", "id")
              for value in (setting if isinstance(setting, list) else [setting])]
    return _twinset.Texts.of(data, set_to("text"), set_to("id"), values)


@contextlib.contextmanager
def _progress(wanted, name):
    """A function for the core, or None. A bar of tqdm is closed at the end."""
    if not wanted:
        yield None
        return
    if callable(wanted):
        yield wanted
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    bar = tqdm(unit="B", unit_scale=True, desc=name, leave=False)

    def report(stage, done, total, records):
        bar.set_description(f"{name}: {stage}", refresh=False)
        bar.total = total or None
        bar.n = done
        bar.set_postfix(records=records, refresh=False)
        bar.refresh()

    try:
        yield report
    finally:
        bar.close()


def _paths(verb, settings):
    """The files and folders that the settings name, alone or in a spec or rule."""
    for option in verb.options:
        setting = settings.get(option.name, [])
        for value in setting if isinstance(setting, list) else [setting]:
            if option.names_files:
                yield value
            else:
                yield from (piece for piece in re.split(r"[\s=,():]+", value)
                            if ("." in piece or "/" in piece) and os.path.exists(piece))


@contextlib.contextmanager
def _places(verb, settings):
    """Errors of the core know the file that they name."""
    try:
        yield
    except Error as error:
        set_place(error, _paths(verb, settings))
        raise


@contextlib.contextmanager
def _no_work_folder(output):
    """Removes the work folder of a run that Ctrl-C or a caller's function has ended, unless the run
    continued one. After an Error of the core it stays, and the same call continues."""
    folder = output.rstrip("/") + ".partial" if output else ""
    began = bool(folder) and not os.path.exists(folder)
    try:
        yield
    except Error:
        raise
    except BaseException:
        if began:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _option(function, options, name):
    """The one with this keyword."""
    for option in options:
        if option.keyword == name:
            return option
    near = difflib.get_close_matches(name, [o.keyword for o in options], 1)
    raise TypeError(f"{function}() has no option {name}=" + (f"; did you mean {near[0]}=?" if near else ""))


def typed_settings(function, options, given):
    """Values by the core's names of options, as they would be typed."""
    return {option.name: _typed(function, option, value)
            for option, value in ((_option(function, options, name), value) for name, value in given.items())
            if value is not None}


def _bind(verb, args, kwargs):
    """The arguments by the core's names of options, and progress=."""
    operands = [option.keyword for option in verb.options if option.operand]
    if len(args) > len(operands):
        raise TypeError(f"{verb.name}() takes {len(operands)} positional arguments "
                        f"({', '.join(operands)}), not {len(args)}")
    given = dict(zip(operands, args))
    for name, value in kwargs.items():
        if name in given:
            raise TypeError(f"{verb.name}() got two values for {name}")
        given[name] = value
    progress = given.pop("progress", False)
    return {_option(verb.name, verb.options, name).name: value for name, value in given.items()}, progress


def _in_memory(verb, given):
    """Takes the texts in memory out of the arguments: (inputs, those of another option)."""
    found = {}
    for option in verb.options:
        if not (verb.takes_texts and option.takes_inputs and option.name in given):
            continue
        value = given[option.name]
        if option.name == "inputs":
            if value is None:
                raise TypeError(f"{verb.name}(): None holds no texts")
        elif value is None or isinstance(value, (list, tuple)) and not value:
            continue
        if not _are_paths(value):
            found[option.name] = given.pop(option.name)
        elif found and not _is_index(value):
            raise UsageError(f"{option.keyword}= must be texts in memory, as the inputs are")
    inputs = found.pop("inputs", None)
    for name in found:
        if inputs is None and given.get("inputs"):
            raise UsageError(f"{name}= must name files, as the inputs do")
    return inputs, next(iter(found.values()), None)


class _Temporary:
    """A folder that goes with this object. TemporaryDirectory would warn of that."""

    def __init__(self, parent):
        self.name = tempfile.mkdtemp(prefix="twinset-", dir=parent)
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


def _folder(verb, settings):
    """A folder for a call that names none, and the settings with it."""
    temporary = _Temporary(settings.get("tmp"))
    return temporary, dict(settings, output=os.path.join(temporary.name, verb.name))


def _call(verb, args, kwargs):
    given, progress = _bind(verb, args, kwargs)
    data, others = _in_memory(verb, given)
    in_memory = data is not None or others is not None
    settings = {}
    for name, value in given.items():
        if value is None or (verb.takes_texts and name == "inputs" and value == ()):
            continue
        settings[name] = _typed(verb.name, next(o for o in verb.options if o.name == name), value)
    needs_folder = bool(verb.lists) and verb.held_in == "folder" and not settings.get("output")
    for option in verb.options:
        if option.required and verb.name != "lexicon_show" and option.name not in settings and not in_memory and not settings.get("merge"):
            raise TypeError(f"{verb.name}() needs {option.keyword}")
    texts = None if data is None else _texts(data, settings, verb)
    others = None if others is None else _texts(others, settings, verb)
    temporary = None
    if needs_folder:
        temporary, settings = _folder(verb, settings)
    with _places(verb, settings), _progress(progress, verb.name) as report, \
            _no_work_folder(settings.get("output")):
        answer = _twinset.run(verb.name, settings, texts, others, report)
    if verb.name == "compare":
        return Compared(answer["fields"], answer["text"])

    def into_folder():
        temporary, with_output = _folder(verb, settings)
        _twinset.run(verb.name, with_output, texts, others, None)
        return temporary, with_output["output"]

    result = CLASSES[verb.name](answer, texts, settings, temporary,
                                into_folder if in_memory and "pairs" in verb.lists else None)
    warn(result)
    raise_if_lost(result, settings.get("allow_lost_inputs") == "true" or verb.name == "recut")
    return result


def _function(verb):
    def call(*args, **kwargs):
        return _call(verb, args, kwargs)

    call.__name__ = call.__qualname__ = verb.name
    call.__module__ = "twinset"
    call.__signature__ = verb.signature()
    call.__doc__ = verb.doc()
    return call


CLASSES = {verb.name: type(verb.result(), (Result,), {"__slots__": (), "__module__": "twinset",
                                                      "_verb": verb.name, "_held_in": verb.held_in,
                                                      "_lists": frozenset(verb.lists)})
           for verb in VERBS.values() if verb.name != "compare"}
for _verb in VERBS.values():
    globals()[_verb.name] = _function(_verb)
_compare_files = globals()["compare"]


def compare(a, b, **options):
    if isinstance(a, os.PathLike) and isinstance(b, os.PathLike):
        return _compare_files(a, b, **options)
    verb = VERBS["compare"]
    given, _ = _bind(verb, (a, b), options)
    of_files = sorted(set(given) - {"a", "b", "analyzer", "shingle", "format"})
    if of_files:
        raise UsageError(f"{of_files[0]}= is of files: pass pathlib.Path to compare files")
    values, text = _twinset.compare_texts(a, b, analyzer=given.get("analyzer", "words"),
                                          shingle=given.get("shingle"),
                                          html=given.get("format") in ("html", "xhtml"))
    return Compared(values, text)


compare.__signature__ = VERBS["compare"].signature()
compare.__doc__ = ("Compares two texts, or with pathlib.Path two files.\n\n"
                   + VERBS["compare"].doc())


def lexicon(action, *args, **options):
    """lexicon("count", ...) is lexicon_count(...); likewise "build" and "show"."""
    if action not in ("count", "build", "show"):
        raise UsageError(f"the action of lexicon() is 'count', 'build' or 'show', not {action!r}")
    return globals()["lexicon_" + action](*args, **options)
