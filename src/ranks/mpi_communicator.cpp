// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/mpi_communicator.hpp"

#include <algorithm>

#include "daptor/detail/abort.hpp"
#include "daptor/detail/local_work.hpp"
#include "ranks/mpi_duplicate.hpp"
#include "ranks/mpi_exchange.hpp"
#include "section/mappable_memory.hpp"

namespace daptor {
namespace {

using detail::largest_piece;

constexpr int sendrecv_tag = 1;
constexpr int first_exchange_tag = 2;

MPI_Op operation(Reduction reduction) {
  switch (reduction) {
    case Reduction::min:
      return MPI_MIN;
    case Reduction::max:
      return MPI_MAX;
    case Reduction::sum:
      break;
  }
  return MPI_SUM;
}

/// The arguments of MPI for one piece of a long message.
struct Piece {
  int peer = MPI_PROC_NULL;
  std::size_t start = 0;
  int count = 0;
};

/// An empty message is sent as one piece too.
std::size_t piece_count(std::size_t bytes) {
  return bytes == 0 ? 1 : (bytes - 1) / largest_piece + 1;
}

/// Piece `number` of a message. After the last piece, or if there is no peer, it is an empty
/// message to MPI_PROC_NULL.
Piece piece(int peer, std::size_t bytes, std::size_t number) {
  if (peer < 0 || number >= piece_count(bytes)) return {};
  const std::size_t start = number * largest_piece;
  return {peer, start, static_cast<int>(std::min(bytes - start, largest_piece))};
}

void require_collective(const char* operation, int size) {
  require_mpi_running();
  if (size > 1) detail::require_no_local_work(operation);
}

}  // namespace

void MpiCommunicator::measure(MPI_Comm comm) {
  check_mpi(MPI_Comm_rank(comm, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(comm, &size_), "MPI_Comm_size");
  if (size_ > 1) detail::expect_other_processes();
}

void MpiCommunicator::bind(MPI_Comm comm) {
  measure(comm);
  mpi_ = comm;
}

MPI_Comm MpiCommunicator::bound() const {
  // Binding changes no value that a caller can see, but for the time it takes.
  if (mpi_ == MPI_COMM_NULL) const_cast<MpiCommunicator*>(this)->bind_late();
  return mpi_;
}

void MpiCommunicator::allreduce(std::int64_t* values, int count, Reduction reduction) const {
  require_collective("allreduce", size_);
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, operation(reduction), bound()),
            "MPI_Allreduce");
}

std::int64_t MpiCommunicator::exclusive_sum(std::int64_t value) const {
  require_collective("exclusive_sum", size_);
  std::int64_t sum = 0;
  check_mpi(MPI_Exscan(&value, &sum, 1, MPI_INT64_T, MPI_SUM, bound()), "MPI_Exscan");
  return rank_ == 0 ? 0 : sum;
}

void MpiCommunicator::broadcast(void* data, std::size_t count, int root) const {
  require_collective("broadcast", size_);
  auto* const bytes = static_cast<std::byte*>(data);
  const MPI_Comm comm = bound();
  for (std::size_t number = 0; number < piece_count(count); ++number) {
    const Piece part = piece(root, count, number);
    check_mpi(MPI_Bcast(bytes + part.start, part.count, MPI_BYTE, root, comm), "MPI_Bcast");
  }
}

void MpiCommunicator::sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                               std::size_t received) const {
  require_collective("sendrecv", size_);
  const auto* const source = static_cast<const std::byte*>(send);
  auto* const target = static_cast<std::byte*>(receive);
  const MPI_Comm comm = bound();
  const std::size_t pieces = std::max(piece_count(sent), piece_count(received));
  for (std::size_t number = 0; number < pieces; ++number) {
    const Piece out = piece(to, sent, number);
    const Piece in = piece(from, received, number);
    check_mpi(MPI_Sendrecv(source + out.start, out.count, MPI_BYTE, out.peer, sendrecv_tag,
                           target + in.start, in.count, MPI_BYTE, in.peer, sendrecv_tag, comm,
                           MPI_STATUS_IGNORE),
              "MPI_Sendrecv");
  }
}

std::vector<Message> MpiCommunicator::exchange(const std::vector<Message>& messages) const {
  require_collective("exchange", size_);
  // Exchanges that follow each other may overlap: a rank that has left one may send in the next
  // while others are still receiving. Two alternating tags keep them apart, because no rank can be
  // two exchanges ahead of another.
  exchange_turn_ = 1 - exchange_turn_;
  return detail::sparse_exchange(bound(), first_exchange_tag + exchange_turn_, messages);
}

}  // namespace daptor
