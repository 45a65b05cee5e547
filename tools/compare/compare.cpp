// SPDX-License-Identifier: BSD-3-Clause
#include "compare/compare.hpp"

#include <algorithm>
#include <utility>

#include "daptor/error.hpp"

namespace daptor::compare {
namespace {

bool same_object(const Item& a, const Item& b) {
  return a.object_class == b.object_class && a.name == b.name && a.object == b.object;
}

void require_common(const std::vector<Pair>& pairs, const Trace& one, const Trace& other) {
  if (std::any_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.both(); })) return;
  throw InvalidArgument("", one.file + " and " + other.file + " have no event in common",
                        "traces of two runs of one program; they have the objects that are on all "
                        "of its processes");
}

/// A run without an end whose last event is among those that are lined up.
const Trace* stopped_run(const Trace& one, const Trace& other, const std::vector<Pair>& pairs) {
  if (one.ended == other.ended || pairs.empty() || pairs.back().both()) return nullptr;
  const Trace& ended_early = one.ended ? other : one;
  const bool goes_on = one.ended ? pairs.back().one != nullptr : pairs.back().other != nullptr;
  return goes_on ? &ended_early : nullptr;
}

void add_more(Comparison& comparison, const Pair& pair, bool continues) {
  const Trace* const run = pair.one != nullptr ? &comparison.one : &comparison.other;
  if (!continues || comparison.more.empty() || comparison.more.back().run != run)
    comparison.more.push_back({run, &pair.any(), 0});
  ++comparison.more.back().count;
}

}  // namespace

Comparison compare(const Trace& one, const Trace& other, const Options& options) {
  Comparison comparison{one, other, options};
  const std::vector<Pair> pairs = align(one, other, options.level);
  require_common(pairs, one, other);
  Judge judge(one, other, options.rtol);
  std::vector<Pair> equal;
  const Pair* previous = nullptr;
  for (const Pair& pair : pairs) {
    if (!pair.both()) {
      add_more(comparison, pair, previous != nullptr && !previous->both());
      previous = &pair;
      continue;
    }
    previous = &pair;
    comparison.numbers = judge.look(pair);
    if (!comparison.numbers.empty()) {
      comparison.first = pair;
      break;
    }
    equal.push_back(pair);
  }
  comparison.equal = static_cast<std::int64_t>(equal.size());
  comparison.notes = judge.notes();
  comparison.of_solves = judge.of_solves();
  if (!comparison.first) comparison.stopped = stopped_run(one, other, pairs);
  if (!equal.empty()) comparison.before = equal.back();
  if (!comparison.first) return comparison;
  const auto known = std::find_if(equal.rbegin(), equal.rend(), [&](const Pair& pair) {
    return same_object(*pair.one, *comparison.first->one) && pair.one->print;
  });
  if (known != equal.rend()) comparison.object_before = *known;
  return comparison;
}

}  // namespace daptor::compare
