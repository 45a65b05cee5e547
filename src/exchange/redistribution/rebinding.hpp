// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/redistribute.hpp"

namespace daptor::detail {

/// `Redistribution::rebind` in two steps: arrays that have been checked can be taken without a
/// failure, once all ranks have agreed. Process-local.
struct Rebinding {
 public:
  /// Throws what `Redistribution::rebind` throws. The redistribution must neither be moved from nor
  /// destroyed before `commit`.
  Rebinding(const Redistribution& redistribution, std::vector<DistArray> sources,
            std::vector<DistArray> targets);
  /// From now on the redistribution copies between the arrays.
  void commit() noexcept;

 private:
  Redistribution::State* state_;
  std::vector<DistArray> sources_, targets_;
};

}  // namespace daptor::detail
