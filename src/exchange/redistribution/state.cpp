// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "daptor/adapter/names.hpp"
#include "daptor/call.hpp"
#include "exchange/crossed_copy.hpp"
#include "exchange/redistribution/arguments.hpp"
#include "ranks/mpi_exchange.hpp"

namespace daptor {
namespace detail {
namespace {

constexpr std::int64_t least_buffer = 64 * 1024;
/// Larger chunks are no faster, because they do not fit in the cache (docs/benchmarks.md).
constexpr std::int64_t most_buffer_by_default = 8 * 1024 * 1024;

ArrayMemory memory_of(const Side& side, const std::optional<FlatBox>& box) {
  if (side.arrays.empty()) return {{}, side.outline.type.itemsize(), std::nullopt};
  return ArrayMemory::of(side.array(), box);
}

std::unique_ptr<NodeTransfer> make_transfer(const RedistributionPlan& plan, const Sides& sides,
                                            const Division& division, std::size_t chunk) {
  const ArrayMemory source = memory_of(sides.source, plan.source_box);
  const ArrayMemory target = memory_of(sides.target, plan.target_box);
  const auto arrays = static_cast<std::size_t>(sides.source.outline.arrays);
  auto messages = std::make_unique<ChunkedTransfer>(
      plan.sharing, source, target,
      ChunkOptions{arrays, chunk, sides.comm->rank(), sides.comm->size(), division.crossed,
                   division.whole ? nullptr : division.node});
  return std::make_unique<NodeTransfer>(
      std::move(messages), plan.sharing, source, target,
      NodeOptions{division.taken ? division.node : nullptr, division.always,
                  all_mappable(sides.source.arrays), arrays, chunk});
}

/// Process-local. Whether every piece to be sent or received is one run of memory on this process.
bool all_runs(const RedistributionPlan& plan, const Sides& sides) {
  const auto contiguous = [](const std::vector<SharedRegions>& shared, const ArrayMemory& memory) {
    for (const SharedRegions& with : shared)
      for (const Region& region : with.regions)
        if (!memory.runs(region).contiguous()) return false;
    return true;
  };
  return plan.both_ways &&
         contiguous(plan.sharing.owned, memory_of(sides.source, plan.source_box)) &&
         contiguous(plan.sharing.wanted, memory_of(sides.target, plan.target_box));
}

/// Process-local. Whether a large piece is sent or received in another order than that of memory.
bool any_crossed(const RedistributionPlan& plan, const Sides& sides) {
  const auto crossed = [](const std::vector<SharedRegions>& shared, const ArrayMemory& memory) {
    for (const SharedRegions& with : shared)
      for (const Region& region : with.regions)
        if (region.order.size() > 1 && region.count() > crossed_strip * crossed_edge &&
            memory.runs(region).packing() != nullptr)
          return true;
    return false;
  };
  return crossed(plan.sharing.owned, memory_of(sides.source, plan.source_box)) ||
         crossed(plan.sharing.wanted, memory_of(sides.target, plan.target_box));
}

/// Whether the processes of a node take what others send from their memory. Asked with the next
/// check of the call.
class Takeable {
 public:
  Takeable(const std::vector<SharedRegions>& sent, const Side& from,
           const std::optional<FlatBox>& box, Call& call)
      : mappable_(call.all([&] { return mappable(sent, from); })), readable_(call.all([&] {
          return mappable(sent, from) || in_long_runs(sent, memory_of(from, box));
        })) {}
  bool by(const Node* node, bool always) const {
    return node != nullptr &&
           ((mappable_ && node->maps()) || (node->reads() && (always || readable_)));
  }

 private:
  /// What is not enough for any pair of ranks need not be mappable.
  static bool mappable(const std::vector<SharedRegions>& sent, const Side& from) {
    const auto size = static_cast<Index>(from.outline.type.itemsize());
    return all_mappable(from.arrays) ||
           most_to_one(sent) * size * from.outline.arrays < least_read_bytes;
  }

