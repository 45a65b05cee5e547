// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/rows.hpp"

#include <optional>
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"

namespace daptor::adapter {
namespace {

/// A column that is not right of the one before it. All numbers count from 0.
struct Disorder {
  Index row, before, column;
};

std::optional<Disorder> find_disorder(const CsrArrays& matrix) {
  const ReadLease columns(matrix.columns), offsets(matrix.offsets);
  const IndexRange rows = matrix.owned_rows();
  std::vector<Index> starts(static_cast<std::size_t>(rows.size()) + 1);
  copy_local_offsets(matrix, starts.data());
  return visit_integers(matrix.columns, [&](const auto* column) -> std::optional<Disorder> {
    for (std::size_t r = 0; r + 1 < starts.size(); ++r)
      for (Index e = starts[r] + 1; e < starts[r + 1]; ++e)
        if (column[e] <= column[e - 1])
          return Disorder{rows.start + static_cast<Index>(r),
                          static_cast<Index>(column[e - 1]) - matrix.index_base,
                          static_cast<Index>(column[e]) - matrix.index_base};
    return std::nullopt;
  });
}

}  // namespace

RowLayout layout_of(const CsrArrays& matrix) {
  return {matrix.owned_rows(), matrix.owned_columns(), matrix.global_rows, matrix.global_columns};
}

void require_increasing_columns(const CsrArrays& matrix, const Name& copy) {
  if (const auto found = find_disorder(matrix))
    throw NotRepresentable(reason(
        "csr.column-order",
        "column " + std::to_string(found->column + matrix.index_base) + " after column " +
            std::to_string(found->before + matrix.index_base) + " in row " +
            std::to_string(found->row),
        "columns that increase within a row, because the library finds entries by them",
        "Copy it with " + copy + ", which sorts each row and adds up entries in one column."));
}

void require_shareable(const Section& values, std::size_t alignment, const Name& copy) {
  if (values.readonly())
    throw NotRepresentable(reason("csr.readonly", "read-only values",
                                  "writable values, because the library's matrix can be written to",
                                  "Copy it with " + copy + "."));
  if (bytes_past(values.data(), alignment) != 0)
    throw NotRepresentable(reason("csr.alignment", "misaligned values",
                                  "memory that is aligned for their element type",
                                  "Copy it with " + copy + "."));
}

CsrArrays allocate_csr(const DataType& value, const DataType& column, const RowLayout& layout,
                       const std::vector<Index>& starts, Call& call) {
  const Comm& comm = call.comm();
  const Index first = comm->exclusive_sum(starts.back());
  std::int64_t all = starts.back();
  comm->allreduce(&all, 1, Reduction::sum);
  return call.check([&] {
    const GridPosition grid{comm.size(), comm.rank()};
    const Index end = grid.last() ? 1 : 0;
    const Dimension entries = block(all, grid, IndexRange{first, first + starts.back()});
    const Dimension rows =
        block(layout.global_rows + 1, grid, IndexRange{layout.rows.start, layout.rows.stop + end});
    CsrArrays made{allocate_undefined(value, {entries}).on(comm),
                   allocate_undefined(column, {entries}).on(comm),
                   allocate_undefined(DataType::of<Index>(), {rows}).on(comm),
                   layout.global_rows,
                   layout.global_columns,
                   0};
    auto* const offsets = static_cast<Index*>(made.offsets.mutable_data());
    for (Index r = 0; r < layout.rows.size() + end; ++r)
      offsets[r] = first + starts[static_cast<std::size_t>(r)];
    return made;
  });
}

}  // namespace daptor::adapter
