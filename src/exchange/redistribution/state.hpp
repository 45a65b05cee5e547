// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "daptor/redistribute.hpp"
#include "exchange/host_mirror.hpp"
#include "exchange/in_flight.hpp"
#include "exchange/node.hpp"
#include "exchange/node_transfer.hpp"
#include "exchange/redistribution/plan_redistribution.hpp"

namespace daptor {
namespace detail {

/// How elements are divided into messages; the same on all ranks.
struct Division {
  /// Size of a chunk in bytes: half of the buffer space is for sending, half for receiving.
  std::size_t chunk = 0;
  /// No rank needs a buffer, so messages are as long as possible.
  bool whole = false;
  /// Some rank's memory has another order than that of a rank with which it exchanges elements.
  bool crossed = false;
  /// The ranks of this process' node; null if all elements go by messages.
  std::shared_ptr<const Node> node;
  /// Whether elements are taken from the memory of other processes, in this direction and in the
  /// other, and whether also where messages are as quick.
  bool taken = false, taken_back = false, always = false;

  /// Collective.
  static Division agreed_on(const RedistributionPlan& plan, const Sides& sides,
                            const RedistributionOptions& options, Call& call);
  /// For the opposite direction.
  Division turned() const;
};

/// The transfers of one direction. Elements that are converted need buffers on the way, so they are
/// never sent directly from memory.
struct Way {
  std::unique_ptr<NodeTransfer> whole, bounded;
  /// What is read and written, found only if the host cannot reach it.
  std::vector<ByteRun> read, written;

  Way() = default;
  /// `converts` says that elements will be converted.
  Way(const RedistributionPlan& plan, const Sides& sides, const Division& division, bool converts);
  void find_runs(const RedistributionPlan& plan, const Sides& sides);
  bool planned() const { return whole != nullptr || bounded != nullptr; }
  const ChunkedTransfer& any() const { return (whole ? *whole : *bounded).messages(); }
  std::size_t buffer_bytes() const {
    return (whole ? whole->buffer_bytes() : 0) + (bounded ? bounded->buffer_bytes() : 0);
  }
};

}  // namespace detail

/// A planned redistribution: its arrays, the transfers to the targets, and, once they are
/// requested, the transfers back.
struct Redistribution::State {
  State(detail::Sides given, const RedistributionOptions& chosen, const Comm& comm, ObjectTag tag,
        detail::RedistributionPlan made, const detail::Division& agreed_on,
        const Transform* transform);

  void begin(bool backwards, const Transform& transform);
  /// Collective in the first call, which makes the plan.
  void plan_back();
  /// Requires that the arrays can be replaced by these, which have the same layouts.
  void require_rebindable(const std::vector<DistArray>& sources,
                          const std::vector<DistArray>& targets) const;
  /// Replaces the arrays by these, and these by the arrays.
  void exchange_arrays(std::vector<DistArray>& sources, std::vector<DistArray>& targets) noexcept;
  /// Requires that the sources can be written, for the way back; `require_rebindable` has only
  /// checked that they can be read.
  void require_writable_sources();

  detail::Sides sides;
  RedistributionOptions options;
  detail::Division division;
  detail::Way forward, back;
  std::optional<detail::RedistributionPlan> plan;  // set if the plan is used in both directions
  detail::InFlight flight;
  detail::HostMirrors source_mirrors, target_mirrors;
  std::optional<detail::StagedTransfer> through_host;
  bool rebound = false;

 private:
  /// Whether arrays of either side are copied through the host.
  bool staged() const { return !source_mirrors.empty() || !target_mirrors.empty(); }
  detail::NodeTransfer& transfer_for(bool backwards, bool copies);
};

}  // namespace daptor
