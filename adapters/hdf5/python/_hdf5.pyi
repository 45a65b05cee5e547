# SPDX-License-Identifier: BSD-3-Clause
from typing import Any, Dict, Optional, Tuple

from ._daptor import Array

def save(array: Array, path: Any, name: str, *, attrs: Any, overwrite: bool, boundary: bool,
         read_from_any: bool, sync: bool, memory_bytes: int, numbering: Optional[str],
         chunks: Any, deflate: int, progress: Any) -> None: ...
def save_all(arrays: Dict[str, Array], path: Any, *, attrs: Any, overwrite: bool, boundary: bool,
             read_from_any: bool, sync: bool, memory_bytes: int, numbering: Optional[str],
             chunks: Any, deflate: int, progress: Any) -> None: ...
def append(array: Array, path: Any, name: str, *, numbers: Any, step: Optional[int], steps: int,
           deflate: int, boundary: bool, read_from_any: bool, sync: bool, memory_bytes: int,
           numbering: Optional[str], progress: Any) -> int: ...
def load_into(array: Array, path: Any, name: str, *, boundary: bool, ghosts: bool, convert: bool,
              memory_bytes: int, numbering: Optional[str], step: Optional[int],
              progress: Any) -> None: ...
def inspect(path: Any, name: str, comm: Any, loading: Optional[bool] = None) -> Tuple[
        Tuple[int, ...], Optional[str], Dict[str, Any], Dict[str, Any], str, Dict[str, str]]: ...
def write_xdmf(path: Any, names: Any, comm: Any, *, spacing: Any, origin: Any,
               cells: bool) -> str: ...
