#include <limits>
#include <string>
#include <vector>

#include <Tpetra_CrsMatrix.hpp>

#include "daptor/builders.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "petsc/src/call.hpp"
#include "together.hpp"
#include "tpetra/src/finding.hpp"
#include "tpetra/src/kokkos.hpp"

namespace daptor::solvers {
namespace {

using daptor::detail::fault_point;
using petsc::detail::call;
using tpetra::make_finding;
using Map = Tpetra::Map<>;
using LocalOrdinal = Map::local_ordinal_type;
using GlobalOrdinal = Map::global_ordinal_type;

/// What one process holds of a matrix: a block of the columns that it owns, and one of the others.
struct Blocks {
  Mat diagonal = nullptr;
  Mat off_diagonal = nullptr;               // null for a sequential matrix
  const PetscInt* ghost_columns = nullptr;  // global column of each column of `off_diagonal`
  PetscInt rows = 0, columns = 0, ghosts = 0;
  PetscInt first_row = 0, first_column = 0;
  PetscInt global_rows = 0, global_columns = 0;
};

bool is_type(Mat matrix, const char* type) {
  PetscBool same = PETSC_FALSE;
  call("PetscObjectBaseTypeCompare", PetscObjectBaseTypeCompare,
       reinterpret_cast<PetscObject>(matrix), type, &same);
  return same == PETSC_TRUE;
}

[[noreturn]] void refuse_type(Mat matrix) {
  MatType type = nullptr;
  call("MatGetType", MatGetType, matrix, &type);
  const char* remedy =
      "Convert it first: MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, &B), and hand over B.";
  if (is_type(matrix, MATSHELL) || is_type(matrix, MATMFFD))
    remedy =
        "It has no entries of its own: assemble a matrix of type AIJ, or compute one, column by "
        "column, with MatComputeOperator(A, MATAIJ, &B).";
  throw NotRepresentable(make_finding("matrix.type",
                                      std::string("type ") + (type == nullptr ? "(none)" : type),
                                      "a matrix of type AIJ (seqaij, mpiaij)", remedy));
}

void require_assembled(Mat matrix) {
  MatType type = nullptr;
  call("MatGetType", MatGetType, matrix, &type);
  PetscBool assembled = PETSC_FALSE;
  if (type != nullptr) call("MatAssembled", MatAssembled, matrix, &assembled);
  if (assembled != PETSC_TRUE)
    throw InvalidArgument(Report({make_finding(
        "matrix.unassembled", "a matrix that is not assembled", "an assembled matrix",
        "Call MatAssemblyBegin and MatAssemblyEnd with MAT_FINAL_ASSEMBLY before.")}));
  MatFactorType factor = MAT_FACTOR_NONE;
  call("MatGetFactorType", MatGetFactorType, matrix, &factor);
  if (factor != MAT_FACTOR_NONE)
    throw InvalidArgument(Report({make_finding("matrix.factored", "a factored matrix",
                                               "a matrix that can be multiplied with",
                                               "Hand over the matrix that was factored.")}));
}

Blocks blocks_of(Mat matrix) {
  Blocks blocks;
  if (is_type(matrix, MATMPIAIJ)) {
    call("MatMPIAIJGetSeqAIJ", MatMPIAIJGetSeqAIJ, matrix, &blocks.diagonal, &blocks.off_diagonal,
         &blocks.ghost_columns);
    call("MatGetLocalSize", MatGetLocalSize, blocks.off_diagonal, nullptr, &blocks.ghosts);
  } else if (is_type(matrix, MATSEQAIJ)) {
    blocks.diagonal = matrix;
  } else {
    refuse_type(matrix);
  }
  call("MatGetLocalSize", MatGetLocalSize, matrix, &blocks.rows, &blocks.columns);
  call("MatGetSize", MatGetSize, matrix, &blocks.global_rows, &blocks.global_columns);
  call("MatGetOwnershipRange", MatGetOwnershipRange, matrix, &blocks.first_row, nullptr);
  call("MatGetOwnershipRangeColumn", MatGetOwnershipRangeColumn, matrix, &blocks.first_column,
       nullptr);
  return blocks;
}

Blocks judged(Mat matrix) {
  fault_point("solvers.copy_matrix.check");
  tpetra::require_kokkos();
  require_assembled(matrix);
  const Blocks blocks = blocks_of(matrix);
  const Index local_columns = Index{blocks.columns} + Index{blocks.ghosts};
  constexpr Index limit = std::numeric_limits<LocalOrdinal>::max();
  if (Index{blocks.rows} > limit || local_columns > limit)
    throw NotRepresentable(make_finding("matrix.index-range",
                                        std::to_string(blocks.rows) + " local rows, " +
                                            std::to_string(local_columns) + " local columns",
                                        "local counts that Tpetra's local ordinals hold",
                                        "Use more processes."));
  return blocks;
}

/// The entries of one sequential block, open while this lives.
class OpenBlock {
 public:
  explicit OpenBlock(Mat block) : block_(block) {
    if (block_ == nullptr) return;
    PetscBool done = PETSC_FALSE;
    PetscInt rows = 0;
    call("MatGetRowIJ", MatGetRowIJ, block_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_starts_,
         &columns_, &done);
    if (done != PETSC_TRUE)
      throw LibraryFailed("petsc", "MatGetRowIJ", "the matrix does not give its row lists");
    try {
      call("MatSeqAIJGetArrayRead", MatSeqAIJGetArrayRead, block_, &values_);
    } catch (...) {
      close();
      throw;
    }
  }
  OpenBlock(const OpenBlock&) = delete;
  OpenBlock& operator=(const OpenBlock&) = delete;
  ~OpenBlock() { close(); }

