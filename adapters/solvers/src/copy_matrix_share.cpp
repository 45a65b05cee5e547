// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <Tpetra_CrsMatrix.hpp>

#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/petsc/adapter/row_arrays.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/crs_rows.hpp"
#include "daptor/tpetra/adapter/foreign_values.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/norm.hpp"
#include "layout_map.hpp"
#include "local_rows.hpp"
#include "log.hpp"
#include "names.hpp"

namespace daptor::solvers {

/// A reference to a Mat of type `seqaij` whose values are in use.
class HeldBlock {
 public:
  explicit HeldBlock(Mat block) : session_(petsc::detail::require_session()), block_(block) {
    values_ = values();
    petsc::detail::call("PetscObjectReference", PetscObjectReference,
                        petsc::detail::object(block_));
  }
  HeldBlock(const HeldBlock&) = delete;
  HeldBlock& operator=(const HeldBlock&) = delete;
  ~HeldBlock() {
    if (petsc::detail::alive(session_)) {
      static_cast<void>(MatDestroy(&block_));
    } else {
      petsc::detail::note_outlived();
    }
  }

  /// Throws Stale if the Mat has got other memory for its values.
  void require_unmoved() const {
    if (!petsc::detail::alive(session_) || values() == values_) return;
    throw Stale(
        "a Mat whose values have moved since they were shared",
        "Let go of the CrsMatrix, which must not be read any more, and share the Mat again.");
  }

 private:
  const PetscScalar* values() const { return OpenBlock(block_).values(); }

  unsigned session_;
  Mat block_;
  const PetscScalar* values_ = nullptr;
};

namespace {

using petsc::detail::call;
using petsc::detail::MatRows;
using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;

[[noreturn]] void refuse_split(const std::string& found) {
  throw NotRepresentable(adapter::reason(
      "matrix.split", found,
      "entries only in columns of the row's own process, because the libraries keep others in "
      "different places",
      "Copy it with " + names::copy_matrix + "."));
}

void refuse_unsorted() {
  throw NotRepresentable(adapter::reason("matrix.storage", "a row whose columns do not increase",
                                         "sorted rows",
                                         "Copy it with " + names::copy_matrix + "."));
}

/// PETSc's values with Tpetra's own indices. Process-local.
template <class Scalar>
auto rows_on(const Blocks& blocks) {
  // Opened for reading, so that the object state does not change; writing is the responsibility of
  // the caller.
  const MatRows rows(blocks);
  return tpetra::detail::rows_on_values<Tpetra::CrsMatrix<Scalar>>(
      rows, GhostsLast(blocks), rows.own_values(), refuse_unsorted);
}

Blocks shareable_blocks(Mat matrix) {
  static_cast<void>(petsc::detail::require_session());
  tpetra::require_trilinos();
  require_assembled(matrix);
  const Blocks blocks = blocks_of(matrix);
  if (!is_type(matrix, MATSEQAIJ) && !is_type(matrix, MATMPIAIJ))
    throw NotRepresentable(adapter::reason("matrix.type", "a matrix that is stored in blocks",
                                           "a matrix of type AIJ, which stores its values in rows",
                                           "Copy it with " + names::copy_matrix + "."));
  if (blocks.ghosts > 0)
    refuse_split(std::to_string(blocks.ghosts) + " columns of other processes that have entries");
  return blocks;
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> share(const Comm& comm, Mat matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>(), comm, "solvers::share_matrix");
  } else {
    Call call(comm, "solvers::share_matrix");
    Blocks blocks;
    std::shared_ptr<HeldBlock> held;
    const auto rows = call.check([&] {
      blocks = shareable_blocks(matrix);
      held = std::make_shared<HeldBlock>(blocks.own);
      return rows_on<Scalar>(blocks);
    });
    const auto row_map = layout_map(call, blocks.global_rows, blocks.first_row, blocks.rows);
    const auto domain_map =
        layout_map(call, blocks.global_columns, blocks.first_column, blocks.columns);
    const auto shared = call.library("tpetra", "Tpetra::CrsMatrix", Patience{}, [&] {
      // A separate Map, which every object made of the matrix keeps alive, and with it the values.
      Teuchos::RCP<const Map> column_map = Teuchos::rcp(new Map(*domain_map));
      Teuchos::set_extra_data(held, "daptor.shared", Teuchos::outArg(column_map),
                              Teuchos::POST_DESTROY);
      return tpetra::on_foreign_values<Scalar>(rows, row_map, column_map, domain_map);
    });
    // New entries would move the values, and so would MatZeroRows.
    for (const MatOption option : {MAT_NEW_NONZERO_LOCATION_ERR, MAT_KEEP_NONZERO_PATTERN})
      call.library(petsc::detail::Routine("MatSetOption", MatSetOption), matrix, option,
                   PETSC_TRUE);
    return shared;
  }
}

/// The CrsMatrix that a Mat on its values keeps alive.
template <class Scalar>
struct Kept {
  using Matrix = Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>;
  explicit Kept(Matrix of) : matrix(std::move(of)) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    if (!tpetra::detail::kokkos_running())
      tpetra::detail::keep_forever(std::make_shared<Matrix>(matrix));
  }
  Matrix matrix;
  petsc::detail::RowArrays own, other;
};

