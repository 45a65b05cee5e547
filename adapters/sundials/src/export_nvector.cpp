// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nvector/nvector_mpiplusx.h>
#include <nvector/nvector_parallel.h>

#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/followed_memory.hpp"
#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/buffer.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/sundials/nvector.hpp"
#include "names.hpp"
#include "strided_content.hpp"

namespace daptor::sundials {
namespace {

/// What an N_Vector says of itself on this process.
struct Native {
  MPI_Comm comm = MPI_COMM_NULL;  ///< null for a kind that is on one process
  Index local_count = 0;
  sunrealtype* data = nullptr;  ///< null without elements
};

/// The local N_Vector of one of kind MPIPlusX. Its content is read without a call of SUNDIALS'
/// library for that kind, which need not be linked.
N_Vector local_vector(N_Vector vector) {
  return static_cast<N_VectorContent_MPIPlusX>(vector->content)->subvec_array[0];
}

bool is_local(N_Vector vector) {
  const N_Vector_ID kind = N_VGetVectorID(vector);
  return kind == SUNDIALS_NVEC_SERIAL || kind == SUNDIALS_NVEC_OPENMP ||
         kind == SUNDIALS_NVEC_PTHREADS;
}

[[noreturn]] void refuse_kind(N_Vector vector, const char* expected) {
  throw NotRepresentable(adapter::reason(
      "sundials.nvector.kind",
      "an N_Vector of kind " + std::to_string(static_cast<int>(N_VGetVectorID(vector))) +
          " (N_Vector_ID)",
      expected,
      "Export the vector of the library behind it instead, as N_VGetVector_Petsc returns it, or "
      "the "
      "parts of a ManyVector."));
}

void require_vector(N_Vector vector) {
  if (vector == nullptr)
    adapter::refuse_argument("sundials.nvector.null", "a null N_Vector", "an N_Vector");
}

MPI_Comm communicator_of(N_Vector vector) {
  require_vector(vector);
  switch (N_VGetVectorID(vector)) {
    case SUNDIALS_NVEC_PARALLEL:
      return static_cast<N_VectorContent_Parallel>(vector->content)->comm;
    case SUNDIALS_NVEC_MPIPLUSX:
      if (is_local(local_vector(vector)))
        return static_cast<N_VectorContent_MPIPlusX>(vector->content)->comm;
      refuse_kind(local_vector(vector), "a serial, OpenMP or Pthreads one inside of MPIPlusX");
    default:
      refuse_kind(vector, "an N_Vector of kind parallel, or MPIPlusX over a serial one");
  }
}

Native read(N_Vector vector) {
  require_vector(vector);
  Native native;
  if (is_local(vector)) {
    native.local_count = N_VGetLength(vector);
  } else {
    native.comm = communicator_of(vector);
    native.local_count = N_VGetVectorID(vector) == SUNDIALS_NVEC_PARALLEL
                             ? N_VGetLocalLength_Parallel(vector)
                             : N_VGetLength(local_vector(vector));
  }
  if (native.local_count == 0) return native;
  native.data = N_VGetArrayPointer(vector);
  if (native.data == nullptr)
    adapter::refuse_argument("sundials.nvector.memory", "an N_Vector without memory",
                             "one with memory for its elements",
                             "Give it memory by N_VSetArrayPointer first.");
  return native;
}

/// The elements of the N_Vector without gaps, in these dimensions, which have no padding that is
/// not in it.
Section section_of(N_Vector vector, const Native& native, Version version,
                   std::vector<Dimension> dimensions, Order order) {
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  std::vector<Index> strides = contiguous_strides(shape, sizeof(sunrealtype), order);
  Buffer buffer(DataType::of<sunrealtype>(), std::move(shape), std::move(strides), native.data,
                false, adapter::followed_memory([vector] { return N_VGetArrayPointer(vector); }));
  return Section(version, std::move(buffer), std::move(dimensions));
}

void require_like(const Native& native, const DistArray& like) {
  if (like.type() != DataType::of<sunrealtype>())
    throw NotRepresentable(
        adapter::reason("sundials.nvector.type", "elements of type " + like.type().name(),
                        DataType::of<sunrealtype>().name() + ", SUNDIALS' sunrealtype",
                        "Pass an array that has the type of the N_Vector."));
  if (native.local_count != like.owned_count())
    adapter::refuse_argument(
        "sundials.nvector.length",
        "an N_Vector of " + std::to_string(native.local_count) + " elements on this process",
        std::to_string(like.owned_count()) + ", as many as the process owns of the array",
        "Pass the array from which the N_Vector was made.");
  if (native.comm != MPI_COMM_NULL &&
      !adapter::same_processes(native.comm, like.comm()->original()))
    adapter::refuse_argument("sundials.nvector.communicator",
                             "an N_Vector on other processes than the array, or in another order",
                             "the same processes in the same order",
                             "Pass the array from which the N_Vector was made.");
}

bool is_own(N_Vector vector) {
  return vector != nullptr && detail::is_strided(vector);
}

Section own_like(N_Vector vector, const DistArray& like) {
  const DistArray& array = detail::strided(vector).array;
  if (!array.same_layout(like))
    adapter::refuse_argument("sundials.nvector.layout",
                             "an N_Vector of " + names::use_strided + " in another layout",
                             "the dimensions and strides of the array",
                             "Pass the array from which the N_Vector was made.");
  return array;
}

Section describe_like(N_Vector vector, const DistArray& like) {
  like.defect().raise();
  if (is_own(vector)) return own_like(vector, like);
  const Native native = read(vector);
  require_like(native, like);
  std::vector<Dimension> dimensions = like.dimensions();
  for (Dimension& dimension : dimensions) dimension = adapter::owned_only(dimension);
  return section_of(vector, native, like.version(), std::move(dimensions),
                    adapter::memory_order(like).first());
}

}  // namespace

DistArray export_nvector(N_Vector vector) {
  if (is_own(vector)) return detail::strided(vector).array;
  Call call(communicator_of(vector), "sundials::export_nvector");
  const Comm& comm = call.comm();
  const Native native = call.check([&] { return read(vector); });
  const Index start = comm->exclusive_sum(native.local_count);
  return call.check([&] {
    const IndexRange owned{start, start + native.local_count};
    return section_of(vector, native, protocol_0_9,
                      {block(N_VGetLength(vector), {comm.size(), comm.rank()}, owned)}, Order::c)
        .on(comm);
  });
}

DistArray export_nvector(N_Vector vector, const DistArray& like) {
  if (!like.has_comm()) return {};
  return deferred([&] { return describe_like(vector, like); },
                  [](Defect defect) { return Section(std::move(defect)); })
      .on(like.comm());
}

}  // namespace daptor::sundials
