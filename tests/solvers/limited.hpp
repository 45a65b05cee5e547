// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "solvers/src/copy_matrix_limits.hpp"

namespace daptor::test {

/// While this lives, the limits of both libraries' integers are lowered on this rank.
class Limited {
 public:
  Limited(Index local_ordinal, Index petsc_int) : before_(solvers::index_limits) {
    solvers::index_limits = {local_ordinal, petsc_int};
  }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;
  ~Limited() { solvers::index_limits = before_; }

 private:
  solvers::IndexLimits before_;
};

}  // namespace daptor::test
