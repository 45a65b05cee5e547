// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "communication/mpi_duplicate.hpp"
#include "communication/mpi_exchange.hpp"
#include "communication/object_tag.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/redistribute.hpp"
#include "exchange/redistribution/arguments.hpp"
#include "exchange/redistribution/open_arrays.hpp"
#include "exchange/redistribution/plan.hpp"
#include "exchange/redistribution/side.hpp"
#include "exchange/redistribution/transfer.hpp"
#include "report/refuse.hpp"

namespace daptor {
namespace {

using detail::ChunkedTransfer;
using detail::RedistributionPlan;
using detail::refuse_argument;
using detail::Side;
using detail::Sides;

constexpr std::int64_t least_buffer = 64 * 1024;
/// Larger chunks are no faster: they leave the cache (docs/benchmarks.md).
constexpr std::int64_t most_buffer_by_default = 8 * 1024 * 1024;

detail::ArrayMemory memory_of(const Side& side, const std::optional<detail::FlatBox>& box) {
  if (side.arrays.empty()) return {{}, side.outline.type.itemsize(), std::nullopt};
  return detail::ArrayMemory::of(side.arrays.front(), box);
}

ChunkedTransfer make_transfer(const RedistributionPlan& plan, const Sides& sides,
                              std::size_t chunk) {
  return ChunkedTransfer(plan.sharing, memory_of(sides.source, plan.source_box),
                         memory_of(sides.target, plan.target_box),
                         {static_cast<std::size_t>(sides.source.outline.arrays), chunk,
                          sides.comm->rank(), sides.comm->size()});
}

RedistributionPlan make_plan(const Sides& sides, const RedistributionOptions& options) {
  return detail::plan_redistribution(sides.parties(), sides.source.outline, sides.target.outline,
                                     options);
}

/// Process-local. Every piece that travels is one run of memory on this process.
bool all_runs(const RedistributionPlan& plan, const Sides& sides) {
  const auto contiguous = [](const std::vector<detail::SharedRegions>& shared,
                             const detail::ArrayMemory& memory) {
    for (const detail::SharedRegions& with : shared)
      for (const detail::Region& region : with.regions)
        if (!memory.runs(region).contiguous()) return false;
    return true;
  };
  return plan.both_ways &&
         contiguous(plan.sharing.owned, memory_of(sides.source, plan.source_box)) &&
         contiguous(plan.sharing.wanted, memory_of(sides.target, plan.target_box));
}

/// How elements are divided into messages; the same on all ranks.
struct Division {
  /// Bytes of a chunk: half of the buffers is for what goes out, half for what comes in.
  std::size_t chunk;
  /// Nothing needs a buffer anywhere: messages are as long as they can be.
  bool whole;
};

/// Collective.
Division agreed_division(const RedistributionPlan& plan, const Sides& sides,
                         std::int64_t buffer_bytes) {
  if (buffer_bytes == 0)
    buffer_bytes =
        std::min(std::max(sides.source.bytes(), sides.target.bytes()) / 4, most_buffer_by_default);
  const bool whole = agreed(*sides.comm, [&] { return all_runs(plan, sides); });
  std::int64_t largest[] = {buffer_bytes, whole ? 0 : 1};
  sides.comm->allreduce(largest, 2, Reduction::max);
  const auto all = static_cast<std::size_t>(std::max(largest[0], least_buffer));
  return {std::min(all / (2 * ChunkedTransfer::slots), detail::largest_piece), largest[1] == 0};
}

/// One direction. Elements that change on the way need buffers, so they never travel whole.
struct Way {
  std::unique_ptr<ChunkedTransfer> whole, bounded;

