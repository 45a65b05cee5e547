#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Kills one rank of a program that saves, at another moment each time. The next run finds a whole file.
#
#   kill_test.sh <rounds> <ranks> <command that starts the program on its ranks>...
set -u
rounds=$1
ranks=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for ((round = 0; round < rounds; ++round)); do
  microseconds=$((1 + (round * 7919) % 30000))
  output=$("$@" "$folder/state.h5" $((round % ranks)) "$microseconds" 2>&1)
  if grep -q -e WRONG -e WHOLE <<<"$output" || [ ! -e "$folder/state.h5" ]; then
    printf 'round %d, %d microseconds:\n%s\n' "$round" "$microseconds" "$output"
    exit 1
  fi
done
output=$("$@" "$folder/state.h5" 0 0 2>&1)
printf '%s\n' "$output"
grep -q WHOLE <<<"$output"
