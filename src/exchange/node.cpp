// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/node.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <random>
#include <stdexcept>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"
#include "section/mappable_memory.hpp"

namespace daptor::detail {
namespace {

/// What is kept beside the communicator has this address as its key.
constexpr char kept_key = 0;

NodeColor node_color = nullptr;

/// Smaller arrays are sent by messages, which are as quick.
constexpr std::int64_t least_array_bytes = 64 * 1024;
/// How many bytes a process has for elements that others read. Only what is used costs memory.
constexpr std::size_t pages_bytes = std::size_t{32} * 1024 * 1024;
/// For how many places there is room before anything is allocated.
constexpr std::size_t usual_places = 256;

int this_process() {
#ifdef __linux__
  return static_cast<int>(getpid());
#else
  return 0;
#endif
}

/// Lets the other processes of this user read this one's memory, where Yama restricts that to a
/// process' ancestors. MPI libraries do the same.
void allow_reading() {
#if defined(__linux__) && defined(PR_SET_PTRACER)
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
#endif
}

std::uint64_t new_number() {
  try {
    std::random_device random;
    return (std::uint64_t{random()} << 32) | random();
  } catch (...) {
    return 0;
  }
}

/// A communicator that is freed with this object.
struct OwnedComm {
  OwnedComm() = default;
  OwnedComm(const OwnedComm&) = delete;
  OwnedComm& operator=(const OwnedComm&) = delete;
  ~OwnedComm() {
    if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
  }
  MPI_Comm comm = MPI_COMM_NULL;
};

/// Collective. The ranks of this node.
void split_by_node(MPI_Comm comm, int rank, OwnedComm& node) {
  OwnedComm shared;
  check_mpi(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared.comm),
            "MPI_Comm_split_type");
  if (node_color == nullptr) {
    std::swap(node.comm, shared.comm);
    return;
  }
  check_mpi(MPI_Comm_split(shared.comm, node_color(rank), rank, &node.comm), "MPI_Comm_split");
}

/// What is meant where an option of a call says this: for `quicker`, what DAPTOR_NODE says.
WithinNode meant(WithinNode option) {
#ifdef __linux__
  if (option != WithinNode::quicker) return option;
  return said_within_node().value_or(option);
#else
  return WithinNode::messages;
#endif
}

}  // namespace

NodeColor set_node_color(NodeColor color) {
  return std::exchange(node_color, color);
}

NodeChoice::NodeChoice(const Comm& comm, WithinNode option, std::int64_t bytes, Call& call)
    : comm_(comm),
      kept_(Node::kept_with(comm)),
      meant_(call.least([&] { return static_cast<std::int64_t>(meant(option)); })),
      bytes_(call.greatest(bytes)),
      known_(call.all(kept_ != nullptr)) {}

bool NodeChoice::always() const {
  return meant_ == static_cast<std::int64_t>(WithinNode::direct);
}

std::shared_ptr<const Node> NodeChoice::node(Call& call) const {
  const bool messages = meant_ == static_cast<std::int64_t>(WithinNode::messages);
  if (comm_.size() == 1 || messages || (!always() && bytes_ < least_array_bytes)) return nullptr;
  return known_ ? kept_ : Node::find(comm_, call);
}

iovec piece_there(std::uint64_t address, std::size_t bytes) {
  return {reinterpret_cast<void*>(address), bytes};  // NOLINT(performance-no-int-to-ptr)
}

bool read_memory([[maybe_unused]] int process, [[maybe_unused]] const iovec* here,
                 [[maybe_unused]] std::size_t here_count, [[maybe_unused]] const iovec* there,
                 [[maybe_unused]] std::size_t there_count) {
#ifdef __linux__
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < there_count; ++i) bytes += there[i].iov_len;
  const ssize_t read = process_vm_readv(process, here, here_count, there, there_count, 0);
  return read >= 0 && static_cast<std::size_t>(read) == bytes;
#else
  errno = ENOSYS;
  return false;
#endif
}

std::string node_text() {
#ifdef __linux__
  if (meant(WithinNode::quicker) == WithinNode::messages) return "messages (DAPTOR_NODE)";
  std::uint64_t from = 0x0123456789abcdef;
  std::uint64_t to = 0;
  const iovec there{&from, sizeof from};
  const iovec here{&to, sizeof to};
  std::string text = "memory of the other process";
  if (!read_memory(this_process(), &here, 1, &there, 1))
    text = "not the memory of the other process (process_vm_readv: " +
           std::string(std::strerror(errno)) + ")";
  const SharedPages pages = SharedPages::make(first_page);
  const bool made = pages.data() != nullptr;
  if (made && SharedPages::of(this_process(), pages.file(), first_page).data() != nullptr) {
    const std::string why_not = why_not_mappable();
    return text + ", shared pages, arrays that Daptor allocates" +
           (why_not.empty() ? "" : " not (large pages of a file: " + why_not + ")");
  }
  return text + ", not shared pages (" + (made ? "/proc" : "memfd_create") + ": " +
         std::strerror(errno) + "), messages";
#else
  return "messages (the others are for Linux)";
#endif
}

