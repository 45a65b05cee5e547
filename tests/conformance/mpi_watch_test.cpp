// SPDX-License-Identifier: BSD-3-Clause
// The watch sees the calls of this program and of the libraries that it uses, and no others.

#include <gtest/gtest.h>
#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "daptor/conformance/mpi_watch.hpp"
#include "daptor/daptor.hpp"
#include "world.hpp"

namespace daptor::test {
namespace {

using conformance::MpiCall;
using conformance::MpiKind;
using conformance::MpiWatch;

TEST(MpiWatch, IsAvailableWithTheWrappers) {
  EXPECT_TRUE(MpiWatch::available());
}

TEST(MpiWatch, SeesCallsOfEachKind) {
  MpiWatch watch;
  int value = 1;
  int sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Isend(&value, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, &request);
  MPI_Recv(&sum, 1, MPI_INT, world_rank(), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm copy;
  MPI_Comm_dup(MPI_COMM_SELF, &copy);
  MPI_Comm_size(MPI_COMM_WORLD, &sum);
  watch.stop();
  MPI_Comm_free(&copy);
  const std::vector<MpiCall> expected = {
      {MpiKind::collective, "MPI_Allreduce", "world"},
      {MpiKind::point_to_point, "MPI_Isend", "world"},
      {MpiKind::point_to_point, "MPI_Recv", "world"},
      {MpiKind::completion, "MPI_Wait", ""},
      {MpiKind::communicator, "MPI_Comm_dup", "self"},
  };
  EXPECT_EQ(watch.calls(), expected) << to_string(watch.calls());
  EXPECT_EQ(watch.count(MpiKind::point_to_point), 2);
  EXPECT_EQ(watch.count("MPI_Allreduce"), 1);
}

TEST(MpiWatch, SeesCallsOfSharedLibraries) {
  const Comm comm(MPI_COMM_WORLD);
  std::int64_t value = 1;
  comm->allreduce(&value, 1, Reduction::sum);  // makes the duplicate
  MpiWatch watch;
  comm->allreduce(&value, 1, Reduction::sum);
  watch.stop();
  ASSERT_EQ(watch.calls().size(), 1U) << to_string(watch.calls());
  EXPECT_EQ(watch.calls()[0].function, "MPI_Allreduce");
}

TEST(MpiWatch, NamesCommunicatorsByWhereTheyComeFrom) {
  MPI_Comm parent;
  MPI_Comm_dup(MPI_COMM_WORLD, &parent);
  MpiWatch watch;
  MPI_Barrier(parent);
  const std::string label = watch.calls().at(0).communicator;
  EXPECT_EQ(label.rfind("world.", 0), 0U) << label;

  MPI_Comm half;
  MPI_Comm_split(parent, world_rank() % 2, 0, &half);
  MPI_Barrier(half);
  EXPECT_EQ(watch.calls().back().communicator, label + ".1");
  MPI_Comm none;
  MPI_Comm_split(parent, world_rank() == 0 ? 1 : MPI_UNDEFINED, 0, &none);
  if (none != MPI_COMM_NULL) MPI_Comm_free(&none);
  MPI_Comm third;
  MPI_Comm_dup(parent, &third);
  MPI_Barrier(third);
  EXPECT_EQ(watch.calls().back().communicator, label + ".3") << "counted also where it was not in";

  // A communicator with a reused handle is not the previous communicator.
  MPI_Comm_free(&third);
  EXPECT_EQ(watch.calls().back().communicator, label + ".3");
  MPI_Comm_dup(parent, &third);
  MPI_Barrier(third);
  EXPECT_EQ(watch.calls().back().communicator, label + ".4");
  MPI_Comm_free(&third);
  MPI_Comm_free(&half);
  MPI_Comm_free(&parent);
}

TEST(MpiWatch, SeveralMayOverlap) {
  auto outer = std::make_unique<MpiWatch>();
  MPI_Barrier(MPI_COMM_SELF);
  MpiWatch inner;
  MPI_Barrier(MPI_COMM_SELF);
  EXPECT_EQ(outer->calls().size(), 2U);
  outer.reset();
  MPI_Barrier(MPI_COMM_SELF);
  EXPECT_EQ(inner.calls().size(), 2U);
  EXPECT_EQ(inner.calls()[0].communicator, "self");
}

TEST(MpiWatch, ToTextNamesEachCallOnce) {
  MpiWatch watch;
  for (int i = 0; i < 3; ++i) MPI_Barrier(MPI_COMM_SELF);
  int flag = 0;
  MPI_Iprobe(0, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  watch.stop();
  EXPECT_EQ(to_string(watch.calls()), "MPI_Barrier on self (3 times), MPI_Iprobe on world");
}

}  // namespace
}  // namespace daptor::test
