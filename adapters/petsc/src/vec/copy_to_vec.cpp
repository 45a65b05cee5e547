// SPDX-License-Identifier: BSD-3-Clause
#include <string>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/copy.hpp"
#include "daptor/petsc/vec.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/without_padding.hpp"
#include "petsc/src/form/copy_layout.hpp"
#include "petsc/src/form/forms.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc {
namespace {

using detail::VecCopy;

VecCopy proven_copy(const Section& array, const CopyOptions& options) {
  adapter::Reasons reasons = detail::copy_reasons(detail::local_vec_form(), array, options.convert);
  adapter::count_reason(detail::local_vec_form(), "a global count",
                        adapter::global_count(array.dimensions()), reasons);
  const auto copy_layout = detail::vec_copy(array, options.flat);
  if (copy_layout)
    adapter::count_reason(detail::local_vec_form(), "a block size", copy_layout->block, reasons);
  adapter::require_none(std::move(reasons));
  adapter::require_memory(array);
  const VecCopy& copy = *copy_layout;
  const PetscInt local = options.local_size;
  if (local == PETSC_DECIDE) return copy;
  if (local < 0) throw InvalidArgument("local_size", std::to_string(local), "0 or more");
  if (local % copy.block != 0)
    throw InvalidArgument(
        "local_size", std::to_string(local),
        "a multiple of the block size, " + std::to_string(copy.block) + ", or " + names::flat);
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

void require_padded_copy(const Section& array, const CopyOptions& options) {
  if (options.local_size != PETSC_DECIDE)
    throw InvalidArgument("local_size", std::to_string(options.local_size),
                          "PETSC_DECIDE, because the copy is divided like the array");
  if (options.interior)
    throw InvalidArgument("interior",
                          "the interior in a copy of the whole section, with its padding",
                          "this option for a copy of the owned part");
  adapter::Reasons reasons = detail::copy_reasons(detail::local_vec_form(), array, options.convert);
  adapter::count_reason(detail::local_vec_form(), "a local count", array.local_count(), reasons);
  const Index block = options.flat ? 1 : adapter::block_size(array, Order::c);
  adapter::count_reason(detail::local_vec_form(), "a block size", block, reasons);
  adapter::require_none(std::move(reasons));
  adapter::require_memory(array);
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
  const Section memory = allocate(scalar, {undistributed(array.local_count())});
  Buffer buffer(scalar, array.local_shape(),
                contiguous_strides(array.local_shape(), scalar.itemsize(), Order::c),
                memory.mutable_data(), false, memory.buffer().state());
  return Section(array.version(), std::move(buffer), array.dimensions()).on(array.comm());
}

}  // namespace

ImportedVec copy_to_vec(const DistArray& array, const CopyOptions& options) {
  Call call(array, "petsc::copy_to_vec");
  const Comm& comm = call.comm();
  const bool given = options.local_size != PETSC_DECIDE;
  call.same("local_size", given);
  call.same("flat", options.flat);
  call.same("read_from_any", options.read_from_any);
  call.same("convert", options.convert);
  call.same("interior", options.interior);
  if (options.interior) {
    call.check();
    CopyOptions rest = options;
    rest.interior = false;
    return copy_to_vec(without_padding(array), rest);
  }
  const VecCopy layout = call.check([&] {
    detail::require_session();
    return proven_copy(array, options);
  });
  const GridPosition line{comm.size(), comm.rank()};
  const IndexRange blocks =
      given ? given_blocks(layout, options.local_size, comm) : even_block(layout.blocks, line);
  const DistArray copy =
      call.check([&] { return allocate<PetscScalar>(layout.dimensions(line, blocks)).on(comm); });
  redistribute(array, copy, way_of(options));
  ImportedVec vec = import_vec(copy);
  if (!layout.by_blocks && layout.block > 1)
    call.library(detail::Routine("VecSetBlockSize", VecSetBlockSize), vec.get(),
                 detail::petsc_int(layout.block));
  return vec;
}

ImportedVec copy_to_padded_vec(const DistArray& array, const CopyOptions& options) {
  Call call(array, "petsc::copy_to_padded_vec");
  call.same(options);
  const DistArray copy = call.check([&] {
    detail::require_session();
    require_padded_copy(array, options);
    return gapless_copy(array);
  });
  RedistributionOptions way = way_of(options);
  way.fill_padding = true;
  redistribute(array, copy, way);
  VecOptions as;
  as.flat = options.flat;
  return import_padded_vec(copy, as);
}

}  // namespace daptor::petsc
