// SPDX-License-Identifier: BSD-3-Clause
#include "read/misspelt.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace daptor::parsing {
namespace {

bool same_letter(char a, char b) {
  return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

/// Number of characters to change, add or remove (Levenshtein), row by row.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = diagonal + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({changed, row[j - 1] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view misspelt(std::string_view key, const Dictionary& map,
                          const std::set<std::string_view>& known) {
  constexpr std::size_t longest = 32;  // a key of any length costs little
  constexpr std::size_t long_key = 7;
  if (key.size() > longest) return {};
  for (const std::string_view right : known) {
    const std::size_t most = right.size() >= long_key ? 2 : 1;
    if (map.find(right) == nullptr && distance(key, right) <= most) return right;
  }
  return {};
}

}  // namespace daptor::parsing
