// SPDX-License-Identifier: BSD-3-Clause
// What is wrong with a description on one rank is the same error on all ranks, in whichever
// collective call they use the array first.

#include "daptor/defect.hpp"

#include <functional>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

constexpr Index per_rank = 4;

Index global_size() {
  return per_rank * world_size();
}
GridPosition position() {
  return {world_size(), world_rank()};
}

/// One way to get a description wrong, on the rank that does so.
struct Mistake {
  std::string rule;
  std::function<Section(double* memory)> describe_wrongly;
};

std::vector<Mistake> mistakes() {
  const auto grid = position();
  const Index first = per_rank * grid.rank;
  return {
      {"array.empty", [](double*) { return Section(); }},
      {"D18",
       [=](double* u) {
         return describe(u, per_rank, {block(global_size(), {grid.size, grid.size})});
       }},
      {"B08",
       [=](double* u) {
         return describe(u, per_rank, {block(global_size(), grid, {first, global_size() + 1})});
       }},
      {"P03",
       [=](double* u) {
         return describe(u, per_rank, {block(global_size(), grid, BlockPadding({-1, 0}))});
       }},
      {"argument",
       [=](double* u) {
         return describe(u, per_rank, {cyclic(global_size(), grid, 1, grid.size)});
       }},
      {"argument",
       [=](double* u) {
         return describe(
             u, per_rank,
             {unstructured(global_size(), grid, IndexList(nullptr, nullptr, per_rank))});
       }},
      {"owned.count",
       [=](double* u) {
         return describe(u, per_rank,
                         {owned_then_ghosts(global_size(), grid, IndexList({1, 2, 3, 4}), 5)});
       }},
      {"argument",
       [](double* u) {
         BlockOptions options;
         options.grid = {1000};
         return describe(u, per_rank, block_dimensions({global_size()}, MPI_COMM_WORLD, options));
       }},
      {"describe.length",
       [=](double* u) { return describe(u, per_rank + 1, {block(global_size(), grid)}); }},
      {"T09",
       [=](double* u) {
         return describe(u, {block(global_size(), grid)}, std::vector<Index>{8, 8});
       }},
      {"library.c++", [](double*) { return allocate<char>({undistributed(Index{1} << 62)}); }},
      {"C05",
       [](double*) {
         return like(
             describe(DataType::of<double>(), nullptr, {undistributed(8)}).on(MPI_COMM_WORLD),
             layout::block_cyclic({0}));
       }},
      {"layout",
       [](double*) {
         return like(
             describe(DataType::of<double>(), nullptr, {undistributed(8)}).on(MPI_COMM_WORLD),
             layout::on_process(1000));
       }},
      {"array.empty",
       [](double*) { return flatten(Section().as_readonly().with_memory(nullptr)); }},
  };
}

class Defects : public ::testing::Test {
 protected:
  /// Makes every mistake on every rank in turn: `call` must throw it on all ranks.
  void expect_everywhere(const std::function<void(const DistArray&)>& call) {
    for (const Mistake& mistake : mistakes())
      for (int culprit = 0; culprit < world_size(); ++culprit) {
        SCOPED_TRACE(mistake.rule + " on rank " + std::to_string(culprit));
        std::vector<double> u(per_rank, world_rank());
        const DistArray array = world_rank() == culprit
                                    ? mistake.describe_wrongly(u.data()).on(MPI_COMM_WORLD)
                                    : sound(u);
        EXPECT_EQ(array.described(), world_rank() != culprit);
        expect_refused_everywhere(mistake.rule, [&] { call(array); });
        EXPECT_EQ(u, std::vector<double>(per_rank, world_rank())) << "nothing is written";
      }
  }
  static DistArray sound(std::vector<double>& u) {
    return describe(u, {block(global_size(), position())}).on(MPI_COMM_WORLD);
  }
};

TEST_F(Defects, ProofOfConsistency) {
  expect_everywhere([](const DistArray& a) { require_consistent(a); });
}

TEST_F(Defects, IndexMap) {
  expect_everywhere([](const DistArray& a) { GlobalIndexMap map(a); });
}

TEST_F(Defects, HaloExchange) {
  expect_everywhere([](const DistArray& a) { daptor::HaloExchange halo(a); });
  expect_everywhere([](const DistArray& a) { update_padding(a); });
  expect_everywhere([](const DistArray& a) {
    std::vector<double> u(per_rank);
    daptor::HaloExchange({sound(u), a});
  });
}

TEST_F(Defects, OwnersOfAnExchange) {
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    std::vector<double> u(per_rank);
    std::vector<Index> list;
    for (Index i = 0; i < per_rank; ++i) list.push_back(per_rank * world_rank() + i);
    const DistArray a =
        describe(u, {unstructured(global_size(), position(), IndexList(std::move(list)))})
            .on(MPI_COMM_WORLD);
    HaloOptions options;
    options.owned = block(world_rank() == culprit ? -1 : global_size(), position());
    expect_refused_everywhere("D08", [&] { daptor::HaloExchange(a, options); });
  }
}

