# SPDX-License-Identifier: BSD-3-Clause
"""The processes of a job: who launched them, what they call of MPI, and how they end."""
