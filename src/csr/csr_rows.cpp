// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/csr_rows.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "csr/local_rows.hpp"
#include "csr/offsets.hpp"
#include "csr/proof.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/names.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/share_memory.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/element_types.hpp"
#include "exchange/open_arrays.hpp"

namespace daptor {
namespace {

using detail::owned_line;
using detail::refuse_csr;

/// The row lengths of this process, which add up to the number of its entries.
std::vector<Index> read_lengths(const Section& row_lengths, Index entries) {
  const ReadLease lease(row_lengths);
  std::vector<Index> lengths(static_cast<std::size_t>(row_lengths.owned_count()));
  const Index first_row = owned_line(row_lengths).start;
  Index left = entries;
  visit_integers(row_lengths, [&](const auto* given) {
    for (std::size_t r = 0; r < lengths.size(); ++r) {
      const auto length = static_cast<Index>(given[r]);
      if (length < 0 || length > left)
        refuse_csr("csr.row-lengths", "row_lengths",
                   "row " + std::to_string(first_row + static_cast<Index>(r)) + " with " +
                       std::to_string(given[r]) + " entries",
                   "from 0 to " + std::to_string(left) +
                       ", the number of entries that are left on this rank");
      lengths[r] = length;
      left -= length;
    }
  });
  if (left != 0)
    refuse_csr("csr.row-lengths", "row_lengths",
               "lengths that add up to " + std::to_string(entries - left) + " for " +
                   std::to_string(entries) + " values on this rank",
               "as many entries as values");
  return lengths;
}

/// Integers of the type of the columns, unless it cannot hold the last offset.
DataType offset_type(const DataType& columns, Index last) {
  const Index most = detail::with_type(
      columns,
      [](auto tag) -> Index {
        using T = typename decltype(tag)::type;
        if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(Index))
          return static_cast<Index>(std::numeric_limits<T>::max());
        else
          return std::numeric_limits<Index>::max();
      },
      Index{0});
  return last <= most ? columns : DataType::of<std::int64_t>();
}

/// Writes the position of each row and, behind them, that of the end, where there is room.
template <class T>
void write_offsets(const std::vector<Index>& lengths, Index position, T* offsets, Index room) {
  for (Index r = 0; r < room; ++r) {
    offsets[r] = static_cast<T>(position);
    if (r < static_cast<Index>(lengths.size())) position += lengths[static_cast<std::size_t>(r)];
  }
}

Section offsets_of(const Section& values, const Section& columns, const Section& row_lengths,
                   Index index_base) {
  const std::vector<Index> lengths = read_lengths(row_lengths, values.owned_count());
  const GridPosition grid = row_lengths.dimension(0).grid();
  const Index rows = row_lengths.dimension(0).global_size();
  IndexRange range = owned_line(row_lengths);
  if (grid.last()) range = {range.empty() ? rows : range.start, rows + 1};
  const DataType type = offset_type(columns.type(), values.dimension(0).global_size() + index_base);
  Section offsets = adapter::allocate_undefined(type, {block(rows + 1, grid, range)});
  offsets.defect().raise();
  const Index first = owned_line(values).start + index_base;
  visit_integers(offsets, [&](const auto* data) {
    using T = std::remove_const_t<std::remove_pointer_t<decltype(data)>>;
    write_offsets(lengths, first, static_cast<T*>(offsets.mutable_data()), range.size());
  });
  return offsets;
}

/// Collective. For each part an array of the parts of all ranks, one after another.
template <std::size_t Count>
std::array<DistArray, Count> stacked(const std::array<const detail::LocalPart*, Count>& parts,
                                     Call& call) {
  std::array<std::int64_t, Count> starts{}, sizes{};
  for (std::size_t i = 0; i < Count; ++i) {
    sizes[i] = parts[i]->memory.length.value_or(0);
    starts[i] = call.comm()->exclusive_sum(sizes[i]);
  }
  call.comm()->allreduce(sizes.data(), static_cast<int>(Count), Reduction::sum);
  return call.check([&] {
    std::array<DistArray, Count> arrays;
    for (std::size_t i = 0; i < Count; ++i) {
      const Index stop = starts[i] + parts[i]->memory.length.value_or(0);
      const Section part = detail::describe_memory(
          parts[i]->type, parts[i]->memory,
          {block(sizes[i], {call.comm().size(), call.comm().rank()}, {starts[i], stop})}, Order::c,
          parts[i]->owner);
      arrays[i] = part.on(call.comm());
    }
    return arrays;
  });
}

/// Copies an array in blocks to other blocks of this process, on new memory. Collective.
DistArray in_other_blocks(const DistArray& from, IndexRange range, Call& call) {
  const Comm& comm = call.comm();
  DistArray to = call.check([&] {
    return adapter::allocate_undefined(from.type(), {block(from.dimension(0).global_size(),
                                                           {comm.size(), comm.rank()}, range)})
        .on(comm);
  });
  redistribute(from, to);
  return to;
}

void require_mask(const CsrArrays& matrix, const Section& mask) {
  const std::string division = "integers in one dimension, divided like the values of the matrix";
  mask.defect().raise();
  const Kind kind = mask.type().kind();
  if ((kind != Kind::signed_integer && kind != Kind::unsigned_integer) || !mask.type().native())
    adapter::refuse_argument("csr.mask", "a mask of " + mask.type().name(), division);
  if (mask.ndim() != 1 || mask.global_shape() != matrix.values.global_shape())
    adapter::refuse_argument("csr.mask", "a mask of another shape than the values", division);
  if (!detail::in_blocks(mask.dimension(0)))
    adapter::refuse_argument(
        "csr.mask", std::string("a mask with distribution '") + mask.dimension(0).dist_type() + "'",
        division);
  const IndexRange mine = owned_line(mask), entries = matrix.owned_entries();
  if (mine != entries && !(mine.empty() && entries.empty()))
    adapter::refuse_argument(
        "csr.mask",
        "the owned indices " + terms::range(mine) + ", values with " + terms::range(entries),
        division);
  detail::require_target(mask, detail::csr_wording);
  for (const Section* array : {&matrix.values, &matrix.columns, &matrix.offsets})
    if (adapter::share_memory(*array, mask))
      adapter::refuse_argument("csr.memory", "a mask that overlaps the matrix in memory",
                               "memory of its own for the mask");
}

void require_no_empty_row(const detail::LocalRows& local) {
  for (std::size_t r = 0; r + 1 < local.starts.size(); ++r)
    if (local.starts[r] == local.starts[r + 1])
      refuse_csr(
          "csr.empty-row", "offsets",
          "row " + std::to_string(local.rows.start + static_cast<Index>(r)) + " without entries",
          "at least one entry in each row, because a mask cannot show an empty one",
          "Use " + names::multiply + " or a CsrProduct, which take empty rows.");
}

/// The mask is open for writing.
void write_mask(const detail::LocalRows& local, const Section& mask) {
  const auto itemsize = mask.type().itemsize();
  auto* const first = static_cast<std::byte*>(const_cast<void*>(mask.owned_data()));
  const Index stride = mask.byte_strides().front();
  const auto write = [&](Index entry, std::uint64_t value) {
    // The lowest bytes of a number are its first ones on a little-endian machine, its last ones on
    // a big-endian one.
    const std::size_t skipped =
        native_byte_order() == ByteOrder::little ? 0 : sizeof value - itemsize;
    std::memcpy(first + entry * stride, reinterpret_cast<const std::byte*>(&value) + skipped,
                itemsize);
  };
  for (Index entry = 0; entry < mask.owned_count(); ++entry) write(entry, 0);
  for (std::size_t r = 0; r + 1 < local.starts.size(); ++r) write(local.starts[r], 1);
}

}  // namespace

