// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/split_rows.hpp"

#include <array>
#include <string>

#include "csr/proof.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/defect.hpp"

namespace daptor::adapter {
namespace {

using daptor::detail::refuse_csr;

void require_local(const Section& array, const char* key) {
  if (array.ndim() != 1 || !array.dimension(0).as<Undistributed>() ||
      !daptor::detail::is_gapless_line(array))
    refuse_csr("csr.arrays", key, "an array that is not local, or has gaps",
               "one dimension, undistributed, without gaps");
}

void require_described(const SplitRows::Block& block, Index rows) {
  require_local(block.values, "values");
  require_local(block.columns, "columns");
  require_local(block.starts, "starts");
  daptor::detail::require_indices(block.columns, "columns");
  daptor::detail::require_indices(block.starts, "starts");
  if (block.values.owned_count() != block.columns.owned_count())
    refuse_csr("csr.length", "columns",
               std::to_string(block.values.owned_count()) + " values and " +
                   std::to_string(block.columns.owned_count()) + " columns on this rank",
               "as many columns as values");
  if (block.starts.owned_count() != rows + 1)
    refuse_csr("csr.length", "starts",
               std::to_string(block.starts.owned_count()) + " starts for " + std::to_string(rows) +
                   " rows on this rank",
               "one start more than rows");
}

void require_described(const SplitRows& rows) {
  Defect defect;
  for (const SplitRows::Block* block : {&rows.own, &rows.other})
    defect = defect.joined(block->values.defect())
                 .joined(block->columns.defect())
                 .joined(block->starts.defect());
  defect.joined(rows.other_columns.defect()).raise();
  require_described(rows.own, rows.rows.size());
  require_described(rows.other, rows.rows.size());
  require_local(rows.other_columns, "other_columns");
  daptor::detail::require_indices(rows.other_columns, "other_columns");
}

/// Requires that the parts of all ranks follow each other and make up the whole.
void require_division(IndexRange owned, Index first, Index all, Index global, const char* what) {
  if (owned.start != first && !owned.empty())
    refuse_csr(
        "csr.division", what, "the owned range " + terms::range(owned),
        "a range that begins at " + std::to_string(first) + ", where that of the rank before ends");
  if (all != global)
    refuse_csr("csr.shape", what,
               std::to_string(global) + " in all, and " + std::to_string(all) + " on the ranks",
               "the same number");
}

}  // namespace

void prove_layout(const SplitRows& rows, Call& call) {
  call.check([&] { require_described(rows); });
  std::array<std::int64_t, 2> counts{rows.rows.size(), rows.columns.size()};
  const Index first_row = call.comm()->exclusive_sum(counts[0]);
  const Index first_column = call.comm()->exclusive_sum(counts[1]);
  call.comm()->allreduce(counts.data(), 2, Reduction::sum);
  call.check([&] {
    require_division(rows.rows, first_row, counts[0], rows.global_rows, "rows");
    require_division(rows.columns, first_column, counts[1], rows.global_columns, "columns");
  });
}

namespace {

/// The global columns of the block of other columns.
std::vector<Index> given_columns(const SplitRows& rows) {
  const ReadLease lease(rows.other_columns);
  std::vector<Index> columns(static_cast<std::size_t>(rows.other_columns.owned_count()));
  visit_integers(rows.other_columns, [&](const auto* given) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      columns[i] = static_cast<Index>(given[i]);
      if (columns[i] >= 0 && columns[i] < rows.global_columns && !rows.columns.contains(columns[i]))
        continue;
      refuse_csr("csr.column-range", "other_columns", "column " + std::to_string(given[i]),
                 "a column in " + terms::range({0, rows.global_columns}) + " outside of " +
                     terms::range(rows.columns) + ", which this rank owns");
    }
  });
  return columns;
}

}  // namespace

std::vector<Index> other_columns(const SplitRows& rows, const Index* starts) {
  const std::vector<Index> given = given_columns(rows);
  const auto count = static_cast<Index>(given.size());
  const ReadLease lease(rows.other.columns);
  std::vector<Index> columns(static_cast<std::size_t>(rows.other.columns.owned_count()));
  visit_integers(rows.other.columns, [&](const auto* local) {
    for (std::size_t r = 0, all = layout_of(rows).row_count(); r < all; ++r)
      for (auto e = static_cast<std::size_t>(starts[r]);
           e < static_cast<std::size_t>(starts[r + 1]); ++e) {
        const auto number = static_cast<Index>(local[e]);
        if (number < 0 || number >= count) refuse_local_column(number, count, r);
        columns[e] = given[static_cast<std::size_t>(number)];
      }
  });
  return columns;
}

void refuse_local_column(Index column, Index count, std::size_t row) {
  refuse_csr("csr.local-column", "columns",
             "local column " + std::to_string(column) + " in local row " + std::to_string(row),
             "numbers in " + terms::range({0, count}) +
                 ", the number of columns of the block on this rank");
}

void refuse_start(Index start, std::size_t row) {
  refuse_csr("csr.monotone", "starts",
             "local row " + std::to_string(row) + " at position " + std::to_string(start),
             "starts that begin at 0, do not decrease, and end with the number of entries");
}

}  // namespace daptor::adapter
