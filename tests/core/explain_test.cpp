// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/explain.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <iomanip>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "counting_communicator.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/simulated.hpp"
#include "daptor/validate.hpp"
#include "text.hpp"
#include "world_comm.hpp"

namespace daptor {
namespace {

using test::text;
using test::world;

DistArray line() {
  return describe(DataType::of<double>(), nullptr, {block(100, {world().size(), world().rank()})})
      .on(world());
}

Finding reason(const std::string& found) {
  return error_finding("fake.reason", 0, "", found, "something else", "Call another.");
}

/// A target that refuses on the ranks for which `refuses` holds.
Target fake(const char* name, std::function<bool(int)> refuses, double bytes = 0) {
  return {name, std::string("fake::import_") + name, [refuses, bytes](const Section&, int) {
            LocalAssessment local;
            local.bytes_per_index = bytes;
            if (refuses(world().rank()))
              local.reasons = {reason("rank " + std::to_string(world().rank())), reason("more")};
            return local;
          }};
}

TEST(Explain, YesWhereNoRankRefuses) {
  const Assessment verdict = assess(fake(
                                        "holds", [](int) { return false; }, 1.0 + world().rank()),
                                    line());
  EXPECT_TRUE(verdict.representable);
  EXPECT_TRUE(verdict.reasons.empty());
  EXPECT_EQ(verdict.target, "holds");
  EXPECT_EQ(verdict.call, "fake::import_holds");
  EXPECT_EQ(verdict.bytes_per_index, world().size()) << "the largest of all ranks";
}

TEST(Explain, OneRankAloneRefusesForAll) {
  for (int alone = 0; alone < world().size(); ++alone) {
    const Assessment verdict =
        assess(fake("picky", [alone](int rank) { return rank == alone; }), line());
    EXPECT_FALSE(verdict.representable);
    ASSERT_EQ(verdict.reasons.size(), 2U);
    EXPECT_EQ(verdict.reasons[0].rule, "fake.reason");
    EXPECT_EQ(verdict.reasons[0].found, "rank " + std::to_string(alone));
    EXPECT_EQ(verdict.reasons[0].rank(), alone);
    EXPECT_EQ(verdict.reasons[1].found, "more");
  }
}

TEST(Explain, TheLowestRefusalIsShown) {
  const Assessment verdict = assess(fake("picky", [](int) { return true; }), line());
  EXPECT_EQ(verdict.reasons.at(0).found, "rank 0");
}

TEST(Explain, WhatAllRanksShowTogetherIsAskedWhereEachWillDo) {
  int asked = 0;
  bool malformed = false;
  const auto together = [&](const DistArray& array, Call&) {
    ++asked;
    std::int64_t ranks = 1;
    array.comm()->allreduce(&ranks, 1, Reduction::sum);
    const Finding finding = reason(std::to_string(ranks) + " ranks");
    if (malformed) throw Malformed(finding);
    throw NotRepresentable(finding);
  };
  for (malformed = false; asked < 2; malformed = true) {
    Target target = fake("apart", [](int) { return false; });
    target.agree = together;
    const Assessment verdict = assess(target, line());
    EXPECT_FALSE(verdict.representable);
    ASSERT_EQ(verdict.reasons.size(), 1U);
    EXPECT_EQ(verdict.reasons[0].rule, "fake.reason");
    EXPECT_EQ(verdict.reasons[0].found, std::to_string(world().size()) + " ranks");
  }
  for (int alone = 0; alone < world().size(); ++alone) {
    Target target = fake("picky", [alone](int rank) { return rank == alone; });
    target.agree = together;
    EXPECT_EQ(assess(target, line()).reasons.at(0).found, "rank " + std::to_string(alone));
  }
  EXPECT_EQ(asked, 2);
  Target agreed = fake("agreed", [](int) { return false; });
  agreed.agree = [](const DistArray&, Call&) {};
  EXPECT_TRUE(assess(agreed, line()).representable);
}

/// A target would communicate differently on the ranks, so it is not asked.
TEST(Explain, SectionsThatFormNoArrayAreHeldByNoTarget) {
  if (world().size() < 2) return;
  const GridPosition here{world().size(), world().rank()};
  Target target = fake("holds", [](int) { return false; });
  target.agree = [](const DistArray&, Call&) { ADD_FAILURE() << "asked"; };
  target.copy = [](const Section&, const CopyRequest&) -> std::optional<TargetCopy> {
    ADD_FAILURE() << "asked for a copy";
    return std::nullopt;
  };
  for (int alone = 0; alone < world().size(); ++alone) {
    const bool me = world().rank() == alone;
    const Index size = 3 * world().size();
    std::vector<Dimension> one_list{block(size, here)}, one_more{block(size, here)};
    if (me) one_list.front() = unstructured(size, here, IndexList({0, 1, 2}), true);
    if (me) one_more.push_back(undistributed(1));
    for (const auto& [dimensions, rule] :
         {std::pair(one_list, "D05"), std::pair(one_more, "T14")}) {
      const Section array = describe(DataType::of<double>(), nullptr, dimensions);
      const Assessment verdict = assess(target, array.on(world()));
      EXPECT_FALSE(verdict.representable);
      EXPECT_TRUE(verdict.copy.text.empty());
      ASSERT_FALSE(verdict.reasons.empty());
      EXPECT_EQ(verdict.reasons.front().rule, rule);
      EXPECT_EQ(text(verdict.reasons.front()), text(validate(array, world()).findings().front()));
    }
  }
}

TEST(Explain, BothSizesWhereBoundaryPaddingCounts) {
  const GridPosition here{world().size(), world().rank()};
  const Index size = 3 * world().size();
  const auto verdict = [&](const BlockPadding& padding, bool holds) {
    const Section array =
        describe(DataType::of<double>(), nullptr, {block(size, here, padding), undistributed(4)});
    return assess(fake("any", [holds](int) { return !holds; }), array.on(world()));
  };
  for (const bool holds : {true, false}) {
    const Assessment counted = verdict(BlockPadding::ghosts({1, 2}), holds);
    EXPECT_EQ(counted.padded_shape, (std::vector<Index>{size + 3, 4}));
    EXPECT_EQ(counted.interior_shape, (std::vector<Index>{size, 4}));
    const std::string sizes = std::to_string(size + 3) + " x 4 elements with boundary padding, " +
                              std::to_string(size) + " x 4 without";
    EXPECT_NE(text(counted).find(sizes), std::string::npos) << counted;
    EXPECT_EQ(verdict(BlockPadding::ghosts({1, 2}, true), holds).sizes(), "");
  }
}

TEST(Explain, TargetsAreToldTheProcessCount) {
  int told = 0;
  Target target{"t", "c", [&](const Section& array, int process_count) {
                  told = process_count;
                  EXPECT_EQ(array.ndim(), 1);
                  return LocalAssessment();
                }};
  assess(target, line());
  EXPECT_EQ(told, world().size());
}

TEST(Explain, ATargetThatFailsFailsEverywhere) {
  for (int alone = 0; alone < world().size(); ++alone) {
    const Target target{"t", "c", [alone](const Section&, int) {
                          if (world().rank() == alone) throw std::runtime_error("broken");
                          return LocalAssessment();
                        }};
    try {
      assess(target, line());
      ADD_FAILURE() << "returned on rank " << world().rank();
    } catch (const LibraryFailed& error) {
      EXPECT_EQ(error.finding().found, "broken");
      EXPECT_EQ(error.rank(), alone);
    }
  }
}

TEST(Explain, ImportsRefuseByTheSameCode) {
  const Target picky = fake("picky", [](int) { return true; });
  try {
    require_representable(picky, line(), world().size());
    ADD_FAILURE() << "not refused";
  } catch (const NotRepresentable& error) {
    EXPECT_EQ(error.rule(), "fake.reason");
    EXPECT_EQ(error.report().findings().size(), 2U);
  }
  require_representable(fake("holds", [](int) { return false; }), line(), world().size());
}

TEST(Explain, AsksEveryRegisteredTargetOnce) {
  const std::size_t before = registered_targets().size();
  register_target(fake(
      "a", [](int) { return false; }, 8));
  register_target(fake("b", [](int) { return false; }));
  register_target(fake("a", [](int rank) { return rank == 0; }));
  ASSERT_EQ(registered_targets().size(), before + 2) << "the last of a name counts";
  const Explanation explanation = explain(line());
  ASSERT_EQ(explanation.size(), before + 2);
  EXPECT_EQ(explanation[before].target, "a");
  EXPECT_FALSE(explanation[before].representable);
  EXPECT_EQ(explanation[before + 1].target, "b");
  EXPECT_TRUE(explanation[before + 1].representable);
}

/// Of 20 targets the last 19 cost one check and one reduction each: the sections are proven to form
/// an array, and no index to be on two ranks, for the first alone.
TEST(Explain, ProvesTheArrayOnceForAllTargets) {
  const auto size = world().size();
  const auto calls = [&](std::size_t targets) {
    const test::CountingCommunicator comm(world());
    const auto position = GridPosition{size, world().rank()};
    const DistArray array = describe(DataType::of<double>(), nullptr,
                                     {unstructured(size, position, IndexList({world().rank()}))})
                                .on(comm);
    const Explanation explanation =
        explain(array, std::vector<Target>(targets, fake("holds", [](int) { return false; })));
    EXPECT_EQ(explanation.size(), targets);
    return comm.traffic.calls();
  };
  EXPECT_EQ(calls(20), calls(1) + 19 * 2);
}

Section whole_on(int rank, Index size) {
  const bool owner = world().rank() == rank;
  const IndexRange owned{owner || world().rank() < rank ? 0 : size,
                         world().rank() < rank ? 0 : size};
  return describe(DataType::of<double>(), nullptr,
                  {block(size, {world().size(), world().rank()}, owned)});
}

/// A target that refuses on all ranks and offers to copy the whole array to one of them.
Target with_copy(const std::string& call, std::function<bool(int)> offers, Index size = 100) {
  Target target = fake("picky", [](int) { return true; });
  target.copy = [=](const Section& array, const CopyRequest& request) {
    EXPECT_EQ(request.rank, world().rank());
    EXPECT_EQ(request.process_count, world().size());
    if (!offers(request.rank)) return std::optional<TargetCopy>();
    return std::optional<TargetCopy>({{"fake.copy", {}, call}, array, whole_on(0, size)});
  };
  return target;
}

TEST(Explain, ACopyAndTheBytesThatItMoves) {
  const auto always = [](int) { return true; };
  const Assessment verdict = assess(with_copy("fake::copy(a)", always), line());
  EXPECT_FALSE(verdict.representable);
  EXPECT_EQ(verdict.copy.text, "fake::copy(a)");
  const Index stays = even_block(100, {world().size(), 0}).size();
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(8 * (100 - stays)));
  // As often as there are columns.
  Target columns = with_copy("", always);
  columns.copy = [copy = columns.copy](const Section& array, const CopyRequest& request) {
    auto offer = copy(array, request);
    offer->times = 3;
    return offer;
  };
  EXPECT_EQ(assess(columns, line()).bytes_to_move,
            std::optional<std::int64_t>(3 * 8 * (100 - stays)));
}

TEST(Explain, NoCopyWhereItWouldBeRefused) {
  const auto expect_none = [](const Target& target) {
    const Assessment verdict = assess(target, line());
    EXPECT_EQ(verdict.reasons.size(), 2U);
    EXPECT_EQ(verdict.copy.text, "");
    EXPECT_FALSE(verdict.bytes_to_move.has_value());
  };
  const auto always = [](int) { return true; };
  expect_none(with_copy("another shape", always, 99));
  expect_none(with_copy("not on rank 0", [](int rank) { return rank != 0; }));
  Target throws = with_copy("", always);
  throws.copy = [](const Section&, const CopyRequest& request) -> std::optional<TargetCopy> {
    if (request.rank == 0) throw std::runtime_error("broken");
    return std::nullopt;
  };
  expect_none(throws);
  if (world().size() > 1)
    expect_none(with_copy("by rank " + std::to_string(world().rank()), always));
  // A target that holds the array itself is not asked for a copy.
  Target holds = with_copy("", always);
  holds.assess = [](const Section&, int) { return LocalAssessment(); };
  EXPECT_EQ(assess(holds, line()).copy.text, "");
}

TEST(Explain, ACopyIsToldTheWidestPadding) {
  const GridPosition at{world().size(), world().rank()};
  const Section array =
      describe(DataType::of<double>(), nullptr,
               {block(4 * at.size, at, BlockPadding({1, 2}, {}, true)), undistributed(2)});
  Index told = -1;
  Target target = fake("picky", [](int) { return true; });
  target.copy = [&](const Section&, const CopyRequest& request) {
    told = request.widest_padding;
    return std::optional<TargetCopy>();
  };
  assess(target, array.on(world()));
  EXPECT_EQ(told, 2);
}

TEST(Explain, ACopyThatIsTooLongToPlanHasNoBytes) {
  const Index many = Index{1} << 40;
  const GridPosition at{world().size(), world().rank()};
  const auto described = [&](std::vector<Dimension> dimensions) {
    return describe(DataType::of<char>(), nullptr, std::move(dimensions));
  };
  Target target = fake("picky", [](int) { return true; });
  const auto verdict_on = [&](const Section& source, const Section& copy) {
    target.copy = [&](const Section&, const CopyRequest&) {
      return std::optional<TargetCopy>({{"fake.copy", {}, "copy"}, source, copy});
    };
    return assess(target, source.on(world()));
  };
  const Assessment by_element =
      verdict_on(described({cyclic(many, at)}), described({block(many, at)}));
  EXPECT_EQ(by_element.copy.text, "copy");
  EXPECT_FALSE(by_element.bytes_to_move.has_value());
  const Assessment by_row =
      verdict_on(described({block(many, at), undistributed(2)}), described({block(2 * many, at)}));
  EXPECT_FALSE(by_row.bytes_to_move.has_value());
  const Assessment by_block =
      verdict_on(described({block(many, at)}), described({block(many, at)}));
  EXPECT_EQ(by_block.bytes_to_move, std::optional<std::int64_t>(0));
}

TEST(Explain, BytesOfRanksInOneProcess) {
  Target target = fake("picky", [](int) { return true; });
  target.copy = [&](const Section& array, const CopyRequest& request) {
    return std::optional<TargetCopy>(
        {{"fake.copy", {}, "copy"},
         array,
         describe(array.type(), nullptr, {cyclic(100, {request.process_count, request.rank})})});
  };
  run_simulated(5, [&](const Comm& comm) {
    const Section array =
        describe(DataType::of<double>(), nullptr, {block(100, {comm.size(), comm.rank()})});
    // Each rank keeps 4 of its 20 elements.
    EXPECT_EQ(assess(target, array.on(comm)).bytes_to_move,
              std::optional<std::int64_t>(5 * 16 * 8));
  });
}

/// A target that holds everything, and copies it to rank 0 as often as `times` says.
Target in_use(std::size_t times, Index size = 100) {
  Target target = fake("used", [](int) { return false; });
  target.uses = [=](const DistArray& array) {
    return std::vector<TargetUse>{
        {"a step", std::vector<TargetMove>(times, {array, whole_on(0, size)})}, {"a pause", {}}};
  };
  return target;
}

TEST(Explain, SaysWhatUsingATargetMoves) {
  const Index stays = even_block(100, {world().size(), 0}).size();
  for (const std::size_t times : {1U, 3U}) {
    const Assessment verdict = assess(in_use(times), line());
    EXPECT_TRUE(verdict.representable);
    ASSERT_EQ(verdict.uses.size(), 2U);
    EXPECT_EQ(verdict.uses[0].name, "a step");
    EXPECT_EQ(verdict.uses[0].redistributions, static_cast<std::int64_t>(times));
    EXPECT_EQ(verdict.uses[0].bytes_to_move,
              std::optional<std::int64_t>(static_cast<std::int64_t>(times) * 8 * (100 - stays)));
    EXPECT_EQ(verdict.uses[1].redistributions, 0);
    EXPECT_EQ(verdict.uses[1].bytes_to_move, std::optional<std::int64_t>(0));
    EXPECT_FALSE(verdict.bytes_to_move.has_value()) << "no copy is needed";
  }
  Target refuses = in_use(1);
  refuses.assess = fake("", [](int) { return true; }).assess;
  EXPECT_TRUE(assess(refuses, line()).uses.empty());
}

TEST(Explain, ATargetThatCannotBeUsedRefuses) {
  const auto expect_no = [](const Target& target, const std::string& rule) {
    const Assessment verdict = assess(target, line());
    EXPECT_FALSE(verdict.representable);
    EXPECT_TRUE(verdict.uses.empty());
    ASSERT_EQ(verdict.reasons.size(), 1U);
    EXPECT_EQ(verdict.reasons[0].rule, rule);
  };
  expect_no(in_use(1, 99), "redistribute.shape");
  Target throws = in_use(1);
  throws.uses = [](const DistArray&) -> std::vector<TargetUse> {
    throw InvalidArgument(Report({reason("thrown")}));
  };
  expect_no(throws, "fake.reason");
  // A target that refuses may still offer a copy.
  throws.copy = with_copy("copy", [](int) { return true; }).copy;
  EXPECT_EQ(assess(throws, line()).copy.text, "copy");
}

TEST(Explain, AUseThatIsTooLongToPlanHasNoBytes) {
  const Index many = Index{1} << 40;
  const GridPosition at{world().size(), world().rank()};
  const Section dealt = describe(DataType::of<char>(), nullptr, {cyclic(many, at)});
  Target target = in_use(1);
  target.uses = [&](const DistArray& array) {
    const Section blocks = describe(DataType::of<char>(), nullptr, {block(many, at)});
    return std::vector<TargetUse>{{"a step", {{array, blocks}}}};
  };
  const Assessment verdict = assess(target, dealt.on(world()));
  EXPECT_TRUE(verdict.representable);
  ASSERT_EQ(verdict.uses.size(), 1U);
  EXPECT_EQ(verdict.uses[0].redistributions, 1);
  EXPECT_FALSE(verdict.uses[0].bytes_to_move.has_value());
}

TEST(Explain, IsPrintedForPeople) {
  const Assessment yes{"petsc.vec", "daptor::petsc::import_vec", true, {}, 0};
  const Assessment costs{"petsc.numbering", "daptor::petsc::numbering", true, {}, 12};
  Assessment no{"petsc.dmda", "daptor::petsc::import_dmda", false, {reason("an empty rank")}, 0};
  const Assessment wide{"a.target.of.a.very.long.name", "f", true, {}, 0};
  EXPECT_EQ(text(yes), "petsc.vec               yes, by daptor::petsc::import_vec");
  EXPECT_EQ(text(wide), "a.target.of.a.very.long.name yes, by f");
  EXPECT_EQ(
      text(Explanation{costs, no}),
      "petsc.numbering         yes, by daptor::petsc::numbering (keeps 12 bytes per index)\n"
      "petsc.dmda              no\n"
      "    fake.reason error, dimension 0: found an empty rank; expected something else. Call "
      "another.\n");
  no.copy = {"petsc.copy_to_dmda", {}, "daptor::petsc::copy_to_dmda(a)"};
  EXPECT_EQ(text(no).substr(text(no).rfind('\n')), "\n    A copy: daptor::petsc::copy_to_dmda(a)");
  no.bytes_to_move = 96;
  EXPECT_EQ(text(no).substr(text(no).rfind('\n')),
            "\n    A copy: daptor::petsc::copy_to_dmda(a) moves 96 bytes between processes");
  Assessment used = yes;
  used.uses = {{"a step", 2, 96}, {"a leap", 1}, {"a pause"}};
  EXPECT_EQ(text(used), text(yes) +
                            "\n    In use: a step moves 96 bytes between processes in 2 "
                            "redistributions"
                            "\n    In use: a leap takes 1 redistribution"
                            "\n    In use: a pause moves nothing between processes");
  std::ostringstream out;
  out << std::right << yes << std::setw(4) << 7;
  EXPECT_EQ(out.str().substr(out.str().size() - 4), "   7") << "the stream stays as it was";
}

}  // namespace
}  // namespace daptor
