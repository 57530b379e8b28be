"""Specs of schemes, from those that this build declares.

    twinset.schemes.fss(shingle=5)    # "fss(shingle=5)"
"""

import inspect as _inspect
import re as _re

from . import _twinset


def _spec(name, parameters):
    def text(value):
        value = ("true" if value else "false") if isinstance(value, bool) else str(value)
        if _re.fullmatch(r"[A-Za-z0-9_./+:-]+", value):
            return value
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'

    inner = ", ".join(f"{parameter}={text(value)}" for parameter, value in parameters.items())
    return f"{name}({inner})" if inner else name


def _maker(name, summary, source, parameters):
    known = [parameter for parameter, _, _ in parameters]

    def make(**given):
        for parameter in given:
            if parameter not in known:
                raise TypeError(f"{name}() has no parameter {parameter}=; it has {', '.join(known)}")
        return _spec(name, given)

    make.__name__ = make.__qualname__ = name
    make.__module__ = __name__
    make.__signature__ = _inspect.Signature(
        [_inspect.Parameter(parameter, _inspect.Parameter.KEYWORD_ONLY, default=standard)
         for parameter, standard, _ in parameters], return_annotation=str)
    make.__doc__ = f"{summary}\n\nSource: {source}\n\n" + "\n".join(
        f"{parameter} [{standard!r}]\n    {text}" for parameter, standard, text in parameters)
    return make


__all__ = []
for _name, _summary, _source, _parameters in _twinset.schemes():
    globals()[_name] = _maker(_name, _summary, _source, _parameters)
    __all__.append(_name)