  Agreed<bool> mappable_, readable_;
};

/// Whether elements will certainly be converted on the way to the target.
bool will_convert(const Sides& sides, const Transform* transform) {
  const DataType& from = sides.source.outline.type;
  const DataType& to = sides.target.outline.type;
  return from != to || (transform != nullptr && !Conversion(from, to, *transform).copies());
}

}  // namespace

Division Division::agreed_on(const RedistributionPlan& plan, const Sides& sides,
                             const RedistributionOptions& options, Call& call) {
  const std::int64_t bytes = std::max(sides.source.bytes(), sides.target.bytes());
  std::int64_t buffer_bytes = options.buffer_bytes;
  if (buffer_bytes == 0) buffer_bytes = std::min(bytes / 4, most_buffer_by_default);
  const auto most = call.greatest(buffer_bytes);
  const auto whole = call.all([&] { return all_runs(plan, sides); });
  const auto in_order = call.all([&] { return !any_crossed(plan, sides); });
  const NodeChoice choice(sides.comm, options.within_node, bytes, call);
  const Takeable takeable(plan.sharing.owned, sides.source, plan.source_box, call);
  const Takeable takeable_back(plan.sharing.wanted, sides.target, plan.target_box, call);
  call.check();
  auto node = choice.node(call);
  const auto all = static_cast<std::size_t>(std::max<std::int64_t>(most, least_buffer));
  Division division;
  division.chunk = std::min(all / (2 * ChunkedTransfer::slots), largest_piece);
  division.whole = whole;
  division.crossed = !in_order;
  division.always = choice.always();
  division.taken = takeable.by(node.get(), division.always);
  division.taken_back = takeable_back.by(node.get(), division.always);
  division.node = std::move(node);
  return division;
}

Division Division::turned() const {
  Division back = *this;
  std::swap(back.taken, back.taken_back);
  return back;
}

Way::Way(const RedistributionPlan& plan, const Sides& sides, const Division& division,
         bool converts) {
  if (division.whole && !converts) {
    whole = make_transfer(plan, sides, division, largest_piece);
    return;
  }
  bounded = make_transfer(plan, sides, division, division.chunk);
  if (converts) bounded->reserve_for_conversion();
}

void Way::find_runs(const RedistributionPlan& plan, const Sides& sides) {
  read = bytes_read(plan.sharing, memory_of(sides.source, plan.source_box));
  written = bytes_written(plan.sharing, memory_of(sides.target, plan.target_box));
}

}  // namespace detail

using detail::Side;
using detail::Sides;

Redistribution::State::State(Sides given, const RedistributionOptions& chosen, const Comm& comm,
                             ObjectTag tag, detail::RedistributionPlan made,
                             const detail::Division& agreed_on, const Transform* transform)
    : sides(std::move(given)),
      options(chosen),
      division(agreed_on),
      forward(made, sides, division, detail::will_convert(sides, transform)),
      flight(comm, std::move(tag), detail::redistribution_wording),
      source_mirrors(sides.source.arrays),
      target_mirrors(sides.target.arrays) {
  if (staged()) forward.find_runs(made, sides);
  if (made.both_ways) plan.emplace(std::move(made));
}

void Redistribution::State::begin(bool backwards, const Transform& transform) {
  flight.require_idle("begin before the end of the previous redistribution");
  const Side& from = backwards ? sides.target : sides.source;
  const Side& to = backwards ? sides.source : sides.target;
  const detail::Conversion conversion(from.outline.type, to.outline.type, transform);
  detail::NodeTransfer& transfer = transfer_for(backwards, conversion.copies());
  detail::HostMirrors& read = backwards ? target_mirrors : source_mirrors;
  detail::HostMirrors& written = backwards ? source_mirrors : target_mirrors;
  transfer.bind(read.reachable(from.arrays), written.reachable(to.arrays), conversion);
  if (!staged()) return flight.begin(transfer, from.arrays, to.arrays);
  const detail::Way& way = backwards ? back : forward;
  const std::vector<detail::StagedTransfer::Copies> stored{{&written, &way.written}};
  std::vector<detail::StagedTransfer::Copies> fetched{{&read, &way.read}};
  if (transform.keep != 0.0) fetched.push_back(stored.front());
  through_host.emplace(transfer, std::move(fetched), stored);
  flight.begin(*through_host, from.arrays, to.arrays);
}

detail::NodeTransfer& Redistribution::State::transfer_for(bool backwards, bool copies) {
  detail::Way& way = backwards ? back : forward;
  if (way.whole && copies) return *way.whole;
  if (!way.bounded)
    way.bounded = backwards ? detail::make_transfer(detail::turned(*plan), sides.turned(),
                                                    division.turned(), division.chunk)
                            : detail::make_transfer(*plan, sides, division, division.chunk);
  return *way.bounded;
}

void Redistribution::State::plan_back() {
  flight.require_idle("the way back before the end of the redistribution");
  if (back.planned()) return;
  Call call(sides.comm, names::in_run_back);
  std::optional<Sides> turned;
  auto made = call.check([&] {
    turned.emplace(sides.turned());
    detail::require_memory(turned->source.arrays, turned->target.arrays, options.through_host);
    detail::require_types(turned->source.outline, turned->target.outline, options.convert);
    return plan ? std::optional(detail::turned(*plan)) : std::nullopt;
  });
  if (!made) made = detail::plan_redistribution(*turned, options, call);
  back = call.check([&] {
    detail::Way way(*made, *turned, division.turned(), detail::will_convert(*turned, nullptr));
    if (staged()) way.find_runs(*made, *turned);
    return way;
  });
}

void Redistribution::State::require_rebindable(const std::vector<DistArray>& sources,
                                               const std::vector<DistArray>& targets) const {
  flight.require_idle("rebind before the end of the redistribution");
  detail::require_like(sources, sides.source.arrays, detail::redistribution_wording);
  detail::require_like(targets, sides.target.arrays, detail::redistribution_wording);
  detail::require_memory(sources, targets, options.through_host);
}

void Redistribution::State::exchange_arrays(std::vector<DistArray>& sources,
                                            std::vector<DistArray>& targets) noexcept {
  sides.source.arrays.swap(sources);
  sides.target.arrays.swap(targets);
  source_mirrors.follow(sides.source.arrays);
  target_mirrors.follow(sides.target.arrays);
  rebound = true;
}

void Redistribution::State::require_writable_sources() {
  if (rebound)
    detail::require_memory(sides.target.arrays, sides.source.arrays, options.through_host);
  rebound = false;
}

}  // namespace daptor