  const ChunkedTransfer& any() const { return whole ? *whole : *bounded; }
  std::size_t buffer_bytes() const {
    return (whole ? whole->buffer_bytes() : 0) + (bounded ? bounded->buffer_bytes() : 0);
  }
};

Way make_way(const RedistributionPlan& plan, const Sides& sides, const Division& division) {
  Way way;
  auto transfer = std::make_unique<ChunkedTransfer>(
      make_transfer(plan, sides, division.whole ? detail::largest_piece : division.chunk));
  (division.whole ? way.whole : way.bounded) = std::move(transfer);
  return way;
}

std::vector<const std::byte*> read_addresses(const std::vector<DistArray>& arrays) {
  std::vector<const std::byte*> data;
  for (const DistArray& array : arrays) data.push_back(static_cast<const std::byte*>(array.data()));
  return data;
}

std::vector<std::byte*> write_addresses(const std::vector<DistArray>& arrays) {
  std::vector<std::byte*> data;
  for (const DistArray& array : arrays)
    data.push_back(static_cast<std::byte*>(array.mutable_data()));
  return data;
}

/// Collective. The sum over all ranks, or 2^63 - 1 where it is more.
std::int64_t sum_of_products(std::uint64_t count, std::size_t size, const Communicator& comm) {
  constexpr int half = 32;
  constexpr std::uint64_t low = (std::uint64_t{1} << half) - 1;
  // A count has 63 bits, a size fewer than 16: digits of 32 bits do not overflow.
  const std::uint64_t lower = (count & low) * size;
  const std::uint64_t upper = (count >> half) * size + (lower >> half);
  std::int64_t digits[] = {static_cast<std::int64_t>(lower & low),
                           static_cast<std::int64_t>(upper)};
  comm.allreduce(digits, 2, Reduction::sum);
  const std::int64_t carried = digits[1] + (digits[0] >> half);
  if (carried >= std::int64_t{1} << (half - 1)) return std::numeric_limits<std::int64_t>::max();
  return (carried << half) + (digits[0] & static_cast<std::int64_t>(low));
}

}  // namespace

struct Redistribution::State {
  State(Sides given, const RedistributionOptions& chosen,
        std::shared_ptr<const MpiDuplicate> communicator, ObjectTag own_tag,
        RedistributionPlan made, const Division& agreed_on)
      : sides(std::move(given)),
        options(chosen),
        duplicate(std::move(communicator)),
        tag(std::move(own_tag)),
        division(agreed_on),
        forward(make_way(made, sides, division)) {
    if (made.both_ways) plan.emplace(std::move(made));
  }

  void begin(bool backwards, const Transform& transform) {
    require_running();
    require_idle("a second begin before end");
    const Side& from = backwards ? sides.target : sides.source;
    const Side& to = backwards ? sides.source : sides.target;
    conversion.emplace(from.outline.type, to.outline.type, transform);
    ChunkedTransfer& transfer = transfer_for(backwards);
    opened.emplace(from.arrays, to.arrays);
    try {
      transfer.begin(read_addresses(from.arrays), write_addresses(to.arrays), *conversion,
                     duplicate->comm(), tag.value());
    } catch (...) {
      fail(transfer);
      throw;
    }
    active = &transfer;
  }

  void end() {
    if (active == nullptr)
      refuse_argument("redistribute.not-begun", "end without begin", "begin before end");
    require_running();
    ChunkedTransfer& transfer = *std::exchange(active, nullptr);
    try {
      transfer.end();
    } catch (...) {
      fail(transfer);
      throw;
    }
    opened->close_written();
  }

  /// MPI has failed: what is under way would be taken for other messages.
  void fail(ChunkedTransfer& transfer) noexcept {
    failed = true;
    transfer.cancel();
    opened.reset();
  }

  /// That of the direction and the conversion.
  ChunkedTransfer& transfer_for(bool backwards) {
    Way& way = backwards ? back : forward;
    if (way.whole && conversion->copies()) return *way.whole;
    if (!way.bounded)
      way.bounded = std::make_unique<ChunkedTransfer>(
          backwards ? make_transfer(detail::turned(*plan), sides.turned(), division.chunk)
                    : make_transfer(*plan, sides, division.chunk));
    return *way.bounded;
  }

