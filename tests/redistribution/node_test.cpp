// SPDX-License-Identifier: BSD-3-Clause
// Ranks of a node exchange elements without messages: by reading each other's memory, by mapping
// the arrays that Daptor has allocated, or, if DAPTOR_TEST_PAGES is set, by pages that they share,
// because reading is forbidden then. What is
// exchanged, when, and what happens where neither is allowed. Runs with DAPTOR_NODE=direct, so that
// small arrays are exchanged in this way, too.

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <complex>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "exchange/node.hpp"
#include "forbidden.hpp"
#include "held.hpp"
#include "section/mappable_memory.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

int longest = 0;
std::size_t read_by_system = 0;

}  // namespace

extern "C" ssize_t process_vm_readv(pid_t process, const iovec* here, unsigned long here_count,
                                    const iovec* there, unsigned long there_count,
                                    unsigned long flags) noexcept {
  for (unsigned long i = 0; i < there_count; ++i) read_by_system += there[i].iov_len;
  return syscall(SYS_process_vm_readv, process, here, here_count, there, there_count, flags);
}

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  int size = 0;
  MPI_Type_size(type, &size);
  longest = std::max(longest, count * size);
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace {

/// What goes before a reading, the answer, and what says where elements are in pages, are shorter.
constexpr int short_message = 96;
/// Long enough for the other ranks to go on, if they do not wait.
constexpr std::chrono::milliseconds long_enough{150};

/// A communicator of its own, for which nobody knows yet what can be read.
class Owned {
 public:
  explicit Owned(MPI_Comm of = MPI_COMM_WORLD) { MPI_Comm_dup(of, &comm_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  ~Owned() { MPI_Comm_free(&comm_); }
  MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Rows on each rank, and columns of them.
class Node : public ::testing::Test {
 protected:
  const Index ranks = Comm(MPI_COMM_WORLD).size();
  const int rank = Comm(MPI_COMM_WORLD).rank();
  const Layout rows{{even_axis(13 * ranks, ranks), undistributed_axis(9 * ranks)}, {}};
  const Layout columns{{undistributed_axis(13 * ranks), even_axis(9 * ranks, ranks)}, {}};

  static void SetUpTestSuite() {
    if (pages()) {
      ASSERT_TRUE(forbid(__NR_process_vm_readv));
    }
  }
  static bool pages() { return std::getenv("DAPTOR_TEST_PAGES") != nullptr; }
  int most_sent() const {
    int most = longest;
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return most;
  }
  template <class T>
  void reads(const Layout& from, const Layout& to, Order order, const RedistributionOptions& how) {
    const Owned comm;
    Held<T> source(from, comm.get()), target(to, comm.get(), {order, 1});
    source.number();
    longest = 0;
    Redistribution move(source.array(), target.array(), how);
    longest = 0;
    for (const int times : {1, 2}) {
      target.forget();
      move.run();
      EXPECT_EQ(target.wrong(), 0) << times;
      EXPECT_TRUE(target.rest_untouched());
    }
    source.forget();
    move.run_back();
    EXPECT_EQ(source.wrong(), 0);
    longest = 0;
    move.run_back();
    EXPECT_LE(most_sent(), short_message);
    EXPECT_EQ(source.wrong(), 0);
  }
};

TEST_F(Node, InPlaceOfMessages) {
  const Layout tiles{{cyclic_axis(13 * ranks, ranks, 3), undistributed_axis(9 * ranks)}, {}};
  for (const Order order : {Order::c, Order::fortran})
    for (const std::int64_t bytes : {0, 1 << 20}) {
      RedistributionOptions how;
      how.buffer_bytes = bytes;
      reads<std::complex<double>>(rows, columns, order, how);
      // What has fewer bytes is a message of its own.
      if (pages()) continue;
      reads<char>(rows, columns, order, how);
      reads<std::complex<double>>(columns, tiles, order, how);
    }
}

/// Tiles and chunks are smaller than regions, in both directions.
TEST_F(Node, ManyTiles) {
  const Layout high{{even_axis(900 * ranks, ranks), undistributed_axis(150 * ranks)}, {}};
  const Layout wide{{undistributed_axis(900 * ranks), even_axis(150 * ranks, ranks)}, {}};
  RedistributionOptions small;
  small.buffer_bytes = 1;
  for (const Order order : {Order::c, Order::fortran})
    for (const RedistributionOptions& how : {RedistributionOptions(), small})
      reads<double>(high, wide, order, how);
}

/// Chunks follow one another in the same pages: none is written before the last has been read, by
/// however late a reader, in the same transfer or in the next.
TEST_F(Node, ManyTilesForLateReaders) {
  const Owned comm;
  const Layout high{{even_axis(300 * ranks, ranks), undistributed_axis(150 * ranks)}, {}};
  const Layout wide{{undistributed_axis(300 * ranks), even_axis(150 * ranks, ranks)}, {}};
  Held<double> source(high, comm.get()), target(wide, comm.get(), {Order::fortran, 1});
  RedistributionOptions small;
  small.buffer_bytes = 1;
  Redistribution move(source.array(), target.array(), small);
  for (int late = 0; late < ranks; ++late)
    for (int times = 0; times < 2; ++times) {
      source.fill([times](Index i) { return static_cast<double>(i + times); });
      move.begin();
      if (rank == late) std::this_thread::sleep_for(long_enough);
      move.end();
      EXPECT_EQ(target.wrong([times](Index i) { return static_cast<double>(i + times); }), 0);
    }
}

TEST_F(Node, ConvertsAndAddsWhatItReads) {
  const Owned comm;
  for (const bool allocated : {false, true}) {
    Held<float> source(rows, comm.get(), {Order::c, 1, false, allocated});
    Held<double> target(columns, comm.get(), {Order::fortran, 1});
    source.number();
    target.fill([](Index) { return 1.0; });
    RedistributionOptions how;
    how.convert = true;
    Redistribution move(source.array(), target.array(), how);
    Transform add;
    add.scale = 2;
    add.keep = 1;
    longest = 0;
    for (const double times : {1.0, 2.0}) {
      move.run(add);
      EXPECT_EQ(target.wrong([&](Index i) { return 1 + times * 2 * static_cast<double>(i); }), 0);
    }
    EXPECT_TRUE(pages() || most_sent() <= short_message);
  }
}

/// Ranks on two nodes, as a test says: messages between them, in the same exchange.
TEST_F(Node, MessagesBetweenNodes) {
  detail::set_node_color([](int which) { return which % 2; });
  const Owned comm;
  Held<double> source(rows, comm.get()), target(columns, comm.get(), {Order::fortran, 1});
  source.number();
  Redistribution move(source.array(), target.array());
  detail::set_node_color(nullptr);
  const auto node = detail::Node::kept_with(Comm(comm.get()));
  for (int other = 0; node != nullptr && other < ranks; ++other)
    EXPECT_EQ(pages() ? node->shares_with(other) : node->process(other) != 0,
              other != rank && other % 2 == rank % 2)
        << other;
  for (int times = 0; times < 3; ++times) {
    target.forget();
    longest = 0;
    move.run();
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_TRUE(target.rest_untouched());
    EXPECT_EQ(most_sent() > short_message, ranks > 1);
  }
}

/// The rank that has the elements may overwrite them after `end`, also if a reader comes late.
TEST_F(Node, EndWaitsForReaders) {
  const Owned comm;
  for (const bool allocated : {false, true}) {
    Held<double> source(rows, comm.get(), {Order::c, 1, false, allocated});
    Held<double> target(columns, comm.get());
    Redistribution move(source.array(), target.array());
    for (int late = 0; late < ranks; ++late) {
      source.number();
      MPI_Barrier(comm.get());
      move.begin();
      if (rank == late) std::this_thread::sleep_for(long_enough);
      move.end();
      source.fill([](Index) { return -5.0; });
      EXPECT_EQ(target.wrong(), 0) << late;
    }
  }
}

/// A reader waits until the elements are there, also if it has read from the same place before.
TEST_F(Node, EndWaitsForTheOthersToBegin) {
  const Owned comm;
  for (const bool allocated : {false, true}) {
    Held<double> source(rows, comm.get(), {Order::c, 1, false, allocated});
    Held<double> target(columns, comm.get());
    Redistribution move(source.array(), target.array());
    source.fill([](Index) { return -5.0; });
    move.run();
    for (int late = 0; late < ranks; ++late) {
      source.fill([](Index) { return -5.0; });
      target.forget();
      MPI_Barrier(comm.get());
      if (rank == late) std::this_thread::sleep_for(long_enough);
      source.number();
      move.run();
      EXPECT_EQ(target.wrong(), 0) << late;
    }
  }
}

/// Blocks in the file of a process, of 512 bytes.
std::int64_t blocks_of(std::int64_t file) {
  struct stat found {};
  return fstat(static_cast<int>(file), &found) == 0 ? found.st_blocks : -1;
}

/// Where an array that is allocated here is in the file of this process.
detail::MappablePart part_of(const DistArray& array) {
  return detail::mappable_part(static_cast<const std::byte*>(array.data()),
                               static_cast<std::size_t>(array.buffer().byte_span().size()));
}

/// Of arrays that Daptor has allocated nothing is read by the system, and nothing sent. Whoever
/// gives a plan other arrays, also at an address where others were, has what is in those, mapped or
/// not.
TEST_F(Node, MapsWhatDaptorHasAllocated) {
  const Owned comm;
  const auto number = [](const DistArray& array, double factor) {
    const LocalIndexMap map(array);
    const auto numbers = map.local_natural(Order::c);
    auto* const values = static_cast<double*>(array.mutable_data());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      values[i] = factor * static_cast<double>(numbers[i]);
  };
  const auto made = [&](double factor) {
    auto array = allocate<double>(rows.dimensions(rank)).on(comm.get());
    number(array, factor);
    return array;
  };
  DistArray from = made(1);
  EXPECT_EQ(part_of(from).bytes > 0, ranks > 1);
  Held<double> target(columns, comm.get());
  Redistribution move(from, target.array());
  const auto has = [&](double factor) {
    target.forget();
    read_by_system = 0;
    longest = 0;
    move.run();
    EXPECT_EQ(target.wrong([&](Index i) { return factor * static_cast<double>(i); }), 0);
    EXPECT_TRUE(target.rest_untouched());
  };
  const auto runs = [&](double factor, bool mapped) {
    has(factor);
    const int sent = most_sent();
    EXPECT_TRUE(sent <= short_message || (pages() && !mapped)) << sent;
    EXPECT_EQ(read_by_system == 0, mapped || pages());
  };
  runs(1, true);
  number(from, 3);
  runs(3, true);
  // The next array has the address of the one that is gone.
  Held<double> between(rows, comm.get());
  between.fill([](Index i) { return 5.0 * static_cast<double>(i); });
  move.rebind(between.array(), target.array());
  from = DistArray();
  runs(5, false);
  from = made(7);
  move.rebind(from, target.array());
  runs(7, true);
  // What is freed takes no memory, though others have it mapped still.
  if (ranks == 1) return;
  const std::int64_t file = part_of(from).file;
  const std::int64_t before = blocks_of(file);
  move.rebind(between.array(), target.array());
  from = DistArray();
  EXPECT_LT(blocks_of(file), before);
  // A rank that cannot map reads.
  from = made(9);
  move.rebind(from, target.array());
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  const rlimit few{3, files.rlim_max};
  if (rank == 0) setrlimit(RLIMIT_NOFILE, &few);
  has(9);
  EXPECT_EQ(read_by_system > 0, rank == 0 && !pages());
  setrlimit(RLIMIT_NOFILE, &files);
  runs(9, true);
}

/// A child that uses the memory ends by a signal; what it frees is not freed for its parent, nor
/// anything else at the address.
TEST_F(Node, ChildrenHaveNone) {
  auto array = std::make_unique<Section>(allocate<double>(rows.dimensions(rank)));
  auto* const values = static_cast<double*>(array->mutable_data());
  values[0] = 1;
  const auto ends = [](auto&& what) {
    const pid_t child = fork();
    if (child == 0) {
      what();
      _exit(0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  };
  const bool mapped = part_of(array->on(MPI_COMM_SELF)).bytes > 0;
  EXPECT_EQ(mapped, ranks > 1);
  EXPECT_EQ(WIFSIGNALED(ends([&] {
              std::signal(SIGSEGV, SIG_DFL);
              values[0] = 2;
            })),
            mapped);
  EXPECT_EQ(ends([&] {
              void* const there = mmap(values, 4096, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
              array.reset();
              if (mapped) *static_cast<volatile char*>(there) = 1;
            }),
            0);
  EXPECT_EQ(values[0], 1);
}

/// `begin` waits for nobody.
TEST_F(Node, BeginDoesNotWait) {
  const Owned comm;
  Held<double> source(rows, comm.get()), target(columns, comm.get());
  Redistribution move(source.array(), target.array());
  source.number();
  for (int late = 0; late < ranks; ++late) {
    if (rank != late) move.begin();
    MPI_Barrier(comm.get());
    if (rank == late) move.begin();
    move.end();
    EXPECT_EQ(target.wrong(), 0);
  }
}

/// Ends what it began, like the others.
TEST_F(Node, DestroyedInFlight) {
  const Owned comm;
  Held<double> source(rows, comm.get()), target(columns, comm.get());
  source.number();
  {
    Redistribution move(source.array(), target.array());
    move.begin();
    if (rank > 0) move.end();
  }
  EXPECT_EQ(target.wrong(), 0);
}

/// Memory that its process reads and others cannot: if elements are added, nothing is before it is
/// known that all arrays can be read.
TEST_F(Node, MemoryOfOneArrayIsSecret) {
  const auto bytes = static_cast<std::size_t>(rows.axes[0].size * rows.axes[1].size) * 8;
  const auto file = static_cast<int>(syscall(__NR_memfd_secret, 0));
  const bool here = file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) == 0;
  void* const secret =
      here ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  int all = secret != MAP_FAILED ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (all == 0) GTEST_SKIP() << "the system has no such memory";
  const Owned comm;
  Held<double> first(rows, comm.get()), to_first(columns, comm.get());
  Held<double> second(columns, comm.get());
  first.number();
  const auto dimensions = rows.dimensions(rank);
  auto* const values = static_cast<double*>(secret);
  const DistArray hidden = describe(values, dimensions).on(comm.get());
  std::copy_n(static_cast<const double*>(first.array().data()), first.array().local_count(),
              values);
  Redistribution move({first.array(), hidden}, {to_first.array(), second.array()});
  Transform add;
  add.keep = 1;
  for (const double times : {1.0, 2.0}) {
    if (times == 1.0) {
      to_first.fill([](Index) { return 0.0; });
      second.fill([](Index) { return 0.0; });
    }
    move.run(add);
    const auto value = [times](Index i) { return times * static_cast<double>(i); };
    EXPECT_EQ(to_first.wrong(value), 0);
    EXPECT_EQ(second.wrong(value), 0);
  }
  munmap(secret, bytes);
  close(file);
}

/// Objects have more in flight than there are pages: the rest goes by messages.
TEST_F(Node, MoreThanPages) {
  const Owned comm;
  const Layout high{{even_axis(512 * ranks, ranks), undistributed_axis(512 * ranks)}, {}};
  const Layout wide{{undistributed_axis(512 * ranks), even_axis(512 * ranks, ranks)}, {}};
  std::vector<Held<double>> sources, targets;
  std::vector<Redistribution> moves;
  RedistributionOptions whole;
  whole.buffer_bytes = 1 << 26;
  for (int i = 0; i < 6; ++i) {
    sources.emplace_back(high, comm.get());
    targets.emplace_back(wide, comm.get(), Placement{Order::fortran, 1});
  }
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i].number();
    moves.emplace_back(sources[i].array(), targets[i].array(), whole);
  }
  for (int times = 0; times < 2; ++times) {
    for (Held<double>& target : targets) target.forget();
    for (Redistribution& move : moves) move.begin();
    for (Redistribution& move : moves) move.end();
    for (Held<double>& target : targets) EXPECT_EQ(target.wrong(), 0);
  }
}

/// The last test of the program, which cannot take back what it forbids. On one rank reading is
/// forbidden after it was found to be possible: then its elements go by messages. On another
/// communicator no rank reads, and then no rank has pages.
TEST_F(Node, WithoutPermission) {
  const Owned comm;
  Held<double> source(rows, comm.get()), target(columns, comm.get(), {Order::fortran, 1});
  source.number();
  Redistribution move(source.array(), target.array());
  const auto runs = [&](Redistribution& how) {
    for (int times = 0; times < 3; ++times) {
      target.forget();
      how.run();
      EXPECT_EQ(target.wrong(), 0);
      EXPECT_TRUE(target.rest_untouched());
    }
    source.forget();
    how.run_back();
    EXPECT_EQ(source.wrong(), 0);
  };
  runs(move);
  const std::string why_not = detail::why_not_mappable();
  const std::string mapped =
      ", arrays that Daptor allocates" +
      (why_not.empty() ? "" : " not (large pages of a file: " + why_not + ")");
  const std::string by_reading = "memory of the other process, shared pages" + mapped;
  const std::string no_reading =
      "not the memory of the other process (process_vm_readv: Operation not permitted)";
  EXPECT_EQ(detail::node_text(), pages() ? no_reading + ", shared pages" + mapped : by_reading);
  if (rank == 0) {
    ASSERT_TRUE(forbid(__NR_process_vm_readv));
    EXPECT_EQ(detail::node_text(), no_reading + ", shared pages" + mapped);
  }
  runs(move);
  const auto without = [&](bool shared) {
    const Owned other;
    Held<double> again(rows, other.get()), there(columns, other.get());
    again.number();
    Redistribution another(again.array(), there.array());
    another.run();
    EXPECT_EQ(there.wrong(), 0);
    const auto node = detail::Node::kept_with(Comm(other.get()));
    ASSERT_EQ(node == nullptr, ranks == 1);
    if (node == nullptr) return;
    EXPECT_FALSE(node->reads());
    EXPECT_EQ(node->shares_with(rank == 0 ? 1 : 0), shared);
  };
  without(true);
  if (rank == 0) {
    // As before Linux 6.1.
    ASSERT_TRUE(forbid(__NR_madvise));
    EXPECT_EQ(detail::node_text(), no_reading + ", shared pages, arrays that Daptor allocates" +
                                       " not (large pages of a file: Operation not permitted)");
    const auto array = allocate<double>({undistributed(1 << 19)});
    EXPECT_EQ(part_of(array.on(MPI_COMM_SELF)).bytes, 0);
    EXPECT_EQ(static_cast<const double*>(array.data())[(1 << 19) - 1], 0);
  }
  if (rank == 0) {
    ASSERT_TRUE(forbid(__NR_memfd_create));
    EXPECT_EQ(detail::node_text(), no_reading +
                                       ", not shared pages (memfd_create: Operation not "
                                       "permitted), messages");
  }
  without(false);
}

}  // namespace
