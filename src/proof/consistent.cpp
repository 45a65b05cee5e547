// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/consistent.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "communication/agreement.hpp"
#include "communication/lowest_rank.hpp"
#include "daptor/call.hpp"
#include "proof/walk.hpp"

namespace daptor {

void require_consistent(const DistArray& array, const Comm& comm) {
  Call(array, comm, "require_consistent").check();
}

void detail::agree_and_prove(Agreement& agreement, const Comm& comm, const DistArray* const* arrays,
                             std::size_t count) {
  std::array<std::optional<validation::Walk>, most_surveyed> walks;
  for (std::size_t i = 0; i < count; ++i)
    walks[i].emplace(comm, ValidateOptions{Level::metadata}).open(*arrays[i], agreement, i);
  agreement.reduce();
  if (agreement[unsurveyed] != nobody) {
    const std::exception_ptr& first = walks[0]->failure();
    throw_from(comm, static_cast<int>(agreement[unsurveyed]),
               first || count < 2 ? first : walks[1]->failure());
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Report report = walks[i]->go_on(agreement, i);
    if (!report) throw Malformed(report);
  }
}

}  // namespace daptor
