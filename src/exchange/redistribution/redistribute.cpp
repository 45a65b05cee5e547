// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/redistribute.hpp"

#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/fault.hpp"
#include "exchange/redistribution/rebinding.hpp"
#include "exchange/redistribution/state.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor {

Redistribution::Redistribution(detail::Sides sides, const RedistributionOptions& options,
                               const Transform* transform, int tag, Call& call) {
  auto plan = detail::plan_redistribution(sides, options, call);
  const auto division = detail::Division::agreed_on(plan, sides, options, call);
  const Comm comm = sides.comm;
  state_ = call.check([&] {
    ObjectTag taken(MpiDuplicate::behind(comm).object_tags(), tag);
    return std::make_unique<State>(std::move(sides), options, comm, std::move(taken),
                                   std::move(plan), division, transform);
  });
}

/// Makes a Redistribution within one named collective call.
struct detail::Redistributed {
  const char* name;
  const RedistributionOptions& options;
  const Transform* transform = nullptr;

  Redistribution between(const ArrayList& sources, const ArrayList& targets) const {
    return by(prepared_sides, sources, targets, comm_of(sources, targets));
  }
  Redistribution across(const ArrayList& sources, const ArrayList& targets,
                        const Comm& comm) const {
    return by(sides_across, sources, targets, comm);
  }

 private:
  template <class Prepare>
  Redistribution by(const Prepare& prepare, const ArrayList& sources, const ArrayList& targets,
                    const Comm& comm) const {
    const auto tags = MpiDuplicate::behind(comm).object_tags();
    Call call(comm, name);
    const TagSearch search(*tags, call);
    Sides sides = prepare(sources, targets, call, options, true, transform);
    return {std::move(sides), options, transform, search.found(call), call};
  }
};

Redistribution::Redistribution(const DistArray& source, const DistArray& target,
                               const RedistributionOptions& options)
    : Redistribution(detail::Redistributed{"Redistribution", options}.between(source, target)) {}

Redistribution::Redistribution(const std::vector<DistArray>& sources,
                               const std::vector<DistArray>& targets,
                               const RedistributionOptions& options)
    : Redistribution(detail::Redistributed{"Redistribution", options}.between(sources, targets)) {}

Redistribution::Redistribution(const std::vector<DistArray>& sources,
                               const std::vector<DistArray>& targets, const Comm& comm,
                               const RedistributionOptions& options)
    : Redistribution(
          detail::Redistributed{"Redistribution", options}.across(sources, targets, comm)) {}

Redistribution::Redistribution(Redistribution&& other) noexcept = default;
Redistribution& Redistribution::operator=(Redistribution&& other) noexcept {
  if (this == &other) return *this;
  const Redistribution ends_what_it_began(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}

Redistribution::~Redistribution() {
  if (state_) state_->flight.abandon();
}

Redistribution::State& Redistribution::state() const {
  if (!state_)
    adapter::refuse_argument("redistribute.moved", "a moved-from object", "a Redistribution");
  return *state_;
}

void Redistribution::begin(const Transform& transform) {
  state().begin(false, transform);
}

void Redistribution::begin_back(const Transform& transform) {
  State& self = state();
  self.plan_back();
  self.require_writable_sources();
  self.begin(true, transform);
}

void Redistribution::end() {
  state().flight.end();
}

void Redistribution::run(const Transform& transform) {
  begin(transform);
  end();
}

void Redistribution::run_back(const Transform& transform) {
  begin_back(transform);
  end();
}

bool Redistribution::in_flight() const {
  return state().flight.running();
}

void Redistribution::rebind(const DistArray& source, const DistArray& target) {
  rebind(std::vector<DistArray>{source}, std::vector<DistArray>{target});
}

void Redistribution::rebind(const std::vector<DistArray>& sources,
                            const std::vector<DistArray>& targets) {
  detail::Rebinding(*this, sources, targets).commit();
}

detail::Rebinding::Rebinding(const Redistribution& redistribution, std::vector<DistArray> sources,
                             std::vector<DistArray> targets)
    : state_(&redistribution.state()), sources_(std::move(sources)), targets_(std::move(targets)) {
  state_->require_rebindable(sources_, targets_);
}

void detail::Rebinding::commit() noexcept {
  state_->exchange_arrays(sources_, targets_);
}

const std::vector<DistArray>& Redistribution::sources() const {
  return state().sides.source.arrays;
}

const std::vector<DistArray>& Redistribution::targets() const {
  return state().sides.target.arrays;
}

std::int64_t Redistribution::bytes_sent() const {
  return state().forward.any().bytes_sent();
}

std::int64_t Redistribution::bytes_received() const {
  return state().forward.any().bytes_received();
}

std::int64_t Redistribution::bytes_copied() const {
  return state().forward.any().bytes_copied();
}

std::int64_t Redistribution::buffer_bytes() const {
  const State& self = state();
  return static_cast<std::int64_t>(self.forward.buffer_bytes() + self.back.buffer_bytes());
}

void redistribute(const DistArray& source, const DistArray& target,
                  const RedistributionOptions& options, const Transform& transform) {
  detail::Redistributed{"redistribute", options, &transform}.between(source, target).run(transform);
}

void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  const RedistributionOptions& options, const Transform& transform) {
  detail::Redistributed{"redistribute", options, &transform}
      .between(sources, targets)
      .run(transform);
}

void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  const Comm& comm, const RedistributionOptions& options,
                  const Transform& transform) {
  detail::Redistributed{"redistribute", options, &transform}
      .across(sources, targets, comm)
      .run(transform);
}

}  // namespace daptor