bool Node::readable([[maybe_unused]] const Member& member) {
#ifdef __linux__
  Member found;
  const iovec there = piece_there(member.address, sizeof found);
  const iovec here{&found, sizeof found};
  return read_memory(static_cast<int>(member.process), &here, 1, &there, 1) &&
         found.number == member.number && found.rank == member.rank;
#else
  return false;
#endif
}

std::shared_ptr<const Node> Node::kept_with(const Comm& comm) {
  const auto* const node = static_cast<const Node*>(comm->kept(&kept_key));
  return node == nullptr ? nullptr : node->shared_from_this();
}

std::shared_ptr<const Node> Node::find(const Comm& comm, Call& call) {
  OwnedComm ranks;
  split_by_node(comm->mpi(), comm.rank(), ranks);
  int size = 0;
  check_mpi(MPI_Comm_size(ranks.comm, &size), "MPI_Comm_size");
  std::shared_ptr<Node> node;
  Member own;
  own.rank = comm.rank();
  own.process = this_process();
  own.address = reinterpret_cast<std::uint64_t>(&own);
  own.number = new_number();
  call.check([&] {
    node = std::make_shared<Node>();
    node->members_.resize(static_cast<std::size_t>(size));
    if (size > 1) node->share_pages(own);
  });
  if (size > 1) allow_reading();
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, node->members_.data(), sizeof own, MPI_BYTE,
                          ranks.comm),
            "MPI_Allgather");
  const bool others = size > 1 && own.number != 0;
  const bool readable_all =
      others && std::all_of(node->members_.begin(), node->members_.end(), readable);
  std::array<int, 2> all{readable_all ? 1 : 0, others && node->map_pages() ? 1 : 0};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, all.data(), 2, MPI_INT, MPI_MIN, ranks.comm),
            "MPI_Allreduce");
  node->reads_ = all[0] != 0;
  if (node->outbox_) node->outbox_->pages().close();
  if (all[1] == 0) {
    node->outbox_.reset();
    node->pages_.clear();
  }
  call.check([&] {
    if (comm->kept(&kept_key) == nullptr) comm->keep(&kept_key, node);
  });
  return node;
}

void Node::share_pages(Member& own) {
  SharedPages pages = SharedPages::make(pages_bytes);
  if (pages.data() == nullptr) return;
  std::memcpy(pages.data(), &own.number, sizeof own.number);
  own.file = pages.file();
  outbox_ = std::make_unique<Outbox>(std::move(pages), usual_places);
}

bool Node::map_pages() {
  pages_.resize(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    if (member.file < 0) return false;
    if (member.process == this_process()) continue;
    pages_[i] = SharedPages::of(member.process, member.file, pages_bytes);
    if (pages_[i].data() == nullptr ||
        std::memcmp(pages_[i].data(), &member.number, sizeof member.number) != 0)
      return false;
  }
  return true;
}

const Node::Member* Node::member(int rank) const {
  const auto at =
      std::lower_bound(members_.begin(), members_.end(), rank,
                       [](const Member& each, int wanted) { return each.rank < wanted; });
  const bool other = at != members_.end() && at->rank == rank && at->process != this_process();
  return other ? &*at : nullptr;
}

int Node::process(int rank) const {
  const Member* const found = reads_ || maps() ? member(rank) : nullptr;
  return found == nullptr ? 0 : static_cast<int>(found->process);
}

bool Node::shares_with(int rank) const {
  return outbox_ != nullptr && member(rank) != nullptr;
}

std::optional<Arrival> Node::arrival(int rank, const MPI_Status& status, const void* message,
                                     std::size_t bytes) const {
  int count = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  if (static_cast<std::size_t>(count) == bytes) return std::nullopt;
  try {
    Letter letter{};
    if (static_cast<std::size_t>(count) != sizeof letter)
      throw std::out_of_range("neither elements nor a place");
    std::memcpy(&letter, message, sizeof letter);
    const Member* const from = member(rank);
    return Arrival(pages_.at(static_cast<std::size_t>(from - members_.data())), letter, bytes);
  } catch (const std::out_of_range& wrong) {
    throw LibraryFailed("MPI", "MPI_Irecv",
                        "a message of rank " + std::to_string(rank) + " has " + wrong.what());
  }
}

}  // namespace daptor::detail