  /// Collective at the first call, which plans.
  void plan_back() {
    require_running();
    require_idle("the way back before end");
    if (back.whole || back.bounded) return;
    const CollectiveCall call(*sides.comm, "Redistribution::run_back");
    const Sides turned = sides.turned();
    auto made = agreed(*sides.comm, [&] {
      detail::fault_point("core.redistribution.back");
      detail::require_memory(turned.source.arrays, turned.target.arrays);
      detail::require_types(turned.source.outline, turned.target.outline, options.convert);
      return plan ? std::optional(detail::turned(*plan)) : std::nullopt;
    });
    if (!made) made = make_plan(turned, options);
    back = agreed(*sides.comm, [&] {
      detail::fault_point("core.redistribution.back_transfer");
      return make_way(*made, turned, division);
    });
  }

  /// What `rebind` brought was looked at for the way there.
  void require_writable_sources() {
    if (rebound) detail::require_memory(sides.target.arrays, sides.source.arrays);
    rebound = false;
  }

  /// MPI takes the communicator back when it is finalized.
  void require_running() const {
    if (duplicate->comm() == MPI_COMM_NULL) throw Finalized("MPI");
  }

  void require_idle(const char* found) const {
    if (active != nullptr)
      refuse_argument("redistribute.begun", found, "a redistribution that has ended",
                      "Call end() first.");
    if (failed)
      refuse_argument("redistribute.failed", "a redistribution in which MPI has failed",
                      "a new one", "Make another Redistribution.");
  }

  Sides sides;
  RedistributionOptions options;
  std::shared_ptr<const MpiDuplicate> duplicate;
  ObjectTag tag;
  Division division;
  Way forward, back;
  std::optional<RedistributionPlan> plan;  // where it is that of both ways
  std::optional<detail::Conversion> conversion;
  std::optional<detail::OpenArrays> opened;
  ChunkedTransfer* active = nullptr;
  bool failed = false;
  bool rebound = false;
};

Redistribution::Redistribution(Sides sides, const MpiCommunicator& comm,
                               const RedistributionOptions& options, const Transform* transform) {
  detail::prepare(sides, options, true, transform);
  auto plan = make_plan(sides, options);
  const Division division = agreed_division(plan, sides, options.buffer_bytes);
  const auto duplicate = std::static_pointer_cast<const MpiDuplicate>(comm.keep_alive());
  ObjectTag tag = ObjectTag::agreed_on(comm, duplicate->object_tags());
  state_ = agreed(comm, [&] {
    detail::fault_point("core.redistribution.state");
    return std::make_unique<State>(std::move(sides), options, duplicate, std::move(tag),
                                   std::move(plan), division);
  });
}

/// Makes a Redistribution as one collective call of a name.
struct detail::Redistributed {
  const char* name;
  const RedistributionOptions& options;
  const Transform* transform = nullptr;

