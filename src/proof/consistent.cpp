// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/consistent.hpp"

#include <algorithm>
#include <array>
#include <new>
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

/// The walks over the arrays of one call. The room for those that it does not need stays as it is:
/// to clear it would take longer than a walk over a proven array.
class Walks {
 public:
  Walks() = default;
  Walks(const Walks&) = delete;
  Walks& operator=(const Walks&) = delete;
  ~Walks() {
    while (count_ > 0) rooms_[--count_].walk.~Walk();
  }

  proof::Walk& add(const Comm& comm) {
    auto* const walk =
        ::new (&rooms_[count_].walk) proof::Walk(comm, ValidateOptions{Level::metadata});
    ++count_;
    return *walk;
  }
  proof::Walk& operator[](std::size_t i) { return rooms_[i].walk; }

 private:
  union Room {
    Room() {}
    ~Room() {}
    proof::Walk walk;
  };
  std::array<Room, most_proven> rooms_;
  std::size_t count_ = 0;
};

/// Collective. Reduces, and proves the arrays by what the ranks have said of them in the same
/// all-reduce. Throws Malformed on all ranks if they are none.
void agree_and_prove(Agreement& agreement, const Comm& comm, const Section* const* arrays,
                     std::size_t count, Proofs& proofs) {
  Walks walks;
  for (std::size_t i = 0; i < count; ++i) walks.add(comm).open(*arrays[i], agreement, i);
  agreement.reduce();
  if (agreement[detail::unsurveyed] != detail::nobody) {
    const std::exception_ptr* failure = &agreement.failure();
    for (std::size_t i = count; i-- > 0;)
      if (walks[i].failure()) failure = &walks[i].failure();
    detail::throw_from(comm, static_cast<int>(agreement[detail::unsurveyed]), *failure);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const Report report = walks[i].go_on(agreement, i);
    if (!report) throw Malformed(report);
    proofs[i] = walks[i].proof();
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
