// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/node_text.hpp"
#include "daptor/within_node.hpp"
#include "exchange/shared_pages.hpp"

#if __has_include(<sys/uio.h>)
#include <sys/uio.h>
#else
struct iovec {
  void* iov_base;
  std::size_t iov_len;
};
#endif

namespace daptor::detail {

/// The ranks of a communicator that run on this process' node, and whether they read each other's
/// memory and share pages. Found out once per communicator by doing so, because containers and
/// security modules may forbid it; what one rank of the node cannot do with each of the others,
/// none does.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// Process-local. What was found for this communicator; null if nobody has asked yet.
  static std::shared_ptr<const Node> kept_with(const Comm& comm);
  /// Collective, on a communicator for which not all ranks have one.
  static std::shared_ptr<const Node> find(const Comm& comm, Call& call);

  /// The process of a rank on this node; 0 for all others, for this rank itself, and for all if
  /// memory is neither read nor mapped.
  int process(int rank) const;
  bool reads() const { return reads_; }
  /// Whether ranks can map what is mappable of each other, as they have mapped their pages.
  bool maps() const { return outbox_ != nullptr; }

  /// Whether the rank has mapped this process' pages, and this one has mapped those of the rank.
  bool shares_with(int rank) const;
  /// Where this process puts elements for ranks with which it shares pages.
  Outbox& outbox() const { return *outbox_; }
  /// Where the elements are of which a message tells that has come from a rank with which this one
  /// shares pages; none if they are in the message. Throws LibraryFailed for any other message.
  /// @param bytes  of the elements
  std::optional<Arrival> arrival(int rank, const MPI_Status& status, const void* message,
                                 std::size_t bytes) const;

 private:
  /// A rank of this node.
  struct Member {
    std::int64_t rank = 0;
    std::int64_t process = 0;
    /// Where the process has a copy of this struct, and a number that no other process has.
    std::uint64_t address = 0, number = 0;
    /// The file of its pages, in which the number is the first.
    std::int64_t file = -1;
  };
  const Member* member(int rank) const;
  static bool readable(const Member& member);
  /// Makes this process' pages, if the system lets it.
  void share_pages(Member& own);
  /// Maps the pages of all others. Returns false if some cannot be mapped.
  bool map_pages();

  std::vector<Member> members_;  // by rank
  bool reads_ = false;
  std::unique_ptr<Outbox> outbox_;  // null if no pages are shared
  std::vector<SharedPages> pages_;  // of each member
};

/// Whether the ranks of a node exchange elements without messages: asked with the next check of a
/// call, and the same on all ranks. Of what ranks say in the environment variable DAPTOR_NODE the
/// most modest is done.
class NodeChoice {
 public:
  /// @param bytes  what this rank has in the arrays. If no rank has much, messages are as quick.
  NodeChoice(const Comm& comm, WithinNode option, std::int64_t bytes, Call& call);
  /// Collective, after the check. The ranks of this process' node; null if all elements go by
  /// messages.
  std::shared_ptr<const Node> node(Call& call) const;
  /// Whether also where messages are as quick.
  bool always() const;

 private:
  Comm comm_;
  std::shared_ptr<const Node> kept_;
  Agreed<std::int64_t> meant_, bytes_;
  Agreed<bool> known_;
};
/// Elements that are fewer bytes are sent in a message of their own (`daptor_bench_node`).
inline constexpr std::size_t least_shared_bytes = 1024;
/// A piece of another process' memory, whose address this one never follows.
iovec piece_there(std::uint64_t address, std::size_t bytes);
/// Reads the pieces of another process' memory, in turn, into pieces of this one's, which have as
/// many bytes together. Returns whether all was read. At most `most_pieces` each.
bool read_memory(int process, const iovec* here, std::size_t here_count, const iovec* there,
                 std::size_t there_count);
inline constexpr std::size_t most_pieces = 1024;

/// For tests: ranks of which this returns different numbers are on different nodes. Null for none.
using NodeColor = int (*)(int rank);
NodeColor set_node_color(NodeColor color);

}  // namespace daptor::detail
