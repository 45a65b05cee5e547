// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <Tpetra_CrsMatrix.hpp>

/// \file
/// For adapters that join Tpetra with another library: values that were written from outside.

namespace daptor::tpetra {

/// Opens what Tpetra keeps for classes derived of its own: the Frobenius norm, which some versions
/// remember until values are changed through Tpetra.
template <class Matrix>
struct NormAccess : Matrix {
  template <class M>
  static auto forget(M& matrix, int)
      -> decltype((matrix.*(&NormAccess<M>::clearGlobalConstants))(), void()) {
    (matrix.*(&NormAccess<M>::clearGlobalConstants))();
  }
  template <class M>
  static void forget(M&, long) {}
};

/// The values have been written from outside. Process-local; logically collective, as the norm of
/// a matrix that some ranks know and others do not is.
template <class Matrix>
void forget_norm(Matrix& matrix) {
  NormAccess<Matrix>::forget(matrix, 0);
}

}  // namespace daptor::tpetra
