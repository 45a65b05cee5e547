// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <Tpetra_CrsMatrix.hpp>

/// \file
/// For adapters that join Tpetra with another library: handles values that were written from
/// outside Tpetra.

namespace daptor::tpetra {

/// Gives access to a protected member of Tpetra's matrix: the Frobenius norm, which some versions
/// cache until values are changed through Tpetra.
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

/// Invalidates the cached norm after values were written from outside. Process-local, but logically
/// collective: call it on all ranks, because computing a norm that only some ranks have cached
/// hangs.
template <class Matrix>
void forget_norm(Matrix& matrix) {
  NormAccess<Matrix>::forget(matrix, 0);
}

}  // namespace daptor::tpetra
