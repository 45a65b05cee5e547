// SPDX-License-Identifier: BSD-3-Clause
#include "strided_content.hpp"

#include <cstdlib>
#include <new>
#include <utility>

#include <sundials/sundials_config.h>
namespace daptor::sundials::detail {
namespace {

void destroy_strided(N_Vector vector) {
  if (vector == nullptr) return;
  delete static_cast<StridedContent*>(vector->content);
  vector->content = nullptr;
  N_VFreeEmpty(vector);
}

/// Memory of its own in the layout of the array, with all padding and gaps.
DistArray on_own_memory(const DistArray& array) {
  const IndexRange span = array.buffer().byte_span();
  if (span.empty()) return array.with_memory(nullptr);
  const std::shared_ptr<void> memory(std::malloc(static_cast<std::size_t>(span.size())), std::free);
  if (memory == nullptr) throw std::bad_alloc();
  return array.with_memory(static_cast<void*>(static_cast<char*>(memory.get()) - span.start),
                           memory);
}

/// Null if memory runs out, as with SUNDIALS' own kinds.
N_Vector clone_of(N_Vector vector, bool with_memory) noexcept try {
  const StridedContent& of = strided(vector);
  StridedContent content{
      of.form, with_memory ? on_own_memory(of.array) : of.array.with_memory(nullptr), nullptr};
  content.values = static_cast<sunrealtype*>(const_cast<void*>(content.array.owned_data()));
  return make_strided(std::move(content), vector->sunctx);
} catch (...) {
  return nullptr;
}

N_Vector clone_strided(N_Vector vector) {
  return clone_of(vector, true);
}
N_Vector clone_empty_strided(N_Vector vector) {
  return clone_of(vector, false);
}

/// Numbers of reals and integers, for statistics.
void space_of_strided(N_Vector vector, sunindextype* reals, sunindextype* integers) {
  *reals = strided(vector).form->global_count;
  *integers = 0;
}

sunrealtype* pointer_of_strided(N_Vector vector) {
  return strided(vector).values;
}

#if SUNDIALS_VERSION_MAJOR >= 7
MPI_Comm communicator_of_strided(N_Vector vector) {
  return strided(vector).form->comm;
}
#else
void* communicator_of_strided(N_Vector vector) {
  return const_cast<MPI_Comm*>(&strided(vector).form->comm);
}
#endif

sunindextype length_of_strided(N_Vector vector) {
  return strided(vector).form->global_count;
}
sunindextype local_length_of_strided(N_Vector vector) {
  return strided(vector).form->local_count;
}

N_Vector_ID kind_of_strided(N_Vector /*vector*/) {
  return SUNDIALS_NVEC_CUSTOM;
}

void attach_management(N_Vector vector) {
  auto& operations = *vector->ops;
  operations.nvgetvectorid = kind_of_strided;
  operations.nvclone = clone_strided;
  operations.nvcloneempty = clone_empty_strided;
  operations.nvdestroy = destroy_strided;
  operations.nvspace = space_of_strided;
  // SUNDIALS' packages ask whether there is this operation before they use it.
  if (strided(vector).form->one_run) operations.nvgetarraypointer = pointer_of_strided;
  operations.nvgetcommunicator = communicator_of_strided;
  operations.nvgetlength = length_of_strided;
  operations.nvgetlocallength = local_length_of_strided;
}

}  // namespace

bool is_strided(N_Vector vector) {
  return vector->ops->nvdestroy == destroy_strided;
}

N_Vector make_strided(StridedContent content, SUNContext context) noexcept {
  auto* const kept = new (std::nothrow) StridedContent(std::move(content));
  const N_Vector vector = kept == nullptr ? nullptr : N_VNewEmpty(context);
  if (vector == nullptr) {
    delete kept;
    return nullptr;
  }
  vector->content = kept;
  attach_management(vector);
  attach_arithmetic(vector);
  return vector;
}

}  // namespace daptor::sundials::detail
