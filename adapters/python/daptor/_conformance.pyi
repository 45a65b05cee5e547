# SPDX-License-Identifier: BSD-3-Clause
from typing import Any, Callable, Optional, Sequence, Tuple

from ._daptor import Finding, Report

def check(make: Callable[[Any], Any], comm: Any, *, labels: bool = False,
          label: Optional[Callable[[Tuple[int, ...], str], bytes]] = None, ghosts: bool = False,
          strict: bool = False) -> Report: ...
def first_text(comm: Any, mine: str) -> Tuple[int, str]: ...
def merged(comm: Any, find: Callable[[], Sequence[Finding]], strict: Any) -> Report: ...