CsrArrays csr_from_rows(const DistArray& values, const DistArray& columns,
                        const DistArray& row_lengths, Index global_columns, Index index_base) {
  const Comm comm = values.comm();
  Call call(comm, "csr_from_rows");
  call.check([&] {
    values.defect().joined(columns.defect()).joined(row_lengths.defect()).raise();
    call.require_same_processes(columns);
    call.require_same_processes(row_lengths);
    detail::require_csr_line(values, "values", false, comm);
    detail::require_csr_line(row_lengths, "row_lengths", true, comm);
    detail::require_indices(columns, "columns");
    detail::require_indices(row_lengths, "row_lengths");
    if (index_base != 0 && index_base != 1)
      refuse_csr("csr.base", "index_base", std::to_string(index_base), "0 or 1");
  });
  call.prove(values);
  call.prove(row_lengths);
  call.check();
  CsrArrays matrix = call.check([&] {
    return CsrArrays{values,
                     columns,
                     offsets_of(values, columns, row_lengths, index_base).on(comm),
                     row_lengths.dimension(0).global_size(),
                     global_columns,
                     index_base};
  });
  require_consistent(matrix);
  return matrix;
}

CsrArrays detail::csr_from_parts(const LocalPart& values, const LocalPart& columns,
                                 const LocalPart& row_lengths, Index global_columns,
                                 const Comm& comm, Index index_base) {
  Call call(comm, "csr_from_rows");
  call.check();  // tells ranks in other calls before the sums
  const auto [all_values, all_columns, all_lengths] =
      stacked<3>({&values, &columns, &row_lengths}, call);
  return csr_from_rows(all_values, all_columns, all_lengths, global_columns, index_base);
}

