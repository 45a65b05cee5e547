# SPDX-License-Identifier: BSD-3-Clause
"""Distributed tensors of PyTorch. Nothing here imports torch before it is given one of its objects,
or asked for one."""
