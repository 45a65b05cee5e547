// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "../validation/judge.hpp"
#include "daptor/parse.hpp"
#include "json/recorded.hpp"

namespace daptor::test {

inline Recorded read_text(const std::string& text, const ReadLimits& limits = {}) {
  std::istringstream in(text);
  return read_recorded(in, limits);
}

/// The report that every rank of a recorded array gets, indices included; if the reports differ,
/// one with an impossible rule.
inline Report judge(const Recorded& recorded, Profile profile = Profile::recommended) {
  return verdict(
      static_cast<int>(recorded.ranks.size()),
      [&](int rank) { return submission(recorded.ranks[static_cast<std::size_t>(rank)]); },
      {Level::full, profile});
}

}  // namespace daptor::test
