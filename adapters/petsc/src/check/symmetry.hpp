// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "findings.hpp"
#include "probe.hpp"

namespace daptor::petsc::detail {

/// How far (u, A v) is from (A u, v), relative to the bound |u| |A v| + |v| |A u|, for two vectors
/// of random numbers.
struct Asymmetry {
  double hermitian = 0;
  double symmetric = 0;  ///< the same without conjugation
  double energy = 0;     ///< the least of (u, A u) for some u, relative to |u| |A u|

  /// What rounding leaves of a symmetric operator is less.
  static double largest_rounded();
};

/// Collective. Two products, and one more if `energies`.
Asymmetry measure_symmetry(const Probe& probe, bool energies = false);

/// Whether a matrix is what PETSc has been told by MatSetOption: MAT_SYMMETRIC, MAT_HERMITIAN,
/// MAT_SPD. A fact of an Inspection.
class ToldSymmetry {
 public:
  ToldSymmetry(Mat mat, Call& call) : probe_(mat, call) {}
  /// @param applicable  whether this rank can multiply
  void gather(Mat mat, bool applicable, Call& call);
  bool settled() const { return !applicable_; }
  void ask(Call&);
  void tell(Findings& findings) const;

 private:
  Probe probe_;
  bool symmetric_ = false, hermitian_ = false, positive_ = false;
  Index negative_row_ = -1;  ///< the first of this rank whose diagonal is not positive
  Agreed<bool> applicable_, positive_diagonal_;
  Asymmetry measured_;
};

}  // namespace daptor::petsc::detail