  Redistribution on(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                    const std::shared_ptr<const MpiCommunicator>& comm) const {
    if (comm == nullptr) refuse_argument("argument", "no communicator", "a communicator");
    const CollectiveCall call(*comm, name);
    return {sides_on(sources, targets, comm), *comm, options, transform};
  }
  Redistribution on(const ArraysOn& sources, const ArraysOn& targets, MPI_Comm mpi) const {
    const auto comm = std::make_shared<const MpiCommunicator>(mpi);
    const CollectiveCall call(*comm, name);
    return {sides_on(sources, targets, comm), *comm, options, transform};
  }
};

Redistribution::Redistribution(const DistArray& source, const DistArray& target, MPI_Comm comm,
                               const RedistributionOptions& options)
    : Redistribution(std::vector<DistArray>{source}, std::vector<DistArray>{target}, comm,
                     options) {}

Redistribution::Redistribution(const std::vector<DistArray>& sources,
                               const std::vector<DistArray>& targets, MPI_Comm comm,
                               const RedistributionOptions& options)
    : Redistribution(sources, targets, std::make_shared<const MpiCommunicator>(comm), options) {}

Redistribution::Redistribution(const std::vector<DistArray>& sources,
                               const std::vector<DistArray>& targets,
                               std::shared_ptr<const MpiCommunicator> comm,
                               const RedistributionOptions& options)
    : Redistribution(detail::Redistributed{"Redistribution", options}.on(sources, targets, comm)) {}

Redistribution::Redistribution(const ArraysOn& sources, const ArraysOn& targets, MPI_Comm comm,
                               const RedistributionOptions& options)
    : Redistribution(detail::Redistributed{"Redistribution", options}.on(sources, targets, comm)) {}

Redistribution::Redistribution(Redistribution&& other) noexcept = default;
Redistribution& Redistribution::operator=(Redistribution&& other) noexcept {
  if (this == &other) return *this;
  const Redistribution ends_what_it_began(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}

Redistribution::~Redistribution() {
  if (state_ == nullptr || state_->active == nullptr) return;
  try {
    state_->end();
  } catch (...) {
    // Nobody is left to tell.
    state_->opened.reset();
  }
}

Redistribution::State& Redistribution::state() const {
  if (!state_)
    refuse_argument("redistribute.moved", "an object that was moved from", "a Redistribution");
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
  state().end();
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
  return state().active != nullptr;
}

void Redistribution::rebind(const DistArray& source, const DistArray& target) {
  rebind(std::vector<DistArray>{source}, std::vector<DistArray>{target});
}

void Redistribution::rebind(const std::vector<DistArray>& sources,
                            const std::vector<DistArray>& targets) {
  State& self = state();
  self.require_idle("rebind before end");
  const auto require_same = [](const std::vector<DistArray>& now,
                               const std::vector<DistArray>& then) {
    if (now.size() != then.size())
      refuse_argument("redistribute.batch", std::to_string(now.size()) + " arrays",
                      "as many as before: " + std::to_string(then.size()));
    for (const DistArray& array : now)
      if (!array.same_layout(then.front()))
        refuse_argument("redistribute.layout", "arrays of other layouts",
                        "the layouts that the redistribution was made for",
                        "Make a Redistribution for them.");
  };
  require_same(sources, self.sides.source.arrays);
  require_same(targets, self.sides.target.arrays);
  detail::require_memory(sources, targets);
  auto kept_sources = sources;
  auto kept_targets = targets;
  self.sides.source.arrays.swap(kept_sources);
  self.sides.target.arrays.swap(kept_targets);
  self.rebound = true;
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

void redistribute(const DistArray& source, const DistArray& target, MPI_Comm comm,
                  const RedistributionOptions& options, const Transform& transform) {
  redistribute({source}, {target}, std::make_shared<const MpiCommunicator>(comm), options,
               transform);
}

void redistribute(const std::vector<DistArray>& sources, const std::vector<DistArray>& targets,
                  std::shared_ptr<const MpiCommunicator> comm, const RedistributionOptions& options,
                  const Transform& transform) {
  detail::Redistributed{"redistribute", options, &transform}
      .on(sources, targets, comm)
      .run(transform);
}

void redistribute(const ArraysOn& sources, const ArraysOn& targets, MPI_Comm comm,
                  const RedistributionOptions& options, const Transform& transform) {
  detail::Redistributed{"redistribute", options, &transform}
      .on(sources, targets, comm)
      .run(transform);
}

std::int64_t bytes_to_redistribute(const DistArray& source, const DistArray& target, MPI_Comm comm,
                                   const RedistributionOptions& options) {
  return bytes_to_redistribute(source, target, std::make_shared<const MpiCommunicator>(comm),
                               options);
}

std::int64_t bytes_to_redistribute(const DistArray& source, const DistArray& target,
                                   std::shared_ptr<const Communicator> comm,
                                   const RedistributionOptions& options) {
  if (comm == nullptr) refuse_argument("argument", "no communicator", "a communicator");
  const CollectiveCall call(*comm, "bytes_to_redistribute");
  Sides sides = detail::sides_on(std::vector{source}, std::vector{target}, comm);
  detail::prepare(sides, options, false);
  const auto plan = make_plan(sides, options);
  std::uint64_t elements = 0;
  for (const detail::SharedRegions& shared : plan.sharing.wanted)
    for (const detail::Region& region : shared.regions)
      elements += static_cast<std::uint64_t>(region.count());
  return sum_of_products(elements, source.type().itemsize(), *sides.comm);
}

}  // namespace daptor
