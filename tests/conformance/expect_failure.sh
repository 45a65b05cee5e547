#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# expect_failure.sh <rank at fault> <command>...: the command must fail in these two tests, of which
# each names rule and rank, once on all ranks.
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
once() {
  [ "$(printf '%s\n' "$output" | grep -cE "$1")" -eq 1 ] || fail "It does not say '$1' once."
}
once "T18 error, rank $rank: found in another export.* Export the memory in which the producer itself works"
has "FAILED  ] Wrong.SharedMemory"
once "D14 error"
has "FAILED  ] Misdescribed.Description"
has "SKIPPED ] Misdescribed.Labels"
has "2 FAILED TESTS"
has "SKIPPED ] Exporter.ProducerFirst"
has "Set Candidate::destroy"
