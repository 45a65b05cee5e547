#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Matrix files that the demonstration solves, and some that it must refuse with the same sentence on
# every rank and exit code 1, in bounded time.
#
#   demo_matrices.sh <folder to work in> <ranks> <command of the demonstration...>
set -u
folder=$1 ranks=$2
shift 2
command=("$@" --no-heat --matrix)
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

complain() {
  printf 'FAILED: %s\n' "$*"
  sed 's/^/    /' output.txt
  failures=$((failures + 1))
}

solves() { # <file>
  if ! "${command[@]}" "$1" >output.txt 2>&1; then
    complain "$1 is not solved"
  elif ! grep -q ' 0 bytes of data copied' output.txt; then
    complain "$1 is solved, but not without copies"
  fi
}

refuses() { # <file> <words that the sentence has>
  "${command[@]}" "$1" >output.txt 2>&1
  local status=$? said sentence
  [ "$status" -eq 1 ] || complain "$1: exit code $status instead of 1"
  said=$(grep -c '^daptor_demo: rank [0-9]*: ' output.txt)
  [ "$said" -eq "$ranks" ] || complain "$1: $said of $ranks ranks spoke"
  sentence=$(sed -n 's/^daptor_demo: rank [0-9]*: //p' output.txt | sort -u)
  [ "$(wc -l <<<"$sentence")" -eq 1 ] || complain "$1: not the same sentence on all"
  [[ $sentence == *"$2"* ]] || complain "$1: the sentence does not say '$2'"
}

awk 'BEGIN {
  print "%%MatrixMarket matrix coordinate real general\n40 40 118"
  for (r = 1; r <= 40; ++r)
    for (c = r - 1; c <= r + 1; ++c)
      if (c >= 1 && c <= 40) print r, c, (r == c ? 4 : -1.25)
}' >good.mtx
solves good.mtx
head -n 20 good.mtx >short.mtx
refuses short.mtx 'is cut off: it has 18 of 118 entries'
sed '2s/40/41/' good.mtx >rectangular.mtx
refuses rectangular.mtx 'has 41 rows and 40 columns'
refuses no/such/file.rua 'does not exist'
echo 'It was a dark and stormy night' >story.txt
refuses story.txt 'is not a matrix'

if [ "$failures" -ne 0 ]; then exit 1; fi
