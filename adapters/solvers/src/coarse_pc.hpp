#pragma once

#include <vector>

#include <petscpc.h>

#include "daptor/communicator.hpp"
#include "daptor/solvers/muelu.hpp"

namespace daptor::solvers {

/// One process's rows of a square matrix, columns in PETSc's numbering and in increasing order.
struct LocalRows {
  std::vector<PetscInt> starts, columns;
  std::vector<PetscScalar> values;
};

/// A PETSc PC of a matrix of its own, applied to bare arrays.
class CoarsePc {
 public:
  /// Collective over `comm`. Throws LibraryFailed on all ranks.
  CoarsePc(const LocalRows& rows, const MpiCommunicator& comm, const CoarseSolver& options);
  CoarsePc(const CoarsePc&) = delete;
  CoarsePc& operator=(const CoarsePc&) = delete;
  ~CoarsePc();

  /// Collective. Writes the local rows of `x`. Throws LibraryFailed.
  void apply(const PetscScalar* b, PetscScalar* x);
  /// Borrowed.
  PC pc() const { return pc_; }

 private:
  void make(const LocalRows& rows, MPI_Comm comm, const CoarseSolver& options);
  void require_working(const MpiCommunicator& comm, PetscInt local_rows);
  void destroy() noexcept;

  unsigned session_ = 0;
  Mat matrix_ = nullptr;
  PC pc_ = nullptr;
  Vec right_side_ = nullptr;
  Vec solution_ = nullptr;
};

}  // namespace daptor::solvers
