#include "copy_matrix_origin.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <Tpetra_Map.hpp>

#include "daptor/error.hpp"
#include "daptor/tpetra/imported.hpp"
#include "petsc/src/call.hpp"
#include "tpetra/src/finding.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using petsc::detail::object;
using Holder = std::shared_ptr<MatrixOrigin>;

constexpr const char* key = "daptor.matrix";

PetscErrorCode set_destroy(PetscContainer container) {
  return PetscContainerSetUserDestroy(container, [](void* holder) {
    delete static_cast<Holder*>(holder);
    return PetscErrorCode{};
  });
}

void compose(Mat mat, PetscContainer container) {
  call("PetscObjectCompose", PetscObjectCompose, object(mat), key, object(container));
}

}  // namespace

void CrsArrays::make_starts(std::size_t rows) {
  starts.reset(new PetscInt[rows + 1]);
  starts[0] = 0;
}

void CrsArrays::make_entries(std::size_t rows) {
  // Not initialized: every element is written before it is read.
  const std::size_t entries = std::max<std::size_t>(static_cast<std::size_t>(starts[rows]), 1);
  columns.reset(new PetscInt[entries]);
  values.reset(new PetscScalar[entries]);
}

void CrsArrays::reorder_row(std::size_t row) {
  std::vector<std::pair<PetscInt, PetscScalar>> entries;
  const auto begin = static_cast<std::size_t>(starts[row]);
  const auto end = static_cast<std::size_t>(starts[row + 1]);
  for (std::size_t e = begin; e < end; ++e) entries.emplace_back(columns[e], values[e]);
  std::sort(entries.begin(), entries.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t e = begin; e < end; ++e) {
    std::tie(columns[e], values[e]) = entries[e - begin];
    if (e > begin && columns[e] == columns[e - 1])
      throw InvalidArgument(Report({tpetra::make_finding(
          "matrix.duplicate",
          "local row " + std::to_string(row) + " with two entries in one column",
          "each column once in a row", "Let fillComplete merge them.")}));
  }
}

MatrixOrigin::~MatrixOrigin() {
  if (column_map.is_null() || tpetra::detail::kokkos_running()) return;
  tpetra::detail::keep_forever(
      std::make_shared<Teuchos::RCP<const Tpetra::Map<>>>(std::move(column_map)));
}

void keep_with(Mat mat, const std::shared_ptr<MatrixOrigin>& origin) {
  PetscContainer container = nullptr;
  call("PetscContainerCreate", PetscContainerCreate, PETSC_COMM_SELF, &container);
  try {
    auto holder = std::make_unique<Holder>(origin);
    call("PetscContainerSetUserDestroy", set_destroy, container);
    call("PetscContainerSetPointer", PetscContainerSetPointer, container,
         static_cast<void*>(holder.get()));
    static_cast<void>(holder.release());  // the container owns it now
    compose(mat, container);
    PetscBool parallel = PETSC_FALSE;
    call("PetscObjectBaseTypeCompare", PetscObjectBaseTypeCompare, object(mat), MATMPIAIJ,
         &parallel);
    if (parallel == PETSC_TRUE) {
      Mat own = nullptr;
      Mat other = nullptr;
      call("MatMPIAIJGetSeqAIJ", MatMPIAIJGetSeqAIJ, mat, &own, &other, nullptr);
      compose(own, container);
      compose(other, container);
    }
  } catch (...) {
    static_cast<void>(PetscContainerDestroy(&container));
    throw;
  }
  call("PetscContainerDestroy", PetscContainerDestroy, &container);
}

MatrixOrigin* origin_of(Mat mat) {
  PetscObject found = nullptr;
  call("PetscObjectQuery", PetscObjectQuery, object(mat), key, &found);
  if (found == nullptr) return nullptr;
  void* holder = nullptr;
  call("PetscContainerGetPointer", PetscContainerGetPointer,
       reinterpret_cast<PetscContainer>(found), &holder);
  return static_cast<Holder*>(holder)->get();
}

}  // namespace daptor::solvers
