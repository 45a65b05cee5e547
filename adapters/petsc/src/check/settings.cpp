// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace daptor::petsc::detail {
namespace {

/// Of longer settings the end is left out.
constexpr std::size_t most_text = 300;

struct OfRankZero {
  std::int64_t digest = 0;
  std::array<char, most_text + 1> text{};
};

std::string shortened(const std::string& text) {
  return text.size() <= most_text ? text : text.substr(0, most_text - 3) + "...";
}

}  // namespace

void Settings::begin(std::string mine, Call& call) {
  mine_ = std::move(mine);
  digest_ = static_cast<std::int64_t>(std::hash<std::string>{}(mine_) >> 1U);
  least_ = call.least(digest_);
  greatest_ = call.greatest(digest_);
}

void Settings::ask(const Comm& comm) {
  if (same()) return;
  OfRankZero first;
  if (comm.rank() == 0) {
    const std::string text = shortened(mine_);
    first.digest = digest_;
    std::copy(text.begin(), text.end(), first.text.begin());
  }
  comm->broadcast(&first, sizeof first, 0);
  first_digest_ = first.digest;
  first_ = first.text.data();
}

void Settings::conclude(const char* rule, const Terms& remedy, Findings& findings) const {
  if (same() || digest_ == first_digest_) return;
  findings.error(rule, shortened(mine_), "what rank 0 has, on all ranks: " + first_, remedy);
}

}  // namespace daptor::petsc::detail
