// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>
#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "communicator_operations.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "everywhere.hpp"
#include "ranks/mpi_exchange.hpp"

// Counts all communicators that are duplicated and freed in this program, also by Daptor.
namespace {
int duplicates_made = 0;
int communicators_freed = 0;
}  // namespace

extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++duplicates_made;
  return PMPI_Comm_dup(comm, copy);
}
extern "C" int MPI_Comm_free(MPI_Comm* comm) {
  ++communicators_freed;
  return PMPI_Comm_free(comm);
}

// While parts of messages are noted, none is sent.
namespace {
using Part = std::tuple<const void*, int, int>;  // first byte, number of bytes, rank
std::vector<Part>* noted = nullptr;
}  // namespace

extern "C" int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  if (noted == nullptr) return PMPI_Bcast(data, count, type, root, comm);
  noted->emplace_back(data, count, root);
  return MPI_SUCCESS;
}
extern "C" int MPI_Sendrecv(const void* out, int out_count, MPI_Datatype out_type, int to,
                            int out_tag, void* in, int in_count, MPI_Datatype in_type, int from,
                            int in_tag, MPI_Comm comm, MPI_Status* status) {
  if (noted == nullptr)
    return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag,
                         comm, status);
  noted->emplace_back(out, out_count, to);
  noted->emplace_back(in, in_count, from);
  return MPI_SUCCESS;
}

