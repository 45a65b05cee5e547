// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/inspection.hpp"

namespace daptor::adapter {
namespace {

/// The text, without the end of a long one.
std::string shortened(const std::string& text) {
  constexpr std::size_t most = 300;
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

}  // namespace

void SameText::tell(Findings& findings) const {
  if (!first_ || *first_ == mine_) return;
  findings.error(rule_, shortened(mine_), "what rank 0 has, on all ranks: " + shortened(*first_),
                 remedy_);
}

}  // namespace daptor::adapter
