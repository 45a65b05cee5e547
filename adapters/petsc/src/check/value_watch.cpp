// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstdint>
#include <vector>

#include "../names.hpp"
#include "daptor/adapter/merged.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "vec_values.hpp"

namespace daptor::petsc {
namespace {

constexpr std::size_t values_per_hash = 1024;

std::vector<std::uint64_t> hashes_of(const detail::VecValues& values) {
  std::vector<std::uint64_t> hashes;
  for (std::size_t i = 0; i < values.count(); i += values_per_hash)
    hashes.push_back(detail::hash_of(
        values.begin() + i, values.begin() + std::min(i + values_per_hash, values.count())));
  return hashes;
}

}  // namespace

struct ValueWatch::State {
  Vec vec;
  PetscObjectState state;
  std::vector<std::uint64_t> hashes;
  Index count = 0;

  explicit State(Vec watched) : vec(watched), state(detail::object_state(detail::object(watched))) {
    const detail::VecValues values(watched);
    hashes = hashes_of(values);
    count = static_cast<Index>(values.count());
  }

  /// The first values that have changed; empty if none have.
  IndexRange changed_since(const State& before) const {
    for (std::size_t i = 0; i < hashes.size() && i < before.hashes.size(); ++i) {
      const auto start = static_cast<Index>(i * values_per_hash);
      if (hashes[i] != before.hashes[i])
        return {start, std::min(start + static_cast<Index>(values_per_hash), count)};
    }
    return {};
  }

  void judge(const State& before, detail::Findings& findings) const {
    const IndexRange changed = state == before.state ? changed_since(before) : IndexRange{};
    if (changed.empty()) return;
    findings.error("check.vec.unnoticed-write",
                   "a value among the local ones " + terms::range(changed) +
                       " has changed, and PETSc has not been told",
                   "a change of the Vec's state with every change of its values",
                   names::no_kept_pointer + " PETSc uses norms of the former values otherwise.");
  }
};

ValueWatch::ValueWatch(Vec vec) {
  detail::require_session();
  state_ = std::make_unique<State>(vec);
}
ValueWatch::ValueWatch(ValueWatch&& other) noexcept = default;
ValueWatch& ValueWatch::operator=(ValueWatch&& other) noexcept = default;
ValueWatch::~ValueWatch() = default;

Report ValueWatch::look() {
  Call call(detail::comm_of(detail::object(state_->vec)), "petsc::ValueWatch::look");
  std::unique_ptr<State> now;
  Report report = adapter::merged(call, [&] {
    detail::require_session();
    now = std::make_unique<State>(state_->vec);
    detail::Findings findings = detail::findings_about(detail::object(now->vec));
    now->judge(*state_, findings);
    return findings.report();
  });
  state_ = std::move(now);
  return report;
}

}  // namespace daptor::petsc
