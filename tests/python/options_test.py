# SPDX-License-Identifier: BSD-3-Clause
"""Options come from the lists of C++: a member and a line there is all that an option takes."""

import inspect
import os
import pathlib
import re
import sys

import pytest

import daptor
from support import raised, same_on_all

sys.path.append(os.environ["DAPTOR_TEST_MODULES"])
import tiles  # tests/python/tiles.cpp

PAGE = pathlib.Path(__file__).parents[2] / "docs/options.md"


def keywords(function):
    return {name: each.default for name, each in inspect.signature(function).parameters.items()
            if each.kind is each.KEYWORD_ONLY}


def test_one_more_member_is_one_more_keyword(comm):
    assert keywords(tiles.tile) == {"readonly": False, "width": 3, "glaze": None, "row": None}
    assert keywords(tiles.wider) == {**keywords(tiles.tile), "label": "blue"}
    assert tiles._typed["wider"] == (
        "wider(comm: object, *, readonly: bool = False, width: int = 3, "
        "glaze: Optional[str] = None, row: Optional[int] = None, label: str = 'blue') -> dict")
    assert tiles.wider.__doc__ == tiles.tile.__doc__ + "label     what is written on it\n"
    assert '"matt": as it is fired; "gloss": fired twice' in tiles.tile.__doc__
    assert tiles.wider(comm, label="red", glaze="matt", width=7) == {
        "readonly": False, "width": 7, "glaze": "matt", "row": None, "label": "red"}
    assert tiles.tile(comm, readonly=True, row=2, glaze=None)["row"] == 2
    with pytest.raises(TypeError, match="'label'"):
        tiles.tile(comm, label="red")


@pytest.mark.parametrize("wrong", [
    {"readonly": None}, {"readonly": "x"}, {"width": 2**31}, {"width": 1.5}, {"glaze": "none"},
    {"glaze": 3}, {"row": "x"}, {"label": None}], ids=str)
def test_a_wrong_value_on_one_rank(comm, rank, size, wrong):
    for guilty in range(size):
        error = raised(lambda: tiles.wider(comm, **(wrong if rank == guilty else {})))
        assert isinstance(error, daptor.InvalidArgument) and same_on_all(comm, error)
        assert error.finding.key == [*wrong][0] and error.rank == guilty


def test_a_value_that_differs(comm, rank, size):
    if size > 1:
        error = raised(lambda: tiles.wider(comm, label="red" if rank == 1 else "blue"))
        assert error.rule == "collective.different" and error.finding.key == "label"


def test_keywords_are_those_of_the_page():
    """docs/options.md is made of the headers."""
    options = {}
    for part in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        options[part.partition("\n")[0]] = re.findall(r"^\| `(\w+)` \|", part, re.M)
    pairs = [(daptor.redistribute, "daptor::RedistributionOptions"),
             (daptor.redistribute, "daptor::Transform"),
             (daptor.update_padding, "daptor::HaloOptions"), (daptor.scan, "daptor::ScanOptions"),
             (daptor.Array.to_petsc, "daptor::petsc::VecOptions"),
             (daptor.Array.copy_to_petsc, "daptor::petsc::CopyOptions"),
             (daptor.Array.to_dmda, "daptor::petsc::DMDAOptions"),
             (daptor.Array.copy_to_dmda, "daptor::petsc::DMDACopyOptions")]
    if daptor._bindings.binding("_petsc") is None:
        pairs = pairs[:4]
    for function, struct in pairs:
        assert set(options[struct]) <= set(keywords(function)), struct
    assert len(options) >= 8 and all(options.values())
