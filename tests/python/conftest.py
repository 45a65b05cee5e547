# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures; daptor.pytest_plugin has the others."""

import pytest
from mpi4py import MPI


@pytest.fixture
def rank():
    return MPI.COMM_WORLD.rank


@pytest.fixture
def size():
    return MPI.COMM_WORLD.size
