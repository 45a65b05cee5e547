// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "daptor/redistribute.hpp"
#include "exchange/chunked_transfer.hpp"
#include "exchange/in_flight.hpp"
#include "exchange/redistribution/plan_redistribution.hpp"

namespace daptor {
namespace detail {

/// How elements are divided into messages; the same on all ranks.
struct Division {
  /// Bytes of a chunk: half of the buffers is for what goes out, half for what comes in.
  std::size_t chunk;
  /// Nothing needs a buffer anywhere: messages are as long as they can be.
  bool whole;

  /// Collective. `buffer_bytes`: RedistributionOptions::buffer_bytes.
  static Division agreed_on(const RedistributionPlan& plan, const Sides& sides,
                            std::int64_t buffer_bytes);
};

/// The transfers of one direction. Elements that change on the way need buffers, so they never
/// travel whole.
struct Way {
  std::unique_ptr<ChunkedTransfer> whole, bounded;

  Way() = default;
  Way(const RedistributionPlan& plan, const Sides& sides, const Division& division);
  bool planned() const { return whole != nullptr || bounded != nullptr; }
  const ChunkedTransfer& any() const { return whole ? *whole : *bounded; }
  std::size_t buffer_bytes() const {
    return (whole ? whole->buffer_bytes() : 0) + (bounded ? bounded->buffer_bytes() : 0);
  }
};

}  // namespace detail

/// A redistribution that was planned: its arrays, and the transfers there and, once asked for,
/// back.
struct Redistribution::State {
  State(detail::Sides given, const RedistributionOptions& chosen, const Comm& comm, ObjectTag tag,
        detail::RedistributionPlan made, const detail::Division& agreed_on);

  void begin(bool backwards, const Transform& transform);
  /// Collective at the first call, which plans.
  void plan_back();
  /// Other arrays of the same layouts.
  void rebind(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets);
  /// The way back writes the sources: those that `rebind` brought were looked at for reading.
  void require_writable_sources();

  detail::Sides sides;
  RedistributionOptions options;
  detail::Division division;
  detail::Way forward, back;
  std::optional<detail::RedistributionPlan> plan;  // where it is that of both ways
  detail::InFlight flight;
  bool rebound = false;

 private:
  detail::ChunkedTransfer& transfer_for(bool backwards, bool copies);
};

}  // namespace daptor
