// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/solvers/stratimikos.hpp"

#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_XMLParameterListHelpers.hpp>
#include <Thyra_LinearOpWithSolveBase.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "probe.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

using Builder = Stratimikos::DefaultLinearSolverBuilder;
using ThyraOp = Teuchos::RCP<const Thyra::LinearOpBase<double>>;
using Parameters = Teuchos::RCP<Teuchos::ParameterList>;

using LocalOrdinal = Map::local_ordinal_type;
using GlobalOrdinal = Map::global_ordinal_type;
using Node = Map::node_type;

ThyraOp wrapped(const Teuchos::RCP<const solvers::Operator>& op) {
  return Thyra::createConstLinearOp<double, LocalOrdinal, GlobalOrdinal, Node>(
      op, Thyra::tpetraVectorSpace<double>(op->getRangeMap()),
      Thyra::tpetraVectorSpace<double>(op->getDomainMap()));
}

Parameters parameters(const std::string& petsc) {
  return Teuchos::getParametersFromXmlString(R"(
    <ParameterList>
      <Parameter name="Linear Solver Type" type="string" value="Belos"/>
      <Parameter name="Preconditioner Type" type="string" value="PETSc"/>
      <ParameterList name="Linear Solver Types">
        <ParameterList name="Belos">
          <Parameter name="Solver Type" type="string" value="Pseudo Block CG"/>
          <ParameterList name="Solver Types">
            <ParameterList name="Pseudo Block CG">
              <Parameter name="Convergence Tolerance" type="double" value="1e-8"/>
            </ParameterList>
          </ParameterList>
        </ParameterList>
      </ParameterList>
      <ParameterList name="Preconditioner Types">
        <ParameterList name="PETSc">)" + petsc +
                                             R"(</ParameterList>
      </ParameterList>
    </ParameterList>)");
}

struct Result {
  bool converged = false;
  int iterations = 0;
  double error = 0;
};

Result solve(const Thyra::LinearOpWithSolveBase<double>& solver,
             const Teuchos::RCP<const solvers::Operator>& a) {
  const auto exact = Teuchos::rcp(new Tpetra::Vector<double>(a->getDomainMap()));
  {
    const auto data = exact->getDataNonConst();
    for (int i = 0; i < data.size(); ++i)
      data[i] = scattered(static_cast<PetscInt>(a->getDomainMap()->getGlobalElement(i)), 11);
  }
  const auto b = Teuchos::rcp(new Tpetra::Vector<double>(a->getRangeMap()));
  const auto x = Teuchos::rcp(new Tpetra::Vector<double>(a->getDomainMap()));
  a->apply(*exact, *b);
  const auto thyra_b =
      Thyra::createVector<double, LocalOrdinal, GlobalOrdinal, Node>(b, solver.range());
  const auto thyra_x =
      Thyra::createVector<double, LocalOrdinal, GlobalOrdinal, Node>(x, solver.domain());
  const Thyra::SolveStatus<double> status =
      Thyra::solve<double>(solver, Thyra::NOTRANS, *thyra_b, thyra_x.ptr());
  Result result;
  result.converged = status.solveStatus == Thyra::SOLVE_STATUS_CONVERGED;
  if (!status.extraParameters.is_null())
    result.iterations = status.extraParameters->get("Iteration Count", 0);
  x->update(-1.0, *exact, 1.0);
  result.error = x->normInf();
  return result;
}

Result solve(const Parameters& list, const Teuchos::RCP<const solvers::Operator>& a) {
  Builder builder;
  solvers::add_petsc_to_stratimikos(builder);
  builder.setParameterList(list);
  const auto factory = builder.createLinearSolveStrategy("");
  return solve(*Thyra::linearOpWithSolve(*factory, wrapped(a)), a);
}

constexpr const char* gamg = R"(<Parameter name="Options" type="string" value="-pc_type gamg"/>)";

