// SPDX-License-Identifier: BSD-3-Clause
// What the handle of a communicator allocates, found with a malloc that counts.

#include <gtest/gtest.h>
#include <mpi.h>

#include "../../examples/demo/allocations.hpp"
#include "daptor/comm.hpp"

namespace daptor {
namespace {

TEST(CommAllocations, NoneForACommunicatorThatIsKnown) {
  MPI_Comm user = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &user);
  allocations::start(1);
  { const Comm first(user); }
  EXPECT_GT(allocations::stop().number, 0U);  // what is kept with it: the counter counts

  allocations::start(1);
  {
    const Comm again(user);
    const Comm copy = again;
    EXPECT_EQ(copy.size(), again.size());
  }
  const allocations::Count count = allocations::stop();
  EXPECT_EQ(count.number, 0U) << count;
  EXPECT_EQ(count.in_mpi, 0U);
  MPI_Comm_free(&user);
}

}  // namespace
}  // namespace daptor
