// SPDX-License-Identifier: BSD-3-Clause
// What the builders make of lengths of memory, ghost cells on all sides, and lists of owned indices
// and ghosts.

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "everywhere.hpp"

#if __has_include(<span>)
#include <span>
#endif

namespace {

using namespace daptor;
using namespace daptor::test;

std::string rule_of(const Section& array) {
  return array.described() ? "" : array.defect().report().findings().front().rule;
}
Finding finding_of(const Section& array) {
  return array.defect().report().findings().front();
}

// --- lengths

TEST(Describe, ContainersTellTheirLength) {
  const std::vector<Dimension> six = {undistributed(2), undistributed(3)};
  std::vector<double> exact(6), shorter(5), longer(7);
  const std::vector<double> constant(6);
  std::array<float, 6> fixed{};
  double plain[6] = {};
  double table[2][3] = {};
  const Section a = describe(exact, six);
  EXPECT_EQ(a.data(), exact.data());
  EXPECT_FALSE(a.readonly());
  EXPECT_EQ(describe(exact, six, Order::fortran).byte_strides(), (std::vector<Index>{8, 16}));
  EXPECT_TRUE(describe(constant, six).readonly());
  EXPECT_EQ(describe(fixed, six).type(), DataType::of<float>());
  EXPECT_EQ(describe(plain, six).data(), plain);
  EXPECT_EQ(describe(table, six).data(), table);
  EXPECT_EQ(describe(exact.data(), 6, six).data(), exact.data());
  EXPECT_TRUE(describe(constant.data(), 6, six).readonly());
  EXPECT_EQ(describe(DataType::of<double>(), exact.data(), 6, six).data(), exact.data());
#ifdef __cpp_lib_span
  EXPECT_EQ(describe(std::span<double>(exact), six).data(), exact.data());
  EXPECT_TRUE(describe(std::span<const double>(exact), six).readonly());
  EXPECT_EQ(rule_of(describe(std::span<double>(longer), six)), "describe.length");
#endif
  for (auto* wrong : {&shorter, &longer}) {
    EXPECT_EQ(rule_of(describe(*wrong, six)), "describe.length");
    EXPECT_EQ(rule_of(describe(*wrong, six, Order::fortran)), "describe.length");
    EXPECT_EQ(rule_of(describe(wrong->data(), static_cast<Index>(wrong->size()), six)),
              "describe.length");
  }
  EXPECT_EQ(rule_of(describe(plain, {undistributed(5)})), "describe.length");
  EXPECT_EQ(rule_of(describe(table, {undistributed(7)})), "describe.length");
  EXPECT_EQ(rule_of(describe(exact.data(), -6, six)), "describe.length");
  EXPECT_EQ(rule_of(describe(DataType::of<double>(), exact.data(), 7, six)), "describe.length");
  EXPECT_EQ(rule_of(describe(DataType::of<double>(), nullptr, 6, six)), "describe.length");
  EXPECT_EQ(rule_of(describe(exact.data(), six)), "") << "a bare pointer is the caller's word";
}

TEST(Describe, MemoryWithoutElementsMayBeNowhere) {
  std::vector<double> none;
  EXPECT_EQ(rule_of(describe(none, {undistributed(0), undistributed(3)})), "");
  EXPECT_EQ(rule_of(describe(static_cast<double*>(nullptr), 0, {undistributed(0)})), "");
  EXPECT_EQ(rule_of(describe(none, {undistributed(1)})), "describe.length");
}

TEST(Describe, StridesAreInBytes) {
  std::vector<double> u(12);
  const std::vector<Dimension> table = {undistributed(4), undistributed(3)};
  EXPECT_EQ(rule_of(describe(u, table, std::vector<Index>{24, 8})), "");
  EXPECT_EQ(rule_of(describe(u, table, std::vector<Index>{3, 1})), "describe.strides");
  EXPECT_EQ(rule_of(describe(u.data(), table, std::vector<Index>{24, 1})), "describe.strides");
  EXPECT_EQ(rule_of(describe(u.data() + 11, table, std::vector<Index>{-24, -7})),
            "describe.strides");
  EXPECT_EQ(rule_of(describe(u, table, std::vector<Index>{8, 8})), "") << "a sliding window";
  EXPECT_EQ(rule_of(describe(u, table, std::vector<Index>{0, 8})), "") << "one row four times";
  EXPECT_EQ(rule_of(describe(u, {undistributed(4), undistributed(1)}, std::vector<Index>{8, 1})),
            "")
      << "nothing is at the second stride";
}

TEST(Describe, StridesStayWithinTheMemory) {
  std::vector<double> u(10);
  const std::vector<Dimension> four = {undistributed(4)};
  EXPECT_EQ(rule_of(describe(u, four, std::vector<Index>{24})), "") << "the last is element 9";
  EXPECT_EQ(rule_of(describe(u, four, std::vector<Index>{8})), "") << "more memory than needed";
  EXPECT_EQ(rule_of(describe(u, four, std::vector<Index>{32})), "describe.length");
  EXPECT_EQ(rule_of(describe(u, four, std::vector<Index>{25})), "describe.length");
  EXPECT_EQ(rule_of(describe(u, four, std::vector<Index>{-8})), "describe.length");
  EXPECT_EQ(rule_of(describe(u.data() + 9, four, std::vector<Index>{-8})), "");
  EXPECT_EQ(rule_of(describe(u.data(), 10, four, std::vector<Index>{32})), "describe.length");
  EXPECT_EQ(rule_of(describe(DataType::of<double>(), u.data(), 10, four, std::vector<Index>{32})),
            "describe.length");
  double plain[4] = {};
  EXPECT_EQ(rule_of(describe(plain, four, std::vector<Index>{16})), "describe.length");
  EXPECT_EQ(rule_of(describe(plain, {undistributed(0)}, std::vector<Index>{16})), "");
}

TEST(Describe, SaysWhatTheLengthShouldBe) {
  std::vector<double> u(9 * 14);
  const std::vector<Dimension> dimensions = {block(12, {3, 1}, BlockPadding({2, 2})),
                                             block(10, {1, 0}, BlockPadding({2, 2}))};
  const Section a = describe(u, dimensions);
  const Finding finding = finding_of(a);
  EXPECT_EQ(finding.rule, "describe.length");
  EXPECT_EQ(finding.found, "memory of 126 elements");
  EXPECT_EQ(finding.expected,
            "80 elements: 8 (4 owned, communication padding (2, 2)) x 10 (10 owned)");
  EXPECT_EQ(finding.remedy,
            "Check start and stop, allocate local_count(dimensions) elements, or describe the "
            "padding that the memory has.");
  u.resize(8 * 14);
  const Section ghosts = describe(u, dimensions);
  EXPECT_NE(finding_of(ghosts).remedy.str().find("set BlockOptions::ghosts to {2}"),
            std::string::npos)
      << finding_of(ghosts).remedy;
}

/// The most common mistake: the memory has ghost cells on all sides, but the description only at
/// internal edges. It is an error on all ranks, which says what to do.
TEST(Describe, GhostsThatWereForgottenAreAnErrorOnAllRanks) {
  const Index w = 2, m = 10;
  const IndexRange rows = even_block(12, {world_size(), world_rank()});
  std::vector<double> u(static_cast<std::size_t>((rows.size() + 2 * w) * (m + 2 * w)));
  const Section a =
      describe(u, {block(12, {world_size(), world_rank()}, rows, BlockPadding({w, w})),
                   block(m, {1, 0}, BlockPadding({w, w}))});
  try {
    update_padding(a.on(MPI_COMM_WORLD));
    ADD_FAILURE() << "nothing thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.rule(), "describe.length");
    EXPECT_EQ(error.rank(), 0);
    EXPECT_NE(error.finding().remedy.str().find("ghosts"), std::string::npos) << error.what();
  }
}

// --- ghost cells on all sides

TEST(Ghosts, LieOnBothEndsOfEverySection) {
  for (Index processes = 1; processes <= 6; ++processes)
    for (const Index interior : {0, 1, 3, 10, 13})
      for (const Padding w : {Padding{0, 0}, Padding{1, 1}, Padding{2, 3}}) {
        Index next = 0;
        for (Index rank = 0; rank < processes; ++rank) {
          SCOPED_TRACE(testing::Message() << interior << " cells, rank " << rank << " of "
                                          << processes << ", ghosts " << w);
          const GridPosition grid{processes, rank};
          const Dimension d = block(interior, grid, BlockPadding::ghosts(w));
          ASSERT_FALSE(d.defect()) << d;
          const IndexRange inner = even_block(interior, grid);
          EXPECT_EQ(d.global_size(), interior + w.total());
          const bool nothing = inner.empty() && inner.start == interior && w.upper == 0;
          EXPECT_EQ(d.local_extent(), nothing ? 0 : inner.size() + w.total());
          EXPECT_EQ(d.communication_padding(),
                    nothing
                        ? Padding{}
                        : (Padding{rank > 0 ? w.lower : 0, rank + 1 < processes ? w.upper : 0}));
          EXPECT_EQ(d.boundary_padding(), nothing ? Padding{}
                                                  : (Padding{rank == 0 ? w.lower : 0,
                                                             rank + 1 == processes ? w.upper : 0}));
          EXPECT_EQ(d.as<Block>()->owned.start, next);
          next = d.as<Block>()->owned.stop;
          EXPECT_EQ(d.interior()->size(), inner.size());
          EXPECT_EQ(d.interior()->start, inner.start + w.lower);
          EXPECT_EQ(d.asked_communication_padding(), w) << "on one process too";
          EXPECT_EQ(d, block(interior, grid, inner, BlockPadding::ghosts(w)));
        }
        EXPECT_EQ(next, interior + w.total());
      }
}

TEST(Ghosts, OfAPeriodicDimensionAreCommunicationPadding) {
  for (Index rank = 0; rank < 3; ++rank) {
    const Dimension d = block(9, {3, rank}, BlockPadding::ghosts({1, 2}, true));
    EXPECT_EQ(d.global_size(), 9);
    EXPECT_EQ(d.communication_padding(), (Padding{1, 2}));
    EXPECT_EQ(d.boundary_padding(), Padding{});
    EXPECT_EQ(d.interior(), (IndexRange{3 * rank, 3 * rank + 3}));
  }
}

TEST(Ghosts, WrongBoundsAreSaidInNumbersOfTheInterior) {
  const Dimension d = block(10, {2, 1}, {5, 11}, BlockPadding::ghosts({2, 2}));
  ASSERT_TRUE(d.defect());
  const Finding& finding = d.defect().report().findings().front();
  EXPECT_EQ(finding.rule, "B08");
  EXPECT_EQ(finding.found, "11");
  EXPECT_TRUE(block(INT64_MAX, {1, 0}, BlockPadding::ghosts({2, 2})).defect());
  EXPECT_TRUE(block(10, {1, 0}, BlockPadding::ghosts({-1, 2})).defect());
}

TEST(Ghosts, OneWidthForAllDimensionsOrOneForEach) {
  BlockOptions options;
  options.ghosts = {2};
  const auto same = block_dimensions({20, 30}, MPI_COMM_WORLD, options);
  options.ghosts = {1, 3};
  options.periodic = {false, true};
  const auto each = block_dimensions({20, 30}, MPI_COMM_WORLD, options);
  for (std::size_t d = 0; d < 2; ++d) {
    const auto interior = even_block(d == 0 ? 20 : 30, same[d].grid()).size();
    EXPECT_EQ(same[d].local_extent(), interior + 4);
    EXPECT_EQ(each[d].local_extent(), interior + (d == 0 ? 2 : 6));
  }
  EXPECT_EQ(same[1].global_size(), 34);
  EXPECT_EQ(each[1].global_size(), 30);
  const auto rule = [](const BlockOptions& wrong) {
    return rule_of(describe(DataType::of<double>(), nullptr,
                            block_dimensions({20, 30}, MPI_COMM_WORLD, wrong)));
  };
  options.ghosts = {1, 2, 3};
  EXPECT_EQ(rule(options), "argument");
  options.ghosts = {-1};
  EXPECT_EQ(rule(options), "P03");
  options.ghosts = {1};
  options.communication = {{1, 1}, {1, 1}};
  EXPECT_EQ(rule(options), "argument");
}

TEST(Ghosts, TheInteriorLiesWithinTheSection) {
  BlockOptions options;
  options.ghosts = {2, 1};
  options.periodic = {false, true};
  const Section a = allocate<int>(block_dimensions({11, 7}, MPI_COMM_WORLD, options));
  EXPECT_EQ(a.interior_offset(), (std::vector<Index>{2, 1}));
  for (std::size_t d = 0; d < 2; ++d)
    EXPECT_EQ(a.interior_shape()[d], a.local_shape()[d] - 2 * a.interior_offset()[d]);
  const auto whole = view<int, 2>(a);
  const auto inner = interior_view<int, 2>(a);
  whole(2, 1) = 5;
  EXPECT_EQ(inner(0, 0), 5);
  inner(-2, -1) = 7;
  EXPECT_EQ(whole(0, 0), 7) << "the ghost cells lie around the view";
  EXPECT_EQ(a.interior_data(), &whole(2, 1));
  Index cells = a.interior_shape()[0] * a.interior_shape()[1];
  MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(cells, 11 * 7) << "each cell on one process";
}

TEST(Ghosts, WhatWasAskedForIsNoPartOfTheLayout) {
  const Dimension asked = block(10, {1, 0}, BlockPadding({1, 1}));
  const Dimension plain(10, Block{{1, 0}, {0, 10}, {}, {}, true});
  EXPECT_EQ(asked.asked_communication_padding(), (Padding{1, 1}));
  EXPECT_EQ(plain.asked_communication_padding(), Padding{});
  EXPECT_EQ(asked, plain);
  const Section a = describe(DataType::of<int>(), nullptr, {asked});
  EXPECT_EQ(a.dimension(0).asked_communication_padding(), (Padding{1, 1}));
  EXPECT_EQ(parse_or_throw(to_value(a)).dimension(0).asked_communication_padding(), Padding{});
}

TEST(Interior, OfOtherDistributionsIsWhatIsOwned) {
  EXPECT_EQ(undistributed(5).interior(), (IndexRange{0, 5}));
  EXPECT_FALSE(cyclic(5, {1, 0}).interior());
  const Section a = describe(DataType::of<int>(), nullptr,
                             {cyclic(5, {1, 0}), block(8, {1, 0}, BlockPadding({}, {5, 6}))});
  EXPECT_EQ(a.interior_shape(), (std::vector<Index>{5, 0})) << "more padding than section (P17)";
  EXPECT_EQ(a.interior_offset(), (std::vector<Index>{0, 5}));
}

// --- owned indices, then ghosts

TEST(OwnedThenGhosts, IsADimensionOfItsOwn) {
  const Dimension d = owned_then_ghosts(6, {2, 1}, {3, 4, 5}, {2, 0});
  ASSERT_FALSE(d.defect());
  EXPECT_EQ(d.dist_type(), 'u');
  EXPECT_EQ(d.owned_count(), 3);
  EXPECT_EQ(d.local_extent(), 5);
  EXPECT_EQ(d.communication_padding(), (Padding{0, 2}));
  EXPECT_EQ(d, owned_then_ghosts(6, {2, 1}, IndexList({3, 4, 5, 2, 0}), 3));
  EXPECT_EQ(d, block_then_ghosts(6, {2, 1}, {3, 6}, {2, 0}));
  EXPECT_EQ(d, block_then_ghosts(6, {2, 1}, {2, 0}));
  EXPECT_NE(d, unstructured(6, {2, 1}, IndexList({3, 4, 5, 2, 0})));
  EXPECT_NE(d, owned_then_ghosts(6, {2, 1}, IndexList({3, 4, 5, 2, 0}), 4));
  const Section a = describe(DataType::of<double>(), nullptr, {d, undistributed(2)});
  EXPECT_EQ(a.owned_shape(), (std::vector<Index>{3, 2}));
  EXPECT_EQ(a.local_shape(), (std::vector<Index>{5, 2}));
  EXPECT_EQ(a.owned_count(), 6);
  EXPECT_EQ(a.interior_shape(), (std::vector<Index>{3, 2}));
}

TEST(OwnedThenGhosts, WrongNumbersAreDefects) {
  const auto rule = [](const Dimension& d) {
    return d.defect() ? d.defect().report().findings().front().rule : "";
  };
  EXPECT_EQ(rule(owned_then_ghosts(6, {1, 0}, IndexList({1, 2}), 3)), "owned.count");
  EXPECT_EQ(rule(owned_then_ghosts(6, {1, 0}, IndexList({1, 2}), -1)), "owned.count");
  EXPECT_EQ(rule(owned_then_ghosts(6, {1, 1}, IndexList({1, 2}), 1)), "D18");
  EXPECT_EQ(rule(block_then_ghosts(6, {2, 1}, {3, 7}, {})), "B08");
  EXPECT_EQ(rule(block_then_ghosts(6, {0, 0}, {})), "D13");
  EXPECT_EQ(rule(owned_then_ghosts(0, {1, 0}, IndexList({1}), 0)), "E05");
}

TEST(OwnedThenGhosts, LocalIndices) {
  const LocalDimensionMap map(owned_then_ghosts(6, {2, 1}, {4, 3, 5}, {2, 0}));
  EXPECT_EQ(map.global_of(0), 4);
  EXPECT_EQ(map.global_of(4), 0);
  EXPECT_EQ(map.local_of(5), 2);
  EXPECT_FALSE(map.local_of(2)) << "a ghost is not owned";
  EXPECT_FALSE(map.is_owned(3));
  std::vector<Index> owned;
  map.for_each_run([&](const daptor::IndexRun& run) {
    for (Index i = 0; i < run.count; ++i) owned.push_back(run.global_start + i);
  });
  EXPECT_EQ(owned, (std::vector<Index>{4, 3, 5}));
  EXPECT_EQ(map.run_count(), 3);
}

TEST(OwnedThenGhosts, SurviveTheProtocolAndTheStruct) {
  const Section a =
      describe(DataType::of<double>(), nullptr, {owned_then_ghosts(6, {1, 0}, {3, 4, 5}, {2, 0})});
  const Value value = to_value(a);
  EXPECT_EQ(parse_or_throw(value), a);
  EXPECT_TRUE(parse(value).report.findings().empty());
  EXPECT_EQ(convert(convert(a, protocol_0_10), protocol_0_9), a);
  daptor_array exported;
  export_abi(a, &exported);
  EXPECT_EQ(exported.dimensions[0].has_owned, 1U);
  EXPECT_EQ(exported.dimensions[0].owned, 3);
  EXPECT_EQ(import_abi(&exported), a);
}

/// Ghosts before, between and behind owned elements; an index twice.
TEST(OwnedAnywhere, IsADimensionOfItsOwn) {
  const IndexList list({2, 4, 3, 2, 5, 0, 3});
  const Dimension d = unstructured(6, {2, 1}, list, OwnedPart::at({4, 1, 6}));
  ASSERT_FALSE(d.defect());
  EXPECT_EQ(d.owned_count(), 3);
  EXPECT_EQ(d.local_extent(), 7);
  EXPECT_EQ(d.communication_padding().total(), 4);
  EXPECT_EQ(d, unstructured(6, {2, 1}, list,
                            std::vector<bool>{false, true, false, false, true, false, true}));
  EXPECT_NE(d, unstructured(6, {2, 1}, list, OwnedPart::at({4, 1, 2})));
  EXPECT_EQ(unstructured(6, {2, 1}, list, OwnedPart::at({2, 0, 1})),
            owned_then_ghosts(6, {2, 1}, list, 3));
  const LocalDimensionMap map(d);
  EXPECT_EQ(map.local_of(3), 6) << "position 2 is a ghost";
  EXPECT_FALSE(map.local_of(2));
  EXPECT_TRUE(map.is_owned(4));
  EXPECT_FALSE(map.is_owned(2));
  std::vector<Index> owned;
  map.for_each_run([&](const daptor::IndexRun& run) { owned.push_back(run.local_start); });
  EXPECT_EQ(owned, (std::vector<Index>{1, 4, 6}));
  EXPECT_EQ(LocalIndexMap({d, undistributed(2)}).owned_natural(),
            (std::vector<Index>{8, 9, 10, 11, 6, 7}));
  EXPECT_EQ(owned_indices(*d.as<Unstructured>()), IndexList({4, 5, 3}));
}

TEST(OwnedAnywhere, SurvivesTheProtocolAndTheStruct) {
  const IndexList list({2, 4, 3, 2, 5, 0, 3});
  for (const OwnedPart& part : {OwnedPart::at({4, 1, 6}), OwnedPart::at({3, 2, 1}), OwnedPart(0)}) {
    const Section a = describe(DataType::of<double>(), nullptr,
                               {unstructured(6, {1, 0}, list, part), undistributed(2)});
    EXPECT_EQ(parse_or_throw(to_value(a)), a);
    EXPECT_EQ(convert(convert(a, protocol_0_10), protocol_0_9), a);
    daptor_array exported;
    export_abi(a, &exported);
    EXPECT_EQ(exported.dimensions[0].has_owned, part == OwnedPart(0) ? 1U : 2U);
    EXPECT_EQ(exported.dimensions[0].owned, part.count());
    const Section imported = import_abi(&exported);
    EXPECT_EQ(imported, a);
    EXPECT_EQ(imported.dimension(0).owned_part(), part);
  }
}

TEST(OwnedThenGhosts, TheKeyIsJudged) {
  const auto rules = [](Value owned, const char* type) {
    const Section a = *type == 'u' ? describe(DataType::of<double>(), nullptr,
                                              {unstructured(6, {1, 0}, IndexList({3, 4, 5, 2, 0}))})
                                   : describe(DataType::of<double>(), nullptr, {block(5, {1, 0})});
    const Value value = to_value(a);
    Dictionary map =
        *value.as<Dictionary>()->find("dim_data")->as<Sequence>()->items[0].as<Dictionary>();
    map.set("owned", std::move(owned));
    Dictionary whole = *value.as<Dictionary>();
    whole.set("dim_data", Value(Sequence{{Value(map)}, true}));
    std::string found;
    const Report report = parse(Value(whole)).report;
    for (const Finding& finding : report.findings())
      found += finding.rule + ' ' + finding.key + ' ';
    return found;
  };
  EXPECT_EQ(rules(Value(Index{3}), "u"), "");
  EXPECT_EQ(rules(Value(Index{0}), "u"), "");
  EXPECT_EQ(rules(Value(Index{6}), "u"), "owned.count owned ");
  EXPECT_EQ(rules(Value(Index{-1}), "u"), "owned.count owned ");
  EXPECT_EQ(rules(Value(true), "u"), "owned.count owned ");
  EXPECT_EQ(rules(Value("three"), "u"), "owned.count owned ");
  EXPECT_EQ(rules(Value(Index{3}), "b"), "D27 owned ") << "of no meaning there";
  const auto list = [&](std::vector<Value> items) {
    return rules(Value(Sequence{std::move(items), false}), "u");
  };
  EXPECT_EQ(list({}), "");
  EXPECT_EQ(list({Value(Index{4}), Value(Index{0}), Value(Index{2})}), "");
  EXPECT_EQ(list({Value(true), Value(false), Value(true), Value(false), Value(true)}), "");
  EXPECT_EQ(list({Value(Index{4}), Value(Index{4})}), "owned.positions owned ");
  EXPECT_EQ(list({Value(Index{4}), Value(Index{5})}), "owned.positions owned ");
  EXPECT_EQ(list({Value(Index{-1})}), "owned.positions owned ");
  EXPECT_EQ(list({Value(true), Value(false)}), "owned.positions owned ") << "a short mask";
  EXPECT_EQ(list({Value(true), Value(Index{1})}), "owned.positions owned ");
  EXPECT_EQ(list({Value("0")}), "owned.positions owned ");
  bool mask[] = {true, false, false, true, true};
  RawBuffer bools;
  bools.format = "?";
  bools.itemsize = 1;
  bools.shape = {5};
  bools.data = mask;
  EXPECT_EQ(rules(Value(bools), "u"), "");
  bools.shape = {4};
  EXPECT_EQ(rules(Value(bools), "u"), "owned.positions owned ");
  bools.shape = {2, 2};
  EXPECT_EQ(rules(Value(bools), "u"), "owned.positions owned ");
}

}  // namespace
