// MPI fails in the middle: the error comes out, the memory is given back, and nothing of the
// exchange is taken for another's.

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

namespace {

int failing_send = -1;  // counted down; 0: fails
int failing_wait = -1;

bool fails(int& countdown) {
  return countdown >= 0 && countdown-- == 0;
}

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  if (fails(failing_send)) return MPI_ERR_OTHER;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  const int code = PMPI_Waitall(count, requests, statuses);
  return fails(failing_wait) ? MPI_ERR_OTHER : code;
}

namespace {

using namespace daptor;

/// Counts how often its memory is open.
struct Counting final : Producer {
  explicit Counting(int& count) : open(count) {}
  void* begin_access(Access, void* described) override {
    ++open;
    return described;
  }
  void end_access(Access) noexcept override { --open; }
  int& open;
};

class MpiFault : public ::testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto state = std::make_shared<SharedState>(std::make_unique<Counting>(open));
    const BlockPadding ring({1, 1}, {}, true);
    array = std::make_unique<DistArray>(
        protocol_0_9,
        Buffer(DataType::of<double>(), {6}, {sizeof(double)}, memory.data(), false, state),
        std::vector<Dimension>{block(4 * ranks, {ranks, rank}, ring)});
  }
  void fill() {
    memory.fill(-1);
    for (int i = 1; i <= 4; ++i) memory[static_cast<std::size_t>(i)] = 4 * rank + i - 1;
  }
  void expect_usable_anew() {
    fill();
    HaloExchange(*array, MPI_COMM_WORLD).update();
    EXPECT_EQ(memory[0], (4 * rank - 1 + 4 * ranks) % (4 * ranks));
    EXPECT_EQ(memory[5], (4 * rank + 4) % (4 * ranks));
  }
  template <class Call>
  static std::string rule_of(const Call& call) {
    try {
      call();
    } catch (const Error& error) {
      return error.rule();
    }
    return "nothing";
  }

  int rank = 0, ranks = 1, open = 0;
  std::array<double, 6> memory{};
  std::unique_ptr<DistArray> array;
};

TEST_F(MpiFault, WhileMessagesAreSent) {
  if (ranks == 1) return;
  for (const bool back : {false, true}) {
    HaloExchange one(*array, MPI_COMM_WORLD);
    failing_send = 0;
    EXPECT_EQ(rule_of([&] { back ? one.begin_accumulate(Combine::sum) : one.begin(); }),
              "library.mpi");
    EXPECT_FALSE(one.in_flight());
    EXPECT_EQ(open, 0);
    EXPECT_EQ(rule_of([&] { one.update(); }), "halo.failed");
    EXPECT_EQ(rule_of([&] { one.rebind(*array); }), "halo.failed");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_usable_anew();
}

TEST_F(MpiFault, WhileMessagesAreAwaited) {
  if (ranks == 1) return;
  for (const bool back : {false, true}) {
    HaloExchange one(*array, MPI_COMM_WORLD);
    back ? one.begin_accumulate(Combine::sum) : one.begin();
    EXPECT_EQ(open, 1);
    failing_wait = 0;
    EXPECT_EQ(rule_of([&] { one.end(); }), "library.mpi");
    EXPECT_EQ(open, 0);
    EXPECT_EQ(rule_of([&] { one.begin(); }), "halo.failed");
  }
  MPI_Barrier(MPI_COMM_WORLD);
  expect_usable_anew();
}

}  // namespace
