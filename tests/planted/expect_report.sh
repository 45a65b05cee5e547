#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# expect_report.sh <text> <command>...: the command must fail, and print the text.
text=$1
shift
output=$("$@" 2>&1)
status=$?
printf '%s\n' "$output"
if [ "$status" -eq 0 ]; then
  echo "The fault was not noticed: exit status 0."
  exit 1
fi
printf '%s\n' "$output" | grep -qF "$text" || {
  echo "There is no report '$text' (exit status $status)."
  exit 1
}
