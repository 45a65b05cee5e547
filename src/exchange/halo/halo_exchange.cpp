// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/halo_exchange.hpp"

#include <array>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "array/open_memory.hpp"
#include "communication/mpi_duplicate.hpp"
#include "communication/mpi_exchange.hpp"
#include "communication/object_tag.hpp"
#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "daptor/global_index_map.hpp"
#include "exchange/halo/named_owners.hpp"
#include "exchange/halo/transfer.hpp"
#include "proof/walk.hpp"
#include "report/refuse.hpp"

namespace daptor {
namespace {

using detail::HaloTransfer;
using detail::refuse_argument;

/// Opens the memory once: read-only arrays, those without memory and stale ones are refused.
void require_writable(const std::vector<DistArray>& arrays) {
  for (const DistArray& array : arrays) {
    if (!array.buffer().space().host())
      refuse_argument(
          "halo.device",
          "memory on a device of type " + std::to_string(array.buffer().space().device_type),
          "memory that the host can reach", "Bring the array to the host in the producer.");
    for (std::size_t d = 0; d < array.local_shape().size(); ++d)
      if (array.local_shape()[d] > 1 && array.byte_strides()[d] == 0)
        refuse_argument("halo.strides", "a stride of 0 in dimension " + std::to_string(d),
                        "elements that each have their own memory");
    detail::open_for_writing(array);
    detail::close_unwritten(array);
  }
}

/// U04. Copies of an index within one section would be written in an order that depends on the
/// number of processes.
void require_distinct(const DistArray& array) {
  Report report;
  for (int d = 0; d < array.ndim(); ++d)
    if (const auto* list = array.dimension(d).as<Unstructured>())
      validation::find_repeated(list->indices, d, report);
  if (!report) throw Malformed(std::move(report));
}

void require_batch(const std::vector<DistArray>& arrays) {
  if (arrays.empty()) refuse_argument("halo.batch", "no array", "at least one");
  for (const DistArray& array : arrays)
    if (!array.same_layout(arrays.front()))
      refuse_argument("halo.layout", "arrays of different layouts", "one layout for all of a batch",
                      "Make a HaloExchange for each layout.");
  require_writable(arrays);
}

bool has_boundary(const DistArray& array) {
  for (const Dimension& dimension : array.dimensions())
    if (dimension.boundary_padding() != Padding{}) return true;
  return false;
}

/// Collective. What the ranks must have in common beside the array; returns whether any of them has
/// boundary padding.
bool compare_ranks(const std::vector<DistArray>& arrays, const HaloOptions& options,
                   const Communicator& comm) {
  const Index options_code = static_cast<Index>(options.stencil) + (options.owned ? 2 : 0);
  const auto count = static_cast<Index>(arrays.size());
  std::array<std::int64_t, 5> lowest{options_code, -options_code, count, -count,
                                     has_boundary(arrays.front()) ? 0 : 1};
  comm.allreduce(lowest.data(), static_cast<int>(lowest.size()), Reduction::min);
  if (lowest[0] != -lowest[1])
    refuse_argument("halo.options", "options that differ between ranks",
                    "one stencil on all ranks, and owners named on all or on none");
  if (lowest[2] != -lowest[3])
    refuse_argument(
        "halo.batch",
        "from " + std::to_string(lowest[2]) + " to " + std::to_string(-lowest[3]) + " arrays",
        "as many arrays on all ranks");
  return lowest[4] == 0;
}

detail::Batch batch_of(const std::vector<DistArray>& arrays) {
  return {arrays.front().byte_strides(), arrays.front().type().itemsize(), arrays.size()};
}

std::vector<std::byte*> addresses(const std::vector<DistArray>& arrays) {
  std::vector<std::byte*> data;
  for (const DistArray& array : arrays)
    data.push_back(static_cast<std::byte*>(array.mutable_data()));
  return data;
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

struct HaloExchange::State {
  State(std::vector<DistArray> given, const HaloOptions& chosen, const detail::HaloPlans& plans,
        std::shared_ptr<const MpiDuplicate> communicator, ObjectTag own_tag)
      : arrays(std::move(given)),
        options(chosen),
        duplicate(std::move(communicator)),
        tag(std::move(own_tag)),
        buffers(plans.update, batch_of(arrays)),
        update(HaloTransfer::Direction::to_copies, plans.update, batch_of(arrays), buffers,
               detail::largest_piece),
        accumulate(HaloTransfer::Direction::to_owners, plans.accumulate, batch_of(arrays), buffers,
                   detail::largest_piece) {
    bind(arrays);
  }

  void bind(const std::vector<DistArray>& others) {
    const auto data = addresses(others);
    auto to_copies = update.bound_to(data);
    auto to_owners = accumulate.bound_to(data);
    update.bind(std::move(to_copies));
    accumulate.bind(std::move(to_owners));
  }

  void begin(HaloTransfer& transfer) {
    require_running();
    require_idle("a second begin before end");
    open();
    try {
      transfer.start(duplicate->comm(), tag.value());
    } catch (...) {
      fail(transfer);
      throw;
    }
    active = &transfer;
  }

  /// All arrays or none.
  void open() {
    std::size_t opened = 0;
    try {
      for (; opened < arrays.size(); ++opened) detail::open_for_writing(arrays[opened]);
    } catch (...) {
      while (opened-- > 0) detail::close_unwritten(arrays[opened]);
      throw;
    }
  }

  void end() {
    if (active == nullptr)
      refuse_argument("halo.not-begun", "end without begin",
                      "begin or begin_accumulate before end");
    require_running();
    HaloTransfer& transfer = *std::exchange(active, nullptr);
    try {
      transfer.finish(&transfer == &accumulate ? &*combiner : nullptr);
    } catch (...) {
      fail(transfer);
      throw;
    }
    close();
  }

  void close() {
    std::exception_ptr failure;
    for (const DistArray& array : arrays) {
      try {
        detail::close_written(array);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }

  /// MPI has failed: what is under way would be taken for the messages of another exchange.
  void fail(HaloTransfer& transfer) noexcept {
    failed = true;
    transfer.cancel();
    close_unwritten();
  }

  void close_unwritten() noexcept {
    for (const DistArray& array : arrays) detail::close_unwritten(array);
  }

  /// Ends what was begun, without a word.
  void abandon() noexcept {
    HaloTransfer& transfer = *std::exchange(active, nullptr);
    try {
      require_running();
      transfer.abandon();
      close();
    } catch (...) {
      // Nobody is left to tell.
      close_unwritten();
    }
  }

  /// MPI takes the communicator back when it is finalized. Asking MPI itself is what an exchange of
  /// a few bytes would feel.
  void require_running() const {
    if (duplicate->comm() == MPI_COMM_NULL) throw Finalized("MPI");
  }

  void require_idle(const char* found) const {
    if (active != nullptr)
      refuse_argument("halo.begun", found, "an exchange that has ended", "Call end() first.");
    if (failed)
      refuse_argument("halo.failed", "an exchange in which MPI has failed", "a new one",
                      "Make another HaloExchange.");
  }

  std::vector<DistArray> arrays;
  HaloOptions options;
  std::shared_ptr<const MpiDuplicate> duplicate;
  ObjectTag tag;
  detail::HaloBuffers buffers;
  HaloTransfer update, accumulate;
  std::optional<detail::Combiner> combiner;
  HaloTransfer* active = nullptr;
  bool failed = false;
};

HaloExchange::HaloExchange(const DistArray& array, MPI_Comm comm, const HaloOptions& options)
    : HaloExchange(std::vector<DistArray>{array}, comm, options) {}

HaloExchange::HaloExchange(const std::vector<DistArray>& arrays, MPI_Comm comm,
                           const HaloOptions& options)
    : HaloExchange(arrays, std::make_shared<const MpiCommunicator>(comm), options) {}

HaloExchange::HaloExchange(const std::vector<DistArray>& arrays,
                           std::shared_ptr<const MpiCommunicator> comm,
                           const HaloOptions& options) {
  if (comm == nullptr) refuse_argument("argument", "no communicator", "a communicator");
  const CollectiveCall call(*comm, "HaloExchange");
  agreed(*comm, [&] {
    detail::fault_point("halo.arguments");
    require_batch(arrays);
    require_distinct(arrays.front());
    if (options.owned) detail::require_names_owners(arrays.front(), *options.owned);
  });
  const bool boundary = compare_ranks(arrays, options, *comm);
  const GlobalIndexMap map(arrays.front(), comm);
  const auto plans = detail::plan_halo(arrays.front(), map, options, boundary, comm);
  const auto duplicate = std::static_pointer_cast<const MpiDuplicate>(comm->keep_alive());
  ObjectTag tag = ObjectTag::agreed_on(*comm, duplicate->object_tags());
  state_ = agreed(*comm, [&] {
    detail::fault_point("halo.state");
    return std::make_unique<State>(arrays, options, plans, duplicate, std::move(tag));
  });
}

HaloExchange::HaloExchange(HaloExchange&& other) noexcept = default;

HaloExchange& HaloExchange::operator=(HaloExchange&& other) noexcept {
  if (this == &other) return *this;
  HaloExchange old(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}

HaloExchange::~HaloExchange() {
  if (state_ && state_->active != nullptr) state_->abandon();
}

HaloExchange::State& HaloExchange::state() const {
  if (!state_) refuse_argument("halo.moved", "an object that was moved from", "a HaloExchange");
  return *state_;
}

void HaloExchange::update() {
  begin();
  end();
}

void HaloExchange::begin() {
  state().begin(state_->update);
}

void HaloExchange::end() {
  state().end();
}

void HaloExchange::accumulate(Combine how) {
  begin_accumulate(how);
  end();
}

void HaloExchange::begin_accumulate(Combine how) {
  const detail::Combiner combiner(how, state().arrays.front().type());
  state_->require_idle("a second begin before end");
  state_->combiner = combiner;
  state_->begin(state_->accumulate);
}

bool HaloExchange::in_flight() const {
  return state().active != nullptr;
}

void HaloExchange::rebind(const DistArray& array) {
  rebind(std::vector<DistArray>{array});
}

void HaloExchange::rebind(const std::vector<DistArray>& arrays) {
  State& self = state();
  self.require_idle("rebind before end");
  self.require_running();
  if (arrays.size() != self.arrays.size())
    refuse_argument("halo.batch", std::to_string(arrays.size()) + " arrays",
                    std::to_string(self.arrays.size()));
  if (!arrays.front().same_layout(self.arrays.front()))
    refuse_argument("halo.layout", "an array of another layout",
                    "the layout that the exchange was made for", "Make a HaloExchange for it.");
  require_batch(arrays);
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
  return ranks(state().update.sends());
}

std::vector<int> HaloExchange::sources() const {
  return ranks(state().update.receives());
}

std::int64_t HaloExchange::bytes_sent() const {
  return bytes(state().update.sends()) * static_cast<Index>(state().arrays.size());
}

std::int64_t HaloExchange::bytes_received() const {
  return bytes(state().update.receives()) * static_cast<Index>(state().arrays.size());
}

std::int64_t HaloExchange::bytes_copied() const {
  return state().update.own_bytes() * static_cast<Index>(state().arrays.size());
}

void update_padding(const DistArray& array, MPI_Comm comm, const HaloOptions& options) {
  const auto ranks = std::make_shared<const MpiCommunicator>(comm);
  const CollectiveCall call(*ranks, "update_padding");
  HaloExchange({array}, ranks, options).update();
}

}  // namespace daptor
