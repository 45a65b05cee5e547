# SPDX-License-Identifier: BSD-3-Clause
# Sourced by the scripts beside it.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== %s\n' "$*"; }
fail() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# A compiler needs up to 2 GB for one of the larger files with Trilinos.
jobs_that_fit() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable:/ { print int($2 / 2000000) }' /proc/meminfo)
  if [ "$memory" -lt 1 ]; then memory=1; fi
  echo $((cores < memory ? cores : memory))
}
jobs=${DAPTOR_JOBS:-$(jobs_that_fit)}

# configure <preset> [<cmake argument>...]; quiet unless something is wrong
configure() {
  local log
  log=$(mktemp)
  if ! (cd "$root" && cmake --preset "$@") >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "configuring '$1' failed; if the directory build/$1 is from elsewhere, remove it"
  fi
  grep -E '^-- daptor' "$log" || true
  rm -f "$log"
}

build() { # <preset> [<target>...]
  local preset=$1
  shift
  cmake --build "$root/build/$preset" --parallel "$jobs" ${1:+--target "$@"}
}

# run_mpi <ranks> <program> [<argument>...]
run_mpi() {
  local ranks=$1 mpiexec version flags=()
  shift
  mpiexec=$(command -v mpiexec || command -v mpirun) || fail "there is no mpiexec"
  version=$("$mpiexec" --version 2>&1 || true)
  if grep -qE 'Open MPI|OpenRTE|PRRTE|prterun' <<<"$version"; then
    flags=(--allow-run-as-root --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)
    # Shared memory without the system calls that containers forbid. Open MPI 5 has other names for
    # this; without the second and the third, its module for TCP complains in containers. The last lets
    # it have as many messages in flight as there are: 5.0.7 hangs where they need more than it allows.
    if grep -qE '\) [1-4]\.' <<<"$version"; then
      flags+=(--mca btl_vader_single_copy_mechanism none)
    else
      flags+=(--mca smsc ^cma --mca pml ob1 --mca btl self,sm --mca btl_sm_free_list_max -1)
    fi
  fi
  OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--gl} \
    "$mpiexec" -n "$ranks" "${flags[@]}" "$@" </dev/null
}
