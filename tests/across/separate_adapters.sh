#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No adapter includes another one, or another adapter's library, unless its line in the root's
# CMakeLists.txt requires or joins that adapter. The core knows none of them.
#
#   separate_adapters.sh <root of the sources>
set -u
cd "$1" || exit 1
status=0

includes() { # <where> <pattern>
  if grep -rnE --include='*.hpp' --include='*.cpp' --include='*.h' --include='*.inc' \
    "^ *# *include *[<\"]($2)" "$1"; then
    printf 'FAILED: %s must not include these\n' "$1"
    status=1
  fi
}

# Headers of the libraries whose names do not show that they are theirs, and of Python.
petsc='[^>"]*petsc'
tpetra='[^>"]*tpetra|Teuchos|Tpetra|Kokkos|Xpetra|MueLu|Ifpack2|Belos'
python='Python\.h|pybind11'

# headers_of <adapter>: the names of its headers and of those of its library.
headers_of() {
  local name=$1 library=
  case $name in
    petsc | tpetra | python) library="|${!name}" ;;
  esac
  echo "([^>\"]*/)?$name[./]$library"
}

names=$(for folder in adapters/*/; do basename "$folder"; done)

# others <adapter>...: the headers of all adapters but these.
others() {
  local name pattern=
  for name in $names; do
    case " $* " in
      *" $name "*) ;;
      *) pattern+="|$(headers_of "$name")" ;;
    esac
  done
  echo "${pattern:1}"
}

includes include "$(others)"
includes src "$(others)"
for name in $names; do
  required=$(sed -nE "s/^daptor_adapter\($name (REQUIRES|JOINS) (.*)\)$/\2/p" CMakeLists.txt)
  if [ "$name" = solvers ]; then
    [ "$required" = "petsc tpetra" ] || { echo "FAILED: solvers requires '$required'"; status=1; }
  fi
  for part in adapters/"$name"/*/; do
    case $(basename "$part") in
      tests | examples) ;;                                 # may try it together with others
      python) includes "$part" "$(others "$name" $required python)" ;;   # binds it for Python
      fortran) includes "$part" "$(others "$name" $required fortran)" ;; # and for Fortran
      *) includes "$part" "$(others "$name" $required)" ;;
    esac
  done
done
exit $status
