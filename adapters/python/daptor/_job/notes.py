# SPDX-License-Identifier: BSD-3-Clause
"""Notes: sentences about what no call can report. The logger `daptor` gets them."""

import atexit
import logging

from .. import _daptor

_LOGGER = logging.getLogger("daptor")


def log_notes() -> None:
    """Passes notes to the logger, as warnings, unless the program around Python takes them."""
    _daptor._give_notes(_LOGGER.warning)
    atexit.register(lambda: _daptor._be_quiet_at_end(not _LOGGER.isEnabledFor(logging.WARNING)))
