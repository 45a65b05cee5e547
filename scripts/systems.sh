# SPDX-License-Identifier: BSD-3-Clause
# Sourced, after common.sh, by the scripts that make Debian systems in folders.

# Systems, their packages and what is compiled in them.
store=${DAPTOR_CHROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/daptor}

# The mirror of Debian's main archive that apt uses here; nothing where apt has none, which leaves the
# choice to mmdebstrap.
mirror() {
  command -v apt-get >/dev/null || return 0
  apt-get indextargets --format '$(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    sed -n 's/^Debian //p' | head -n 1 || true
}

# make_system <suite> <folder> <option of mmdebstrap>...
make_system() {
  local suite=$1 folder=$2 options=() from=()
  shift 2
  mapfile -t from < <(mirror)
  command -v mmdebstrap >/dev/null || fail "please install mmdebstrap, which makes the system"
  # A Release file names the day on which it runs out. A mirror that stands still keeps that of sid for
  # longer than this.
  if [ "$suite" = sid ] ||
    [ "$(apt-config dump --format '%v' Acquire::Check-Valid-Until 2>/dev/null)" = false ]; then
    options+=(--aptopt='Acquire::Check-Valid-Until "false"')
  fi
  say "making a system of $suite"
  mkdir -p "$(dirname "$folder")"
  rm -rf --one-file-system "$folder"
  # In a namespace of its own, so that no mount is left where it is interrupted.
  unshare --mount mmdebstrap --quiet "${options[@]}" "$@" "$suite" "$folder" "${from[@]}"
}
