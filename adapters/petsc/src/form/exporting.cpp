// SPDX-License-Identifier: BSD-3-Clause
#include "exporting.hpp"

#include <algorithm>
#include <utility>

#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/adapter/producer.hpp"
#include "petsc/src/native/attachment.hpp"
#include "petsc/src/native/device_memory.hpp"
#include "petsc/src/native/locks.hpp"
#include "petsc/src/native/names.hpp"

namespace daptor::petsc::detail {
namespace {

std::string type_of(Vec vec) {
  VecType type = nullptr;
  call("VecGetType", VecGetType, vec, &type);
  return type == nullptr ? "" : type;
}

std::optional<IndexRange> owned_range(const Dimension& dimension) {
  if (const auto* form = dimension.as<Block>()) return form->owned;
  if (dimension.as<Undistributed>() != nullptr) return IndexRange{0, dimension.global_size()};
  return std::nullopt;
}

/// Whether the dimension has no communication padding, and this process owns this range of it.
bool is_range(const Dimension& dimension, Index global_size, GridPosition grid, IndexRange owned) {
  return owned_range(dimension) == owned && dimension.global_size() == global_size &&
         dimension.grid() == grid && dimension.communication_padding() == Padding{};
}

/// `array` (or, if not `whole`, its owned part) on the memory that was placed under the Vec.
DistArray on_other_memory(const DistArray& array, Vec vec, bool whole, const void* memory,
                          bool readonly) {
  std::vector<Dimension> dimensions = array.dimensions();
  std::vector<Index> shape = array.local_shape();
  if (!whole) {
    shape = array.owned_shape();
    for (Dimension& dimension : dimensions) dimension = adapter::owned_only(dimension);
  }
  Buffer buffer(array.type(), std::move(shape), array.byte_strides(), const_cast<void*>(memory),
                readonly || lock_depth(vec) > 0, state_of(vec, memory));
  return Section(array.version(), std::move(buffer), std::move(dimensions)).on(array.comm());
}

}  // namespace

bool is_device_type(const std::string& type) {
  for (const char* device : {"cuda", "hip", "kokkos", "viennacl"})
    if (type.find(device) != std::string::npos) return true;
  return false;
}

/// Whether PETSc says where the values of a Vec are, and gives their address there: those of
/// ViennaCL have no address, and those of Kokkos do not say.
bool says_where_values_are(const std::string& type) {
  for (const char* known : {VECSEQCUDA, VECMPICUDA, VECSEQHIP, VECMPIHIP})
    if (type == known) return true;
  return false;
}

void require_exportable(Vec vec) {
  require_session();
  if (vec == nullptr) throw InvalidArgument("vec", "a null Vec", "a Vec");
  const std::string type = type_of(vec);
  if (type.empty())
    throw InvalidArgument("vec", "a Vec without a type",
                          "a Vec that is set up (" + names::function("VecSetType") + ")");
  const bool on_device = says_where_values_are(type);
  if (is_device_type(type) && !on_device)
    throw NotRepresentable(adapter::reason(
        "petsc.vec.device", "a Vec of type '" + type + "', whose values are on a device",
        "values in memory that the host can reach, or a Vec of CUDA or HIP",
        "Copy it to a Vec of type 'standard' first (" + names::function("VecCopy") + ")."));
  if (!on_device && type != VECSEQ && type != VECMPI && type != VECSHARED)
    throw NotRepresentable(
        adapter::reason("petsc.vec.kind", "a Vec of type '" + type + "'",
                        "a Vec of type 'seq', 'mpi' or 'shared', with one array per process",
                        "Export its parts, or copy it to a Vec of type 'standard'."));
  if (lock_depth(vec) < 0)
    throw InvalidArgument("vec", "a Vec that is locked for writing", names::no_write_lock);
}

GridPosition line_of_ranks(PetscObject object) {
  const MPI_Comm comm = PetscObjectComm(object);
  int size = 1;
  int rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  return {size, rank};
}

std::vector<Dimension> NativeLayout::dimensions() const {
  std::vector<Dimension> dimensions{block(global_size, grid, owned)};
  if (whole) dimensions.push_back(undistributed(*whole));
  return dimensions;
}

bool says_the_same(const Section& array, const NativeLayout& layout) {
  const std::size_t ndim = layout.whole ? 2 : 1;
  const auto& dimensions = array.dimensions();
  if (dimensions.size() != ndim ||
      !is_range(dimensions[0], layout.global_size, layout.grid, layout.owned))
    return false;
  if (layout.whole && !is_range(dimensions[1], *layout.whole, {}, {0, *layout.whole})) return false;
  const auto& strides = array.byte_strides();
  return array.local_count() == 0 ||
         std::equal(strides.begin(), strides.end(), layout.byte_strides.begin());
}

bool says_the_same_as_vec(const Section& array, GridPosition grid, Index block) {
  if (array.dimensions().empty()) return false;
  const Dimension& rows = array.dimensions().front();
  // Blocks on a line of all ranks were proven to follow each other, as those of a Vec do.
  const std::optional<IndexRange> owned = owned_range(rows);
  if (!owned) return false;
  constexpr auto itemsize = static_cast<Index>(sizeof(PetscScalar));
  return says_the_same(array, {rows.global_size(),
                               grid,
                               *owned,
                               block > 1 ? std::optional<Index>(block) : std::nullopt,
                               {itemsize * block, itemsize}});
}

Section describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly) {
  const Values values = newest_values(vec);
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  std::vector<Index> strides = contiguous_strides(shape, sizeof(PetscScalar), Order::c);
  // From here on, the read-only flag says whether the memory may be written.
  Buffer buffer(DataType::of<PetscScalar>(), std::move(shape), std::move(strides),
                const_cast<void*>(values.memory), readonly || lock_depth(vec) > 0,
                state_of(vec, values), values.space);
  return Section(protocol_0_9, std::move(buffer), std::move(dimensions));
}

DistArray as_imported(PetscObject object, const NativeLayout& layout, const Section& exported) {
  const Attachment* const attachment = Attachment::of(object);
  if (attachment == nullptr || !attachment->says_the_same()) return exported.on(comm_of(object));
  const DistArray& source = attachment->array();
  // The block size may have changed since the import, on all ranks.
  if (!says_the_same(source, layout)) return exported.on(source.comm());
  if (!attachment->lies_at(exported.data()))
    return Section(source.version(), exported.buffer(), source.dimensions()).on(source.comm());
  return exported.readonly() || attachment->locked() ? source.as_readonly() : source;
}

namespace {

DistArray array_of(const Attachment& attachment, Vec vec, bool whole, bool readonly) {
  const DistArray& source = attachment.array();
  const void* const memory = memory_of(vec);
  if (!attachment.lies_at(memory)) return on_other_memory(source, vec, whole, memory, readonly);
  return readonly || attachment.locked() ? source.as_readonly() : source;
}

}  // namespace

std::optional<DistArray> dmda_array(DM dm, Vec vec, bool readonly) {
  const Attachment* const attachment = Attachment::of(object(vec));
  if (attachment == nullptr || !attachment->is_vector_of(id_of(object(dm)))) return std::nullopt;
  PetscInt count = 0;
  call("VecGetLocalSize", VecGetLocalSize, vec, &count);
  return array_of(*attachment, vec, count == attachment->array().local_count(), readonly);
}

std::optional<DistArray> ghosted_array(Vec vec, bool readonly) {
  const Attachment* const attachment = Attachment::of(object(vec));
  if (attachment == nullptr || !attachment->ghosted()) return std::nullopt;
  return array_of(*attachment, vec, true, readonly);
}

}  // namespace daptor::petsc::detail
