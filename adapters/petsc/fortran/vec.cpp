// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/fortran.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/vec.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::petsc::fortran_vec {
namespace {

using detail::check;

/// The Vec for which a type(tVec) stands. If no Vec was created, or it was destroyed, the
/// type(tVec) holds 0 or a small negative number.
Vec vec_of(std::int64_t object) {
  constexpr std::int64_t lowest_mark = -16;
  if (object >= lowest_mark && object <= 0)
    throw InvalidArgument("x", "a Vec that was not created, or was destroyed", "a Vec");
  // PETSc's own Fortran interface keeps the pointer in this integer.
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<Vec>(static_cast<std::intptr_t>(object));
}

/// Whether the section is stored in Fortran order, apart from communication padding in the last
/// dimension.
bool in_column_order(const Section& array) {
  auto expected = static_cast<Index>(array.type().itemsize());
  for (std::size_t d = 0; d < array.local_shape().size(); ++d) {
    const Index extent = array.local_shape()[d];
    if (extent == 0) return true;
    if (extent > 1 && array.byte_strides()[d] != expected) return false;
    expected *= extent;
  }
  return true;
}

/// Collective over the array's communicator. If each process has one block, its memory is in C
/// order and in Fortran order alike, and `import_vec` takes it to be in C order. In Fortran the
/// first dimension varies fastest, on any number of processes.
void set_block_size(Vec vec, const DistArray& array) {
  if (array.ndim() < 2 || array.dimensions().front().as<Undistributed>() == nullptr) return;
  std::int64_t columns = in_column_order(array) ? 1 : 0;
  array.comm()->allreduce(&columns, 1, Reduction::min);
  const auto block = static_cast<PetscInt>(array.dimensions().front().global_size());
  PetscInt present = 0;
  check(VecGetBlockSize(vec, &present), "VecGetBlockSize");
  if (columns == 1 && block > 0 && present != block)
    check(VecSetBlockSize(vec, block), "VecSetBlockSize");
}

/// The Vec of `imported`; the caller owns a reference to it.
std::int64_t handed_over(const ImportedVec& imported) {
  Vec vec = imported.get();
  check(PetscObjectReference(detail::object(vec)), "PetscObjectReference");
  return static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(vec));
}

VecOptions options_of(std::int32_t flags) {
  VecOptions options;
  options.flat = (flags & 1) != 0;
  options.readonly = (flags & 2) != 0;
  options.trust_readonly = (flags & 4) != 0;
  options.allow_overlap = (flags & 8) != 0;
  options.local_to_global = (flags & 16) != 0;
  options.ghosts = (flags & 32) != 0;
  options.interior = (flags & 64) != 0;
  return options;
}

template <class T>
std::vector<T> reversed(std::vector<T> list) {
  std::reverse(list.begin(), list.end());
  return list;
}

/// The same array with its dimensions in Fortran's order: the fastest varying one comes first.
DistArray in_fortran_order(const DistArray& array) {
  if (array.ndim() < 2) return array;
  const Buffer& buffer = array.buffer();
  // The read-only flag is kept.
  Buffer turned(buffer.type(), reversed(array.local_shape()), reversed(array.byte_strides()),
                const_cast<void*>(buffer.data()), buffer.readonly(), buffer.state(),
                buffer.space());
  return Section(array.version(), std::move(turned), reversed(array.dimensions())).on(array.comm());
}

}  // namespace
}  // namespace daptor::petsc::fortran_vec

using namespace daptor::petsc::fortran_vec;

extern "C" {

/// Collective over the array's communicator. `local` asks for the whole section, as a sequential
/// Vec.
int daptor_fortran_import_vec(Handle array, std::int32_t flags, std::int32_t local,
                              std::int64_t* vec) {
  return call([&] {
    const char* const name = local != 0 ? "daptor_import_local_vec" : "daptor_import_vec";
    const auto from = found_for(name, [&] { return array_of(array); });
    const Call here(from->array.comm(), name);
    const petsc::VecOptions options = options_of(flags);
    const petsc::ImportedVec imported = local != 0 ? petsc::import_padded_vec(from->array, options)
                                                   : petsc::import_vec(from->array, options);
    if (local == 0 && !options.flat) set_block_size(imported.get(), imported.array());
    *vec = handed_over(imported);
  });
}

/// Collective over the communicator of the Vec.
int daptor_fortran_export_vec(std::int64_t vec, std::int32_t ghosts, std::int32_t readonly,
                              Handle* array) {
  return call([&] {
    constexpr const char* name = "daptor_export_vec";
    Vec x = found_for(name, [&] { return vec_of(vec); });
    MPI_Comm mpi = MPI_COMM_NULL;
    check(PetscObjectGetComm(petsc::detail::object(x), &mpi), "PetscObjectGetComm");
    Call here(Comm(mpi), name);
    petsc::VecExportOptions options;
    options.ghosts = ghosts != 0;
    options.readonly = readonly != 0;
    const DistArray described =
        here.check([&] { return in_fortran_order(petsc::export_vec(x, options)); });
    std::vector<Index> first(static_cast<std::size_t>(described.ndim()), 1);
    hold(Array{described, std::move(first)}, array);
  });
}
}
