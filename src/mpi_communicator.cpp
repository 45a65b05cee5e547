#include <algorithm>
#include <limits>
#include <string>

#include "daptor/communicator.hpp"
#include "daptor/error.hpp"
#include "mpi_duplicate.hpp"

namespace daptor {
namespace {

constexpr int sendrecv_tag = 1;
/// Two exchanges may overlap: a rank that has left the first may send in the second while others
/// are still receiving. Two tags in turn keep them apart; a rank cannot be two exchanges ahead.
constexpr int exchange_tags[] = {2, 3};

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

int checked_count(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw LibraryFailed("mpi", "message", std::to_string(bytes) + " bytes exceed MPI's counts");
  return static_cast<int>(bytes);
}

int optional_rank(int rank) {
  return rank < 0 ? MPI_PROC_NULL : rank;
}

/// Receives what waits under `tag`, if anything; says whether it did.
bool receive_one(MPI_Comm comm, int tag, std::vector<Message>& received) {
  int waiting = 0;
  MPI_Message handle = MPI_MESSAGE_NULL;
  MPI_Status status;
  check_mpi(MPI_Improbe(MPI_ANY_SOURCE, tag, comm, &waiting, &handle, &status), "MPI_Improbe");
  if (waiting == 0) return false;
  int count = 0;
  check_mpi(MPI_Get_count(&status, MPI_BYTE, &count), "MPI_Get_count");
  Message message;
  message.rank = status.MPI_SOURCE;
  message.bytes.resize(static_cast<std::size_t>(count));
  check_mpi(MPI_Mrecv(message.bytes.data(), count, MPI_BYTE, &handle, &status), "MPI_Mrecv");
  received.push_back(std::move(message));
  return true;
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm comm) {
  const auto duplicate = MpiDuplicate::of(comm);
  mpi_ = duplicate->comm();
  duplicate_ = duplicate;
  check_mpi(MPI_Comm_rank(mpi_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(mpi_, &size_), "MPI_Comm_size");
}

void MpiCommunicator::allreduce(std::int64_t* values, int count, Reduction reduction) const {
  require_mpi_running();
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, operation(reduction), mpi_),
            "MPI_Allreduce");
}

std::int64_t MpiCommunicator::exclusive_sum(std::int64_t value) const {
  require_mpi_running();
  std::int64_t sum = 0;
  check_mpi(MPI_Exscan(&value, &sum, 1, MPI_INT64_T, MPI_SUM, mpi_), "MPI_Exscan");
  return rank_ == 0 ? 0 : sum;
}

void MpiCommunicator::broadcast(void* data, std::size_t count, int root) const {
  require_mpi_running();
  check_mpi(MPI_Bcast(data, checked_count(count), MPI_BYTE, root, mpi_), "MPI_Bcast");
}

void MpiCommunicator::sendrecv(int to, const void* send, std::size_t sent, int from, void* receive,
                               std::size_t received) const {
  require_mpi_running();
  check_mpi(MPI_Sendrecv(send, checked_count(sent), MPI_BYTE, optional_rank(to), sendrecv_tag,
                         receive, checked_count(received), MPI_BYTE, optional_rank(from),
                         sendrecv_tag, mpi_, MPI_STATUS_IGNORE),
            "MPI_Sendrecv");
}

std::vector<Message> MpiCommunicator::exchange(const std::vector<Message>& messages) const {
  require_mpi_running();
  // Nonblocking consensus (Hoefler, Siebert, Lumsdaine 2010): synchronous sends, and a barrier that
  // a rank enters when all of its own have been received.
  int& turn = static_cast<const MpiDuplicate*>(duplicate_.get())->exchange_turn();
  const int tag = exchange_tags[turn];
  turn = 1 - turn;
  std::vector<MPI_Request> sends(messages.size(), MPI_REQUEST_NULL);
  for (std::size_t i = 0; i < messages.size(); ++i)
    check_mpi(MPI_Issend(messages[i].bytes.data(), checked_count(messages[i].bytes.size()),
                         MPI_BYTE, messages[i].rank, tag, mpi_, &sends[i]),
              "MPI_Issend");
  std::vector<Message> received;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool in_barrier = false;
  int done = 0;
  while (done == 0) {
    while (receive_one(mpi_, tag, received)) {
    }
    if (in_barrier) {
      check_mpi(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), "MPI_Test");
      continue;
    }
    int all_sent = 0;
    check_mpi(
        MPI_Testall(static_cast<int>(sends.size()), sends.data(), &all_sent, MPI_STATUSES_IGNORE),
        "MPI_Testall");
    if (all_sent != 0) {
      check_mpi(MPI_Ibarrier(mpi_, &barrier), "MPI_Ibarrier");
      in_barrier = true;
    }
  }
  std::stable_sort(received.begin(), received.end(),
                   [](const Message& a, const Message& b) { return a.rank < b.rank; });
  return received;
}

}  // namespace daptor
