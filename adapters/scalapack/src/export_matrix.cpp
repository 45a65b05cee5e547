// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "blacs.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/scalapack/block_cyclic.hpp"
#include "daptor/scalapack/descriptor.hpp"
#include "descriptor_findings.hpp"
#include "names.hpp"
#include "text.hpp"

namespace daptor::scalapack {
namespace {

namespace entry = detail::entry;

[[noreturn]] void refuse_context(const Terms& found, const Terms& expected) {
  throw Malformed(error_finding(entry::rules[entry::ctxt], -1, entry::names[entry::ctxt], found,
                                expected,
                                "Pass the descriptor of a matrix on a grid that exists, and its "
                                "communicator."));
}

bool same_group(MPI_Comm a, MPI_Comm b) {
  int result = MPI_UNEQUAL;
  adapter::check_mpi(MPI_Comm_compare(a, b, &result), "MPI_Comm_compare");
  return result != MPI_UNEQUAL;
}

/// Where this process is on the grid of the descriptor. Process-local.
GridInfo place_of(const int* desc, const Comm& comm) {
  if (desc == nullptr) throw InvalidArgument("desc", "a null pointer", "nine integers");
  adapter::require_mpi_running();
  const MPI_Comm ranks = comm->mpi();
  const int context = desc[entry::ctxt];
  const GridInfo place = grid_info(context);
  if (!place) refuse_context(text(context), "a BLACS context that this process is in");
  if (!same_group(communicator_of(context), ranks))
    refuse_context(text(context) + ", a grid of " + text(place.rows) + " x " + text(place.columns) +
                       " other processes",
                   "a context of the communicator's " + text(comm.size()) + " processes");
  return place;
}

void require_entries(const int* desc, const GridInfo& place) {
  Report report(detail::descriptor_findings(desc, place));
  if (report) return;
  if (report.findings().front().rule == entry::rules[entry::dtype]) throw Unsupported(report);
  throw Malformed(report);
}

void require_memory(const int* desc, const GridInfo& place, const daptor::detail::Memory& memory) {
  const Index needed = detail::reach(desc, place);
  if (needed == 0) return;
  const bool too_short = memory.length && *memory.length < needed;
  if (memory.data != nullptr && !too_short) return;
  throw Malformed(error_finding(
      "scalapack.desc.memory", -1, "",
      memory.data == nullptr ? "a null pointer" : text(*memory.length) + " elements",
      "memory of at least " + text(needed) + " elements, which M_, N_ and LLD_ reach here",
      "Allocate local rows times local columns (numroc), with LLD_ as the distance of columns."));
}

/// One dimension of the matrix, or of a part of it.
struct Along {
  BlockCyclic map;
  Index first = 0;  ///< global index with which the part begins
  Index size = 0;   ///< of the part
};

/// The dimension of a part, which keeps the block size where it can.
Dimension dimension_of(int d, const Along& along, Index process) {
  const BlockCyclic& map = along.map;
  const Index within = along.first % map.block_size();
  if (within == 0) {
    const Index source = (map.source() + along.first / map.block_size()) % map.processes();
    return BlockCyclic(along.size, map.block_size(), map.processes(), source).dimension(process);
  }
  if (map.processes() == 1) return undistributed(along.size);
  if (within + along.size <= map.block_size()) {
    const Index source = along.size > 0 ? map.process_of(along.first) : 0;
    return BlockCyclic(along.size, std::max<Index>(1, along.size), map.processes(), source)
        .dimension(process);
  }
  throw NotRepresentable(adapter::reason(
      "scalapack.submatrix.blocks", d,
      "a part that begins " + text(within) + " indices into a block of " + text(map.block_size()),
      "a part that begins with a block, or lies within one",
      "Copy the whole matrix: " + names::export_matrix +
          ", then redistribute; or choose another part."));
}

/// Local indices of this process before the part.
Index local_start(const Along& along, Index process) {
  const BlockCyclic& map = along.map;
  return BlockCyclic(along.first, map.block_size(), map.processes(), map.source())
      .local_count(process);
}

void require_within(int d, const Along& along) {
  const Index whole = along.map.size();
  if (along.first >= 0 && along.size >= 0 && along.first <= whole &&
      along.size <= whole - along.first)
    return;
  adapter::refuse_argument("scalapack.submatrix.range",
                           text(along.size) +
                               (d == 0 ? " rows from row " : " columns from column ") +
                               text(along.first + 1) + " on, of " + text(whole),
                           "a part of the matrix, counted from 1", "Correct the part.");
}

/// This process's section. Of a descriptor that is right.
Section section(const int* desc, const GridInfo& place, const DataType& type,
                const daptor::detail::Memory& memory, const std::optional<Submatrix>& part,
                std::shared_ptr<const void> owner) {
  Along rows{{desc[entry::m], desc[entry::mb], place.rows, desc[entry::rsrc]}, 0, desc[entry::m]};
  Along columns{
      {desc[entry::n], desc[entry::nb], place.columns, desc[entry::csrc]}, 0, desc[entry::n]};
  if (part) {
    rows.first = part->first_row - 1;
    rows.size = part->rows;
    columns.first = part->first_column - 1;
    columns.size = part->columns;
    require_within(0, rows);
    require_within(1, columns);
  }
  const auto item = static_cast<Index>(type.itemsize());
  auto* data = static_cast<char*>(memory.data);
  std::vector<Dimension> dimensions{dimension_of(0, rows, place.row),
                                    dimension_of(1, columns, place.column)};
  if (data != nullptr && local_count(dimensions) > 0)
    data += item *
            (local_start(rows, place.row) + local_start(columns, place.column) * desc[entry::lld]);
  Section array = describe(type, data, std::move(dimensions), {item, item * desc[entry::lld]},
                           memory.readonly, std::move(owner));
  array.defect().raise();
  return array;
}

/// All but LLD_, which may differ.
void same_entries(const int* desc, const std::optional<Submatrix>& part, Call& call) {
  for (const entry::Position each :
       {entry::m, entry::n, entry::mb, entry::nb, entry::rsrc, entry::csrc})
    call.same(entry::names[each], desc[each]);
  call.same("part", part.has_value());
  if (part) call.same(*part);
}

}  // namespace

MPI_Comm detail::processes_of(const int* desc) {
  if (desc == nullptr) throw InvalidArgument("desc", "a null pointer", "nine integers");
  adapter::require_mpi_running();
  if (!grid_info(desc[entry::ctxt]))
    refuse_context(text(desc[entry::ctxt]), "a BLACS context that this process is in");
  return communicator_of(desc[entry::ctxt]);
}

DistArray detail::export_memory(const int* desc, const DataType& type,
                                const daptor::detail::Memory& memory,
                                const std::optional<Submatrix>& part, const Comm& comm,
                                std::shared_ptr<const void> owner) {
  Call call(comm, "scalapack::export_matrix");
  DistArray array = call.check([&] {
    const GridInfo place = place_of(desc, comm);
    require_entries(desc, place);
    require_memory(desc, place, memory);
    same_entries(desc, part, call);
    return section(desc, place, type, memory, part, std::move(owner)).on(comm);
  });
  call.prove(array);
  call.check();
  return array;
}

}  // namespace daptor::scalapack
