// SPDX-License-Identifier: BSD-3-Clause
#include "judge_keys.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "reading.hpp"

namespace daptor::search {
namespace {

/// Whether so many edits of one letter make `a` of `b`.
bool within(std::string_view a, std::string_view b, int edits) {
  while (!a.empty() && !b.empty() &&
         std::tolower(static_cast<unsigned char>(a.front())) ==
             std::tolower(static_cast<unsigned char>(b.front()))) {
    a.remove_prefix(1);
    b.remove_prefix(1);
  }
  if (a.empty() && b.empty()) return true;
  if (edits == 0) return false;
  return (!a.empty() && within(a.substr(1), b, edits - 1)) ||
         (!b.empty() && within(a, b.substr(1), edits - 1)) ||
         (!a.empty() && !b.empty() && within(a.substr(1), b.substr(1), edits - 1));
}

bool misspells(const std::string& key, const std::string& right) {
  return key.size() <= 32 && within(key, right, right.size() < 7 ? 1 : 2);
}

}  // namespace

std::vector<Severity> judge_other_keys(const Dictionary& map, const std::set<std::string>& known) {
  std::set<std::string> others;
  for (const auto& [key, value] : map.items)
    if (known.count(key) == 0) others.insert(key);
  std::vector<Severity> found;
  for (const std::string& key : others) {
    if (found.size() == 8) {
      found.push_back(Severity::note);
      break;
    }
    const bool meant = std::any_of(known.begin(), known.end(), [&](const std::string& right) {
      return look_up(map, right) == nullptr && misspells(key, right);
    });
    found.push_back(meant ? Severity::warning : Severity::note);
  }
  return found;
}

}  // namespace daptor::search
