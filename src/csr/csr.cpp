// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/csr.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "csr/proof.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/defect.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"

namespace daptor {
namespace {

using detail::from_base;
using detail::owned_line;
using detail::refuse_csr;
using detail::require_csr_line;
using detail::require_indices;

bool is_index_type(const DataType& type) {
  const bool integer = type.kind() == Kind::signed_integer || type.kind() == Kind::unsigned_integer;
  return integer && type.native() && (type.itemsize() == 4 || type.itemsize() == 8);
}

/// Checks all that a rank can judge by itself without reading elements.
void require_described(const CsrArrays& matrix, const Comm& comm) {
  if (matrix.index_base != 0 && matrix.index_base != 1)
    refuse_csr("csr.base", "index_base", std::to_string(matrix.index_base), "0 or 1");
  require_csr_line(matrix.values, "values", false, comm);
  require_csr_line(matrix.columns, "columns", false, comm);
  require_csr_line(matrix.offsets, "offsets", true, comm);
  require_indices(matrix.columns, "columns");
  require_indices(matrix.offsets, "offsets");
  if (matrix.global_rows < 0 || matrix.global_columns < 0)
    refuse_csr("csr.shape", "",
               std::to_string(matrix.global_rows) + " by " + std::to_string(matrix.global_columns),
               "zero or more rows and columns");
  const Index offsets = matrix.offsets.dimension(0).global_size();
  if (offsets - 1 != matrix.global_rows)
    refuse_csr(
        "csr.shape", "offsets",
        std::to_string(offsets) + " offsets for " + std::to_string(matrix.global_rows) + " rows",
        "one offset more than rows");
  const IndexRange values = owned_line(matrix.values);
  const IndexRange columns = owned_line(matrix.columns);
  if (values.size() != columns.size())
    refuse_csr("csr.length", "columns",
               std::to_string(values.size()) + " values and " + std::to_string(columns.size()) +
                   " columns on this rank",
               "as many columns as values, divided in the same way");
}

/// Requires that values and columns, which are as many on each rank, are divided in the same way.
void require_divided_alike(const CsrArrays& matrix) {
  const IndexRange values = owned_line(matrix.values), columns = owned_line(matrix.columns);
  const Index all_values = matrix.values.dimension(0).global_size();
  const Index all_columns = matrix.columns.dimension(0).global_size();
  if (all_values == all_columns && (values.empty() || values == columns)) return;
  refuse_csr("csr.length", "columns",
             "values with " + terms::range(values) + " of " + std::to_string(all_values) +
                 ", columns with " + terms::range(columns) + " of " + std::to_string(all_columns),
             "as many columns as values, divided in the same way");
}

/// Checks that the offsets do not decrease and that they address the entries of this rank.
template <class T>
void require_offsets(const CsrArrays& matrix, const T* offsets) {
  const IndexRange rows = matrix.owned_rows();
  const IndexRange entries = matrix.owned_entries();
  const auto position = [&](Index r) { return from_base(offsets[r], matrix.index_base); };
  const Index start = rows.empty() ? entries.stop : position(0);
  if (start != entries.start)
    refuse_csr("csr.division", "offsets",
               "owned rows that begin at entry " + std::to_string(start) +
                   " and owned entries that begin at " + std::to_string(entries.start),
               "the entries of each row on the rank that owns its offset",
               "Divide values and columns at the same rows as the offsets, or copy them with " +
                   names::align_rows + ".");
  for (Index r = 1; r < rows.size(); ++r)
    detail::require_row_start(rows.start + r, position(r), position(r - 1), entries.stop);
  const IndexRange owned = owned_line(matrix.offsets);
  if (owned.stop != matrix.global_rows + 1 || owned.empty()) return;
  detail::require_last_offset(matrix, offsets[rows.size()]);
}

template <class T>
void require_columns(const CsrArrays& matrix, const std::vector<Index>& starts, const T* columns) {
  const Index base = matrix.index_base;
  const Index first_row = matrix.owned_rows().start;
  for (std::size_t r = 0; r + 1 < starts.size(); ++r) {
    for (Index e = starts[r]; e < starts[r + 1]; ++e) {
      const Index column = from_base(columns[e], base);
      if (column < 0 || column >= matrix.global_columns)
        detail::refuse_column(matrix, columns[e],
                              "in row " + std::to_string(first_row + static_cast<Index>(r)));
    }
  }
}

/// Collective. Checks all that ranks can judge by reading their own elements: first the offsets of
/// all ranks, because the entries of a rank are assigned to rows by them.
void require_elements(const CsrArrays& matrix, Call& call) {
  call.check([&] {
    const ReadLease values(matrix.values);
    const ReadLease offsets(matrix.offsets);
    visit_integers(matrix.offsets, [&](const auto* data) { require_offsets(matrix, data); });
  });
  call.check([&] {
    const ReadLease columns(matrix.columns);
    const ReadLease offsets(matrix.offsets);
    std::vector<Index> starts(static_cast<std::size_t>(matrix.owned_rows().size()) + 1);
    copy_local_offsets(matrix, starts.data());
    visit_integers(matrix.columns,
                   [&](const auto* data) { require_columns(matrix, starts, data); });
  });
}

}  // namespace

void detail::refuse_csr(const char* rule, const char* key, Terms found, Terms expected,
                        Terms remedy) {
  throw Malformed(
      error_finding(rule, -1, key, std::move(found), std::move(expected), std::move(remedy)));
}

void detail::require_row_start(Index row, Index position, Index least, Index most) {
  if (least <= position && position <= most) return;
  refuse_csr(
      "csr.monotone", "offsets",
      "row " + std::to_string(row) + " at position " + std::to_string(position),
      "from " + std::to_string(least) + " to " + std::to_string(most) + ", all counted from 0");
}

void detail::require_csr_line(const Section& array, const char* key, bool padding_allowed,
                              const Comm& comm) {
  constexpr const char* expected = "one dimension, divided in blocks over the ranks in rank order";
  if (array.ndim() != 1)
    refuse_csr("csr.arrays", key, std::to_string(array.ndim()) + " dimensions", expected);
  const Dimension& dimension = array.dimension(0);
  if (!in_blocks(dimension))
    refuse_csr("csr.arrays", key, std::string("distribution '") + dimension.dist_type() + "'",
               expected);
  const GridPosition grid = dimension.grid();
  if (grid.size != comm.size() || grid.rank != comm.rank())
    refuse_csr("csr.arrays", key,
               "grid rank " + std::to_string(grid.rank) + " of " + std::to_string(grid.size) +
                   " on rank " + std::to_string(comm.rank()) + " of " + std::to_string(comm.size()),
               expected);
  if (!padding_allowed && dimension.communication_padding() != Padding{})
    refuse_csr("csr.arrays", key, "communication padding", "no padding: each entry is stored once");
  if (!is_gapless_line(array))
    refuse_csr("csr.arrays", key,
               "elements " + std::to_string(array.byte_strides().front()) + " bytes apart",
               "contiguous elements");
}

void detail::require_indices(const Section& array, const char* key) {
  if (!is_index_type(array.type()))
    refuse_csr("csr.index-type", key, "elements of " + array.type().name(),
               "integers of 4 or 8 bytes in the byte order of this machine");
  if (array.owned_count() > 0 &&
      adapter::bytes_past(adapter::first_owned(array), array.type().itemsize()) != 0)
    refuse_csr("csr.alignment", key, "integers that are not aligned in memory",
               "an address that is a multiple of the size of an integer",
               "Copy them to aligned memory.");
}

void detail::refuse_index_type(const DataType& type) {
  refuse_csr("csr.index-type", "", "elements of " + type.name(), "integers of 4 or 8 bytes");
}

IndexRange CsrArrays::owned_rows() const {
  const IndexRange range = owned_line(offsets);
  return {std::min(range.start, global_rows), std::min(range.stop, global_rows)};
}

IndexRange CsrArrays::owned_columns() const {
  if (global_rows == global_columns) return owned_rows();
  return even_block(global_columns, offsets.dimension(0).grid());
}

IndexRange CsrArrays::owned_entries() const {
  return owned_line(values);
}

namespace {

Defect defect_of(const CsrArrays& matrix) {
  return matrix.values.defect().joined(matrix.columns.defect()).joined(matrix.offsets.defect());
}

/// Collective. First of all, `look` judges each array that could not be described.
template <class F>
void prove_layout(const CsrArrays& matrix, Call& call, F&& look) {
  call.check([&] {
    look(defect_of(matrix));
    for (const DistArray* array : {&matrix.values, &matrix.columns, &matrix.offsets})
      call.require_same_processes(*array);
    require_described(matrix, call.comm());
  });
  call.prove(matrix.values);
  call.prove(matrix.columns);
  call.check();
  call.prove(matrix.offsets);
  call.same("global_rows", matrix.global_rows);
  call.same("global_columns", matrix.global_columns);
  call.same("index_base", matrix.index_base);
  call.check([&] { require_divided_alike(matrix); });
}

}  // namespace

void detail::prove_csr_layout(const CsrArrays& matrix, Call& call) {
  prove_layout(matrix, call, [](const Defect& defect) { defect.raise(); });
}

void require_consistent(const CsrArrays& matrix) {
  Call call(matrix.comm(), "require_consistent(CsrArrays)");
  detail::prove_csr_layout(matrix, call);
  require_elements(matrix, call);
}

Report validate(const CsrArrays& matrix) {
  Call call(matrix.comm(), "validate(CsrArrays)");
  try {
    // A defect becomes a finding here, whatever its class of error would be elsewhere.
    prove_layout(matrix, call, [](const Defect& defect) {
      if (defect) throw Malformed(defect.report());
    });
    require_elements(matrix, call);
  } catch (const Malformed& error) {
    return error.report();
  } catch (const InvalidArgument& error) {
    if (error.rule() != "collective.different") throw;
    return error.report();
  }
  return {};
}

}  // namespace daptor
