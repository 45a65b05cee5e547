// SPDX-License-Identifier: BSD-3-Clause
#include "csr/offsets.hpp"

#include <array>
#include <optional>
#include <string>

#include "csr/proof.hpp"
#include "daptor/call.hpp"
#include "daptor/lease.hpp"
#include "ranks/nearest.hpp"

namespace daptor::detail {
namespace {

Index entry_count(const CsrArrays& matrix) {
  return matrix.values.dimension(0).global_size();
}

/// The positions of the owned rows, which do not decrease. Requires the last offset of the matrix
/// on the rank that has it.
std::vector<Index> read_positions(const CsrArrays& matrix) {
  const ReadLease lease(matrix.offsets);
  const IndexRange rows = matrix.owned_rows();
  std::vector<Index> positions;
  positions.reserve(static_cast<std::size_t>(rows.size()) + 1);
  visit_integers(matrix.offsets, [&](const auto* offsets) {
    Index previous = 0;
    for (Index r = 0; r < rows.size(); ++r) {
      const Index position = from_base(offsets[r], matrix.index_base);
      require_row_start(rows.start + r, position, previous, entry_count(matrix));
      positions.push_back(previous = position);
    }
    if (owned_line(matrix.offsets).stop == matrix.global_rows + 1 &&
        !owned_line(matrix.offsets).empty())
      require_last_offset(matrix, offsets[rows.size()]);
  });
  return positions;
}

void require_columns_in_range(const CsrArrays& matrix) {
  const ReadLease lease(matrix.columns);
  const IndexRange entries = matrix.owned_entries();
  const Index base = matrix.index_base;
  visit_integers(matrix.columns, [&](const auto* columns) {
    for (Index e = 0; e < entries.size(); ++e) {
      const Index column = from_base(columns[e], base);
      if (column >= 0 && column < matrix.global_columns) continue;
      refuse_column(matrix, columns[e],
                    "at position " + std::to_string(entries.start + e) + ", counted from 0");
    }
  });
}

/// Requires that the first row begins at the first entry, and that the owned rows end where the
/// rows of the next process begin.
void require_joined(const CsrArrays& matrix, const std::vector<Index>& positions) {
  const IndexRange rows = matrix.owned_rows();
  const Index first = rows.start == 0 ? positions.front() : 0;
  if (first != 0)
    refuse_csr("csr.first", "offsets",
               "a first offset of " + std::to_string(first + matrix.index_base),
               std::to_string(matrix.index_base));
  if (!rows.empty())
    require_row_start(rows.stop, positions.back(), positions[positions.size() - 2],
                      entry_count(matrix));
}

bool entries_are_here(const CsrArrays& matrix, const std::vector<Index>& positions) {
  const IndexRange entries = matrix.owned_entries();
  if (entries.empty()) return positions.front() == positions.back();
  return !matrix.owned_rows().empty() && positions.front() == entries.start &&
         positions.back() == entries.stop;
}

}  // namespace

OwnedOffsets prove_offsets(const CsrArrays& matrix, Call& call) {
  OwnedOffsets found;
  call.check([&] {
    found.positions = read_positions(matrix);
    require_columns_in_range(matrix);
  });
  const auto first =
      found.positions.empty() ? std::nullopt : std::optional<Index>(found.positions.front());
  const auto next = nearest(Side::higher, first, call.comm());
  Agreed<bool> aligned;
  call.check([&] {
    found.positions.push_back(next.value_or(entry_count(matrix)));
    require_joined(matrix, found.positions);
    aligned = call.all(entries_are_here(matrix, found.positions));
  });
  found.aligned = aligned;
  return found;
}

}  // namespace daptor::detail
