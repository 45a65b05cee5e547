// SPDX-License-Identifier: BSD-3-Clause
// Nine integers on a command line, as the sections of all ranks.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "daptor/adapter/describer.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"
#include "matrices.hpp"

namespace daptor::scalapack::test {
namespace {

using Words = std::vector<std::optional<std::string>>;

std::vector<Section> described(const Words& words) {
  const std::vector<Describer>& all = registered_describers();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [](const Describer& each) { return each.name == "scalapack"; });
  if (found == all.end()) throw std::logic_error("no describer of scalapack");
  EXPECT_EQ(found->options.size(), words.size());
  return found->describe(words);
}

TEST(DescribeDescriptor, OnEveryProcessOfAGrid) {
  const auto arrays = described({"1,0,23,17,2,3,1,2,12", "2x3", std::nullopt});
  ASSERT_EQ(arrays.size(), 6u);
  for (Index rank = 0; rank < 6; ++rank) {
    const Section& array = arrays[static_cast<std::size_t>(rank)];
    EXPECT_EQ(array.dimension(0), BlockCyclic(23, 2, 2, 1).dimension(rank / 3));
    EXPECT_EQ(array.dimension(1), BlockCyclic(17, 3, 3, 2).dimension(rank % 3));
    EXPECT_EQ(array.byte_strides()[1], 96);
  }
  if (world_rank() == 0)
    run_simulated(6, [&](const Comm& comm) {
      EXPECT_TRUE(validate(arrays[static_cast<std::size_t>(comm.rank())], comm));
    });
  const auto by_columns = described({"1,0,23,17,2,3,0,0,12", "2x3", "column"});
  EXPECT_EQ(by_columns[1].dimension(0).grid().rank, 1);
}

TEST(DescribeDescriptor, SaysWhatIsWrongAndWhere) {
  try {
    described({"1,0,23,17,2,2,0,0,11", "2x3", std::nullopt});
    ADD_FAILURE() << "an LLD_ that is too small was accepted";
  } catch (const Malformed& error) {
    EXPECT_EQ(error.rule(), "scalapack.desc.lld");
    EXPECT_EQ(error.finding().ranks, (std::vector<int>{0, 1, 2}));
  }
  expect_refused("scalapack.desc.rsrc", [] { described({"1,0,9,9,2,2,2,0,9", "2x3", {}}); });
  expect_refused("scalapack.desc.type", [] { described({"501,0,9,9,2,2,0,0,9", "2x3", {}}); });
  for (const char* words : {"", "1,2", "1,0,9,9,2,2,0,0,x", "1,0,9,9,2,2,0,0,9,1",
                            "1,0,9,9,2,2,0,0,99999999999", "1;0;9;9;2;2;0;0;9"})
    expect_refused("scalapack.desc.words", [&] { described({words, "2x3", {}}); });
  for (const char* grid : {"", "2", "2x", "0x3", "2x3x4", "-1x2", "1000x1000", "2 x 3"})
    expect_refused("scalapack.grid.shape", [&] { described({"1,0,9,9,2,2,0,0,9", grid, {}}); });
  expect_refused("scalapack.grid.order", [] {
    described({"1,0,9,9,2,2,0,0,9", "2x3", "diagonal"});
  });
}

}  // namespace
}  // namespace daptor::scalapack::test