namespace daptor {
namespace {

using test::check_operations;
using test::message;
using test::text_of;
using test::world_rank;
using test::world_size;

/// A communicator of the caller, freed when this object is destroyed.
class Users {
 public:
  explicit Users(MPI_Comm from = MPI_COMM_WORLD) { PMPI_Comm_dup(from, &comm_); }
  Users(const Users&) = delete;
  Users& operator=(const Users&) = delete;
  ~Users() { free(); }
  MPI_Comm comm() const { return comm_; }
  void free() {
    if (comm_ != MPI_COMM_NULL) PMPI_Comm_free(&comm_);
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Number of communicators that were made and freed since.
class Counted {
 public:
  int made() const { return duplicates_made - made_before_; }
  int freed() const { return communicators_freed - freed_before_; }

 private:
  int made_before_ = duplicates_made;
  int freed_before_ = communicators_freed;
};

/// Collective. The first operation of each communicator makes its duplicate.
void operate(const Comm& comm) {
  std::int64_t ranks = 1;
  comm->allreduce(&ranks, 1, Reduction::sum);
  EXPECT_EQ(ranks, comm.size());
}

// --- a Comm that is made, and not used yet

TEST(Comm, IsMadeOnThisProcessAlone) {
  for (int alone = 0; alone < world_size(); ++alone) {
    const Users first, second;
    const Counted counted;
    if (world_rank() == alone) {
      const Comm comm(first.comm());
      EXPECT_EQ(comm.rank(), world_rank());
      EXPECT_EQ(comm.size(), world_size());
      EXPECT_EQ(Comm(second.comm()).size(), world_size());
    }
    EXPECT_EQ(counted.made(), 0);
    // The other ranks have made none, and make them in another order.
    const Comm theirs(second.comm());
    const Comm mine(first.comm());
    operate(mine);
    operate(theirs);
    EXPECT_EQ(counted.made(), 2);
    EXPECT_EQ(counted.freed(), 0);
  }
}

TEST(Comm, IsTheCallersUntilItIsUsed) {
  const Users users;
  const Comm comm(users.comm());
  const Comm again(users.comm());
  EXPECT_EQ(comm, again);
  EXPECT_EQ(comm->mpi(), users.comm());
  EXPECT_EQ(comm->original(), users.comm());
  operate(comm);
  EXPECT_EQ(again->mpi(), comm->mpi()) << "one that was made before knows the duplicate too";
  EXPECT_EQ(comm, again);
  EXPECT_EQ(comm, Comm(users.comm()));
  EXPECT_EQ(comm->original(), users.comm());
}

TEST(Comm, ThatIsNeverUsedCostsNoCommunicator) {
  const Counted counted;
  for (int round = 0; round < 3; ++round) {
    Users users;
    std::optional<Comm> comm(users.comm());
    if (round == 0) comm.reset();
    users.free();
    if (round == 1) comm.reset();
  }
  EXPECT_EQ(counted.made(), 0);
  EXPECT_EQ(counted.freed(), 0);
}

TEST(Comm, OfOneThatWasFreedBeforeItsFirstUseIsRefused) {
  const Counted counted;
  {
    Users users;
    const Comm comm(users.comm());
    users.free();
    EXPECT_EQ(comm.rank(), world_rank());
    EXPECT_EQ(comm.size(), world_size());
    EXPECT_EQ(comm->mpi(), MPI_COMM_NULL) << "never a handle that was freed";
    EXPECT_EQ(comm->original(), MPI_COMM_NULL);
    const std::vector<std::function<void()>> calls = {
        [&] { comm->exclusive_sum(1); }, [&] { comm->exchange({}); },
        [&] { Call(comm, "call").check(); }, [&] { comm->exclusive_sum(1); },  // not only once
    };
    for (const auto& call : calls)
      test::expect_refused_everywhere<InvalidArgument>("argument", [&] {
        try {
          call();
        } catch (const InvalidArgument& error) {
          EXPECT_EQ(error.finding().key, "comm") << error.what();
          throw;
        }
      });
  }
  EXPECT_EQ(counted.made(), 0);
  EXPECT_EQ(counted.freed(), 0);
}

// --- the duplicate

TEST(Comm, IsACopyOfItsOwn) {
  const Users users;
  const Comm comm(users.comm());
  operate(comm);
  EXPECT_EQ(comm.rank(), world_rank());
  EXPECT_EQ(comm.size(), world_size());
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(users.comm(), comm->mpi(), &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
}

TEST(Comm, IsMadeByTheFirstOperationOfAnyKind) {
  const std::vector<std::function<void(const Comm&)>> operations = {
      [](const Comm& comm) { operate(comm); },
      [](const Comm& comm) { EXPECT_EQ(comm->exclusive_sum(1), comm.rank()); },
      [](const Comm& comm) {
        int root = comm.rank();
        comm->broadcast(&root, sizeof root, comm.size() - 1);
        EXPECT_EQ(root, comm.size() - 1);
      },
      [](const Comm& comm) {
        const int next = (comm.rank() + 1) % comm.size();
        const int before = (comm.rank() + comm.size() - 1) % comm.size();
        int received = -1;
        comm->sendrecv(next, &next, sizeof next, before, &received, sizeof received);
        EXPECT_EQ(received, comm.rank());
      },
      [](const Comm& comm) { EXPECT_TRUE(comm->exchange({}).empty()); },
      [](const Comm& comm) { Call(comm, "call").check(); },
  };
  for (const auto& first : operations) {
    const Counted counted;
    {
      const Users users;
      const Comm comm(users.comm());
      EXPECT_EQ(counted.made(), 0);
      first(comm);
      EXPECT_EQ(counted.made(), 1);
      for (const auto& later : operations) later(comm);
      EXPECT_EQ(counted.made(), 1);
      EXPECT_EQ(counted.freed(), 0);
    }
    EXPECT_EQ(counted.freed(), 1);
  }
}

TEST(Comm, IsMadeOncePerCommunicator) {
  const Users first;
  const Users second;
  const Counted counted;
  const Comm one(first.comm());
  const Comm again(first.comm());
  const Comm copy = one;
  operate(one);
  operate(again);
  operate(copy);
  EXPECT_EQ(one->mpi(), again->mpi());
  EXPECT_EQ(one->mpi(), copy->mpi());
  EXPECT_EQ(one, again);
  EXPECT_EQ(counted.made(), 1);
  const Comm other(second.comm());
  operate(other);
  EXPECT_NE(other->mpi(), one->mpi());
  const Users copied(first.comm());
  const Comm of_a_copy(copied.comm());
  EXPECT_NE(of_a_copy, one) << "a copy of the caller's communicator is another one";
  operate(of_a_copy);
  EXPECT_NE(of_a_copy->mpi(), one->mpi());
}

TEST(Comm, OfADuplicateIsTheSame) {
  Users users;
  const Counted counted;
  {
    const Comm one(users.comm());
    operate(one);
    const Comm again(one->mpi());
    EXPECT_EQ(again->mpi(), one->mpi());
    EXPECT_EQ(again, one);
    operate(again);
    users.free();
    EXPECT_EQ(Comm(one->mpi())->mpi(), one->mpi()) << "also without the caller's";
  }
  EXPECT_EQ(counted.made(), 1);
  EXPECT_EQ(counted.freed(), 1);
}

TEST(Comm, KnowsTheCallersUntilThatIsFreed) {
  Users users;
  const Comm comm(users.comm());
  operate(comm);
  EXPECT_EQ(comm->original(), users.comm());
  EXPECT_EQ(Comm(comm->mpi())->original(), users.comm()) << "a duplicate stands for the same";
  const Users copied(users.comm());
  EXPECT_EQ(Comm(copied.comm())->original(), copied.comm());
  users.free();
  EXPECT_EQ(comm->original(), comm->mpi()) << "never a handle that was freed";
}

TEST(Comm, IsNeverEmpty) {
  Comm from = MPI_COMM_WORLD;
  const Comm to = std::move(from);
  EXPECT_EQ(from, to);
  from = MPI_COMM_SELF;
  EXPECT_NE(from, to);
  EXPECT_EQ(from.size(), 1);
  EXPECT_THROW(Comm(std::shared_ptr<const Communicator>()), InvalidArgument);
}

TEST(Comm, KeepsWhatAnAdapterGivesIt) {
  static const char key = 0;
  static const char other = 0;
  for (const bool used : {false, true}) {
    auto object = std::make_shared<const int>(7);
    const std::weak_ptr<const int> watched = object;
    Users users;
    {
      const Comm comm(users.comm());
      EXPECT_EQ(comm->kept(&key), nullptr);
      const void* const address = object.get();
      comm->keep(&key, std::move(object));
      if (used) operate(comm);
      EXPECT_EQ(Comm(users.comm())->kept(&key), address);
      EXPECT_EQ(comm->kept(&other), nullptr);
    }
    EXPECT_FALSE(watched.expired());
    users.free();
    EXPECT_TRUE(watched.expired());
  }
}

TEST(Comm, IsFreedWithTheCallers) {
  Users users;
  const Counted counted;
  operate(Comm(users.comm()));
  EXPECT_EQ(counted.freed(), 0) << "cached until the caller frees its own";
  users.free();
  EXPECT_EQ(counted.freed(), 1);
}

TEST(Comm, OutlivesTheCallersWhereNeeded) {
  Users users;
  const Counted counted;
  std::optional<Comm> comm(users.comm());
  operate(*comm);
  const MPI_Comm mpi = (*comm)->mpi();
  std::optional<Comm> keep = comm;
  users.free();
  EXPECT_EQ(counted.freed(), 0);
  operate(*comm);
  comm.reset();
  int sum = 0;
  const int mine = world_rank();
  MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, mpi);
  EXPECT_EQ(sum, world_size() * (world_size() - 1) / 2) << "a native object still works";
  keep.reset();
  EXPECT_EQ(counted.made(), 1);
  EXPECT_EQ(counted.freed(), 1);
}

TEST(Comm, ManyRoundsLeaveNothingBehind) {
  const Counted counted;
  constexpr int rounds = 10000;
  for (int round = 0; round < rounds; ++round) {
    // A context id belongs to a process, whatever the group: rounds on one process never wait.
    Users users(MPI_COMM_SELF);
    const Comm comm(users.comm());
    std::int64_t value = round;
    comm->allreduce(&value, 1, Reduction::max);
    ASSERT_EQ(value, round);
  }
  for (int round = 0; round < 200; ++round) {
    Users users;
    const Comm comm(users.comm());
    std::int64_t value = comm.rank();
    comm->allreduce(&value, 1, Reduction::max);
    ASSERT_EQ(value, world_size() - 1);
  }
  EXPECT_EQ(counted.made(), rounds + 200);
  EXPECT_EQ(counted.freed(), rounds + 200);
}

TEST(Comm, RefusesWhatIsNoCommunicatorOfThisProcess) {
  const auto key = [](MPI_Comm comm) {
    try {
      Comm refused(comm);
    } catch (const InvalidArgument& error) {
      return error.finding().key + ": " + error.finding().found.str();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(key(MPI_COMM_NULL), "comm: MPI_COMM_NULL");
  if (world_size() == 1) return;  // an intercommunicator has two groups
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm between = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, world_rank(), &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - world_rank() % 2, 5, &between);
  EXPECT_EQ(key(between), "comm: an intercommunicator");
  PMPI_Comm_free(&between);
  PMPI_Comm_free(&half);
}

TEST(Comm, LeavesTheCallersErrorHandlerAlone) {
  for (const MPI_Errhandler handler : {MPI_ERRORS_ARE_FATAL, MPI_ERRORS_RETURN}) {
    const Users users;
    MPI_Comm_set_errhandler(users.comm(), handler);
    const Comm comm(users.comm());
    MPI_Errhandler found = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(users.comm(), &found);
    EXPECT_EQ(found, handler);
    MPI_Errhandler_free(&found);
    const char byte = 0;
    try {
      comm->sendrecv(comm.size() + 7, &byte, 1, -1, nullptr, 0);
      ADD_FAILURE() << "there is no such rank";
    } catch (const LibraryFailed& error) {
      EXPECT_EQ(error.rule(), "library.mpi") << "whatever handler the caller has";
      EXPECT_EQ(error.finding().key, "MPI_Sendrecv");
    }
  }
}

TEST(Comm, ServesSelfAndParts) {
  const Comm self(MPI_COMM_SELF);
  EXPECT_EQ(self.size(), 1);
  EXPECT_EQ(self->exclusive_sum(7), 0);
  EXPECT_EQ(self->exchange({message(0, "to myself")}).at(0).rank, 0);

  MPI_Comm part = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 3, -world_rank(), &part);
  {
    const Comm comm(part);
    std::int64_t lowest = world_rank();
    comm->allreduce(&lowest, 1, Reduction::min);
    EXPECT_EQ(lowest, world_rank() % 3);
    const auto received = comm->exchange({message(0, std::to_string(world_rank()))});
    EXPECT_EQ(received.size(), comm.rank() == 0 ? static_cast<std::size_t>(comm.size()) : 0U);
  }
  PMPI_Comm_free(&part);
}

// --- a fault while it is made

TEST(Comm, MakesItsDuplicateOnAllRanksOrOnNone) {
  test::forget_proofs();  // makes what is kept for MPI_COMM_WORLD
  const std::vector<std::function<void(const Comm&)>> operations = {
      [](const Comm& comm) { comm->exclusive_sum(1); },
      [](const Comm& comm) { Call(comm, "call").check(); },
  };
  for (const auto& operation : operations)
    for (int rank = 0; rank < world_size(); ++rank) {
      const Users users;
      const Comm comm(users.comm());
      const Counted counted;
      test::expect_fault_agreed("core.communicator.cache", rank, [&] { operation(comm); });
      EXPECT_EQ(counted.made(), 1);
      EXPECT_EQ(counted.freed(), 1) << "given back";
      EXPECT_EQ(comm->mpi(), users.comm());
      operate(comm);
      EXPECT_EQ(counted.made(), 2) << "the next attempt succeeds";
      EXPECT_EQ(counted.freed(), 1);
    }
}

// --- operations

TEST(Comm, Operates) {
  check_operations(Comm(MPI_COMM_WORLD));
}

TEST(Comm, OperatesAlone) {
  check_operations(Comm(MPI_COMM_SELF));
}

/// As the arguments for MPI say. The message has addresses, but no memory.
TEST(Comm, LongMessagesTravelInPieces) {
  constexpr std::size_t piece = detail::largest_piece;
  constexpr std::size_t length = 2 * piece + 5;
  void* const start = mmap(nullptr, length, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(start, MAP_FAILED);
  auto* const data = static_cast<char*>(start);
  const Comm comm(MPI_COMM_WORLD);
  operate(comm);
  const int last = comm.size() - 1;
  constexpr int whole = 1 << 30;
  std::vector<Part> broadcast, exchanged;
  noted = &broadcast;
  comm->broadcast(data, length, last);
  noted = &exchanged;
  comm->sendrecv(last, data, length, 0, data, piece + 1);
  noted = nullptr;
  munmap(start, length);
  EXPECT_EQ(broadcast,
            (std::vector<Part>{
                {data, whole, last}, {data + piece, whole, last}, {data + 2 * piece, 5, last}}));
  EXPECT_EQ(exchanged, (std::vector<Part>{{data, whole, last},
                                          {data, whole, 0},
                                          {data + piece, whole, last},
                                          {data + piece, 1, 0},
                                          {data + 2 * piece, 5, last},
                                          {data, 0, MPI_PROC_NULL}}));
}

/// Work that takes longer on some ranks than on others, and that the compiler cannot remove.
void delay(std::mt19937& random) {
  const unsigned long work = random() % 4 == 0 ? random() % 200000 : 0;
  volatile unsigned long sink = 0;
  for (unsigned long i = 0; i < work; ++i) sink = sink + i;
}

/// The messages that `source` sends in a round. Every rank can compute them for every other.
std::vector<Message> letters(int round, int source, int ranks) {
  std::mt19937 random(static_cast<unsigned>(1000 * round + source));
  std::vector<Message> result;
  const unsigned count = random() % 3 == 0 ? 0 : random() % 6;
  for (unsigned i = 0; i < count; ++i) {
    const int to = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const std::size_t length = random() % 4 == 0 ? 0 : random() % 5000;
    const std::string head = std::to_string(round) + ' ' + std::to_string(source) + ' ';
    result.push_back(message(to, length == 0 ? "" : head + std::string(length, 'a' + i % 26)));
  }
  return result;
}

std::vector<Message> expected_letters(int round, int rank, int ranks) {
  std::vector<Message> result;
  for (int source = 0; source < ranks; ++source)
    for (const Message& sent : letters(round, source, ranks))
      if (sent.rank == rank) result.push_back({source, sent.bytes});
  return result;
}

void expect_equal(const std::vector<Message>& received, const std::vector<Message>& expected) {
  ASSERT_EQ(received.size(), expected.size());
  for (std::size_t i = 0; i < received.size(); ++i) {
    EXPECT_EQ(received[i].rank, expected[i].rank);
    EXPECT_EQ(text_of(received[i]), text_of(expected[i]));
  }
}

TEST(Exchange, ManyPatternsOneAfterAnother) {
  const Comm comm(MPI_COMM_WORLD);
  const Comm same(MPI_COMM_WORLD);
  std::mt19937 random(static_cast<unsigned>(comm.rank()));
  for (int round = 0; round < 400; ++round) {
    delay(random);
    const Comm& used = round % 3 == 0 ? same : comm;
    const auto received = used->exchange(letters(round, comm.rank(), comm.size()));
    expect_equal(received, expected_letters(round, comm.rank(), comm.size()));
    if (round % 7 == 0) {
      EXPECT_EQ(comm->exclusive_sum(1), comm.rank());
    }
  }
}

TEST(Exchange, LongMessagesTravelInPieces) {
  const Users users;
  const Comm comm(users.comm());
  operate(comm);
  for (const std::size_t piece : {1U, 3U, 8U}) {
    std::vector<Message> out;
    for (int to = 0; to < comm.size(); ++to)
      for (const std::size_t length : {0U, 1U, 2U, 3U, 7U, 8U, 9U, 16U, 25U})
        out.push_back(message(to, std::string(length, static_cast<char>('a' + comm.rank()))));
    const auto received =
        detail::sparse_exchange(comm->mpi(), static_cast<int>(10 + piece), out, piece);
    ASSERT_EQ(received.size(), 9U * static_cast<std::size_t>(comm.size()));
    for (std::size_t i = 0; i < received.size(); ++i) {
      const auto source = static_cast<char>(i / 9);
      EXPECT_EQ(received[i].rank, source);
      const std::size_t length = out[i % 9].bytes.size();
      EXPECT_EQ(text_of(received[i]), std::string(length, static_cast<char>('a' + source)));
    }
  }
}

TEST(Exchange, DestinationsThatAreNoRanksAreRefusedBeforeAnythingIsSent) {
  const Comm self(MPI_COMM_SELF);
  for (const int nobody : {-1, 1, 1000}) {
    try {
      self->exchange({message(0, "lost"), message(nobody, "x")});
      ADD_FAILURE() << nobody;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.finding().key, "rank");
    }
  }
  EXPECT_TRUE(self->exchange({}).empty()) << "nothing of the refused ones arrives later";
}

}  // namespace
}  // namespace daptor
