# SPDX-License-Identifier: BSD-3-Clause
"""The directive `have`: one card of the start page, for people who have something.

    :::{have} docs/petsc-with-trilinos.md
    A PETSc program
    ---
    what Daptor does for it, with a command
    :::

A card whose page does not exist is left out.
"""

import os
from typing import Any, Dict, List

from docutils import nodes
from docutils.parsers.rst import Directive


class Have(Directive):
    required_arguments = 1
    has_content = True

    def run(self) -> List[nodes.Node]:
        env = self.state.document.settings.env
        page = os.path.splitext(self.arguments[0].partition("#")[0])[0]
        if not os.path.exists(os.path.join(env.srcdir, page + ".md")):
            return []
        rule = list(self.content).index("---")
        title = " ".join(self.content[:rule])
        if not title:
            raise self.error("a card needs a title above its '---'")
        anchor = self.arguments[0].partition("#")[2]
        uri = env.app.builder.get_relative_uri(env.docname, page) + ("#" + anchor if anchor else "")
        card = nodes.container(classes=["card"])
        card += nodes.paragraph("", "", nodes.reference("", title, refuri=uri, internal=True),
                                classes=["card-title"])
        self.state.nested_parse(self.content[rule + 1:], self.content_offset + rule + 1, card)
        return [card]


class Cards(Directive):
    """A grid of cards."""

    has_content = True

    def run(self) -> List[nodes.Node]:
        grid = nodes.container(classes=["cards"])
        self.state.nested_parse(self.content, self.content_offset, grid)
        return [grid]


def setup(app: Any) -> Dict[str, bool]:
    app.add_directive("have", Have)
    app.add_directive("cards", Cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