TEST_F(Defects, RedistributionOfEitherSide) {
  std::vector<double> v(per_rank);
  const DistArray other = describe(v, {cyclic(global_size(), position())}).on(MPI_COMM_WORLD);
  expect_everywhere([&](const DistArray& a) { redistribute(a, other); });
  expect_everywhere([&](const DistArray& a) { redistribute(other, a); });
  expect_everywhere([&](const DistArray& a) { bytes_to_redistribute(a, other); });
  expect_everywhere([&](const DistArray& a) { bytes_to_redistribute(other, a); });
  expect_everywhere([&](const DistArray& a) { Redistribution({other}, {a}, MPI_COMM_WORLD); });
  expect_everywhere([&](const DistArray& a) {
    std::vector<double> w(per_rank), x(per_rank);
    Redistribution({sound(w), a}, {other, describe(x, other.dimensions()).on(MPI_COMM_WORLD)});
  });
}

TEST_F(Defects, CopiesInAnotherLayout) {
  expect_everywhere([](const DistArray& a) { redistributed(a, layout::natural()); });
  expect_everywhere([](const DistArray& a) { redistributed(a, layout::on_process(0)); });
}

TEST_F(Defects, Explanation) {
  Target never;
  never.name = "never";
  never.call = "none";
  never.assess = [](const Section& array, int) {
    LocalAssessment local;
    const bool first = array.dimension(0).grid().first();
    local.reasons.push_back(error_finding("never", -1, "", first ? "first" : "other", ""));
    return local;
  };
  never.copy = [](const Section& array, const CopyRequest&) {
    return std::optional(TargetCopy{{"never.copy", {}, "copy"}, array, array});
  };
  register_target(never);
  expect_everywhere([](const DistArray& a) { explain(a); });
}

/// A diagonal matrix, one array of which is wrong.
TEST_F(Defects, SparseMatrices) {
  const Index first = per_rank * world_rank();
  const bool last = world_rank() + 1 == world_size();
  std::vector<double> ones(per_rank, 1);
  std::vector<Index> columns(per_rank), offsets(per_rank + (last ? 1 : 0));
  std::iota(columns.begin(), columns.end(), first);
  std::iota(offsets.begin(), offsets.end(), first);
  const IndexRange rows{first, first + static_cast<Index>(offsets.size())};
  const CsrArrays sound{
      describe(ones, {block(global_size(), position())}).on(MPI_COMM_WORLD),
      describe(columns, {block(global_size(), position())}).on(MPI_COMM_WORLD),
      describe(offsets, {block(global_size() + 1, position(), rows)}).on(MPI_COMM_WORLD),
      global_size(),
      global_size(),
      0};
  require_consistent(sound);
  for (DistArray CsrArrays::*const part :
       {&CsrArrays::values, &CsrArrays::columns, &CsrArrays::offsets})
    for (const Mistake& mistake : mistakes())
      for (int culprit = 0; culprit < world_size(); ++culprit) {
        CsrArrays matrix = sound;
        std::vector<double> u(per_rank);
        if (world_rank() == culprit)
          matrix.*part = mistake.describe_wrongly(u.data()).on(MPI_COMM_WORLD);
        expect_refused_everywhere(mistake.rule, [&] { require_consistent(matrix); });
        const Report report = validate(matrix);
        EXPECT_EQ(report.verdict(), Verdict::malformed);
        ASSERT_TRUE(report.has(mistake.rule)) << report;
        EXPECT_EQ(report.first_error()->ranks, std::vector<int>{culprit}) << report;
      }
}

TEST_F(Defects, AreFindingsOfAValidation) {
  for (const Level level : {Level::metadata, Level::full})
    for (const Mistake& mistake : mistakes())
      for (int culprit = 0; culprit < world_size(); ++culprit) {
        SCOPED_TRACE(mistake.rule + " on rank " + std::to_string(culprit));
        std::vector<double> u(per_rank);
        const DistArray array = world_rank() == culprit
                                    ? mistake.describe_wrongly(u.data()).on(MPI_COMM_WORLD)
                                    : sound(u);
        ValidateOptions options;
        options.level = level;
        const Report report = validate(array, options);
        EXPECT_EQ(report.verdict(), Verdict::malformed);
        ASSERT_TRUE(report.has(mistake.rule)) << report;
        EXPECT_EQ(report.first_error()->ranks, std::vector<int>{culprit}) << report;
      }
}

TEST_F(Defects, AllRanksWrongInDifferentWays) {
  const auto list = mistakes();
  std::vector<double> u(per_rank);
  const Mistake& mine = list[static_cast<std::size_t>(world_rank()) % list.size()];
  const DistArray array = mine.describe_wrongly(u.data()).on(MPI_COMM_WORLD);
  expect_refused_everywhere("array.empty",  // the error of the lowest rank
                            [&] { daptor::HaloExchange halo(array); });
}

