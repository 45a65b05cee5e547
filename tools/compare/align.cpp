// SPDX-License-Identifier: BSD-3-Clause
#include "compare/align.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace daptor::compare {
namespace {

/// The items of a run, with what they are recognised by.
struct Line {
  std::vector<const Item*> items;
  std::vector<std::size_t> keys;

  Line(const Trace& trace, int level) {
    for (const Item& item : trace.items) {
      if (item.level > level) continue;
      items.push_back(&item);
      keys.push_back(std::hash<std::string>{}(item.key()));
    }
  }
  std::size_t size() const { return items.size(); }
};

/// So many items are looked at behind a place where two runs go apart, and so many must be alike
/// where they meet again.
constexpr std::size_t horizon = 2000;
constexpr std::size_t alike = 3;

bool meet(const Line& one, std::size_t i, const Line& other, std::size_t j) {
  for (std::size_t k = 0; k < alike; ++k) {
    const bool ends = i + k == one.size(), other_ends = j + k == other.size();
    if (ends || other_ends) return k > 0 && ends == other_ends;
    if (one.keys[i + k] != other.keys[j + k]) return false;
  }
  return true;
}

/// How many items of each to pass over; all that are left if they do not meet again.
std::pair<std::size_t, std::size_t> next_meeting(const Line& one, std::size_t i, const Line& other,
                                                 std::size_t j) {
  const std::size_t left = one.size() - i, other_left = other.size() - j;
  for (std::size_t total = 1; total <= std::min(horizon, left + other_left); ++total)
    for (std::size_t a = total > other_left ? total - other_left : 0; a <= std::min(total, left);
         ++a)
      if (meet(one, i + a, other, j + total - a)) return {a, total - a};
  return {left, other_left};
}

}  // namespace

std::vector<Pair> align(const Trace& first, const Trace& second, int level) {
  const Line one(first, level), other(second, level);
  std::vector<Pair> pairs;
  std::size_t i = 0, j = 0;
  while (i < one.size() || j < other.size()) {
    if (i < one.size() && j < other.size() && one.keys[i] == other.keys[j]) {
      pairs.push_back({one.items[i++], other.items[j++]});
      continue;
    }
    const auto [more, other_more] = next_meeting(one, i, other, j);
    for (std::size_t k = 0; k < more; ++k) pairs.push_back({one.items[i++], nullptr});
    for (std::size_t k = 0; k < other_more; ++k) pairs.push_back({nullptr, other.items[j++]});
  }
  return pairs;
}

}  // namespace daptor::compare
