// SPDX-License-Identifier: BSD-3-Clause
// Tags of objects: how many there are, that they can be reused, and that all ranks get the same
// one.

#include <gtest/gtest.h>

#include <vector>

#include "daptor/adapter/communicator.hpp"
#include "daptor/error.hpp"
#include "everywhere.hpp"
#include "ranks/object_tag.hpp"

namespace {

using namespace daptor;

class Tags : public ::testing::Test {
 protected:
  int find_free() const {
    Call call(comm, "find_free");
    const TagSearch search(*tags, call);
    call.check();
    return search.found(call);
  }
  ObjectTag next() { return {tags, find_free()}; }
  bool same_everywhere(std::int64_t value) const {
    std::int64_t extremes[] = {value, -value};
    comm->allreduce(extremes, 2, Reduction::min);
    return extremes[0] == -extremes[1];
  }
  const Comm comm{MPI_COMM_WORLD};
  const std::shared_ptr<ObjectTags> tags = std::make_shared<ObjectTags>();
};

TEST_F(Tags, RunOutAndComeBack) {
  std::vector<ObjectTag> taken;
  for (int i = 0; i < 32000; ++i) taken.push_back(next());
  test::expect_refused<InvalidArgument>("object.tags", [&] { next(); });
  const int last = taken.back().value();
  taken.pop_back();
  EXPECT_EQ(next().value(), last);
}

/// One rank does not take a tag that the others take, because it fails before: they still find the
/// same tags afterwards.
TEST_F(Tags, TheSameAfterAFailureOnOneRank) {
  for (int victim = 0; victim < comm.size(); ++victim) {
    const int tag = find_free();
    if (comm.rank() != victim) ObjectTag(tags, tag);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(same_everywhere(next().value()));
  }
}

/// The ranks destroy different objects: the next tag is one that is free on all of them.
TEST_F(Tags, FreeOnAllRanks) {
  std::vector<ObjectTag> taken;
  std::vector<int> kept;
  for (int i = 0; i < 64; ++i) {
    ObjectTag tag = next();
    if (i % 3 == comm.rank() % 3 || i % 5 == 0) {
      kept.push_back(tag.value());
      taken.push_back(std::move(tag));
    }
  }
  // Through all tags once.
  for (int i = 0; i < 32000; ++i) {
    const ObjectTag tag = next();
    ASSERT_TRUE(same_everywhere(tag.value()));
    for (const int other : kept) ASSERT_NE(tag.value(), other);
  }
}

}  // namespace
