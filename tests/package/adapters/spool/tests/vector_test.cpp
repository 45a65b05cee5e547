// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <mpi.h>

#include <vector>

#include "daptor/spool.hpp"
#include "form_rows.hpp"

namespace {

using namespace daptor;

TEST(Spool, RefusesWhatItsFormDoes) {
  test::expect_form<double>(
      "spool.vector", [](const DistArray& a) { spool::import_vector(a); }, {".order", ".device"},
      adapter::Form::Layout::strided);
}

TEST(Spool, WrapsEverySecondElementFromEitherEnd) {
  std::vector<double> memory(8, 1.0);
  const DistArray array = describe(memory.data(), {block(4 * test::world_size(), test::line())},
                                   std::vector<Index>{2 * sizeof(double)})
                              .on(MPI_COMM_WORLD);
  const spool::Vector forwards = spool::import_vector(array);
  const spool::Vector backwards = spool::import_vector(array, {true});
  EXPECT_EQ(spool_first(forwards.get()), memory.data());
  EXPECT_EQ(spool_first(backwards.get()), memory.data() + 6);
  spool_scale(forwards.get(), 3.0);
  spool_scale(backwards.get(), 2.0);
  EXPECT_EQ(memory, (std::vector<double>{6, 1, 6, 1, 6, 1, 6, 1}));
}

TEST(Spool, KnowsThatMemoryIsThatOfADevice) {
  double unreachable = 0;
  const DistArray array = describe(&unreachable, {block(test::world_size(), test::line())})
                              .in_space({MemorySpace::cuda, 0})
                              .on(MPI_COMM_WORLD);
  const spool::Vector vector = spool::import_vector(array);
  EXPECT_EQ(spool_place_of(vector.get()), spool_on_device);
}

TEST(Spool, OptionsAreTheSameOnAllRanks) {
  if (test::world_size() == 1) return;
  const DistArray array =
      allocate<double>({block(4 * test::world_size(), test::line())}).on(MPI_COMM_WORLD);
  test::expect_refused_everywhere<InvalidArgument>(
      "collective.different", [&] { spool::import_vector(array, {test::world_rank() == 0}); });
}

}  // namespace
