// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "daptor/comm.hpp"
#include "ranks/rank_line.hpp"

namespace daptor::detail {

enum class Side { lower, higher };

/// Collective. Of the ranks on one side of this one, the nearest that passed a value: its value, or
/// `nullopt` if there is none. Takes log2 P messages, and no memory that grows with P.
///
/// Example: ranks 0 to 3 pass 7, nothing, nothing and 9. The nearest on the lower side are nothing,
/// 7, 7 and 7.
template <class T>
std::optional<T> nearest(Side side, const std::optional<T>& mine, const Comm& comm) {
  static_assert(std::is_trivially_copyable_v<T>);
  struct Word {
    T value;
    std::int64_t present;
  };
  const auto line = RankLine::of_ranks(comm, side == Side::lower ? 1 : -1);
  const auto found = before_this(line, comm, Word{mine.value_or(T{}), mine ? 1 : 0},
                                 [](const Word& farther, const Word& nearer) {
                                   return nearer.present != 0 ? nearer : farther;
                                 });
  return found && found->present != 0 ? std::optional<T>(found->value) : std::nullopt;
}

}  // namespace daptor::detail
