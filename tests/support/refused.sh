#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# usage: refused.sh SOURCE COMPILERS FLAG...
#
# SOURCE has calls that must not compile, each with a comment "// refused: TEXT". Each compiler of
# the list (separated by commas) that is installed must report one error for each comment, whose
# first line has the text, and no other error.
set -eu
source=$1 compilers=$2
shift 2
texts=$(sed -n 's,.*// refused: ,,p' "$source")
result=0
seen=
for compiler in $(echo "$compilers" | tr , ' '); do
  program=$(command -v "$compiler") || continue
  program=$(readlink -f "$program")
  case " $seen " in *" $program "*) continue ;; esac
  seen="$seen $program"
  errors=$("$compiler" -std=c++17 -fsyntax-only -w "$@" "$source" 2>&1 | grep ' error: ' || true)
  expected=$(echo "$texts" | wc -l)
  if [ "$(echo "$errors" | wc -l)" -ne "$expected" ]; then
    echo "$compiler: other than $expected errors:"
    echo "$errors"
    result=1
  fi
  echo "$texts" | while IFS= read -r text; do
    echo "$errors" | grep -qF -- "$text" || echo "$compiler does not say: $text"
  done | grep . && result=1
done
exit $result
