// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/detail/node_text.hpp"

struct iovec;

namespace daptor::detail {

/// The ranks of a communicator that run on this process' node and read each other's memory. Found
/// out once per communicator by reading, because containers and security modules may forbid it; if
/// one rank of the node cannot read from each of the others, none does.
class Node : public std::enable_shared_from_this<Node> {
 public:
  /// Process-local. What was found for this communicator; null if nobody has asked yet.
  static std::shared_ptr<const Node> kept_with(const Comm& comm);
  /// Collective, on a communicator for which not all ranks have one.
  static std::shared_ptr<const Node> find(const Comm& comm, Call& call);

  /// The process of a rank on this node; 0 for all others, for this rank itself, and for all if
  /// memory is not read.
  int process(int rank) const;
  bool reads() const { return !members_.empty(); }
  /// Whether memory is read even where messages are quicker; the same on all ranks of the node.
  bool always() const { return always_; }

 private:
  /// A rank of this node.
  struct Member {
    std::int64_t rank = 0;
    std::int64_t process = 0;
    /// Where the process has a copy of this struct, and a number that no other process has.
    std::uint64_t address = 0, number = 0;
    /// Its NodeWish.
    std::int64_t wish = 0;
  };
  static bool readable(const Member& member);

  std::vector<Member> members_;  // by rank
  bool always_ = false;
};

/// What DAPTOR_NODE says: `messages`, which is also meant by nothing; `quicker`, which reads where
/// that takes less time; or `direct`, which reads wherever it can.
/// Process-local.
enum class NodeWish { messages, quicker, direct };
NodeWish node_wish();
/// Reads the pieces of another process' memory, in turn, into pieces of this one's, which have as
/// many bytes together. Returns whether all was read. At most `most_pieces` each.
bool read_memory(int process, const iovec* here, std::size_t here_count, const iovec* there,
                 std::size_t there_count);
inline constexpr std::size_t most_pieces = 1024;

/// For tests: ranks of which this returns different numbers are on different nodes. Null for none.
using NodeColor = int (*)(int rank);
NodeColor set_node_color(NodeColor color);

}  // namespace daptor::detail
