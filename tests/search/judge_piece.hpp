// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>

#include "piece.hpp"
#include "reading.hpp"

namespace daptor::search {

/// Judges the values of one dimension whose keys and types are right.
class PieceJudge {
 public:
  PieceJudge(bool v0_10, const DimensionFindings& findings) : v0_10_(v0_10), findings_(findings) {}

  /// Decides whether the widths at both ends are boundary or communication padding. Under 0.10.x it
  /// also takes the communication padding off start and stop.
  void place_padding(Piece& piece, std::pair<std::int64_t, std::int64_t> widths) const;
  void judge_clauses(Piece& piece) const;

 private:
  void take_padding_off(Piece& piece) const;
  void judge_block(const Piece& piece) const;
  void judge_widths(Piece& piece) const;
  void judge_deal(const Piece& piece) const;

  bool v0_10_;
  DimensionFindings findings_;
};

}  // namespace daptor::search
