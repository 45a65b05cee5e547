// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <HYPRE.h>
#include <HYPRE_utilities.h>

#include <array>
#include <utility>

#include "daptor/error.hpp"

namespace daptor::hypre::detail {

/// Runs a function of hypre, and throws LibraryFailed (`library.hypre`) for an error that it adds.
/// hypre returns all errors since they were last cleared, those of earlier calls included.
/// Process-local, if the function is.
template <class F>
void run(const char* function, F&& call) {
  const HYPRE_Int before = HYPRE_GetError();
  const HYPRE_Int added = std::forward<F>(call)() & ~before;
  if (added == 0) return;
  std::array<char, 256> text{};
  HYPRE_DescribeError(added, text.data());
  throw LibraryFailed("hypre", function, text.data());
}

}  // namespace daptor::hypre::detail
