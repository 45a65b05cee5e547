// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/halo_exchange.hpp"

#include <array>
#include <string>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/halo/named_owners.hpp"
#include "exchange/halo/plan_halo.hpp"
#include "exchange/host_mirror.hpp"
#include "exchange/in_flight.hpp"
#include "exchange/node.hpp"
#include "exchange/parcel_transfer.hpp"
#include "proof/walk.hpp"
#include "ranks/mpi_duplicate.hpp"
#include "ranks/mpi_exchange.hpp"
#include "ranks/object_tag.hpp"

namespace daptor {
namespace {

constexpr detail::Wording wording{"halo", "an exchange", names::halo_exchange};

/// Requires U04. If a section had an index twice, the copies would be written in an order that
/// depends on the number of processes, unless its list says which of them is owned.
void require_distinct(const Section& array, bool owners_named) {
  Report report;
  for (int d = 0; d < array.ndim(); ++d) {
    const auto* given = array.dimension(d).as<Unstructured>();
    if (given == nullptr) continue;
    Unstructured list = *given;
    if (owners_named) list.owned.reset();
    proof::find_repeated(list, d, report);
  }
  if (!report) throw Malformed(report);
}

/// Opens the memory once, in order to refuse arrays that are read-only, stale or without memory.
void require_batch(const std::vector<DistArray>& arrays, bool through_host) {
  if (arrays.empty()) adapter::refuse_argument("halo.batch", "no array", "at least one array");
  detail::require_one_layout(arrays, wording);
  for (const Section& array : arrays) {
    detail::require_reachable(array, wording, through_host);
    detail::require_separate(array, wording);
  }
  detail::require_apart(arrays, wording);
  detail::OpenArrays().open({}, arrays);
}

bool has_boundary(const Section& array) {
  for (const Dimension& dimension : array.dimensions())
    if (dimension.boundary_padding() != Padding{}) return true;
  return false;
}

std::int64_t bytes_of(const std::vector<DistArray>& arrays) {
  std::int64_t bytes = 0;
  for (const DistArray& array : arrays)
    bytes += array.local_count() * static_cast<Index>(array.type().itemsize());
  return bytes;
}

/// The arrays of an exchange, whether any rank has boundary padding, the ranks of this node, and
/// the tag of its messages.
struct Arguments {
  std::vector<DistArray> arrays;
  bool boundary = false;
  std::shared_ptr<const detail::Node> node;
  int tag = 0;
};

/// Collective. Proves the first array, and checks the arguments of each rank and what the ranks
/// must have in common.
Arguments checked_arguments(const DistArray* first, std::size_t given, const Comm& comm,
                            const HaloOptions& options, const ObjectTags& tags, Call& call) {
  call.same("stencil", options.stencil);
  call.same("owned", options.owned.has_value());
  call.same("through_host", options.through_host);
  call.same("within_node", options.within_node);
  call.same("arrays", given);
  if (given > 0) call.prove(*first);
  const TagSearch search(tags, call);
  std::optional<detail::NodeChoice> choice;
  std::vector<DistArray> arrays;
  Agreed<bool> unbounded;
  call.check([&] {
    arrays.assign(first, first + given);
    require_batch(arrays, options.through_host);
    for (const DistArray& array : arrays) call.require_same_processes(array);
    require_distinct(arrays.front(), options.owned.has_value());
    if (options.owned) detail::require_names_owners(arrays.front(), *options.owned);
    unbounded = call.all(!has_boundary(arrays.front()));
    choice.emplace(comm, options.within_node, bytes_of(arrays), call);
  });
  const int tag = search.found(call);
  return {std::move(arrays), !unbounded, choice->node(call), tag};
}

std::vector<int> ranks(const detail::Parcels& parcels) {
  std::vector<int> found;
  for (std::size_t p = 0; p < parcels.size(); ++p) found.push_back(parcels[p].rank);
  return found;
}

Index bytes(const detail::Parcels& parcels) {
  Index sum = 0;
  for (std::size_t p = 0; p < parcels.size(); ++p) sum += parcels[p].bytes;
  return sum;
}

}  // namespace

namespace detail {

/// The transfer of one direction. If the host cannot reach the arrays, it works on mirrors of them.
struct HaloDirection {
  HaloDirection(const Sharing& sharing, const ArrayMemory& memory, const ParcelOptions& options,
                HostMirrors& mirrors)
      : transfer(sharing, memory, options) {
    if (mirrors.empty()) return;
    read = bytes_read(sharing, memory);
    written = bytes_written(sharing, memory);
    const StagedTransfer::Copies stored{&mirrors, &written};
    std::vector<StagedTransfer::Copies> fetched{{&mirrors, &read}};
    if (options.combines) fetched.push_back(stored);
    through_host.emplace(transfer, std::move(fetched), std::vector{stored});
  }
  HaloDirection(const HaloDirection&) = delete;
  HaloDirection& operator=(const HaloDirection&) = delete;

  Transfer& started() { return through_host ? static_cast<Transfer&>(*through_host) : transfer; }

