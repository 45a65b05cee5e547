#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# When once_more.sh runs a command again.
set -euo pipefail
script=$(dirname "$0")/once_more.sh
count=$(mktemp)
trap 'rm -f "$count"' EXIT

# runs <times> <status> <number of failures> <what a failure says>
runs() {
  local status=0
  : >"$count"
  # shellcheck disable=SC2016 # expanded by the command's shell
  bash "$script" bash -c 'echo run >>"$1"; if [ "$(wc -l <"$1")" -le "$2" ]; then echo "$3" >&2; exit 7; fi' \
    command "$count" "$3" "$4" >/dev/null 2>&1 || status=$?
  [ "$(wc -l <"$count")" -eq "$1" ] && [ "$status" -eq "$2" ] || {
    echo "expected $1 runs and status $2, found $(wc -l <"$count") and $status: $*" >&2
    exit 1
  }
}
runs 1 0 0 ""
runs 2 0 1 "node n exiting improperly. There are three reasons"
runs 2 7 9 "node n exiting improperly. There are three reasons"
runs 1 7 9 "a test has failed"
