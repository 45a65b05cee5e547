// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <HYPRE.h>
#include <HYPRE_utilities.h>

#include <array>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/detail/refused.hpp"
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

/// For members of a temporary that owns an object of hypre.
template <class T>
T refuse_temporary() {
  static_assert(daptor::detail::never<T>,
                "get() or ij() of a temporary, which destroys the object of hypre at once: keep "
                "what owns it in a variable, auto x = import_vector(a), and call x.get()");
  return {};
}

/// Process-local. From release 2.29 on hypre starts itself where its user has not, and then reports
/// an error from whichever function was the first.
inline void require_initialized() {
#if HYPRE_RELEASE_NUMBER >= 22900
  if (HYPRE_Initialized() != 0) return;
  adapter::refuse_argument("hypre.not-initialized", "a call while hypre is not running",
                           "a running hypre",
                           "Call HYPRE_Init() first, and HYPRE_Finalize() after the last call.");
#endif
}

}  // namespace daptor::hypre::detail