template <class Scalar>
void require_shareable(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix) {
  require_like_petsc(*matrix);
  if (!same_here(*matrix->getColMap(), *matrix->getDomainMap()))
    refuse_split("a column Map that is not the domain Map on this process");
  // Tpetra reports the storage of a process without rows as not optimized.
  if (matrix->getLocalMatrixHost().numRows() > 0 &&
      (!matrix->isStorageOptimized() || !matrix->getCrsGraph()->isSorted()))
    throw NotRepresentable(adapter::reason(
        "matrix.storage", "rows with gaps, or with unsorted columns",
        "rows without gaps, with increasing columns", "Copy it with " + names::copy_matrix + "."));
}

/// PETSc's row starts, and its columns if Tpetra's have a different width.
template <class Scalar>
petsc::detail::RowPointers rows_of(Kept<Scalar>& kept) {
  static PetscInt no_column{};
  static PetscScalar no_value{};
  const auto local = kept.matrix->getLocalMatrixHost();
  const auto rows = static_cast<std::size_t>(local.numRows());
  kept.own.make_starts(rows);
  kept.other.make_empty(rows);
  for (std::size_t r = 0; r < rows; ++r)
    kept.own.starts[r + 1] = static_cast<PetscInt>(local.graph.row_map(r + 1));
  const std::size_t entries = local.values.extent(0);
  if (entries == 0) return {kept.own.starts.get(), &no_column, &no_value};
  petsc::detail::RowPointers pointers;
  pointers.starts = kept.own.starts.get();
  pointers.values = reinterpret_cast<PetscScalar*>(local.values.data());
  if constexpr (std::is_same_v<LocalOrdinal, PetscInt>) {
    // PETSc takes a pointer to writable columns but does not write them.
    pointers.columns = const_cast<PetscInt*>(local.graph.entries.data());
  } else {
    kept.own.columns.reset(new PetscInt[entries]);
    for (std::size_t e = 0; e < entries; ++e)
      kept.own.columns[e] = static_cast<PetscInt>(local.graph.entries(e));
    pointers.columns = kept.own.columns.get();
  }
  return pointers;
}

template <class Scalar>
OwnedMat share(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>());
  } else {
    const Comm comm(tpetra::communicator(*matrix->getRowMap()));
    Call call(comm, "solvers::share_matrix");
    call.check([&] { require_shareable(matrix); });
    const adapter::RowLayout layout = petsc_order(*matrix, call).layout;
    petsc::detail::RowPointers own;
    const auto kept = call.check([&] {
      auto made = std::make_shared<Kept<Scalar>>(matrix);
      own = rows_of(*made);
      return made;
    });
    petsc::detail::Guard<Mat> mat(
        petsc::detail::create_aij(layout, own, pointers(kept->other), call));
    return call.check([&] {
      petsc::detail::keep_with(mat.get(), "daptor.shared", kept);
      return OwnedMat(mat.release());
    });
  }
}

}  // namespace

Teuchos::RCP<CrsMatrix> share_matrix(Mat matrix) {
  require_matrix(matrix);
  const Logged logged(Event::hand_over);
  return share<PetscScalar>(petsc::detail::comm_of(petsc::detail::object(matrix)), matrix);
}

OwnedMat share_matrix(const Teuchos::RCP<CrsMatrix>& matrix) {
  if (matrix.is_null()) throw InvalidArgument("matrix", "a null RCP", "a CrsMatrix");
  const Logged logged(Event::hand_over);
  return share<PetscScalar>(matrix);
}

void modified(Mat matrix) {
  require_matrix(matrix);
  static_cast<void>(petsc::detail::require_session());
  const Blocks blocks = petsc::detail::blocks_of(matrix);
  for (Mat block : {blocks.own, blocks.other})
    const OpenBlock written(block, petsc::detail::BlockAccess::write);
  if (blocks.other != nullptr) petsc::detail::increase_state(petsc::detail::object(matrix));
}

void modified(CrsMatrix& matrix) {
  if constexpr (tpetra::has_scalar<PetscScalar>) {
    const auto column_map = matrix.getColMap();
    if (!column_map.is_null()) {
      const auto held =
          Teuchos::get_optional_extra_data<std::shared_ptr<HeldBlock>>(column_map, "daptor.shared");
      if (!held.is_null()) (*held)->require_unmoved();
    }
    tpetra::forget_norm(matrix);
  }
}

}  // namespace daptor::solvers
