#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# expect_failure.sh <rank at fault> <command>...: the command must fail in this one test, which
# names rule and rank.
rank=$1
shift
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
fail() {
  echo "$1"
  exit 1
}
[ "$status" -ne 0 ] || fail "The fault was not noticed: exit status 0."
has() {
  printf '%s\n' "$output" | grep -qE "$1" || fail "It does not say '$1'."
}
has "T18 error, rank $rank: found .* Export the memory in which the producer itself works"
has "FAILED  ] Wrong.SharedMemory"
has "1 FAILED TEST"
has "SKIPPED ] Exporter.ProducerFirst"
has "Set Candidate::destroy"
