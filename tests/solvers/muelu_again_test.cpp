// SPDX-License-Identifier: BSD-3-Clause
// MueLu set up again for new values and for other matrices.

#include <string>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "effort.hpp"
#include "everywhere.hpp"
#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using solvers::muelu_preconditioner;
using solvers::set_up_again;
using Made = Teuchos::RCP<solvers::Operator>;

Teuchos::ParameterList keeping(const std::string& parts) {
  Teuchos::ParameterList parameters;
  parameters.set("coarse: max size", 100);  // several levels
  parameters.set("reuse: type", parts);
  return parameters;
}

/// A PC that applies the preconditioner, and what it makes of the numbers 1, 2, 3, ...
class Applied {
 public:
  Applied(Mat a, const Made& made) : vectors_(vectors_of(a)) {
    PCCreate(PETSC_COMM_WORLD, pc_.address());
    PCSetOperators(pc_, a, a);
    solvers::operator_as_pc(made, pc_);
  }
  Vec result() {
    DAPTOR_EXPECT_OK(PCApply(pc_, vectors_.right, vectors_.left));
    return vectors_.left;
  }

 private:
  OwnPc pc_;
  Vectors vectors_;
};

/// As an implicit step with a longer time step: the entries are at the same positions.
void change_values(Mat a, double shift) {
  MatScale(a, 3.0);
  MatShift(a, shift);
}

TEST(SetUpAgain, GivesWhatANewOneGives) {
  const OwnMat a = laplacian(24);
  const Made old = muelu_preconditioner(a, keeping("none"));
  Applied before(a, old);
  before.result();
  for (const double shift : {0.5, 2.0}) {
    change_values(a, shift);
    set_up_again(*old, a);
    Applied fresh(a, muelu_preconditioner(a, keeping("none")));
    EXPECT_LT(distance(before.result(), fresh.result()), 1e-13) << shift;
  }
}

TEST(SetUpAgain, KeptPartsFitTheNewValues) {
  for (const char* parts : {"tP", "RP"}) {
    SCOPED_TRACE(parts);
    const OwnMat a = laplacian(24);
    const Made old = muelu_preconditioner(a, keeping(parts));
    Applied before(a, old);
    change_values(a, 0);
    set_up_again(*old, a);
    // The inverse of three times the matrix, for which nothing that is kept is worse.
    Applied fresh(a, muelu_preconditioner(a, keeping("none")));
    EXPECT_LT(distance(before.result(), fresh.result()), 1e-10);
  }
}

TEST(SetUpAgain, FullKeepsTheOldOne) {
  const OwnMat a = laplacian(20);
  const Made old = muelu_preconditioner(a, keeping("full"));
  OwnVec result;
  Applied before(a, old);
  VecDuplicate(before.result(), result.address());
  VecCopy(before.result(), result);
  change_values(a, 1);
  set_up_again(*old, a);
  EXPECT_EQ(distance(before.result(), result), 0);
}

TEST(SetUpAgain, TakesAMatrixWithOtherEntries) {
  for (const char* parts : {"none", "RP"}) {
    SCOPED_TRACE(parts);
    const OwnMat a = laplacian(20);
    const Made old = muelu_preconditioner(a, keeping(parts));
    OwnMat other;
    MatMatMult(a, a, MAT_INITIAL_MATRIX, PETSC_DEFAULT, other.address());
    set_up_again(*old, other);
    Applied fresh(other, muelu_preconditioner(other, keeping(parts)));
    EXPECT_LT(distance(Applied(other, old).result(), fresh.result()), 1e-13);
  }
}

TEST(SetUpAgain, AFaultLeavesTheOldOneOrOneThatRefuses) {
  for (const char* parts : {"none", "RP"}) {
    SCOPED_TRACE(parts);
    const OwnMat a = laplacian(12);
    const OwnMat other = laplacian(12);
    change_values(other, 1);
    const Made made = muelu_preconditioner(a, keeping(parts));
    Applied applied(a, made);
    OwnVec expected;
    VecDuplicate(applied.result(), expected.address());
    VecCopy(applied.result(), expected);
    const std::vector<Point> points = points_of([&] { set_up_again(*made, a); });
    for (std::size_t i = 0; i < points.size(); i += all_rounds() ? 1 : 5)
      for (const int rank : ranks_to_fail(points[i], i)) {
        expect_fault_agreed(points[i].name, rank, [&] { set_up_again(*made, other); });
        OwnVec x;
        VecDuplicate(expected, x.address());
        const auto in = Teuchos::rcp(new Tpetra::MultiVector<PetscScalar>(made->getDomainMap(), 1));
        try {
          made->apply(*in, *in);
          EXPECT_LT(distance(applied.result(), expected), 1e-13) << points[i].name;
        } catch (const InvalidArgument& error) {
          EXPECT_EQ(error.rule(), "muelu.set-up");
          EXPECT_STRNE(parts, "none");
        }
        set_up_again(*made, a);
        EXPECT_LT(distance(applied.result(), expected), 1e-10) << points[i].name;
      }
  }
}

TEST(SetUpAgain, RefusesOtherOperatorsAndOtherSizesOnAllRanks) {
  const OwnMat a = laplacian(20);
  const auto foreign = Teuchos::rcp(new Probe(map_of(3)));
  expect_refused_everywhere<InvalidArgument>("muelu.hierarchy", [&] { set_up_again(*foreign, a); });
  const Made made = muelu_preconditioner(a, Teuchos::ParameterList());
  const OwnMat larger = laplacian(21);
  expect_refused_everywhere<InvalidArgument>("operator.map-size",
                                             [&] { set_up_again(*made, larger); });
  try {
    set_up_again(*made);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("set_up_again(*M, A)"), std::string::npos);
  }
}

}  // namespace
}  // namespace daptor::test
