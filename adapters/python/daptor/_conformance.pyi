# SPDX-License-Identifier: BSD-3-Clause
from typing import Any, Callable, Optional, Sequence, Tuple

from ._daptor import Report

def check(make: Callable[[Any], Any], comm: Any, *, labels: bool = False,
          label: Optional[Callable[[Tuple[int, ...], str], bytes]] = None,
          strict: bool = False) -> Report: ...
def document(entries: Sequence[Tuple[str, int, Report]], format: str, strict: bool,
             color: bool) -> Tuple[str, int]: ...
def picture(recorded: str, slices: Sequence[Tuple[int, int]], rank: Optional[int], svg: bool,
            width: int, unicode: bool, color: bool) -> str: ...
