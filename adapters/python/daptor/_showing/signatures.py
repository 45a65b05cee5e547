# SPDX-License-Identifier: BSD-3-Clause
"""Signatures of compiled functions, which inspect.signature and completions ask for.

pybind11 writes the signature as the first line of a function's docstring.
"""

from __future__ import annotations

import ast
import functools
import inspect
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def _default(node: Optional[ast.expr]) -> Any:
    if node is None:
        return inspect.Parameter.empty
    try:
        return ast.literal_eval(node)
    except ValueError:  # an expression such as (1+0j)
        return eval(ast.unparse(node), {})  # pylint: disable=eval-used


def _parsed(text: str) -> Optional[Tuple[inspect.Signature, str]]:
    """The signature in a docstring, without types, and the rest of the text."""
    line, _, rest = text.partition("\n")
    try:
        function = cast(ast.FunctionDef, ast.parse(f"def {line}: pass").body[0])
    except SyntaxError:
        return None
    given, parameters = function.args, []
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    places = given.posonlyargs + given.args
    missing: List[Optional[ast.expr]] = [None] * (len(places) - len(given.defaults))
    for each, default in zip(places, missing + list(given.defaults)):
        parameters.append(inspect.Parameter(each.arg, kind, default=_default(default)))
    for each, default in zip(given.kwonlyargs, given.kw_defaults):
        parameters.append(inspect.Parameter(each.arg, inspect.Parameter.KEYWORD_ONLY,
                                            default=_default(default)))
    return inspect.Signature(parameters), rest.lstrip("\n")


def signed(function: F) -> F:
    """The function with its signature, to be had by inspect.signature, and its text without it."""
    found = _parsed(function.__doc__ or "")
    if found is None:
        return function

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        return function(*args, **options)

    signature, text = found
    vars(call).pop("__wrapped__", None)
    setattr(call, "__signature__", signature)
    call.__doc__ = text
    call.__module__ = "daptor"
    return cast(F, call)


def _sign_class(kind: type) -> None:
    """Gives a compiled class the signature of its constructor."""
    found = _parsed(kind.__init__.__doc__ or "")  # type: ignore[misc]
    if found is not None:
        signature = found[0]
        setattr(kind, "__signature__", signature.replace(
            parameters=list(signature.parameters.values())[1:]))


def sign_module(names: Dict[str, Any]) -> None:
    """Gives their signatures to the public compiled functions and classes of a module."""
    for name, value in list(names.items()):
        if name.startswith("_"):
            continue
        if inspect.isbuiltin(value) and value.__doc__:
            names[name] = signed(value)
        elif inspect.isclass(value) and value.__module__.endswith("._daptor"):
            _sign_class(value)
