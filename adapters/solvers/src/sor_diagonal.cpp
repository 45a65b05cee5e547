// SPDX-License-Identifier: BSD-3-Clause
#include "sor_diagonal.hpp"

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "diagonal.hpp"
#include "vec_access.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::Guard;
using petsc::detail::object;

bool is_any(const std::string& type, std::initializer_list<const char*> names) {
  return std::any_of(names.begin(), names.end(), [&](const char* name) { return type == name; });
}

/// The value of an option of an object, or `otherwise`. PETSc finds `-mg_levels_pc_type` for the
/// prefix `mg_levels_1_` too.
std::string option(PetscObject of, const std::string& prefix, const char* name,
                   const std::string& otherwise) {
  PetscOptions database = nullptr;
  call("PetscObjectGetOptions", PetscObjectGetOptions, of, &database);
  char value[256] = {};
  PetscBool given = PETSC_FALSE;
  call("PetscOptionsGetString", PetscOptionsGetString, database, prefix.c_str(), name, value,
       sizeof value, &given);
  return given == PETSC_TRUE ? value : otherwise;
}

/// This process's rows with its own columns; null if the matrix has no such part.
Mat own_block(Mat matrix) {
  PetscBool has = PETSC_FALSE;
  PetscMPIInt size = 1;
  MPI_Comm_size(PetscObjectComm(object(matrix)), &size);
  if (size == 1) return matrix;
  call("MatHasOperation", MatHasOperation, matrix, MATOP_GET_DIAGONAL_BLOCK, &has);
  Mat block = nullptr;
  if (has == PETSC_TRUE) call("MatGetDiagonalBlock", MatGetDiagonalBlock, matrix, &block);
  return block;
}

std::vector<Index> rows_of_zeros(Mat block) {
  Guard<Vec> diagonal;
  call("MatCreateVecs", MatCreateVecs, block, nullptr, diagonal.out());
  call("MatGetDiagonal", MatGetDiagonal, block, diagonal.get());
  PetscInt count = 0;
  call("VecGetLocalSize", VecGetLocalSize, diagonal.get(), &count);
  const ReadArray open(diagonal.get(), count);
  std::vector<Index> rows;
  for (PetscInt i = 0; i < count; ++i)
    if (open.data()[i] == PetscScalar(0)) rows.push_back(i);
  return rows;
}

/// Whether a sweep works all the same: over blocks of rows with the same columns, or with a shift.
bool can_sweep(Mat block, PetscReal shift) {
  PetscBool missing = PETSC_FALSE;
  call("MatMissingDiagonal", MatMissingDiagonal, block, &missing, nullptr);
  if (missing == PETSC_TRUE) return false;
  Guard<Vec> x, b;
  call("MatCreateVecs", MatCreateVecs, block, x.out(), b.out());
  const petsc::detail::QuietErrors quiet;
  const auto once = static_cast<MatSORType>(SOR_FORWARD_SWEEP | SOR_ZERO_INITIAL_GUESS);
  return static_cast<int>(MatSOR(block, b.get(), 1, once, shift, 1, 1, x.get())) == 0;
}

/// The rows of this process over which SOR cannot sweep.
std::vector<Index> dead_rows(const Sweeping& sweeping) {
  if (!is_any(sweeping.type, {PCSOR, PCEISENSTAT})) return {};
  Mat block = own_block(sweeping.matrix);
  if (block == nullptr) return {};
  PetscBool has = PETSC_FALSE;
  call("MatHasOperation", MatHasOperation, block, MATOP_SOR, &has);
  if (has != PETSC_TRUE) return {};
  std::vector<Index> rows = rows_of_zeros(block);
  if (!rows.empty() && can_sweep(block, sweeping.shift)) rows.clear();
  return rows;
}

}  // namespace

Sweeping sweeping_of(PC pc) {
  Sweeping found;
  const char* type = nullptr;
  const char* start = nullptr;
  call("PCGetOperators", PCGetOperators, pc, nullptr, &found.matrix);
  call("PCGetType", PCGetType, pc, &type);
  call("PCGetOptionsPrefix", PCGetOptionsPrefix, pc, &start);
  std::string prefix = start == nullptr ? "" : start;
  found.type = option(object(pc), prefix, "-pc_type", type == nullptr ? "" : type);
  if (is_any(found.type, {PCBJACOBI, PCASM})) {
    prefix += "sub_";
    found.type = option(object(pc), prefix, "-pc_type", PCILU);
  }
  const std::string shift = option(object(pc), prefix, "-pc_sor_diagonal_shift", "0");
  found.shift = PetscReal(std::strtod(shift.c_str(), nullptr));
  return found;
}

void require_sor_diagonal(const Sweeping& sweeping, const std::string& place, const char* instead,
                          Call& call) {
  std::vector<Index> rows;
  Agreed<bool> none;
  PetscInt first = 0;
  call.check([&] {
    if (sweeping.matrix != nullptr) {
      petsc::detail::call("MatGetOwnershipRange", MatGetOwnershipRange, sweeping.matrix, &first,
                          nullptr);
      rows = dead_rows(sweeping);
    }
    none = call.all(rows.empty());
  });
  if (none) return;
  auto all = static_cast<std::int64_t>(rows.size());
  call.comm()->allreduce(&all, 1, Reduction::sum);
  call.check([&] { refuse_rows_without_diagonal(place, rows, Index{first}, all, instead); });
}

}  // namespace daptor::solvers
