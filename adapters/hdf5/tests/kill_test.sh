#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Kills one rank of a program that saves or appends, at another moment each time. The next run finds a
# whole file.
#
#   kill_test.sh save|append <rounds> <ranks> <command that starts the program on its ranks>...
set -u
way=$1
rounds=$2
ranks=$3
shift 3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

for ((round = 0; round < rounds; ++round)); do
  microseconds=$((1 + (round * 7919) % 30000))
  output=$("$@" "$way" "$folder/state.h5" $((round % ranks)) "$microseconds" 2>&1)
  if grep -q -e WRONG -e WHOLE <<<"$output" || [ ! -e "$folder/state.h5" ]; then
    printf 'round %d, %d microseconds:\n%s\n' "$round" "$microseconds" "$output"
    exit 1
  fi
done
output=$("$@" "$way" "$folder/state.h5" 0 0 2>&1)
printf '%d kills. %s\n' "$rounds" "$output"
grep -q WHOLE <<<"$output"
