#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# A rank that is killed while ranks of its node exchange elements without messages: the job ends, and
# nothing is left on the machine. Each rank is killed at each of the numbers of calls that are given.
#
#   tests/redistribution/killed.sh PROGRAM MPIRUN... -- CALL...
set -u
program=$1
shift
mpirun=()
while [ "$1" != -- ]; do
  mpirun+=("$1")
  shift
done
shift

# Shared memory with Daptor's name, and processes of the program, which would hold what has none.
left() {
  ls /dev/shm | grep '^daptor' || true
  for process in /proc/[0-9]*; do
    [ "$(readlink "$process/exe" 2>/dev/null)" != "$program" ] || echo "process ${process#/proc/}"
  done
}

status=0
killed=0
before=$(left)
for rank in 0 1 2; do
  for calls in "$@"; do
    timeout 30 "${mpirun[@]}" "$program" "$rank" "$calls" >/dev/null 2>&1
    code=$?
    if [ "$code" = 0 ] || [ "$code" = 124 ]; then
      echo "rank $rank, killed after $calls calls: mpirun ended with $code"
      status=1
    fi
    # The others end when mpirun's signal reaches them.
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      after=$(left)
      [ "$after" != "$before" ] || break
      sleep 0.2
    done
    if [ "$after" != "$before" ]; then
      echo "rank $rank, killed after $calls calls: '$after' is left, and was '$before' before"
      status=1
    fi
    killed=$((killed + 1))
  done
done
echo "$killed ranks killed"
exit $status
