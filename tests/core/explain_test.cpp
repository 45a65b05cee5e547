#include "daptor/explain.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <iomanip>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/error.hpp"

namespace daptor {
namespace {

const MpiCommunicator& world() {
  static const MpiCommunicator comm(MPI_COMM_WORLD);
  return comm;
}

DistArray line() {
  return describe(DataType::of<double>(), nullptr, {block(100, {world().size(), world().rank()})});
}

Finding reason(const std::string& found) {
  return error_finding("fake.reason", 0, "", found, "something else", "Call another.");
}

/// Refuses on those ranks for which `refuses` holds.
Target fake(const char* name, std::function<bool(int)> refuses, double bytes = 0) {
  return {name, std::string("fake::import_") + name, [refuses, bytes](const DistArray&, int) {
            LocalAssessment local;
            local.bytes_per_index = bytes;
            if (refuses(world().rank()))
              local.reasons = {reason("rank " + std::to_string(world().rank())), reason("more")};
            return local;
          }};
}

template <class T>
std::string text(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(Explain, YesWhereNoRankRefuses) {
  const Assessment verdict = assess(fake(
                                        "holds", [](int) { return false; }, 1.0 + world().rank()),
                                    line(), world());
  EXPECT_TRUE(verdict.representable);
  EXPECT_TRUE(verdict.reasons.empty());
  EXPECT_EQ(verdict.target, "holds");
  EXPECT_EQ(verdict.call, "fake::import_holds");
  EXPECT_EQ(verdict.bytes_per_index, world().size()) << "the largest of all ranks";
}

TEST(Explain, OneRankAloneRefusesForAll) {
  for (int alone = 0; alone < world().size(); ++alone) {
    const Assessment verdict =
        assess(fake("picky", [alone](int rank) { return rank == alone; }), line(), world());
    EXPECT_FALSE(verdict.representable);
    ASSERT_EQ(verdict.reasons.size(), 2U);
    EXPECT_EQ(verdict.reasons[0].rule, "fake.reason");
    EXPECT_EQ(verdict.reasons[0].found, "rank " + std::to_string(alone));
    EXPECT_EQ(verdict.reasons[0].rank(), alone);
    EXPECT_EQ(verdict.reasons[1].found, "more");
  }
}

TEST(Explain, TheLowestRefusalIsShown) {
  const Assessment verdict = assess(fake("picky", [](int) { return true; }), line(), world());
  EXPECT_EQ(verdict.reasons.at(0).found, "rank 0");
}

TEST(Explain, TargetsAreToldTheProcessCount) {
  int told = 0;
  Target target{"t", "c", [&](const DistArray& array, int process_count) {
                  told = process_count;
                  EXPECT_EQ(array.ndim(), 1);
                  return LocalAssessment();
                }};
  assess(target, line(), world());
  EXPECT_EQ(told, world().size());
}

TEST(Explain, ATargetThatFailsFailsEverywhere) {
  for (int alone = 0; alone < world().size(); ++alone) {
    const Target target{"t", "c", [alone](const DistArray&, int) {
                          if (world().rank() == alone) throw std::runtime_error("broken");
                          return LocalAssessment();
                        }};
    try {
      assess(target, line(), world());
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
  const Explanation explanation = explain(line(), MPI_COMM_WORLD);
  ASSERT_EQ(explanation.size(), before + 2);
  EXPECT_EQ(explanation[before].target, "a");
  EXPECT_FALSE(explanation[before].representable);
  EXPECT_EQ(explanation[before + 1].target, "b");
  EXPECT_TRUE(explanation[before + 1].representable);
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
      "petsc.numbering         yes, by daptor::petsc::numbering (keeps 12 bytes an index)\n"
      "petsc.dmda              no\n"
      "    fake.reason error, dimension 0: found an empty rank; expected something else. Call "
      "another.\n");
  std::ostringstream out;
  out << std::right << yes << std::setw(4) << 7;
  EXPECT_EQ(out.str().substr(out.str().size() - 4), "   7") << "the stream stays as it was";
}

}  // namespace
}  // namespace daptor
