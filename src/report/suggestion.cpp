// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/suggestion.hpp"

#include <algorithm>

#include "daptor/adapter/names.hpp"

namespace daptor {

bool Suggestion::has(const char* option) const {
  return std::any_of(options.begin(), options.end(),
                     [&](const auto& each) { return each.first == option; });
}

Terms Suggestion::condition() const {
  if (!has("read_from_any")) return {};
  return terms::sentence("All copies of an index that several processes have must be equal: " +
                         names::equal_copies + ".");
}

Terms sentence(const Suggestion& suggestion, bool other) {
  if (!suggestion) return {};
  Terms text = other ? " Or" : "";
  if (suggestion.has("read_from_any"))
    text += (other ? ", o" : "O") +
            ("nce all copies of an index are equal (" + names::equal_copies + "), copy");
  else
    text += other ? " copy" : "Copy";
  return terms::sentence(text + (other ? ": " : " the array: ") + suggestion.text + ".");
}

}  // namespace daptor
