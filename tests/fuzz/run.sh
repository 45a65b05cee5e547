#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs libFuzzer on one target, and says how to reproduce a finding.
#
#   run.sh <program> <seconds> <corpus> <folder for what it writes> [<dictionary>]
#
# The seed is fixed, so that the same sources get the same sequence of inputs, of which a slower
# machine reaches less; DAPTOR_FUZZ_SEED=0 takes another seed each time.
set -euo pipefail
program=$1 seconds=$2 corpus=$3 out=$4 dictionary=${5:-}

rm -rf "$out"
mkdir -p "$out/found" "$out/inputs"
options=("-max_total_time=$seconds" "-seed=${DAPTOR_FUZZ_SEED:-1}" -max_len=4096 -timeout=60
  -rss_limit_mb=2048 -malloc_limit_mb=512 -verbosity=0 -print_final_stats=1
  "-artifact_prefix=$out/found/")
if [ -f "$dictionary" ]; then options+=("-dict=$dictionary"); fi

status=0
"$program" "${options[@]}" "$out/inputs" "$corpus" </dev/null || status=$?
for input in "$out"/found/*; do
  [ -e "$input" ] || continue
  printf '\nfound: %s\nsee it again: %s %s\n' "$input" "$program" "$input"
  printf 'keep it, once it is mended: %s/\n' "$corpus"
  status=1
done
exit "$status"
