# SPDX-License-Identifier: BSD-3-Clause
"""Signatures and texts of functions that pass options on to a compiled one, which has the list."""

from __future__ import annotations

import ast
import inspect
from typing import Any, Callable, Dict, Tuple, TypeVar

from .. import _daptor

F = TypeVar("F", bound=Callable[..., Any])

try:
    from .._options import FUNCTIONS  # written when the compiled modules were built
except ImportError:
    FUNCTIONS: Dict[str, Tuple[str, str]] = {}  # type: ignore[no-redef]


def passes_options(compiled: str) -> Callable[[F], F]:
    """A decorator: the `**options` of the function are the keywords of a compiled one.

    compiled  the compiled function, as "_petsc.to_vec", whose module need not be built

    The line `{options}` of the function's text becomes what the options mean.
    """
    module, _, name = compiled.partition(".")
    typed, text = FUNCTIONS.get(compiled, ("", ""))
    if module == "_daptor":
        typed = _daptor._typed[name]

    def signed(function: F) -> F:
        own = inspect.signature(function)
        parameters = [each for each in own.parameters.values() if each.kind != each.VAR_KEYWORD]
        if typed:
            given = ast.parse(f"def {typed}: ...").body[0].args  # type: ignore[attr-defined]
            for each, missing in zip(given.kwonlyargs, given.kw_defaults):
                if each.arg not in own.parameters:
                    parameters.append(inspect.Parameter(
                        each.arg, inspect.Parameter.KEYWORD_ONLY,
                        default=ast.literal_eval(missing), annotation=ast.unparse(each.annotation)))
            setattr(function, "__signature__", own.replace(parameters=parameters))
        indented = text.replace("\n", "\n    ")
        function.__doc__ = (function.__doc__ or "").replace("{options}", indented)
        return function

    return signed