TEST(Stratimikos, solvesWithPetscsPreconditionerByItsParameters) {
  const OwnMat a = laplacian(40);
  const auto copy = solvers::copy_matrix(a);
  const Result by_line = solve(parameters(gamg), copy);
  EXPECT_TRUE(by_line.converged);
  EXPECT_LT(by_line.error, 1e-5);
  EXPECT_LT(by_line.iterations, 20);
  const Result by_list = solve(parameters(R"(
      <Parameter name="Options" type="string" value="-pc_type jacobi"/>
      <ParameterList name="PETSc Options">
        <Parameter name="pc_type" type="string" value="gamg"/>
        <Parameter name="pc_gamg_threshold" type="double" value="0.0"/>
        <Parameter name="mg_levels_ksp_max_it" type="int" value="2"/>
        <Parameter name="pc_gamg_reuse_interpolation" type="bool" value="false"/>
      </ParameterList>)"),
                               copy);
  EXPECT_TRUE(by_list.converged);
  EXPECT_EQ(by_list.iterations, by_line.iterations);
}

TEST(Stratimikos, takesAPetscMatrix) {
  const OwnMat a = laplacian(20);
  const Result result = solve(parameters(gamg), solvers::mat_as_operator(a));
  EXPECT_TRUE(result.converged);
  EXPECT_LT(result.error, 1e-5);
}

TEST(Stratimikos, setsUpAgainWhenTheMatrixHasChanged) {
  const OwnMat a = laplacian(12);
  const auto copy = solvers::copy_matrix(a);
  Builder builder;
  solvers::add_petsc_to_stratimikos(builder);
  builder.setParameterList(
      parameters(R"(<Parameter name="Options" type="string" value="-pc_type redundant"/>)"));
  const auto factory = builder.createPreconditioningStrategy("PETSc");
  EXPECT_TRUE(factory->isCompatible(*Thyra::defaultLinearOpSource(wrapped(copy))));
  const auto prec = factory->createPrec();
  for (int round = 0; round < 2; ++round) {
    Thyra::initializePrec<double>(*factory, wrapped(copy), prec.ptr());
    const auto m = Thyra::TpetraOperatorVectorExtraction<double>::getConstTpetraOperator(
        prec->getUnspecifiedPrecOp());
    MultiVector X(copy->getDomainMap(), 1);
    X.putScalar(1.0);
    MultiVector B(copy->getRangeMap(), 1);
    MultiVector Y(copy->getDomainMap(), 1);
    copy->apply(X, B);
    m->apply(B, Y);
    Y.update(-1.0, X, 1.0);
    EXPECT_LT(Y.getVector(0)->normInf(), 1e-11);
    copy->resumeFill();
    copy->scale(3.0);
    copy->fillComplete();
  }
  Teuchos::RCP<const Thyra::LinearOpSourceBase<double>> source;
  factory->uninitializePrec(prec.get(), &source);
  EXPECT_FALSE(source.is_null());
}

TEST(Stratimikos, refusesWhatItDoesNotKnow) {
  const OwnMat a = laplacian(8);
  const auto copy = solvers::copy_matrix(a);
  EXPECT_ANY_THROW(
      solve(parameters(R"(<Parameter name="Optoins" type="string" value=""/>)"), copy));
  expect_refused_everywhere<InvalidArgument>("options.unknown", [&] {
    solve(parameters(R"(<Parameter name="Options" type="string" value="-pc_tipe gamg"/>)"), copy);
  });
  expect_refused_everywhere<InvalidArgument>("stratimikos.parameter", [&] {
    const Parameters list = parameters(gamg);
    list->sublist("Preconditioner Types")
        .sublist("PETSc")
        .sublist("PETSc Options")
        .set("pc_type", 3.5F);
    solve(list, copy);
  });
  expect_refused_everywhere<InvalidArgument>(
      "stratimikos.operator", [&] { solve(parameters(gamg), Teuchos::rcp(new Probe(map_of(3)))); });
  Builder builder;
  solvers::add_petsc_to_stratimikos(builder, "PETSc's");
  expect_refused_everywhere<InvalidArgument>(
      "stratimikos.name", [&] { solvers::add_petsc_to_stratimikos(builder, "PETSc's"); });
}

}  // namespace
}  // namespace daptor::test
