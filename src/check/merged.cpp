// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/merged.hpp"

#include "proof/merge.hpp"

namespace daptor::adapter {

Report merged(Call& call, const std::function<Report()>& local) {
  constexpr int listed_ranks = 8;
  return proof::merge(local, listed_ranks, call);
}

}  // namespace daptor::adapter
