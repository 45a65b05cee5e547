# SPDX-License-Identifier: BSD-3-Clause
"""Fixtures; daptor.pytest_plugin has the others."""

import gc

import pytest
from mpi4py import MPI


@pytest.fixture
def rank():
    return MPI.COMM_WORLD.rank


@pytest.fixture
def size():
    return MPI.COMM_WORLD.size


@pytest.hookimpl(trylast=True)
def pytest_collection_finish():
    """Later collections of garbage look only at what the tests make, and so take no time."""
    gc.collect()
    gc.freeze()
