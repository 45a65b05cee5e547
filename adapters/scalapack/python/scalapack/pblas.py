# SPDX-License-Identifier: BSD-3-Clause
"""What routines of the PBLAS ask of letters and extents: they end the program where that is wrong.

The routines of ScaLAPACK itself say so by INFO.
"""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Tuple

from .._daptor import _invalid_argument

_LETTERS = {"UPLO": "UL", "SIDE": "LR", "DIAG": "NU", "TRANS": "NTC", "TRANSA": "NTC",
            "TRANSB": "NTC"}
# TRANS of complex routines, where not all three are allowed.
_TRANS_OF = {"syrk": "NT", "syr2k": "NT", "herk": "NC", "her2k": "NC"}

# The rows and columns of each matrix, and the length of each vector. S is M or N, by SIDE. `/T`: in
# the other order, or the other of two lengths, unless the letter T is N.
_PAIR = "X=N Y=N"
_OF_ORDER_N = "A=N,N X=N"
_PRODUCT = "A=S,S B=M,N"
_EXTENTS: Dict[str, str] = {
    "swap": _PAIR, "copy": _PAIR, "axpy": _PAIR, "dot": _PAIR, "dotu": _PAIR, "dotc": _PAIR,
    "scal": "X=N", "nrm2": "X=N", "asum": "X=N", "amax": "X=N",
    "gemv": "A=M,N X=N,M/TRANS Y=M,N/TRANS",
    "symv": _OF_ORDER_N + " Y=N", "hemv": _OF_ORDER_N + " Y=N",
    "trmv": _OF_ORDER_N, "trsv": _OF_ORDER_N, "syr": _OF_ORDER_N, "her": _OF_ORDER_N,
    "syr2": _OF_ORDER_N + " Y=N", "her2": _OF_ORDER_N + " Y=N",
    "ger": "A=M,N X=M Y=N", "geru": "A=M,N X=M Y=N", "gerc": "A=M,N X=M Y=N",
    "gemm": "A=M,K/TRANSA B=K,N/TRANSB C=M,N",
    "symm": _PRODUCT + " C=M,N", "hemm": _PRODUCT + " C=M,N",
    "trmm": _PRODUCT, "trsm": _PRODUCT,
    "syrk": "A=N,K/TRANS C=N,N", "herk": "A=N,K/TRANS C=N,N",
    "syr2k": "A=N,K/TRANS B=N,K/TRANS C=N,N", "her2k": "A=N,K/TRANS B=N,K/TRANS C=N,N",
    "geadd": "A=M,N/TRANS C=M,N", "tradd": "A=M,N/TRANS C=M,N",
    "tran": "A=N,M C=M,N", "tranu": "A=N,M C=M,N", "tranc": "A=N,M C=M,N",
}


class Part(NamedTuple):
    """How much of a matrix there is from the row and column that are passed."""
    rows: int
    columns: int
    leading: int  # M_, which is the increment of a row


def _name_of(routine: str) -> str:
    """The routine's name without its type: of pdznrm2, nrm2."""
    return routine[2:] if routine[2:] in _EXTENTS else routine[3:]


def _require_letters(routine: str, letters: Dict[str, str]) -> None:
    for name, value in letters.items():
        allowed = _LETTERS[name]
        if name == "TRANS" and (routine[1] in "cz" or "her" in routine):
            allowed = _TRANS_OF.get(_name_of(routine), allowed)
        if value.upper() not in allowed:
            _invalid_argument(f"{name} of {routine}", repr(value),
                              "one of " + ", ".join(map(repr, allowed)))


def _wanted(entry: str, integers: Dict[str, int], letters: Dict[str, str]
            ) -> Tuple[str, List[str], List[int]]:
    """Name of a matrix or vector, and its extents, by name and as numbers."""
    name, _, rest = entry.partition("=")
    sizes, _, letter = rest.partition("/")
    names = sizes.split(",")
    side = "M" if letters.get("SIDE", "L").upper() == "L" else "N"
    names = [side if each == "S" else each for each in names]
    if letter and letters[letter].upper() != "N":
        names.reverse()
    return name, names, [integers[each] for each in names]


def _require_vector(key: str, part: Part, increment: int, wanted: str, length: int) -> None:
    if increment not in (1, part.leading):
        _invalid_argument(
            key.replace(key[0], "INC" + key[0], 1), str(increment),
            f"1 for a column, or {part.leading}, the number of the matrix's rows, for a row")
    has = part.columns if increment == part.leading else part.rows
    if length > 0 and has < length:
        _invalid_argument(key, f"a vector of {has}", f"at least {wanted} = {length} elements")


def require_fitting(routine: str, integers: Dict[str, int], letters: Dict[str, str],
                    parts: Dict[str, Part]) -> None:
    """Raises InvalidArgument for what would end the program. Process-local.

    integers, letters, parts
        values of the arguments, by their names in the signature

    Nothing is looked at for routines that are not of the PBLAS.
    """
    extents = _EXTENTS.get(_name_of(routine))
    if extents is None:
        return
    _require_letters(routine, letters)
    for name in "MNK":
        if integers.get(name, 0) < 0:
            _invalid_argument(f"{name} of {routine}", str(integers[name]), "0 or more")
    for entry in extents.split():
        name, names, sizes = _wanted(entry, integers, letters)
        key, part = f"{name} of {routine}", parts[name]
        if name in "XY":
            _require_vector(key, part, integers["INC" + name], names[0], sizes[0])
        elif min(sizes) > 0 and (part.rows < sizes[0] or part.columns < sizes[1]):
            _invalid_argument(key, f"{part.rows} x {part.columns} elements",
                              f"at least {names[0]} x {names[1]} = {sizes[0]} x {sizes[1]}")
