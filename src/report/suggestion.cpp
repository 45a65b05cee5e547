// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/suggestion.hpp"

#include <algorithm>

namespace daptor {

bool Suggestion::has(const char* option) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& each) { return each.first == option; });
}

std::string Suggestion::condition() const {
  if (!has("read_from_any")) return {};
  return "All copies of an index that several processes have must be equal: a HaloExchange with "
         "HaloOptions::owned gives them the values of their owners.";
}

std::string sentence(const Suggestion& suggestion, bool other) {
  if (!suggestion) return {};
  const bool once = suggestion.has("read_from_any");
  std::string text = other ? " Or" : "";
  if (once)
    text += std::string(other ? ", o" : "O") +
            "nce all copies of an index are equal (a HaloExchange with HaloOptions::owned gives "
            "them the values of their owners), copy";
  else
    text += other ? " copy" : "Copy";
  return text + (other ? ": " : " the array: ") + suggestion.text + '.';
}

}  // namespace daptor
