// SPDX-License-Identifier: BSD-3-Clause
// A Trilinos program chooses its solvers by the parameters of Stratimikos, PETSc's preconditioners
// among them. The class PetscFactory, which makes them known, can be copied into other programs.

#include <iostream>
#include <string>

#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>
#include <Teuchos_ParameterListAcceptorDefaultBase.hpp>
#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_LinearOpWithSolveBase.hpp>
#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_PreconditionerFactoryBase.hpp>
#include <Thyra_TpetraLinearOp.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_Core.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <daptor/solvers/petsc_operator.hpp>

namespace {

using Map = Tpetra::Map<>;
using Matrix = Tpetra::CrsMatrix<double>;
using Operator = Tpetra::Operator<double>;
using Vector = Tpetra::Vector<double>;
using Factory = Thyra::PreconditionerFactoryBase<double>;
using Preconditioner = Thyra::PreconditionerBase<double>;
using OnePreconditioner = Thyra::DefaultPreconditioner<double>;
using Source = Thyra::LinearOpSourceBase<double>;
using Wrapper = Thyra::TpetraLinearOp<double, Map::local_ordinal_type, Map::global_ordinal_type,
                                      Map::node_type>;
using Teuchos::ParameterList;
using Teuchos::RCP;
using Teuchos::rcp;

/// The Tpetra matrix in an operator of Thyra; null if there is none.
RCP<const Matrix> matrix_in(const Source& source) {
  const auto wrapper = Teuchos::rcp_dynamic_cast<const Wrapper>(source.getOp());
  if (wrapper.is_null()) return Teuchos::null;
  return Teuchos::rcp_dynamic_cast<const Matrix>(wrapper->getConstTpetraOperator());
}

/// Makes preconditioners of PETSc by the parameter `Options`, a line as for a PETSc program.
class PetscFactory final : public Factory, public Teuchos::ParameterListAcceptorDefaultBase {
 public:
  bool isCompatible(const Source& source) const override { return !matrix_in(source).is_null(); }
  RCP<Preconditioner> createPrec() const override { return rcp(new OnePreconditioner); }

  void initializePrec(const RCP<const Source>& source, Preconditioner* prec,
                      const Thyra::ESupportSolveUse) const override {
    const RCP<Operator> made = daptor::solvers::petsc_preconditioner(
        matrix_in(*source), getParameterList()->get<std::string>("Options"));
    dynamic_cast<OnePreconditioner&>(*prec).initializeUnspecified(Thyra::createLinearOp(made));
  }

  void uninitializePrec(Preconditioner* prec, RCP<const Source>* source,
                        Thyra::ESupportSolveUse*) const override {
    if (source != nullptr) *source = Teuchos::null;  // initializePrec did not keep it
    dynamic_cast<OnePreconditioner&>(*prec).uninitialize();
  }

  void setParameterList(const RCP<ParameterList>& list) override {
    list->validateParametersAndSetDefaults(*getValidParameters());
    setMyParamList(list);
  }

  RCP<const ParameterList> getValidParameters() const override {
    const RCP<ParameterList> valid = Teuchos::parameterList();
    valid->set("Options", std::string(), "Options as for a PETSc program: -pc_type gamg");
    return valid;
  }
};

/// The matrix of -(u_xx + u_yy) on n by n points.
RCP<const Matrix> laplacian(Matrix::global_ordinal_type n) {
  using Global = Matrix::global_ordinal_type;
  const auto map =
      rcp(new Map(static_cast<Tpetra::global_size_t>(n * n), 0, Tpetra::getDefaultComm()));
  const auto matrix = rcp(new Matrix(map, 5));
  for (Global row = map->getMinGlobalIndex(); row <= map->getMaxGlobalIndex(); ++row) {
    const auto insert = [&](bool inside, Global column, double value) {
      if (inside) matrix->insertGlobalValues(row, 1, &value, &column);
    };
    insert(true, row, 4.0);
    insert(row >= n, row - n, -1.0);
    insert(row + n < n * n, row + n, -1.0);
    insert(row % n > 0, row - 1, -1.0);
    insert((row + 1) % n > 0, row + 1, -1.0);
  }
  matrix->fillComplete();
  return matrix;
}

/// Solves A x = A e, where e is all ones. Returns whether x is e, after as few iterations as a good
/// preconditioner leaves.
bool solve(const RCP<const Matrix>& A, const RCP<ParameterList>& parameters) {
  Stratimikos::DefaultLinearSolverBuilder builder;
  builder.setPreconditioningStrategyFactory(Teuchos::abstractFactoryStd<Factory, PetscFactory>(),
                                            "PETSc");
  builder.setParameterList(parameters);
  const auto strategy = builder.createLinearSolveStrategy("");
  const auto solver = Thyra::linearOpWithSolve<double>(
      *strategy, Thyra::createConstLinearOp(RCP<const Operator>(A)));

  const auto x = rcp(new Vector(A->getDomainMap()));
  const auto b = rcp(new Vector(A->getRangeMap()));
  Vector ones(A->getDomainMap());
  ones.putScalar(1.0);
  A->apply(ones, *b);
  const auto status = Thyra::solve<double>(*solver, Thyra::NOTRANS, *Thyra::createVector(b),
                                           Thyra::createVector(x).ptr());
  x->update(-1.0, ones, 1.0);
  const double error = x->normInf();
  const int iterations = status.extraParameters->get<int>("Iteration Count");
  if (A->getComm()->getRank() == 0)
    std::cout << iterations << " iterations, largest error " << error << '\n';
  return status.solveStatus == Thyra::SOLVE_STATUS_CONVERGED && iterations < 20 && error < 1e-5;
}

}  // namespace

int main(int argc, char** argv) {
  const Tpetra::ScopeGuard kokkos(&argc, &argv);
  if (PetscInitializeNoArguments() != 0) return 2;
  const RCP<ParameterList> parameters = Teuchos::parameterList();
  parameters->set("Linear Solver Type", "Belos").set("Preconditioner Type", "PETSc");
  ParameterList& belos = parameters->sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", "Pseudo Block CG");
  belos.sublist("Solver Types").sublist("Pseudo Block CG").set("Convergence Tolerance", 1e-8);
  parameters->sublist("Preconditioner Types").sublist("PETSc").set("Options", "-pc_type gamg");
  const bool right = solve(laplacian(40), parameters);
  return PetscFinalize() != 0 || !right ? 1 : 0;
}