  PetscInt begin(PetscInt row) const { return row_starts_ == nullptr ? 0 : row_starts_[row]; }
  PetscInt end(PetscInt row) const { return row_starts_ == nullptr ? 0 : row_starts_[row + 1]; }
  PetscInt column(PetscInt entry) const { return columns_[entry]; }
  PetscScalar value(PetscInt entry) const { return values_[entry]; }

 private:
  void close() noexcept {
    if (block_ == nullptr) return;
    PetscBool done = PETSC_FALSE;
    PetscInt rows = 0;
    if (values_ != nullptr) static_cast<void>(MatSeqAIJRestoreArrayRead(block_, &values_));
    static_cast<void>(MatRestoreRowIJ(block_, 0, PETSC_FALSE, PETSC_FALSE, &rows, &row_starts_,
                                      &columns_, &done));
    block_ = nullptr;
  }

  Mat block_;
  const PetscInt* row_starts_ = nullptr;
  const PetscInt* columns_ = nullptr;
  const PetscScalar* values_ = nullptr;
};

/// Global numbers of the local columns: the owned ones, then the ghosts in PETSc's order.
std::vector<GlobalOrdinal> column_list(const Blocks& blocks) {
  std::vector<GlobalOrdinal> list;
  list.reserve(static_cast<std::size_t>(blocks.columns) + static_cast<std::size_t>(blocks.ghosts));
  for (PetscInt c = 0; c < blocks.columns; ++c)
    list.push_back(GlobalOrdinal{blocks.first_column} + c);
  for (PetscInt g = 0; g < blocks.ghosts; ++g) list.push_back(blocks.ghost_columns[g]);
  return list;
}

template <class Matrix>
struct LocalCopy {
  typename Matrix::local_matrix_device_type matrix;
  bool sorted = true;
};

/// Appends the entries of one row of one block; false where they are not in increasing order.
template <class Columns, class Values>
bool append_row(const OpenBlock& block, PetscInt row, PetscInt shift, const Columns& columns,
                const Values& values, std::size_t& next) {
  bool sorted = true;
  PetscInt previous = -1;
  for (PetscInt e = block.begin(row); e < block.end(row); ++e, ++next) {
    sorted = sorted && block.column(e) > previous;
    previous = block.column(e);
    columns(next) = static_cast<LocalOrdinal>(block.column(e) + shift);
    values(next) = block.value(e);
  }
  return sorted;
}

template <class Matrix>
LocalCopy<Matrix> local_copy(const Blocks& blocks) {
  fault_point("solvers.copy_matrix.fill");
  using Local = typename Matrix::local_matrix_device_type;
  const OpenBlock diagonal(blocks.diagonal);
  const OpenBlock off_diagonal(blocks.off_diagonal);
  const auto rows = static_cast<std::size_t>(blocks.rows);
  std::size_t entries = 0;
  for (PetscInt r = 0; r < blocks.rows; ++r)
    entries += static_cast<std::size_t>(diagonal.end(r) - diagonal.begin(r)) +
               static_cast<std::size_t>(off_diagonal.end(r) - off_diagonal.begin(r));

  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  const typename Local::row_map_type::non_const_type starts(
      view_alloc("daptor row starts", WithoutInitializing), rows + 1);
  const typename Local::index_type columns(view_alloc("daptor columns", WithoutInitializing),
                                           entries);
  const typename Local::values_type values(view_alloc("daptor values", WithoutInitializing),
                                           entries);
  const auto host_starts = Kokkos::create_mirror_view(starts);
  const auto host_columns = Kokkos::create_mirror_view(columns);
  const auto host_values = Kokkos::create_mirror_view(values);

  bool sorted = true;
  std::size_t next = 0;
  host_starts(0) = 0;
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    sorted = append_row(diagonal, r, 0, host_columns, host_values, next) && sorted;
    sorted = append_row(off_diagonal, r, blocks.columns, host_columns, host_values, next) && sorted;
    host_starts(static_cast<std::size_t>(r) + 1) = next;
  }
  Kokkos::deep_copy(starts, host_starts);
  Kokkos::deep_copy(columns, host_columns);
  Kokkos::deep_copy(values, host_values);
  return {Local("daptor copy", static_cast<LocalOrdinal>(blocks.rows),
                static_cast<LocalOrdinal>(blocks.columns + blocks.ghosts), entries, values, starts,
                columns),
          sorted};
}

Teuchos::RCP<const Map> contiguous_map(MPI_Comm comm, PetscInt global, PetscInt first,
                                       PetscInt count) {
  const MpiCommunicator ranks(comm);
  const DistArray indices = agreed(ranks, [&] {
    const IndexRange owned{first, Index{first} + Index{count}};
    return describe(DataType::of<PetscScalar>(), nullptr,
                    {block(global, {ranks.size(), ranks.rank()}, owned)});
  });
  return tpetra::import_map(indices, comm, {tpetra::Numbering::contiguous});
}

template <class Scalar>
Teuchos::RCP<Tpetra::CrsMatrix<Scalar>> copy(MPI_Comm mpi, Mat matrix) {
  if constexpr (!tpetra::has_scalar<Scalar>) {
    static_cast<void>(matrix);
    tpetra::detail::refuse_scalar(DataType::of<Scalar>(), mpi);
  } else {
    using Matrix = Tpetra::CrsMatrix<Scalar>;
    const MpiCommunicator comm(mpi);
    const Blocks blocks = agreed(comm, [&] { return judged(matrix); });
    // The copy before the Maps: memory that is not there must be found before Tpetra communicates.
    LocalCopy<Matrix> local = agreed(comm, [&] { return local_copy<Matrix>(blocks); });
    std::vector<GlobalOrdinal> columns = agreed(comm, [&] { return column_list(blocks); });

    const auto row_map = contiguous_map(mpi, blocks.global_rows, blocks.first_row, blocks.rows);
    std::int64_t same = blocks.rows == blocks.columns ? 1 : 0;
    comm.allreduce(&same, 1, Reduction::min);
    const auto domain_map =
        same == 1 ? row_map
                  : contiguous_map(mpi, blocks.global_columns, blocks.first_column, blocks.columns);
    return together(comm, "tpetra", "Tpetra::CrsMatrix", [&] {
      const auto column_map =
          Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                               Teuchos::ArrayView<const GlobalOrdinal>(
                                   columns.data(), static_cast<Teuchos_Ordinal>(columns.size())),
                               0, row_map->getComm()));
      std::vector<GlobalOrdinal>().swap(columns);
      const auto parameters = Teuchos::parameterList();
      if (!local.sorted) parameters->set("sorted", false);
      return Teuchos::rcp(
          new Matrix(local.matrix, row_map, column_map, domain_map, row_map, parameters));
    });
  }
}

