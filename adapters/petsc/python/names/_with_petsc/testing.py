# SPDX-License-Identifier: BSD-3-Clause
"""The fixture `sound` of daptor.pytest_plugin."""

from __future__ import annotations

import warnings
from typing import Any, Callable

import pytest

from .checking import check as daptor_check


@pytest.fixture(name="sound")
def _sound() -> Callable[..., None]:
    """A function that fails the test if daptor.check finds an error in a petsc4py object.

    sound(obj, layout=None, values=True, apply=True, strict=False)
        as daptor.check, collective over the object's communicator; `strict` counts warnings as
        errors, which are otherwise warnings of the test
    """

    def check(obj: Any, layout: Any = None, *, values: bool = True, apply: bool = True,
              strict: bool = False) -> None:
        report = daptor_check(obj, layout, values=values, apply=apply)
        text = "\n".join(["daptor.check finds:", *map(str, report)])
        if not report or (strict and len(report) > 0):
            pytest.fail(text, pytrace=False)
        if len(report) > 0:
            warnings.warn(text, stacklevel=2)

    return check
