// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The levels of MueLu's hierarchy as PETSc matrices.

#include <Xpetra_ImportFactory.hpp>
#include <Xpetra_TpetraImport.hpp>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"
#include "daptor/tpetra.hpp"
#include "local_rows.hpp"
#include "muelu_level.hpp"
#include "multigrid.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using Map = Tpetra::Map<>;
using Import = Tpetra::Import<LocalOrdinal, GlobalOrdinal, Node>;

/// How MueLu moves a coarse level to other processes; null if it stays.
template <class Scalar>
Teuchos::RCP<const Import> mover_of(MueLu::Level& level) {
  using Moved = Xpetra::Import<LocalOrdinal, GlobalOrdinal, Node>;
  using Wrapped = Xpetra::TpetraImport<LocalOrdinal, GlobalOrdinal, Node>;
  if (!level.IsAvailable("Importer")) return Teuchos::null;
  const auto importer = level.Get<Teuchos::RCP<const Moved>>("Importer");
  if (importer.is_null()) return Teuchos::null;
  return Teuchos::rcp_dynamic_cast<const Wrapped>(importer, true)->getTpetra_Import();
}

/// One coarse level in PETSc's numbering: rank after rank, over all processes.
struct Level {
  Index first = 0;  ///< number of the first row on this process
  Index count = 0;  ///< number of rows on this process; 0 if the level is on other processes
  PetscInt block_size = 1;
};

template <class Scalar>
class GridCopies {
 public:
  GridCopies(MueLu::Hierarchy<Scalar, LocalOrdinal, GlobalOrdinal, Node>& hierarchy, MPI_Comm petsc,
             Call& call)
      : hierarchy_(hierarchy), petsc_(petsc), call_(call) {}

  Grids make() {
    Grids grids;
    grids.levels = levels_everywhere(hierarchy_, call_);
    Level finer = measure(0);
    for (int l = 1; l < grids.levels; ++l) {
      const Level coarser = measure(l);
      // PETSc expects the coarsest level first.
      grids.operators.insert(grids.operators.begin(), copy_operator(l, coarser));
      grids.interpolations.insert(grids.interpolations.begin(),
                                  copy_interpolation(l, finer, coarser));
      finer = coarser;
    }
    return grids;
  }

 private:
  using Matrix = Teuchos::RCP<const Tpetra::CrsMatrix<Scalar>>;

  Matrix matrix(int l, const char* name) const {
    if (l >= hierarchy_.GetNumLevels()) return Teuchos::null;
    return matrix_of<Scalar>(*hierarchy_.GetLevel(l), name);
  }

  Level measure(int l) const {
    Level level;
    const Matrix a = matrix(l, "A");
    if (!a.is_null()) {
      level.count = local_count(*a->getRowMap());
      level.block_size = block_size_of<Scalar>(*hierarchy_.GetLevel(l));
    }
    level.first = call_.comm()->exclusive_sum(level.count);
    std::int64_t block_size = level.block_size;
    call_.comm()->allreduce(&block_size, 1, Reduction::max);
    level.block_size = static_cast<PetscInt>(block_size);
    return level;
  }

  /// A Mat of type AIJ on all processes.
  OwnedMat create(const LocalRows& rows, const Level& rows_of, const Level& columns_of) const {
    return call_.library("petsc", "MatCreate", Patience{}, [&] {
      petsc::detail::Guard<Mat> made;
      create_mat(petsc_, rows, static_cast<PetscInt>(columns_of.count), made.out());
      call("MatSetBlockSizes", MatSetBlockSizes, made.get(), rows_of.block_size,
           columns_of.block_size);
      return OwnedMat(made.release());
    });
  }

  OwnedMat copy_operator(int l, const Level& level) const {
    const Matrix a = matrix(l, "A");
    const auto numbers =
        call_.library("tpetra", "the columns of a level's matrix", Patience{}, [&] {
          if (a.is_null()) return std::vector<PetscInt>();
          const Comm comm(tpetra::communicator(*a->getDomainMap()));
          Call call(comm, "solvers::column_numbers");
          return column_numbers(*a, call);
        });
    const LocalRows rows =
        call_.check([&] { return a.is_null() ? LocalRows() : square_rows(*a, numbers); });
    return create(rows, level, level);
  }

  OwnedMat copy_interpolation(int l, const Level& finer, const Level& coarser) const {
    const Matrix p = matrix(l, "P");
    const auto numbers = call_.library(
        "tpetra", "the columns of an interpolation", Patience{},
        [&] { return p.is_null() ? std::vector<PetscInt>() : column_numbers_of(l, *p, coarser); });
    const LocalRows rows =
        call_.check([&] { return p.is_null() ? LocalRows() : local_rows(*p, numbers); });
    return create(rows, finer, coarser);
  }

  /// PETSc's number of each local column of an interpolation. Collective over its processes.
  std::vector<PetscInt> column_numbers_of(int l, const Tpetra::CrsMatrix<Scalar>& p,
                                          const Level& coarser) const {
    const auto domain = p.getDomainMap();
    const auto mover = mover_of<Scalar>(*hierarchy_.GetLevel(l));
    require_exact<Scalar>(static_cast<Index>(domain->getGlobalNumElements()));
    Tpetra::Vector<Scalar> owned(domain);
    if (mover.is_null() || domain->isSameAs(*mover->getTargetMap())) {
      require_rows(*domain, coarser);
      number_elements(owned, coarser.first);
    } else {
      require_rows(*mover->getTargetMap(), coarser);
      Tpetra::Vector<Scalar> moved(mover->getTargetMap());
      number_elements(moved, coarser.first);
      owned.doExport(moved, *mover, Tpetra::INSERT);
    }
    return told_column_numbers(p, owned);
  }

  static void require_rows(const Map& map, const Level& level) {
    if (local_count(map) == level.count) return;
    throw LibraryFailed("muelu", "MueLu::Hierarchy",
                        "an interpolation whose columns are not the rows of its coarse matrix: " +
                            std::to_string(local_count(map)) + " and " +
                            std::to_string(level.count));
  }

  MueLu::Hierarchy<Scalar, LocalOrdinal, GlobalOrdinal, Node>& hierarchy_;
  MPI_Comm petsc_;
  Call& call_;
};

template <class Scalar>
Grids copy_grids(const Teuchos::RCP<Tpetra::Operator<Scalar>>& preconditioner, MPI_Comm petsc,
                 Call& call) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    const auto hierarchy = dynamic_cast<MueLuOperator<Scalar>&>(*preconditioner).GetHierarchy();
    return GridCopies<Scalar>(*hierarchy, petsc, call).make();
  } else {
    return {};
  }
}

}  // namespace

Grids grids_of(const Teuchos::RCP<Operator>& preconditioner, MPI_Comm petsc, Call& call) {
  return copy_grids<PetscScalar>(preconditioner, petsc, call);
}

}  // namespace daptor::solvers
