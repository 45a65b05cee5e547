# SPDX-License-Identifier: BSD-3-Clause
"""What objects print of themselves. Process-local."""

from __future__ import annotations

from typing import Any, Callable, Dict, List

from .._daptor import (Assessment, CsrProduct, Explanation, HaloExchange, Redistribution, UseCost)

_MOST_REASONS = 3


def _assessment(self: Assessment) -> str:
    if self:
        return f"<daptor.Assessment {self.target}: without a copy>"
    rules = [reason.rule for reason in self.reasons]
    more = ["..."] if len(rules) > _MOST_REASONS else []
    return (f"<daptor.Assessment {self.target}: not without a copy "
            f"({', '.join(rules[:_MOST_REASONS] + more)})>")


def _explanation(self: Explanation) -> str:
    able = [entry.target for entry in self if entry]
    return (f"<daptor.Explanation: {len(able)} of {len(self)} targets hold the array without a "
            f"copy{': ' if able else ''}{', '.join(able)}>")


def _moved(self: Any, *facts: str) -> List[str]:
    return [f"{self.bytes_sent} bytes sent and {self.bytes_received} received by this rank",
            *facts, *(["begun"] if self.in_flight else [])]


def _halo_exchange(self: HaloExchange) -> str:
    return f"<daptor.HaloExchange: {', '.join(_moved(self))}>"


def _redistribution(self: Redistribution) -> str:
    facts = _moved(self, f"{self.bytes_copied} copied within it")
    return f"<daptor.Redistribution: {', '.join(facts)}>"


def _csr_product(self: CsrProduct) -> str:
    begun = ", begun" if self.in_flight else ""
    return f"<daptor.CsrProduct: {self.gathered_count} elements of x from other ranks{begun}>"


def _use_cost(self: UseCost) -> str:
    return f"<daptor.UseCost {self}>"


_TEXTS: Dict[type, Callable[[Any], str]] = {
    Assessment: _assessment, Explanation: _explanation, HaloExchange: _halo_exchange,
    Redistribution: _redistribution, CsrProduct: _csr_product, UseCost: _use_cost,
}


def teach() -> None:
    """Gives the compiled classes their texts."""
    for kind, text in _TEXTS.items():
        setattr(kind, "__repr__", text)
