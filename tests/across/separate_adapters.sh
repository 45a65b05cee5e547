#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No adapter includes another one, or another adapter's library; only `solvers` joins two. The core
# knows none of them.
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

tpetra='[^>"]*tpetra|Teuchos|Tpetra|Kokkos|Xpetra|MueLu|Ifpack2|Belos'
petsc='[^>"]*petsc'
python='Python\.h|pybind11'
includes include "$tpetra|$petsc|$python|[^>\"]*solvers"
includes src "$tpetra|$petsc|$python|[^>\"]*solvers"
includes adapters/petsc "$tpetra|$python|[^>\"]*solvers"
includes adapters/tpetra "$petsc|$python|[^>\"]*solvers"
for adapter in adapters/*/; do
  case $adapter in
    adapters/petsc/ | adapters/solvers/ | adapters/python/) ;;
    *) includes "$adapter" "$petsc" ;;
  esac
done
exit $status
