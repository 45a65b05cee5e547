// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <utility>
#include <vector>

#include "daptor/adapter/order.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/fortran.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/plugin.hpp"
#include "entries.hpp"
#include "options.hpp"

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

/// Collective over the array's communicator. If each process has one block, its memory is in C
/// order and in Fortran order alike, and `import_vec` takes it to be in C order. In Fortran the
/// first dimension varies fastest, on any number of processes.
void set_block_size(Vec vec, const DistArray& array) {
  if (array.ndim() < 2 || array.dimensions().front().as<Undistributed>() == nullptr) return;
  std::int64_t columns = adapter::local_run(array).fortran ? 1 : 0;
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

}  // namespace
}  // namespace daptor::petsc::fortran_vec

namespace daptor::fortran {

using namespace daptor::petsc::fortran_vec;

void import_vec(Handle array, std::int64_t& x, const daptor_fortran_argument* arguments) {
  const auto from = found_for("daptor_import_vec", [&] { return array_of(array); });
  const Call here(from->array.comm(), "daptor_import_vec");
  const auto options = options_of<petsc::VecOptions>(arguments, petsc::vec_arguments);
  const petsc::ImportedVec imported = petsc::import_vec(from->array, options);
  if (!options.flat) set_block_size(imported.get(), imported.array());
  x = handed_over(imported);
}

void import_local_vec(Handle array, std::int64_t& x, const daptor_fortran_argument* arguments) {
  const auto from = found_for("daptor_import_local_vec", [&] { return array_of(array); });
  const Call here(from->array.comm(), "daptor_import_local_vec");
  const auto options = options_of<petsc::VecOptions>(arguments, petsc::local_vec_arguments);
  x = handed_over(petsc::import_padded_vec(from->array, options));
}

void export_vec(std::int64_t vec, const daptor_fortran_argument* arguments, Handle& array) {
  constexpr const char* name = "daptor_export_vec";
  Vec x = found_for(name, [&] { return vec_of(vec); });
  MPI_Comm mpi = MPI_COMM_NULL;
  petsc::detail::check(PetscObjectGetComm(petsc::detail::object(x), &mpi), "PetscObjectGetComm");
  Call here(Comm(mpi), name);
  const auto options = options_of<petsc::VecExportOptions>(arguments, petsc::export_arguments);
  const DistArray described = here.check([&] { return reversed(petsc::export_vec(x, options)); });
  std::vector<Index> first(static_cast<std::size_t>(described.ndim()), 1);
  hold(Array{described, std::move(first)}, &array);
}

void load_plugin() {
  petsc::load_plugin();
}

}  // namespace daptor::fortran
