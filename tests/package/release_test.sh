#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# scripts/release refuses what is no release, and makes the same bytes twice. The commit and the tag are made
# here, since the script looks at the form of all files before it makes them.
#
#   release_test.sh <source> <empty folder>
set -euo pipefail
source=$1 work=$2/release
export GIT_AUTHOR_NAME=tests GIT_AUTHOR_EMAIL=tests@example.org
export GIT_COMMITTER_NAME=tests GIT_COMMITTER_EMAIL=tests@example.org
if ! git -C "$source" rev-parse --git-dir >/dev/null 2>&1; then
  echo "skipped: not a git checkout"
  exit 0
fi

rm -rf "$work"
git clone -q --shared --no-checkout --no-tags "$source" "$work"
cd "$work"
git sparse-checkout set scripts packaging adapters cmake
# A branch also where the checkout has none.
git checkout -q -B tested
cp "$source"/scripts/{release,common.sh,sbom} scripts/
cp "$source/codemeta.json" .
# A changelog with an entry, whatever the last commit has.
printf '# Changelog\n\n## Unreleased\n\n- An entry.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n' >CHANGELOG.md
git add -A
git commit -q --allow-empty -m "What is tested"

refuses() { # <text> <argument of scripts/release>...
  local text=$1 output before
  shift
  before=$(git rev-parse HEAD)
  if output=$(scripts/release "$@" 2>&1); then
    echo "expected a refusal of: scripts/release $*" >&2
    exit 1
  fi
  grep -qF -- "$text" <<<"$output" || { printf '%s\n' "$output" >&2 && exit 1; }
  [ "$(git rev-parse HEAD)" = "$before" ] && [ -z "$(git tag)" ]
}
refuses "found 'next'" next
refuses "found ''"
refuses "0.1.0 is not newer than 0.1.0" 0.1.0
refuses "0.0.9 is not newer than 0.1.0" 0.0.9
touch new
refuses "not committed" 9.0.0
rm new
sed -i '/An entry/d' CHANGELOG.md
git commit -q -a -m "No entry"
refuses "no entry under '## Unreleased'" 9.0.0
sed -i 's/^version = .*/version = "0.0.1"/' pyproject.toml
sed -i 's/^## Unreleased/&\n\n- An entry./' CHANGELOG.md
git commit -q -a -m "Versions that differ"
refuses "in pyproject.toml" 9.0.0

sed -i 's/^## Unreleased/## 9.0.0 (2026-01-02)/' CHANGELOG.md
git commit -q -a -m "Release 9.0.0"
git tag -a v9.0.0 -m "Daptor 9.0.0"
scripts/release 9.0.0 --no-packages | grep -F "What is left to a person"
mv build/dist build/first
touch README.md
scripts/release 9.0.0 --no-packages >/dev/null
diff -r build/first build/dist
[ "$(cat build/dist/notes.md)" = "- An entry." ]
grep -qF "\"value\": \"$(git rev-parse HEAD)\"" build/dist/daptor-9.0.0.cdx.json
[ "$(tar -x -O -f build/dist/daptor-9.0.0.tar.gz daptor-9.0.0/cmake/commit.txt)" = "$(git rev-parse HEAD)" ]
tar -x -O -f build/dist/daptor-9.0.0.tar.gz daptor-9.0.0/CHANGELOG.md >/dev/null
echo "works."
