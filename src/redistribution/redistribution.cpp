#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "daptor/agreement.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/global_index_map.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "mpi_duplicate.hpp"
#include "mpi_exchange.hpp"
#include "object_tag.hpp"
#include "redistribution/pieces.hpp"
#include "redistribution/transfer.hpp"
#include "refuse.hpp"

namespace daptor {
namespace {

using detail::refuse_argument;

constexpr std::int64_t least_buffer = 64 * 1024;

std::string shape_text(const std::vector<Index>& shape) {
  std::string text;
  for (const Index n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

/// Process-local.
void require_pair(const DistArray& source, const DistArray& target,
                  const RedistributionOptions& options) {
  if (source.global_shape() != target.global_shape())
    refuse_argument("redistribute.shape",
                    "a source of " + shape_text(source.global_shape()) + ", a target of " +
                        shape_text(target.global_shape()),
                    "one global shape");
  if (source.type() != target.type())
    refuse_argument("redistribute.type",
                    "a source of " + source.type().name() + ", a target of " + target.type().name(),
                    "one element type");
  if (options.buffer_bytes < 0)
    refuse_argument("redistribute.options", std::to_string(options.buffer_bytes) + " bytes",
                    "0 or more");
  const ReadLease read(source);
  const WriteLease write(target);
}

std::int64_t bytes_of(const DistArray& array) {
  return array.local_count() * static_cast<std::int64_t>(array.type().itemsize());
}

/// Collective. Bytes of a chunk, the same on all ranks: half of the buffers is for what goes out,
/// half for what comes in, and each half holds two.
std::size_t agreed_chunk(const DistArray& source, const DistArray& target,
                         const RedistributionOptions& options, const Communicator& comm) {
  const std::int64_t padding = options.fill_padding ? 1 : 0;
  std::array<std::int64_t, 5> lowest{
      padding, -padding, options.buffer_bytes, -options.buffer_bytes,
      // Of the largest section: no chunk of a process is larger than what it has.
      -std::max(bytes_of(source), bytes_of(target))};
  comm.allreduce(lowest.data(), static_cast<int>(lowest.size()), Reduction::min);
  if (lowest[0] != -lowest[1] || lowest[2] != -lowest[3])
    refuse_argument("redistribute.options", "options that differ between ranks",
                    "the same on all ranks");
  const std::int64_t all = options.buffer_bytes > 0 ? options.buffer_bytes : -lowest[4] / 4;
  return std::min(static_cast<std::size_t>(std::max(all, least_buffer) / 4), detail::largest_piece);
}

detail::Layout layout_of(const DistArray& array) {
  return {array.byte_strides(), array.type().itemsize()};
}

}  // namespace

struct Redistribution::State {
  State(const DistArray& from, const DistArray& to, const detail::Sharing& sharing,
        const std::shared_ptr<const MpiCommunicator>& communicator, ObjectTag own_tag,
        std::size_t chunk_bytes)
      : source(from),
        target(to),
        comm(communicator),
        tag(std::move(own_tag)),
        transfer(sharing, layout_of(from), layout_of(to), comm->rank(), comm->size(), chunk_bytes) {
  }

  DistArray source, target;
  std::shared_ptr<const MpiCommunicator> comm;
  ObjectTag tag;
  detail::ChunkedTransfer transfer;
};

Redistribution::Redistribution(const DistArray& source, const DistArray& target, MPI_Comm comm,
                               const RedistributionOptions& options)
    : Redistribution(source, target, std::make_shared<const MpiCommunicator>(comm), options) {}

Redistribution::Redistribution(const DistArray& source, const DistArray& target,
                               std::shared_ptr<const MpiCommunicator> comm,
                               const RedistributionOptions& options) {
  if (comm == nullptr) refuse_argument("argument", "no communicator", "a communicator");
  agreed(*comm, [&] {
    detail::fault_point("redistribute.arguments");
    require_pair(source, target, options);
  });
  const std::size_t chunk = agreed_chunk(source, target, options, *comm);
  require_consistent(source, *comm);
  require_consistent(target, *comm);
  const GlobalIndexMap owners(source, comm);
  const auto local = agreed(*comm, [&] {
    detail::fault_point("redistribute.local");
    return LocalIndexMap(target);
  });
  const auto order = agreed(
      *comm, [&] { return detail::memory_order(target.local_shape(), target.byte_strides()); });
  const auto wanted = detail::divide_target(local, owners, options.fill_padding, order, *comm);
  const auto sharing = detail::ask_owners(wanted, owners, *comm);
  const auto duplicate = std::static_pointer_cast<const MpiDuplicate>(comm->keep_alive());
  ObjectTag tag = ObjectTag::agreed_on(*comm, duplicate->object_tags());
  state_ = agreed(*comm, [&] {
    detail::fault_point("redistribute.state");
    return std::make_unique<State>(source, target, sharing, comm, std::move(tag), chunk);
  });
}

Redistribution::Redistribution(Redistribution&& other) noexcept = default;
Redistribution& Redistribution::operator=(Redistribution&& other) noexcept = default;
Redistribution::~Redistribution() = default;

Redistribution::State& Redistribution::state() const {
  if (!state_)
    refuse_argument("redistribute.moved", "an object that was moved from", "a Redistribution");
  return *state_;
}

void Redistribution::run() {
  State& self = state();
  require_mpi_running();
  const ReadLease read(self.source);
  WriteLease write(self.target);
  self.transfer.run(static_cast<const std::byte*>(self.source.data()),
                    static_cast<std::byte*>(self.target.mutable_data()), self.comm->mpi(),
                    self.tag.value());
  write.close();
}

void Redistribution::rebind(const DistArray& source, const DistArray& target) {
  State& self = state();
  if (!source.same_layout(self.source) || !target.same_layout(self.target))
    refuse_argument("redistribute.layout", "arrays of other layouts",
                    "the layouts that the redistribution was made for",
                    "Make a Redistribution for them.");
  require_pair(source, target, {});
  self.source = source;
  self.target = target;
}

std::int64_t Redistribution::bytes_sent() const {
  return state().transfer.bytes_sent();
}

std::int64_t Redistribution::bytes_received() const {
  return state().transfer.bytes_received();
}

std::int64_t Redistribution::bytes_copied() const {
  return state().transfer.bytes_copied();
}

std::int64_t Redistribution::buffer_bytes() const {
  return static_cast<std::int64_t>(state().transfer.buffer_bytes());
}

void redistribute(const DistArray& source, const DistArray& target, MPI_Comm comm,
                  const RedistributionOptions& options) {
  Redistribution(source, target, comm, options).run();
}

}  // namespace daptor
