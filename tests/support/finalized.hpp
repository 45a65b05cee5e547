// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// For programs without a test framework, whose checks come after MPI_Finalize.

#include <cstdio>
#include <exception>
#include <functional>

#include "daptor/error.hpp"

namespace daptor::test {

/// Whether the call throws Finalized; says on stderr what it does instead.
inline bool throws_finalized(const char* name, const std::function<void()>& call) {
  try {
    call();
  } catch (const Finalized&) {
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s after MPI_Finalize: %s\n", name, error.what());
    return false;
  }
  std::fprintf(stderr, "%s after MPI_Finalize was not refused\n", name);
  return false;
}

}  // namespace daptor::test