  ParcelTransfer transfer;
  std::vector<ByteRun> read, written;
  std::optional<StagedTransfer> through_host;
};

}  // namespace detail

struct HaloExchange::State {
  State(std::vector<DistArray> given, const HaloOptions& chosen, const detail::HaloPlans& plans,
        const Comm& comm, ObjectTag tag, const std::shared_ptr<const detail::Node>& node)
      : arrays(std::move(given)),
        options(chosen),
        flight(comm, std::move(tag), wording),
        mirrors(arrays),
        buffers(plans.update, arrays.front().type().itemsize(), arrays.size()),
        update(plans.update, detail::ArrayMemory::of(arrays.front()),
               {arrays.size(), buffers.owned.get(), buffers.wanted.get(), false,
                detail::largest_piece, node},
               mirrors),
        accumulate(plans.accumulate, detail::ArrayMemory::of(arrays.front()),
                   {arrays.size(), buffers.wanted.get(), buffers.owned.get(), true,
                    detail::largest_piece, node},
                   mirrors) {
    bind(arrays);
  }

  /// Rebinds both directions or neither.
  void bind(const std::vector<DistArray>& others) {
    const auto data = detail::writable(mirrors.reachable(others));
    auto to_copies = update.transfer.bound_to(data);
    auto to_owners = accumulate.transfer.bound_to(data);
    update.transfer.bind(std::move(to_copies));
    accumulate.transfer.bind(std::move(to_owners));
    mirrors.follow(others);
  }
  void begin(detail::HaloDirection& direction, PaddingExchange what) {
    flight.begin(direction.started(), {}, arrays, what);
  }

  std::vector<DistArray> arrays;
  HaloOptions options;
  detail::InFlight flight;
  detail::HostMirrors mirrors;
  detail::ParcelBuffers buffers;
  detail::HaloDirection update, accumulate;
};

HaloExchange::HaloExchange(const DistArray& array, const HaloOptions& options)
    : HaloExchange(&array, 1, array.comm(), options) {}

HaloExchange::HaloExchange(const std::vector<DistArray>& arrays, const HaloOptions& options)
    : HaloExchange(arrays.data(), arrays.size(),
                   (arrays.empty() ? DistArray() : arrays.front()).comm(), options) {}

HaloExchange::HaloExchange(const DistArray* first, std::size_t count, const Comm& comm,
                           const HaloOptions& options) {
  const auto tags = MpiDuplicate::behind(comm).object_tags();
  Call call(comm, "HaloExchange");
  Arguments given = checked_arguments(first, count, comm, options, *tags, call);
  const GlobalIndexMap map(given.arrays.front(), call.proof(0), call);
  const auto plans = detail::plan_halo(given.arrays.front(), map, options, given.boundary, call);
  state_ = call.check([&] {
    return std::make_unique<State>(std::move(given.arrays), options, plans, comm,
                                   ObjectTag(tags, given.tag), given.node);
  });
  if (given.node == nullptr) return;
  for (detail::HaloDirection* direction : {&state_->update, &state_->accumulate})
    direction->transfer.agree_on_pages(comm->mpi(), given.tag);
  call.check([&] { state_->bind(state_->arrays); });
}

HaloExchange::HaloExchange(HaloExchange&& other) noexcept = default;

HaloExchange& HaloExchange::operator=(HaloExchange&& other) noexcept {
  if (this == &other) return *this;
  HaloExchange old(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}

HaloExchange::~HaloExchange() {
  if (state_) state_->flight.abandon();
}

HaloExchange::State& HaloExchange::state() const {
  if (!state_) adapter::refuse_argument("halo.moved", "a moved-from object", "a HaloExchange");
  return *state_;
}

void HaloExchange::update() {
  begin();
  end();
}

void HaloExchange::begin() {
  state().begin(state_->update, PaddingExchange::update);
}

void HaloExchange::end() {
  state().flight.end();
}

void HaloExchange::accumulate(Combine how) {
  begin_accumulate(how);
  end();
}

void HaloExchange::begin_accumulate(Combine how) {
  const detail::Combiner combiner(how, state().arrays.front().type());
  state_->flight.require_idle("begin before the end of the previous exchange");
  state_->accumulate.transfer.combine_by(combiner);
  state_->begin(state_->accumulate, PaddingExchange::accumulate);
}

bool HaloExchange::in_flight() const {
  return state().flight.running();
}

void HaloExchange::rebind(const DistArray& array) {
  rebind(std::vector<DistArray>{array});
}

void HaloExchange::rebind(const std::vector<DistArray>& arrays) {
  State& self = state();
  self.flight.require_idle("rebind before the end of the exchange");
  detail::require_like(arrays, self.arrays, wording);
  require_batch(arrays, self.options.through_host);
  std::vector<DistArray> kept = arrays;
  self.bind(arrays);
  self.arrays = std::move(kept);
}

const std::vector<DistArray>& HaloExchange::arrays() const {
  return state().arrays;
}

const HaloOptions& HaloExchange::options() const {
  return state().options;
}

std::vector<int> HaloExchange::destinations() const {
  return ranks(state().update.transfer.sends());
}

std::vector<int> HaloExchange::sources() const {
  return ranks(state().update.transfer.receives());
}

std::int64_t HaloExchange::bytes_sent() const {
  return bytes(state().update.transfer.sends()) * static_cast<Index>(state().arrays.size());
}

std::int64_t HaloExchange::bytes_received() const {
  return bytes(state().update.transfer.receives()) * static_cast<Index>(state().arrays.size());
}

std::int64_t HaloExchange::bytes_copied() const {
  return state().update.transfer.own_bytes() * static_cast<Index>(state().arrays.size());
}

void update_padding(const DistArray& array, const HaloOptions& options) {
  Call call(array.comm(), "update_padding");
  HaloExchange(array, options).update();
}

}  // namespace daptor
