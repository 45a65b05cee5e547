// SPDX-License-Identifier: BSD-3-Clause
// Tags of objects: how many there are, that they can be reused, and that all ranks get the same
// one.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/simulated.hpp"
#include "everywhere.hpp"
#include "ranks/object_tag.hpp"

namespace {

using namespace daptor;

/// The tags of one rank.
struct RankTags {
  int find_free() const {
    Call call(comm, "find_free");
    const TagSearch search(*tags, call);
    call.check();
    return search.found(call);
  }
  ObjectTag next() const { return {tags, find_free()}; }
  bool same_everywhere(std::int64_t value) const {
    std::int64_t extremes[] = {value, -value};
    comm->allreduce(extremes, 2, Reduction::min);
    return extremes[0] == -extremes[1];
  }

  const Comm comm;
  const std::shared_ptr<ObjectTags> tags = std::make_shared<ObjectTags>();
};

void on_simulated_ranks(int ranks, const std::function<void(const RankTags&)>& body) {
  run_simulated(ranks, [&](const Comm& comm) { body(RankTags{comm}); });
}

TEST(ObjectTags, RunOutAndComeBack) {
  on_simulated_ranks(1, [](const RankTags& tags) {
    std::vector<ObjectTag> taken;
    for (int i = 0; i < 32000; ++i) taken.push_back(tags.next());
    test::expect_refused<InvalidArgument>("object.tags", [&] { tags.next(); });
    const int last = taken.back().value();
    taken.pop_back();
    EXPECT_EQ(tags.next().value(), last);
  });
}

/// One rank does not take a tag that the others take, because it fails before: they still find the
/// same tags afterwards.
TEST(ObjectTags, TheSameAfterAFailureOnOneRank) {
  on_simulated_ranks(3, [](const RankTags& tags) {
    for (int victim = 0; victim < tags.comm.size(); ++victim) {
      const int tag = tags.find_free();
      if (tags.comm.rank() != victim) ObjectTag(tags.tags, tag);
      for (int i = 0; i < 3; ++i) EXPECT_TRUE(tags.same_everywhere(tags.next().value()));
    }
  });
}

/// The ranks destroy different objects: the next tag is one that is free on all of them.
TEST(ObjectTags, FreeOnAllRanks) {
  on_simulated_ranks(3, [](const RankTags& tags) {
    std::vector<ObjectTag> taken;
    std::vector<int> kept;
    for (int i = 0; i < 64; ++i) {
      ObjectTag tag = tags.next();
      if (i % 3 == tags.comm.rank() || i % 5 == 0) {
        kept.push_back(tag.value());
        taken.push_back(std::move(tag));
      }
    }
    // Through all tags once.
    std::int64_t weighted = 0;
    for (int i = 1; i <= 32000; ++i) {
      const ObjectTag tag = tags.next();
      weighted += static_cast<std::int64_t>(i) * tag.value();
      for (const int other : kept) ASSERT_NE(tag.value(), other);
    }
    EXPECT_TRUE(tags.same_everywhere(weighted));
  });
}

}  // namespace