// --- process-local calls

TEST(Defect, ThrowsFromEveryLocalAccess) {
  for (const Mistake& mistake : mistakes()) {
    std::vector<double> u(per_rank);
    const Section a = mistake.describe_wrongly(u.data());
    const std::vector<std::function<void()>> accesses = {
        [&] { a.version(); },
        [&] { a.buffer(); },
        [&] { a.type(); },
        [&] { a.ndim(); },
        [&] { a.dimensions(); },
        [&] { a.dimension(0); },
        [&] { a.global_shape(); },
        [&] { a.local_shape(); },
        [&] { a.byte_strides(); },
        [&] { a.owned_shape(); },
        [&] { a.owned_offset(); },
        [&] { a.owned_count(); },
        [&] { a.interior_shape(); },
        [&] { a.interior_offset(); },
        [&] { a.local_count(); },
        [&] { a.grid_count(); },
        [&] { a.readonly(); },
        [&] { a.data(); },
        [&] { a.mutable_data(); },
        [&] { a.owned_data(); },
        [&] { a.interior_data(); },
        [&] { a.modified(); },
        [&] { a.same_layout(a); },
        [&] { a.warnings(); },
        [&] { (view<double, 1>(a)); },
        [&] { ReadLease lease(a); },
        [&] { WriteLease lease(a); },
        [&] { LocalIndexMap map(a); },
        [&] { to_value(a); },
        [&] {
          daptor_array out;
          export_abi(a, &out);
        },
    };
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      SCOPED_TRACE(mistake.rule + ", access " + std::to_string(i));
      expect_refused(mistake.rule, accesses[i]);
    }
  }
}

TEST(Defect, IsCarriedByWhatIsMadeOfIt) {
  const Section a = describe(DataType::of<double>(), nullptr, {undistributed(-1)});
  EXPECT_EQ(a.defect().report().findings().front().rule, "D08");
  double value = 0;
  for (const Section& made : {a, a.as_readonly(), a.with_memory(&value), flatten(a),
                              unflatten(a, a), convert(a, protocol_0_10)}) {
    EXPECT_FALSE(made.described());
    EXPECT_EQ(made.defect().report().findings().front().rule, "D08");
  }
  std::ostringstream text;
  text << a;
  EXPECT_NE(text.str().find("D08"), std::string::npos) << text.str();
}

TEST(Defect, OfSeveralDimensionsAreTold) {
  const Section a = describe(DataType::of<double>(), nullptr,
                             {undistributed(-1), block(4, {1, 0}), cyclic(4, {1, 0}, 0)});
  const auto findings = a.defect().report().findings();
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].rule, "D08");
  EXPECT_EQ(findings[0].dimension, 0);
  EXPECT_EQ(findings[1].rule, "C05");
  EXPECT_EQ(findings[1].dimension, 2);
}

TEST(Defect, ADefectiveDimensionOwnsNothing) {
  const Dimension d = block(10, {2, 0}, {0, 11});
  ASSERT_TRUE(d.defect());
  EXPECT_EQ(d.owned_count(), 0);
  EXPECT_EQ(d.local_extent(), 0);
  EXPECT_EQ(local_count({d, undistributed(7)}), 0);
  EXPECT_NE(d, block(10, {2, 0}));
  EXPECT_EQ(d.as<Block>()->grid, (GridPosition{2, 0})) << "what was given is kept";
}

TEST(Defect, NothingIsNothing) {
  const Defect none;
  EXPECT_FALSE(none);
  EXPECT_TRUE(none.report().findings().empty());
  none.raise();
  EXPECT_FALSE(none.joined(Defect()));
  EXPECT_FALSE(none.in_dimension(3));
}

// --- an array that is assigned later

struct Solver {
  DistArray field;  // a member that is set later
};

TEST(EmptyArray, IsAMemberThatIsSetLater) {
  Solver solver;
  EXPECT_FALSE(solver.field.described());
  EXPECT_EQ(solver.field, DistArray());
  std::vector<double> u(3);
  solver.field = describe(u, {undistributed(3)}).on(MPI_COMM_SELF);
  EXPECT_TRUE(solver.field.described());
  EXPECT_FALSE(solver.field.defect());
  EXPECT_NE(solver.field, DistArray());
  DistArray taken = std::move(solver.field);
  EXPECT_EQ(taken.data(), u.data());
  expect_refused("array.empty", [&] { solver.field.data(); });  // NOLINT: moved from on purpose
  solver.field = taken;
  EXPECT_EQ(solver.field, taken);
}

TEST(EmptyArray, IsNoArrayWithoutElements) {
  std::vector<double> none;
  const Section a = describe(none, {undistributed(0)});
  EXPECT_TRUE(a.described());
  EXPECT_EQ(a.local_count(), 0);
}

}  // namespace
