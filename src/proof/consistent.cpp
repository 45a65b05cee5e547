// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/consistent.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "daptor/call.hpp"
#include "proof/walk.hpp"
#include "ranks/agreement.hpp"
#include "ranks/lowest_rank.hpp"

namespace daptor {

using detail::Agreement;
using detail::most_proven;
using detail::Proofs;

void require_consistent(const DistArray& array) {
  Call(array, "require_consistent").check();
}

namespace {

/// Collective. Reduces, and proves the arrays by what the ranks have said of them in the same
/// all-reduce. Throws Malformed on all ranks if they are none.
void agree_and_prove(Agreement& agreement, const Comm& comm, const Section* const* arrays,
                     std::size_t count, Proofs& proofs) {
  std::array<std::optional<proof::Walk>, most_proven> walks;
  for (std::size_t i = 0; i < count; ++i)
    walks[i].emplace(comm, ValidateOptions{Level::metadata}).open(*arrays[i], agreement, i);
  agreement.reduce();
  if (agreement[detail::unsurveyed] != detail::nobody) {
    const std::exception_ptr* failure = &agreement.failure();
    for (std::size_t i = count; i-- > 0;)
      if (walks[i]->failure()) failure = &walks[i]->failure();
    detail::throw_from(comm, static_cast<int>(agreement[detail::unsurveyed]), *failure);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Report report = walks[i]->go_on(agreement, i);
    if (!report) throw Malformed(report);
    proofs[i] = walks[i]->proof();
  }
}

}  // namespace

void Call::prove(const DistArray& array) noexcept {
  adapter::FirstFailure here;
  here.attempt([&] { require_same_processes(array); });
  if (here) {
    unprovable_ = true;
    failure_.attempt([&] { std::rethrow_exception(here.get()); });
  }
  prove(static_cast<const Section&>(array));
}

void Call::prove(const Section& section) noexcept {
  pending_ = true;
  agree_and_prove_ = agree_and_prove;
  if (unproven_count_ < unproven_.size())
    unproven_[unproven_count_++] = &section;
  else
    failure_.attempt([&] { refuse_more_arrays(); });
}

}  // namespace daptor
