#include "exporting.hpp"

#include "attachment.hpp"
#include "call.hpp"
#include "daptor/builders.hpp"
#include "producer.hpp"
#include "section.hpp"

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

bool same_dimension(const Dimension& a, const Dimension& b) {
  const auto range = owned_range(a);
  return range && range == owned_range(b) && a.global_size() == b.global_size() &&
         a.grid() == b.grid() && a.communication_padding() == b.communication_padding();
}

bool same_section(const DistArray& a, const DistArray& b) {
  if (a.ndim() != b.ndim() || a.type() != b.type() || a.data() != b.data()) return false;
  if (a.local_shape() != b.local_shape() || a.byte_strides() != b.byte_strides()) return false;
  for (int d = 0; d < a.ndim(); ++d)
    if (!same_dimension(a.dimension(d), b.dimension(d))) return false;
  return true;
}

}  // namespace

bool is_device_type(const std::string& type) {
  for (const char* device : {"cuda", "hip", "kokkos", "viennacl"})
    if (type.find(device) != std::string::npos) return true;
  return false;
}

void require_exportable(Vec vec) {
  require_session();
  if (vec == nullptr) throw InvalidArgument("vec", "a null Vec", "a Vec");
  const std::string type = type_of(vec);
  if (type.empty())
    throw InvalidArgument("vec", "a Vec without a type", "a Vec that is set up (VecSetType)");
  if (is_device_type(type))
    throw NotRepresentable(reason("vec.device-memory", -1,
                                  "a Vec of type '" + type + "', whose values are on a device",
                                  "values in memory that the host reaches",
                                  "Copy it to a Vec of type 'standard' first (VecCopy)."));
  if (type != VECSEQ && type != VECMPI && type != VECSHARED)
    throw NotRepresentable(reason("vec.type", -1, "a Vec of type '" + type + "'",
                                  "type 'seq', 'mpi' or 'shared', with one array a process",
                                  "Export its parts, or copy it to a Vec of type 'standard'."));
  if (lock_depth(vec) < 0)
    throw InvalidArgument("vec", "a Vec that is locked for writing",
                          "a Vec that nobody is writing (VecLockWriteSet)");
}

GridPosition line_of_ranks(PetscObject object) {
  const MPI_Comm comm = PetscObjectComm(object);
  int size = 1;
  int rank = 0;
  MPI_Comm_size(comm, &size);
  MPI_Comm_rank(comm, &rank);
  return {size, rank};
}

DistArray describe_vec(Vec vec, std::vector<Dimension> dimensions, bool readonly) {
  const void* const memory = memory_of(vec);
  std::vector<Index> shape;
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  const DataType type = DataType::of<PetscScalar>();
  std::vector<Index> strides = contiguous_strides(shape, type.itemsize(), Order::c);
  // Whether it may be written is what the read-only flag says from here on.
  Buffer buffer(type, std::move(shape), std::move(strides), const_cast<void*>(memory),
                readonly || lock_depth(vec) > 0, state_of(vec, memory));
  return DistArray(protocol_0_9, std::move(buffer), std::move(dimensions));
}

std::optional<DistArray> imported_from(PetscObject object, const void* memory) {
  const Attachment* const attachment = Attachment::of(object);
  if (attachment == nullptr || attachment->pointer() != memory) return std::nullopt;
  return attachment->locked() ? attachment->array().as_readonly() : attachment->array();
}

DistArray as_imported(PetscObject object, DistArray exported) {
  const auto source = imported_from(object, exported.data());
  if (!source || !same_section(*source, exported)) return exported;
  return exported.readonly() ? source->as_readonly() : *source;
}

}  // namespace daptor::petsc::detail
