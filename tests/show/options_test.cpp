// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include "arrays.hpp"
#include "daptor/error.hpp"
#include "show/scene.hpp"

namespace daptor {
namespace {

show::Options sliced(std::vector<show::Slice> slices) {
  show::Options options;
  options.slices = std::move(slices);
  return options;
}

show::Options section_of(int rank) {
  show::Options options;
  options.rank = rank;
  return options;
}

void expect_refused(const Recorded& recorded, const show::Options& options,
                    const std::string& found) {
  try {
    show::make_picture(recorded, options);
    ADD_FAILURE() << "was drawn";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.finding().found, found);
  }
}

std::vector<Index> cut_indices(const Recorded& recorded, const show::Options& options) {
  std::vector<Index> indices;
  const show::Picture picture = show::make_picture(recorded, options);
  for (const show::Cut& cut : picture.scene().cuts()) {
    indices.push_back(cut.dimension);
    indices.push_back(cut.index);
  }
  return indices;
}

TEST(Slices, AreTakenInTheMiddleOfUndistributedDimensionsFirst) {
  EXPECT_EQ(cut_indices(test::cube(), {}), (std::vector<Index>{1, 1}));
  const Recorded distributed = test::recorded_on({2, 2, 2}, [](const std::vector<Index>& at) {
    return std::vector<Dimension>{block(7, {2, at[0]}), block(7, {2, at[1]}), block(7, {2, at[2]})};
  });
  EXPECT_EQ(cut_indices(distributed, {}), (std::vector<Index>{0, 3}));
}

TEST(Slices, AreTakenWhereTheyAreAskedFor) {
  EXPECT_EQ(cut_indices(test::cube(), sliced({{2, 4}})), (std::vector<Index>{2, 4}));
  const auto all = sliced({{2, 4}, {0, 0}, {1, 2}});
  EXPECT_EQ(cut_indices(test::cube(), all), (std::vector<Index>{0, 0, 1, 2, 2, 4}));
  EXPECT_NE(test::terminal(test::cube(), all).find("│ 1 │"), std::string::npos);
}

TEST(Slices, ThatTheArrayDoesNotHaveAreRefused) {
  expect_refused(test::cube(), sliced({{3, 0}}), "dimension 3");
  expect_refused(test::cube(), sliced({{-1, 0}}), "dimension -1");
  expect_refused(test::cube(), sliced({{1, 3}}), "index 3 of dimension 1");
  expect_refused(test::cube(), sliced({{1, -1}}), "index -1 of dimension 1");
  expect_refused(test::cube(), sliced({{1, 0}, {1, 1}}), "dimension 1 twice");
}

TEST(Slices, OfASectionAreWithinIt) {
  show::Options options = section_of(3);
  options.slices = {{0, 1}};
  expect_refused(test::cube(), options, "index 1 of dimension 0");
  options.slices = {{0, 2}};
  EXPECT_EQ(cut_indices(test::cube(), options), (std::vector<Index>{0, 2}));
}

TEST(Sections, OfRanksThatAreNotThereAreRefused) {
  expect_refused(test::blocks(), section_of(6), "6");
  expect_refused(test::blocks(), section_of(-1), "-1");
  Recorded partial = test::blocks();
  partial.ranks.resize(2);
  expect_refused(partial, section_of(2), "2");
}

TEST(Refusals, CarryWhatParsingFound) {
  Recorded recorded = test::blocks();
  Dictionary broken = *std::get<Value>(recorded.ranks[2]).as<Dictionary>();
  broken.set("__version__", "7.0.0");
  recorded.ranks[2] = Value(broken);
  try {
    show::make_picture(recorded);
    ADD_FAILURE() << "was drawn";
  } catch (const Unsupported& error) {
    EXPECT_EQ(error.rule(), "T07");
    EXPECT_EQ(error.rank(), 2);
  }
  recorded.ranks[2] = ProducerError{"no memory"};
  EXPECT_THROW(show::make_picture(recorded), ProducerFailed);
}

void expect_rule(const Recorded& recorded, const std::string& rule) {
  try {
    show::make_picture(recorded);
    ADD_FAILURE() << "was drawn";
  } catch (const Malformed& error) {
    EXPECT_EQ(error.rule(), rule);
  }
}

/// Only what a picture needs is checked; validation checks the rest.
TEST(Refusals, OfRanksThatDoNotBelongTogether) {
  Recorded mixed = test::blocks();
  mixed.ranks[1] = test::lists().ranks[1];
  expect_rule(mixed, "T14");
  mixed.ranks[1] = mixed.ranks[0];
  expect_rule(mixed, "D19");
  mixed = test::lists();
  mixed.ranks[1] = test::recorded_on({3}, [](const std::vector<Index>& at) {
                     return std::vector<Dimension>{block(30, {3, at[0]})};
                   }).ranks[1];
  expect_rule(mixed, "D05");
  mixed = test::lists();
  mixed.nranks = 4;
  expect_rule(mixed, "D14");
}

TEST(Refusals, OfIndicesTooFarApart) {
  const Recorded far = test::recorded_on({1}, [](const std::vector<Index>&) {
    return std::vector<Dimension>{unstructured(2, {1, 0}, IndexList({INT64_MIN, INT64_MAX}))};
  });
  EXPECT_THROW(show::make_picture(far), NotRepresentable);
}

}  // namespace
}  // namespace daptor
