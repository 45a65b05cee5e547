// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "copy_layout.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/same.hpp"
#include "daptor/builders.hpp"
#include "daptor/consistent.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/petsc/vec.hpp"
#include "daptor/redistribute.hpp"
#include "element_reasons.hpp"

namespace daptor::petsc {
namespace {

using detail::fault_point;
using detail::VecCopy;

std::int64_t digest(const CopyOptions& options) {
  return (options.flat ? 1 : 0) | (options.read_from_any ? 2 : 0) | (options.convert ? 4 : 0);
}

VecCopy proven_copy(const DistArray& array, const CopyOptions& options) {
  adapter::Reasons reasons = detail::copy_reasons("petsc.vec", array, options.convert);
  detail::count_reason("petsc.vec", "a global count", adapter::global_count(array.dimensions()),
                       reasons);
  adapter::require_none(std::move(reasons));
  adapter::require_memory(array);
  const VecCopy copy = *detail::vec_copy(array, options.flat);
  const PetscInt local = options.local_size;
  if (local == PETSC_DECIDE) return copy;
  if (local < 0) throw InvalidArgument("local_size", std::to_string(local), "0 or more");
  if (local % copy.block != 0)
    throw InvalidArgument(
        "local_size", std::to_string(local),
        "a multiple of the block size, " + std::to_string(copy.block) + ", or CopyOptions::flat");
  return copy;
}

/// Collective. The blocks of this process, for the given local sizes.
IndexRange given_blocks(const VecCopy& copy, Index local_size, const Comm& comm) {
  const Index blocks = local_size / copy.block;
  const Index start = comm->exclusive_sum(blocks);
  std::int64_t sum = blocks;
  comm->allreduce(&sum, 1, Reduction::sum);
  if (sum != copy.blocks)
    throw InvalidArgument(
        "local_size", "local sizes with the sum " + std::to_string(sum * copy.block),
        "the number of elements of the array, " + std::to_string(copy.blocks * copy.block));
  return {start, start + blocks};
}

/// Collective. The section of the Vec on this process.
std::vector<Dimension> agree_on_section(const DistArray& array, const Comm& comm,
                                        const CopyOptions& options, VecCopy& copy) {
  const bool given = options.local_size != PETSC_DECIDE;
  const auto minima = agreed_minima<4>(comm, [&]() -> std::array<std::int64_t, 4> {
    fault_point("petsc.copy_to_vec.check");
    detail::require_session();
    copy = proven_copy(array, options);
    return {digest(options), adapter::falling(digest(options)), given ? 1 : 0,
            adapter::falling(given ? 1 : 0)};
  });
  if (!adapter::same_on_all(minima[0], minima[1]) || !adapter::same_on_all(minima[2], minima[3]))
    adapter::refuse_different_options("copy_to_vec");
  const GridPosition line{comm.size(), comm.rank()};
  return given ? copy.dimensions(line, given_blocks(copy, options.local_size, comm))
               : copy.dimensions(line);
}

/// Collective. Checks a copy of the padded section on all ranks.
void agree_on_padded(const DistArray& array, const Comm& comm, const CopyOptions& options) {
  const auto minima = agreed_minima<2>(comm, [&]() -> std::array<std::int64_t, 2> {
    fault_point("petsc.copy_to_padded_vec.check");
    detail::require_session();
    if (options.local_size != PETSC_DECIDE)
      throw InvalidArgument("local_size", std::to_string(options.local_size),
                            "PETSC_DECIDE, because the copy is divided like the array");
    adapter::Reasons reasons = detail::copy_reasons("petsc.vec", array, options.convert);
    detail::count_reason("petsc.vec", "a local count", array.local_count(), reasons);
    adapter::require_none(std::move(reasons));
    adapter::require_memory(array);
    return {digest(options), adapter::falling(digest(options))};
  });
  if (!adapter::same_on_all(minima[0], minima[1]))
    adapter::refuse_different_options("copy_to_padded_vec");
}

RedistributionOptions way_of(const CopyOptions& options) {
  RedistributionOptions way;
  way.read_from_any = options.read_from_any;
  way.convert = options.convert;
  return way;
}

/// The same section, contiguous in C order, in the array's own version of the protocol.
DistArray gapless_copy(const DistArray& array) {
  const DataType scalar = DataType::of<PetscScalar>();
  const DistArray memory = allocate(scalar, {undistributed(array.local_count())});
  Buffer buffer(scalar, array.local_shape(),
                contiguous_strides(array.local_shape(), scalar.itemsize(), Order::c),
                memory.mutable_data(), false, memory.buffer().state());
  return {array.version(), std::move(buffer), array.dimensions()};
}

}  // namespace

ImportedVec copy_to_vec(const DistArray& array, const Comm& comm, const CopyOptions& options) {
  const CollectiveCall call(comm, "petsc::copy_to_vec");
  require_consistent(array, comm);
  VecCopy layout;
  const auto section = agree_on_section(array, comm, options, layout);
  const DistArray copy = agreed(comm, [&] {
    fault_point("petsc.copy_to_vec.allocate");
    return allocate<PetscScalar>(section);
  });
  redistribute(array, copy, comm, way_of(options));
  ImportedVec vec = import_vec(copy, comm);
  if (!layout.by_blocks && layout.block > 1)
    detail::collective(comm, "VecSetBlockSize", VecSetBlockSize, vec.get(),
                       detail::petsc_int(layout.block));
  return vec;
}

ImportedVec copy_to_padded_vec(const DistArray& array, const Comm& comm,
                               const CopyOptions& options) {
  const CollectiveCall call(comm, "petsc::copy_to_padded_vec");
  require_consistent(array, comm);
  agree_on_padded(array, comm, options);
  const DistArray copy = agreed(comm, [&] {
    fault_point("petsc.copy_to_padded_vec.allocate");
    return gapless_copy(array);
  });
  RedistributionOptions way = way_of(options);
  way.fill_padding = true;
  redistribute(array, copy, comm, way);
  VecOptions as;
  as.flat = options.flat;
  return import_padded_vec(copy, comm, as);
}

}  // namespace daptor::petsc
