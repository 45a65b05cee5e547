// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/explain.hpp"
#include "arrays.hpp"

namespace daptor::fft::test {
namespace {

Assessment verdict(const std::string& target, const Section& a) {
  for (const Assessment& each : explain(a.on(world)))
    if (each.target == target) return each;
  ADD_FAILURE() << "explain does not know " << target;
  return {};
}

TEST(Explain, SlabsAreAllThree) {
  const DistArray a = of_layout(layout::slab(0), {4 * world_size(), 3, 2});
  for (const char* target : {"fft.box", "fft.tile", "fft.slab"})
    EXPECT_TRUE(verdict(target, a).representable) << target;
}

TEST(Explain, SaysWhatACopyWouldMove) {
  if (world_size() == 1) return;
  const Section a = allocate<Complex>({cyclic(4 * world_size(), line()), undistributed(3)});
  for (const char* target : {"fft.box", "fft.tile", "fft.slab"}) {
    const Assessment found = verdict(target, a);
    EXPECT_FALSE(found.representable) << target;
    ASSERT_FALSE(found.reasons.empty());
    EXPECT_EQ(found.reasons[0].rule, "fft.division");
    EXPECT_NE(found.copy.text.str().find("daptor::redistributed"), std::string::npos);
    EXPECT_GT(found.bytes_to_move.value_or(0), 0);
  }
}

TEST(Explain, NamesTheOptionThatListsWithSharedIndicesNeed) {
  if (world_size() == 1) return;
  // Index r + 1 is on ranks r and r + 1.
  const std::vector<Index> mine{world_rank(), world_rank() + 1};
  const Section a = allocate<Complex>(
      {unstructured(world_size() + 1, line(), IndexList(mine)), undistributed(3)});
  for (const char* target : {"fft.box", "fft.tile", "fft.slab"}) {
    const Assessment found = verdict(target, a);
    EXPECT_FALSE(found.representable) << target;
    ASSERT_FALSE(found.reasons.empty());
    EXPECT_NE(advice(found.reasons[0]).str().find("are equal"), std::string::npos);
    EXPECT_NE(found.copy.text.str().find(", {false, true})"), std::string::npos);
    EXPECT_TRUE(found.copy.has("read_from_any"));
    EXPECT_TRUE(found.bytes_to_move.has_value());
  }
}

TEST(Explain, SectionsThatFitByThemselvesAreJudgedTogether) {
  if (world_size() == 1) return;
  // The second dimension's blocks are even but for FFTW; ranks' memory orders differ.
  const Order order = world_rank() == 0 ? Order::fortran : Order::c;
  const DistArray a = of_layout(layout::slab(0, order), {2 * world_size(), 4});
  EXPECT_TRUE(verdict("fft.box", a).representable);
  const Assessment found = verdict("fft.tile", a);
  EXPECT_FALSE(found.representable);
  EXPECT_EQ(found.reasons.at(0).rule, "fft.order");
}

}  // namespace
}  // namespace daptor::fft::test
