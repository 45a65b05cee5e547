// SPDX-License-Identifier: BSD-3-Clause
#include "native.hpp"

#include <string>

#include <nvector/nvector_mpiplusx.h>
#include <nvector/nvector_parallel.h>

#include "daptor/adapter/reason.hpp"

namespace daptor::sundials::detail {
namespace {

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

}  // namespace

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

}  // namespace daptor::sundials::detail
