// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/node.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>
#endif

#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// What is kept beside the communicator has this address as its key.
constexpr char kept_key = 0;

NodeColor node_color = nullptr;

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

}  // namespace

NodeColor set_node_color(NodeColor color) {
  return std::exchange(node_color, color);
}

NodeWish node_wish() {
#ifdef __linux__
  const char* const text = std::getenv("DAPTOR_NODE");
  const std::string wish = text == nullptr ? "" : text;
  return wish == "direct"    ? NodeWish::direct
         : wish == "quicker" ? NodeWish::quicker
                             : NodeWish::messages;
#else
  return NodeWish::messages;
#endif
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
  const std::string messages = "messages";
#ifdef __linux__
  if (node_wish() == NodeWish::messages) return messages + " (DAPTOR_NODE is not set otherwise)";
  std::uint64_t from = 0x0123456789abcdef;
  std::uint64_t to = 0;
  const iovec there{&from, sizeof from};
  const iovec here{&to, sizeof to};
  if (!read_memory(this_process(), &here, 1, &there, 1))
    return messages + " (process_vm_readv: " + std::strerror(errno) + ")";
  return "memory of the other process (process_vm_readv)";
#else
  return messages + " (only Linux has process_vm_readv)";
#endif
}

bool Node::readable([[maybe_unused]] const Member& member) {
#ifdef __linux__
  Member found;
  // An address of another process, which this one never follows.
  const iovec there{reinterpret_cast<void*>(member.address), sizeof found};
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
  });
  const NodeWish wish = own.number != 0 ? node_wish() : NodeWish::messages;
  own.wish = static_cast<std::int64_t>(wish);
  if (wish != NodeWish::messages) allow_reading();
  check_mpi(MPI_Allgather(&own, sizeof own, MPI_BYTE, node->members_.data(), sizeof own, MPI_BYTE,
                          ranks.comm),
            "MPI_Allgather");
  const auto wishes = [&](NodeWish least) {
    return std::all_of(node->members_.begin(), node->members_.end(), [least](const Member& member) {
      return member.wish >= static_cast<std::int64_t>(least);
    });
  };
  node->always_ = wishes(NodeWish::direct);
  int all = wishes(NodeWish::quicker) &&
                    std::all_of(node->members_.begin(), node->members_.end(), readable)
                ? 1
                : 0;
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, ranks.comm), "MPI_Allreduce");
  if (all == 0) node->members_.clear();
  call.check([&] {
    if (comm->kept(&kept_key) == nullptr) comm->keep(&kept_key, node);
  });
  return node;
}

int Node::process(int rank) const {
  const auto at =
      std::lower_bound(members_.begin(), members_.end(), rank,
                       [](const Member& member, int wanted) { return member.rank < wanted; });
  if (at == members_.end() || at->rank != rank || at->process == this_process()) return 0;
  return static_cast<int>(at->process);
}

}  // namespace daptor::detail
