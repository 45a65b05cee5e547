// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>
#include <petscvec.h>

#include <functional>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/guard.hpp"

namespace daptor::petsc::detail {

/// Vectors that an operator can be applied to without a trace in the vectors of the program.
/// Collective, like all functions of it. The operator must be assembled, and able to multiply.
class Probe {
 public:
  using VecGuard = Guard<Vec>;

  Probe(Mat mat, Call& call) : mat_(mat), call_(call) {}

  /// A vector of the operator's columns, or of its rows.
  VecGuard of_columns() const;
  VecGuard of_rows() const;
  /// Another vector of the same kind, with undefined values. PETSc cannot copy one to that of a
  /// nested matrix otherwise ("Nest vector argument 2 not setup").
  VecGuard like(Vec vec) const;
  /// Sets values between -1 and 1 that depend on the global index and on `seed` alone.
  void set_random(Vec vec, int seed) const;
  void copy(Vec from, Vec to) const;
  void set(Vec vec, PetscScalar value) const;
  /// y = A x
  void apply(Vec x, Vec y) const;
  /// y = A^T x; MatHasOperation must say that it can.
  void apply_transpose(Vec x, Vec y) const;
  /// y += a x
  void add(Vec y, PetscScalar a, Vec x) const;
  double norm(Vec vec) const;
  /// The sum of u_i conj(v_i), or of u_i v_i.
  PetscScalar dot(Vec u, Vec v) const;
  PetscScalar plain_dot(Vec u, Vec v) const;
  PetscScalar sum(Vec vec) const;
  /// Sums over all ranks.
  std::vector<double> sums(std::vector<double> mine) const;
  /// Writes values of this rank that are made of those of another Vec.
  /// @param make  (from, to, local size)
  void make(Vec from, Vec to,
            const std::function<void(const PetscScalar*, PetscScalar*, PetscInt)>& make) const;
  /// Writes at each index of `to` the value of `from` at another one, of any rank. Vecs of type
  /// `seq` or `mpi`.
  /// @param source  the index for an index of all ranks
  void gather(Vec from, Vec to, const std::function<PetscInt(PetscInt)>& source) const;
  /// Reads values of this rank: (values, local size).
  void read(Vec vec, const std::function<void(const PetscScalar*, PetscInt)>& read) const;

 private:
  Mat mat_;
  Call& call_;
};

/// Whether a product with the operator can be made, and leaves no trace: it is assembled, and not
/// of a type that evaluates a function of the program. Process-local.
bool can_apply(Mat mat);

}  // namespace daptor::petsc::detail
