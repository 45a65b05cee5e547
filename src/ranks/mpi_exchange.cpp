// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/mpi_exchange.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <string>
#include <utility>

#include "daptor/detail/abort.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/error.hpp"
#include "ranks/mpi_duplicate.hpp"

namespace daptor::detail {
namespace {

/// Nonblocking consensus (Hoefler, Siebert, Lumsdaine 2010): messages are sent synchronously, and a
/// rank enters a nonblocking barrier when all of its own messages have been received.
///
/// A message is sent in full pieces followed by a shorter, possibly empty one, so that a receiver
/// recognizes the end of the message. MPI keeps the pieces of one source in order.
class SparseExchange {
 public:
  SparseExchange(MPI_Comm comm, int tag, std::size_t piece)
      : comm_(comm), tag_(tag), piece_(piece) {}

  void post(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      std::size_t sent = 0;
      while (message.bytes.size() - sent >= piece_) {
        send(message, sent, piece_);
        sent += piece_;
      }
      send(message, sent, message.bytes.size() - sent);
    }
  }

  std::vector<Message> finish() {
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool in_barrier = false;
    int done = 0;
    while (done == 0) {
      while (receive_piece()) {
      }
      if (in_barrier) {
        check_mpi(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
      } else if (all_received()) {
        check_mpi(MPI_Ibarrier(comm_, &barrier), "MPI_Ibarrier");
        in_barrier = true;
      }
    }
    std::stable_sort(received_.begin(), received_.end(),
                     [](const Message& a, const Message& b) { return a.rank < b.rank; });
    return std::move(received_);
  }

 private:
  void send(const Message& message, std::size_t start, std::size_t count) {
    sends_.push_back(MPI_REQUEST_NULL);
    check_mpi(MPI_Issend(message.bytes.data() + start, static_cast<int>(count), MPI_BYTE,
                         message.rank, tag_, comm_, &sends_.back()),
              "MPI_Issend");
  }

  bool all_received() {
    int all = 0;
    check_mpi(
        MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &all, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    return all != 0;
  }

  /// Receives a piece if one is waiting, and returns whether it did.
  bool receive_piece() {
    int waiting = 0;
    MPI_Message handle = MPI_MESSAGE_NULL;
    MPI_Status status;
    check_mpi(MPI_Improbe(MPI_ANY_SOURCE, tag_, comm_, &waiting, &handle, &status), "MPI_Improbe");
    if (waiting == 0) return false;
    int count = 0;
    check_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
    fault_point("core.exchange.receive");
    const auto size = static_cast<std::size_t>(count);
    std::vector<std::byte>& bytes = unfinished_[status.MPI_SOURCE];
    const std::size_t start = bytes.size();
    bytes.resize(start + size);
    check_mpi(MPI_Mrecv(bytes.data() + start, count, MPI_BYTE, &handle, &status), "MPI_Mrecv");
    if (size < piece_) {
      received_.push_back({status.MPI_SOURCE, std::move(bytes)});
      unfinished_.erase(status.MPI_SOURCE);
    }
    return true;
  }

  MPI_Comm comm_;
  int tag_;
  std::size_t piece_;
  std::vector<MPI_Request> sends_;
  std::map<int, std::vector<std::byte>> unfinished_;
  std::vector<Message> received_;
};

}  // namespace

std::vector<Message> sparse_exchange(MPI_Comm comm, int tag, const std::vector<Message>& messages,
                                     std::size_t piece) {
  int size = 0;
  check_mpi(MPI_Comm_size(comm, &size), "MPI_Comm_size");
  for (const Message& message : messages)
    if (message.rank < 0 || message.rank >= size)
      throw InvalidArgument("rank", std::to_string(message.rank),
                            "a rank in [0, " + std::to_string(size) + ')');
  // From here on, other ranks wait for the messages of this rank, and MPI reads the caller's
  // memory.
  try {
    SparseExchange exchange(comm, tag, piece);
    exchange.post(messages);
    return exchange.finish();
  } catch (const std::exception& failure) {
    abort_communicator(comm, "an exchange of messages", failure.what());
  }
}

}  // namespace daptor::detail
