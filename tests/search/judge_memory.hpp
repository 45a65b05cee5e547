// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "daptor/value.hpp"
#include "judge.hpp"

namespace daptor::search {

/// A buffer that is right by itself.
struct Memory {
  std::string type;
  std::vector<std::int64_t> shape;
  bool gapless_line = false;  ///< the buffer is one dimension without gaps

  Wide count() const {
    for (const auto extent : shape)
      if (extent == 0) return 0;
    Wide product = 1;
    for (const auto extent : shape)
      if (product <= int64_max) product *= extent;
    return product;
  }
};

/// Judges a buffer; nullopt if it is not right by itself.
std::optional<Memory> judge_memory(const Value& buffer, RankJudgement& judgement);

/// Bytes from the lowest to the end of the highest element; neither side of the first may exceed
/// 64 bits.
Wide reach(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
           std::int64_t itemsize);

}  // namespace daptor::search