std::shared_ptr<const std::vector<Index>> detail::global_columns_of(const LocalPart& local,
                                                                    const IndexList& indices) {
  indices.defect().raise();
  const Index entries = local.memory.length.value_or(0);
  const Section part =
      describe_memory(local.type, local.memory, {undistributed(entries)}, Order::c, local.owner);
  part.defect().raise();
  require_indices(part, "columns");
  auto columns = std::make_shared<std::vector<Index>>();
  columns->reserve(static_cast<std::size_t>(entries));
  visit_integers(part, [&](const auto* numbers) {
    for (Index e = 0; e < entries; ++e) {
      const auto number = static_cast<Index>(numbers[e]);
      if (number < 0 || number >= indices.size())
        refuse_csr(
            "csr.local-column", "columns",
            "local column " + std::to_string(numbers[e]) + " in entry " + std::to_string(e) +
                " of this rank",
            "numbers in [0, " + std::to_string(indices.size()) + "), the length of column_indices");
      columns->push_back(indices[number]);
    }
  });
  return columns;
}

CsrArrays detail::csr_from_local_parts(const LocalPart& values, const LocalPart& local_columns,
                                       const IndexList& column_indices,
                                       const LocalPart& row_lengths, Index global_columns,
                                       const Comm& comm) {
  Call call(comm, "csr_from_local_rows");
  const auto columns = call.check([&] { return global_columns_of(local_columns, column_indices); });
  return csr_from_parts(values,
                        {DataType::of<Index>(),
                         memory_of(columns->data(), static_cast<Index>(columns->size())), columns},
                        row_lengths, global_columns, comm, 0);
}

CsrArrays align_rows(const CsrArrays& matrix) {
  Call call(matrix.comm(), "align_rows");
  detail::prove_csr_layout(matrix, call);
  const detail::OwnedOffsets found = detail::prove_offsets(matrix, call);
  const IndexRange entries{found.positions.front(), found.positions.back()};
  CsrArrays aligned = matrix;
  aligned.values = in_other_blocks(matrix.values, entries, call);
  aligned.columns = in_other_blocks(matrix.columns, entries, call);
  aligned.offsets = in_other_blocks(matrix.offsets, owned_line(matrix.offsets), call);
  require_consistent(aligned);
  return aligned;
}

CsrArrays align_rows(const DistArray& values, const DistArray& columns, const DistArray& offsets,
                     Index global_columns, Index index_base) {
  Call call(values.comm(), "align_rows");
  const CsrArrays matrix = call.check([&] {
    offsets.defect().raise();
    detail::require_csr_line(offsets, "offsets", true, call.comm());
    return CsrArrays{values,         columns,   offsets, offsets.dimension(0).global_size() - 1,
                     global_columns, index_base};
  });
  return align_rows(matrix);
}

void row_starts(const CsrArrays& matrix, const DistArray& mask) {
  Call call(matrix.comm(), "row_starts");
  detail::prove_csr_layout(matrix, call);
  const detail::OwnedOffsets offsets = detail::prove_offsets(matrix, call);
  detail::HeldArrays open;
  call.check([&] {
    require_mask(matrix, mask);
    open.open({}, {mask});
  });
  call.prove(mask);
  call.check();
  const detail::LocalRows local = detail::find_local_rows(matrix, offsets, call);
  call.check([&] { require_no_empty_row(local); });
  write_mask(local, mask);
  call.relay([&] { open.close_written(); });
}

}  // namespace daptor
