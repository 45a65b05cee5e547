// SPDX-License-Identifier: BSD-3-Clause
// What an import costs beside the Map itself: collective calls and memory, counted.

#include <atomic>

#include "allocated_bytes.hpp"
#include "support.hpp"

namespace {
std::atomic<int> collective_calls{0};
}

// Every collective call of this program passes here.
extern "C" {
int MPI_Allreduce(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
                  MPI_Comm comm) {
  ++collective_calls;
  return PMPI_Allreduce(send, receive, count, type, op, comm);
}
int MPI_Bcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  ++collective_calls;
  return PMPI_Bcast(data, count, type, root, comm);
}
int MPI_Scan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
             MPI_Comm comm) {
  ++collective_calls;
  return PMPI_Scan(send, receive, count, type, op, comm);
}
int MPI_Exscan(const void* send, void* receive, int count, MPI_Datatype type, MPI_Op op,
               MPI_Comm comm) {
  ++collective_calls;
  return PMPI_Exscan(send, receive, count, type, op, comm);
}
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy) {
  ++collective_calls;
  return PMPI_Comm_dup(comm, copy);
}
}

namespace daptor::test {
namespace {

template <class F>
int collectives(const F& call) {
  call();  // what happens once only
  const int before = collective_calls;
  call();
  return collective_calls - before;
}

TEST(Cost, OneAgreementBesideTheMapsOwnMessages) {
  const auto comm = Tpetra::getDefaultComm();
  const Comm daptor_comm(MPI_COMM_WORLD);
  const Index p = world_size();
  const int raw = collectives([&] { Map(static_cast<Tpetra::global_size_t>(5 * p), 5, 0, comm); });
  EXPECT_GT(raw, 0);
  std::vector<Index> uneven;
  for (Index r = 0; r < p; ++r) uneven.push_back(1 + r % 3);
  for (const Layout& layout :
       {Layout{{plain_block(5 * p, p)}, {}}, Layout{{plain_block(uneven)}, {}},
        Layout{{plain_block(3 * p, p), undistributed_axis(2)}, {}}}) {
    const DistArray array = labelled(layout);
    EXPECT_EQ(collectives([&] { tpetra::import_map(array); }), raw + 1);
    EXPECT_EQ(collectives([&] { tpetra::import_vector<double>(array); }), raw + 1);
    EXPECT_EQ(collectives([&] { tpetra::import_multivector<double>(array); }), raw + 1);
  }
  // That the runs of other distributions follow each other, the Map tells.
  const DistArray dealt = labelled({{cyclic_axis(4 * p, p, 4)}, {}});
  EXPECT_EQ(collectives([&] { tpetra::import_vector<double>(dealt); }), raw + 2);
}

TEST(Cost, NothingIsSaidOnceTheMapIsKnown) {
  const DistArray array = labelled({{plain_block(20, world_size())}, {}});
  const DistArray other = labelled({{plain_block(20, world_size())}, {}});
  auto x = tpetra::import_vector<double>(array);
  EXPECT_EQ(collectives([&] { tpetra::export_multivector(x.get()); }), 0);
  EXPECT_EQ(collectives([&] {
              x.rebind(other);
              x.rebind(array);
            }),
            0);
}

TEST(Cost, NoMemoryForTheElementsOfAContiguousLayout) {
  constexpr Index count = 1'000'000;
  const DistArray array =
      allocate<double>(
          {block(count * world_size(), {world_size(), world_rank()}), undistributed(2)})
          .on(MPI_COMM_WORLD);
  const auto before = allocated_bytes();
  const auto x = tpetra::import_vector<double>(array);
  const DistArray back = tpetra::export_multivector(x.get());
  EXPECT_LT(allocated_bytes(), before + 20'000);
}

TEST(Cost, ExplainTellsWhatAListKeeps) {
  constexpr Index count = 100'000;
  const Index p = world_size();
  const DistArray array =
      describe(DataType::of<double>(), nullptr,
               {cyclic(count * p, {p, world_rank()}, 1), undistributed(1)}, Order::c)
          .on(MPI_COMM_WORLD);
  const auto said = assess(tpetra::map_target(), array).bytes_per_index;
  const auto before = allocated_bytes();
  const auto map = tpetra::import_map(array);
  const double kept = static_cast<double>(allocated_bytes() - before) / count;
  EXPECT_LT(kept, said + 1);
  if (p > 1 && before > 0) {  // a sanitizer's allocator tells nothing
    EXPECT_GT(kept, said - 1);
  }
}

}  // namespace
}  // namespace daptor::test