void require_matrix(Mat matrix) {
  if (matrix == nullptr)
    throw InvalidArgument("matrix", "a null Mat", "a PETSc matrix of type AIJ");
  static_cast<void>(petsc::detail::require_session());
}

[[noreturn]] void refuse_pattern() {
  throw InvalidArgument(Report({make_finding(
      "matrix.pattern", "a matrix with other entries than the copy was made of",
      "the same entries with other values", "Copy the matrix anew: copy_matrix(A).")}));
}

/// Writes the values of one row of one block over those of the copy.
template <class Local>
void renew_row(const OpenBlock& block, PetscInt row, PetscInt shift, const Local& copy,
               std::size_t& next, std::size_t end) {
  for (PetscInt e = block.begin(row); e < block.end(row); ++e, ++next) {
    if (next >= end || copy.graph.entries(next) != block.column(e) + shift) refuse_pattern();
    copy.values(next) = block.value(e);
  }
}

template <class Scalar>
void renew_values(Mat matrix, Tpetra::CrsMatrix<Scalar>& copy) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    const Blocks blocks = judged(matrix);
    const auto local = copy.getLocalMatrixHost();
    if (Index{local.numRows()} != Index{blocks.rows}) refuse_pattern();
    for (PetscInt g = 0; g < blocks.ghosts; ++g)
      if (copy.getColMap()->getGlobalElement(static_cast<LocalOrdinal>(blocks.columns + g)) !=
          blocks.ghost_columns[g])
        refuse_pattern();
    const OpenBlock diagonal(blocks.diagonal);
    const OpenBlock off_diagonal(blocks.off_diagonal);
    std::size_t next = 0;
    for (PetscInt r = 0; r < blocks.rows; ++r) {
      const std::size_t end = local.graph.row_map(static_cast<std::size_t>(r) + 1);
      renew_row(diagonal, r, 0, local, next, end);
      renew_row(off_diagonal, r, blocks.columns, local, next, end);
      if (next != end) refuse_pattern();
    }
  }
}

}  // namespace

void copy_values(Mat matrix, CrsMatrix& copy) {
  require_matrix(matrix);
  renew_values<PetscScalar>(matrix, copy);
}

Teuchos::RCP<CrsMatrix> copy_matrix(Mat matrix) {
  require_matrix(matrix);
  return copy<PetscScalar>(PetscObjectComm(reinterpret_cast<PetscObject>(matrix)), matrix);
}

}  // namespace daptor::solvers
