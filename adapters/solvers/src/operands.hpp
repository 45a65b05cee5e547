// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <petscsys.h>

#include <Teuchos_ScalarTraits.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/types.hpp"

namespace daptor::solvers {

/// Where PETSc reads and writes in one application on this process: in the columns of `X` and `Y`,
/// or in temporary memory if the result must be added to Y, or if X and Y overlap.
template <class Scalar>
class Operands {
 public:
  using MultiVector = Tpetra::MultiVector<Scalar>;

  /// How the result is used: Y = beta Y + alpha (result).
  struct Task {
    Scalar alpha = 1, beta = 0;
    bool conjugate = false;  ///< conj(A conj(x)) instead of A x
    bool plain() const { return alpha == Scalar(1) && beta == Scalar(0) && !conjugate; }
  };

  void open(const MultiVector& X, MultiVector& Y, const Task& task) {
    x_rows_ = static_cast<Index>(X.getLocalLength());
    y_rows_ = static_cast<Index>(Y.getLocalLength());
    list(X, x_);
    list(Y, result_);
    y_ = result_;
    if (task.beta != Scalar(0)) take_own(y_, own_y_, y_rows_);
    if (task.conjugate || overlap()) {
      from_ = x_;
      take_own(x_, own_x_, x_rows_);
      for (std::size_t j = 0; j < x_.size(); ++j) copy(from_[j], writable(x_[j]), task.conjugate);
    }
  }

  /// Uses temporary memory that contains NaN, after `open` has failed.
  void stand_in(std::size_t columns, Index x_rows, Index y_rows) {
    own_x_.assign(static_cast<std::size_t>(x_rows), not_a_number());
    own_y_.resize(static_cast<std::size_t>(y_rows));
    x_.assign(columns, own_x_.data());
    y_.assign(columns, own_y_.data());
    result_ = y_;
    x_rows_ = x_rows;
    y_rows_ = y_rows;
  }

  const Scalar* x(std::size_t column) const { return x_[column]; }
  Scalar* y(std::size_t column) const { return writable(y_[column]); }

  /// Whether the columns are contiguous on both sides.
  bool gapless() const { return gapless(x_, x_rows_) && gapless(y_, y_rows_); }

  /// Moves what PETSc has written to its destination.
  void finish(const Task& task) const {
    if (task.plain()) return;
    for (std::size_t j = 0; j < y_.size(); ++j)
      for (Index i = 0; i < y_rows_; ++i) {
        Scalar& to = writable(result_[j])[i];
        const Scalar value = task.alpha * conjugated(y_[j][i], task.conjugate);
        to = task.beta == Scalar(0) ? value : task.beta * to + value;
      }
  }

  static Scalar not_a_number() { return std::numeric_limits<PetscReal>::quiet_NaN(); }

 private:
  using Columns = std::vector<const Scalar*>;

  // The lists hold pointers to const, so that one type serves both sides; memory that is written to
  // comes from a MultiVector, or a temporary, that is not const.
  static Scalar* writable(const Scalar* data) { return const_cast<Scalar*>(data); }

  static Scalar conjugated(const Scalar& value, bool conjugate) {
    return conjugate ? Teuchos::ScalarTraits<Scalar>::conjugate(value) : value;
  }

  static const Scalar* data_of(const MultiVector& X) {
    return reinterpret_cast<const Scalar*>(X.getLocalViewHost(Tpetra::Access::ReadOnly).data());
  }
  static const Scalar* data_of(MultiVector& X) {
    return reinterpret_cast<const Scalar*>(X.getLocalViewHost(Tpetra::Access::ReadWrite).data());
  }
  static auto column_of(const MultiVector& X, std::size_t j) { return X.getVector(j); }
  static auto column_of(MultiVector& X, std::size_t j) { return X.getVectorNonConst(j); }

  template <class Vectors>
  static void list(Vectors& X, Columns& columns) {
    columns.assign(X.getNumVectors(), nullptr);
    if (X.isConstantStride()) {
      const Scalar* const data = data_of(X);
      const std::size_t stride = columns.size() > 1 ? X.getStride() : 0;
      for (std::size_t j = 0; j < columns.size(); ++j) columns[j] = data + j * stride;
    } else {
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const auto column = column_of(X, j);
        columns[j] = data_of(static_cast<Vectors&>(*column));
      }
    }
  }

  static void take_own(Columns& columns, std::vector<Scalar>& own, Index rows) {
    own.resize(static_cast<std::size_t>(rows) * columns.size());
    for (std::size_t j = 0; j < columns.size(); ++j)
      columns[j] = own.data() + j * static_cast<std::size_t>(rows);
  }

  void copy(const Scalar* from, Scalar* to, bool conjugate) const {
    std::transform(from, from + x_rows_, to,
                   [&](const Scalar& value) { return conjugated(value, conjugate); });
  }

  bool overlap() const {
    for (const Scalar* x : x_)
      for (const Scalar* y : y_) {
        const auto a = reinterpret_cast<std::uintptr_t>(x);
        const auto b = reinterpret_cast<std::uintptr_t>(y);
        if (a < b + static_cast<std::uintptr_t>(y_rows_) * sizeof(Scalar) &&
            b < a + static_cast<std::uintptr_t>(x_rows_) * sizeof(Scalar))
          return true;
      }
    return false;
  }

  static bool gapless(const Columns& columns, Index rows) {
    for (std::size_t j = 1; j < columns.size(); ++j)
      if (rows > 0 && columns[j] != columns[j - 1] + rows) return false;
    return true;
  }

  Columns x_, y_, result_, from_;
  Index x_rows_ = 0, y_rows_ = 0;
  std::vector<Scalar> own_x_, own_y_;
};

}  // namespace daptor::solvers
