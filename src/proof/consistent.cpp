// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/consistent.hpp"

#include <algorithm>
#include <array>
#include <new>

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
/// to clear it would take longer than all else that a proven array needs.
class Walks {
 public:
  Walks() = default;
  Walks(const Walks&) = delete;
  Walks& operator=(const Walks&) = delete;
  ~Walks() {
    for (std::size_t i = 0; i < rooms_.size(); ++i)
      if (made_[i]) rooms_[i].walk.~Walk();
  }

  proof::Walk& make(std::size_t i, const Comm& comm) {
    auto* const walk = ::new (&rooms_[i].walk) proof::Walk(comm, ValidateOptions{Level::metadata});
    made_[i] = true;
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
  std::array<bool, most_proven> made_{};
};

/// Collective. Reduces, and proves the arrays by what the ranks have said of them in the same
/// all-reduce. Throws Malformed on all ranks if they are none. An array that all ranks know needs
/// no walk.
void agree_and_prove(Agreement& agreement, const Comm& comm, const Section* const* arrays,
                     std::size_t count, Proofs& proofs) {
  Walks walks;
  adapter::FirstFailure failure;
  for (std::size_t i = 0; i < count && !failure; ++i) {
    failure.attempt([&] {
      proofs[i] = detail::ProofAccess::kept(*arrays[i], comm);
      if (proofs[i] != nullptr)
        detail::say(arrays[i], true, comm, proofs[i].get(),
                    agreement.words() + detail::facts_start(i));
    });
    if (failure || proofs[i] != nullptr) continue;
    walks.make(i, comm).open(*arrays[i], agreement, i);
    failure = adapter::FirstFailure(walks[i].failure());
  }
  agreement[detail::falling_serial] = ~detail::last_serial();
  if (failure) agreement[detail::unsurveyed] = comm.rank();
  agreement.reduce();
  if (agreement[detail::unsurveyed] != detail::nobody)
    detail::throw_from(comm, static_cast<int>(agreement[detail::unsurveyed]),
                       failure ? failure.get() : agreement.failure());
  for (std::size_t i = 0; i < count; ++i) {
    if (proofs[i] != nullptr) {
      if (detail::proven(agreement.words() + detail::facts_start(i))) continue;
      walks.make(i, comm).resume(*arrays[i], *proofs[i]);
    }
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
