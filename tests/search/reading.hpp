// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "daptor/value.hpp"
#include "judge.hpp"

/// \file
/// What the judges of one description share: how they read a value, and where they put a finding.

namespace daptor::search {

/// The value of a key; null if the key is absent.
inline const Value* look_up(const Dictionary& map, const std::string& key) {
  const Value* found = nullptr;
  for (const auto& [name, value] : map.items)
    if (name == key) found = &value;
  return found;
}

/// The value if it is an integer of 64 bits.
inline std::optional<std::int64_t> whole(const Value* value) {
  const auto* integer = value != nullptr ? value->as<Integer>() : nullptr;
  if (integer == nullptr || !integer->fits) return std::nullopt;
  return integer->value;
}

/// Adds findings about one dimension of one rank.
struct DimensionFindings {
  RankJudgement& judgement;
  int dimension;

  void add(const char* rule, Level level, Severity severity = Severity::error) const {
    judgement.add(rule, dimension, level, severity);
  }
};

}  // namespace daptor::search
