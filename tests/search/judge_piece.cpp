// SPDX-License-Identifier: BSD-3-Clause
#include "judge_piece.hpp"

namespace daptor::search {

/// Boundary padding is on the external edges of dimensions that are not periodic; under 0.10.x it
/// is on all external edges.
void PieceJudge::place_padding(Piece& piece, std::pair<std::int64_t, std::int64_t> widths) const {
  if (piece.rank < 0 || piece.rank >= piece.processes) return;
  const bool wraps = piece.periodic && !v0_10_;
  const bool lower_external = piece.rank == 0 && !wraps;
  const bool upper_external = piece.rank == piece.processes - 1 && !wraps;
  (lower_external ? piece.lower_boundary : piece.lower) = widths.first;
  (upper_external ? piece.upper_boundary : piece.upper) = widths.second;
  if (v0_10_ && piece.periodic && (piece.lower_boundary != 0 || piece.upper_boundary != 0))
    findings_.add("V09", Level::ground, Severity::warning);
  if (v0_10_ && piece.type == 'b') take_padding_off(piece);
}

/// Under 0.10.x start and stop include the communication padding.
void PieceJudge::take_padding_off(Piece& piece) const {
  if (piece.start == piece.stop) {
    if (piece.lower + Wide{piece.upper} + piece.lower_boundary + piece.upper_boundary != 0)
      findings_.add("A12", Level::ground, Severity::warning);
    piece.lower = piece.upper = piece.lower_boundary = piece.upper_boundary = 0;
    return;
  }
  if (piece.start < 0 || piece.stop < piece.start || piece.stop > piece.size) return;
  if (Wide{piece.lower} + piece.upper > Wide{piece.stop} - piece.start) {
    findings_.add("V05", Level::clause);
    return;
  }
  piece.start += piece.lower;
  piece.stop -= piece.upper;
}

void PieceJudge::judge_clauses(Piece& piece) const {
  if (piece.size < 0) findings_.add("D08", Level::ground);
  if (piece.type != 'n') {
    if (piece.processes < 1) {
      findings_.add("D13", Level::ground);
    } else if (piece.rank < 0 || piece.rank >= piece.processes) {
      findings_.add("D18", Level::ground);
    }
  }
  if (piece.type == 'b') judge_block(piece);
  if (piece.type == 'c') judge_deal(piece);
  if (piece.type == 'u' && piece.size == 0 && !piece.indices.empty())
    findings_.add("E05", Level::clause);
  if (piece.type == 'n' || piece.type == 'b') judge_widths(piece);
  if (piece.type == 'c' && piece.start > piece.size) piece.start = piece.size;
}

void PieceJudge::judge_block(const Piece& piece) const {
  if (piece.start < 0) findings_.add("B02", Level::clause);
  if (piece.stop > piece.size) findings_.add("B08", Level::clause);
  if (piece.start == piece.size && piece.stop != piece.start) findings_.add("E03", Level::clause);
  if (piece.stop < piece.start && piece.start != piece.size) findings_.add("B04", Level::clause);
  if (piece.start == piece.stop && piece.start < piece.size && !v0_10_)
    findings_.add("B06", Level::clause, Severity::warning);
  if (piece.rank == 0 && piece.start != 0) findings_.add("B10", Level::deep);
  if (Wide{piece.rank} == Wide{piece.processes} - 1 && piece.stop != piece.size)
    findings_.add("B11", Level::deep);
}

void PieceJudge::judge_widths(Piece& piece) const {
  const Wide boundary = Wide{piece.lower_boundary} + piece.upper_boundary;
  const Wide communication = Wide{piece.lower} + piece.upper;
  const bool empty = piece.type == 'n' ? piece.size == 0 : piece.start == piece.size;
  if (empty) {
    if (boundary + communication != 0) findings_.add("A12", Level::deep, Severity::warning);
    piece.lower = piece.upper = piece.lower_boundary = piece.upper_boundary = 0;
    return;
  }
  const Wide owned = Wide{piece.stop} - piece.start;
  if (communication + owned > int64_max) findings_.add("P13", Level::deep);
  if (boundary > owned) findings_.add("P17", Level::deep, Severity::warning);
}

void PieceJudge::judge_deal(const Piece& piece) const {
  if (piece.block_size < 1) findings_.add("C05", Level::clause);
  if (piece.start < 0) findings_.add("C02", Level::clause);
  if (piece.block_size < 1 || piece.start < 0) return;
  const Wide plain = Wide{piece.rank} * piece.block_size;
  if (piece.start > piece.size)
    findings_.add("C03", Level::clause, plain == piece.start ? Severity::warning : Severity::error);
  if (piece.start >= piece.size) return;
  if (piece.start % piece.block_size != 0) {
    findings_.add("C09", Level::clause);
  } else if (piece.start / piece.block_size >= piece.processes) {
    findings_.add("C11", Level::clause);
  } else if (plain != piece.start) {
    findings_.add("C10", Level::clause, Severity::warning);
  }
}

}  // namespace daptor::search
