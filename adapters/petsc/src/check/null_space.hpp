// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

#include <optional>
#include <string>
#include <vector>

#include "daptor/call.hpp"
#include "findings.hpp"
#include "probe.hpp"
#include "readings.hpp"

namespace daptor::petsc::detail {

/// The vectors of a null space, whose functions, if it has any, are not looked at.
struct NullVectors {
  bool constant = false;
  const Vec* vecs = nullptr;
  PetscInt count = 0;

  bool any() const { return constant || count > 0; }
};
/// Process-local; of a null space that may be null.
NullVectors vectors_of(MatNullSpace space);
NullVectors null_vectors(Mat mat);
NullVectors near_null_vectors(Mat mat);

/// What an operator does with vectors of random numbers, in each row: what it makes of another
/// vector is zero, or large, compared with that. Collective, like all functions of it.
class Gain {
 public:
  /// Two products.
  explicit Gain(const Probe& probe);

  /// |A x| / |x|, relative to that of random numbers. One product.
  double ratio(Vec x) const;
  /// Numbers of rows, on all ranks.
  struct Rows {
    double zero = 0, others = 0;
    double all() const { return zero + others; }
  };
  /// In how many rows A x is zero, but for rounding. Rows that are zero for random numbers are not
  /// counted. One product.
  Rows rows(Vec x) const { return count(others(x)); }
  /// Whether A x is not zero, for each row of this rank. One product.
  std::vector<bool> others(Vec x) const;
  Rows count(const std::vector<bool>& others) const;
  /// Whether a vector that was made of one of this length is zero, compared with what the operator
  /// makes of random numbers.
  bool is_zero(Vec product, double length) const;

 private:
  const Probe& probe_;
  Probe::VecGuard product_;
  double ratio_of_random_ = 0;
  std::vector<double> of_random_;  ///< for each row of this rank
};

/// Whether the vectors of a null space have length 1 and are orthogonal, as MatNullSpaceRemove
/// needs them; PETSc looks at that in debug builds only. A fact of an Inspection.
class Orthonormal {
 public:
  Orthonormal(Mat mat, Call& call, std::string space)
      : probe_(mat, call), space_(std::move(space)) {}
  /// @param fits  whether the vectors have the length of the operator's columns on this rank
  void gather(const NullVectors& vectors, bool fits, Call& call);
  bool settled() const { return !given_; }
  void ask(Call&);
  void tell(Findings& findings) const;

 private:
  Probe probe_;
  std::string space_, found_;
  NullVectors vectors_;
  Agreed<bool> given_;
};

/// Whether the matrix maps the vectors of its null space to zero, compared with vectors of random
/// numbers. A fact of an Inspection.
class NullSpaceCheck {
 public:
  NullSpaceCheck(Mat mat, Call& call) : mat_(mat), probe_(mat, call) {}
  /// @param applicable  whether this rank can multiply
  void gather(const NullVectors& vectors, bool applicable, Call& call);
  bool settled() const { return !applicable_; }
  void ask(Call& call);
  void tell(Findings& findings) const;

 private:
  Mat mat_;
  Probe probe_;
  NullVectors vectors_;
  Agreed<bool> applicable_;
  std::string worst_, ratio_, hint_;
};

/// Whether vectors of a near-null space are nearly in the null space at all: those of an operator
/// that maps constants to zero in most rows, and them in hardly any, are not. A fact of an
/// Inspection.
class NearNullCheck {
 public:
  NearNullCheck(Mat mat, Call& call) : mat_(mat), probe_(mat, call) {}
  /// @param fits        whether the vectors have the length of the operator's columns on this rank
  /// @param applicable  whether this rank can multiply
  void gather(const NullVectors& vectors, bool fits, bool applicable, Call& call);
  bool settled() const { return !given_; }
  void ask(Call& call);
  void tell(Findings& findings) const;

 private:
  void measure(Call& call);

  Mat mat_;
  Probe probe_;
  NullVectors vectors_;
  Agreed<bool> given_, applicable_;
  int zero_ = -1, none_ = -1;
  std::string hint_;
};

}  // namespace daptor::petsc::detail
