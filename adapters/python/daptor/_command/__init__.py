# SPDX-License-Identifier: BSD-3-Clause
"""The command: python3 -m daptor."""
