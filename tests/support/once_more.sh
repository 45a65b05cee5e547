#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command of mpiexec, and once more if Open MPI 4 says that a process exited improperly. On a busy
# machine it sometimes sees the end of a process before the message that MPI_Finalize has sent
# (https://github.com/open-mpi/ompi/issues/7833: once in one or two thousand programs). A process that
# leaves MPI_Finalize out fails both times.
#
#   once_more.sh <command>...
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
for attempt in 1 2; do
  # A pipeline ends when tee has ended, too; a process substitution of the command would go on.
  {
    "$@" 2>&1 >&3 3>&- | tee "$output" >&2
    status=${PIPESTATUS[0]}
  } 3>&1
  if [ "$status" -eq 0 ] || [ "$attempt" -eq 2 ] || ! grep -q 'exiting improperly' "$output"; then
    exit "$status"
  fi
  echo "once more, because Open MPI 4 may be wrong about the end of a process" >&2
done
