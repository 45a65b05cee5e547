// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include <Stratimikos_DefaultLinearSolverBuilder.hpp>
#include <Teuchos_AbstractFactoryStd.hpp>
#include <Thyra_DefaultPreconditioner.hpp>
#include <Thyra_PreconditionerFactoryBase.hpp>
#include <Thyra_TpetraLinearOp.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>
#include <Tpetra_CrsMatrix.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/solvers/petsc_operator.hpp"
#include "daptor/solvers/stratimikos.hpp"
#include "option_line.hpp"

namespace daptor::solvers {
namespace {

using Source = Thyra::LinearOpSourceBase<double>;
using Preconditioner = Thyra::PreconditionerBase<double>;
using LocalOrdinal = Tpetra::Map<>::local_ordinal_type;
using GlobalOrdinal = Tpetra::Map<>::global_ordinal_type;
using Node = Tpetra::Map<>::node_type;
using TpetraOp = Thyra::TpetraLinearOp<double, LocalOrdinal, GlobalOrdinal, Node>;

/// The Tpetra operator inside a Thyra operator; null if that wraps another kind of operator.
Teuchos::RCP<const Operator> unwrapped(const Source& source) {
  const auto wrapped = Teuchos::rcp_dynamic_cast<const TpetraOp>(source.getOp());
  return wrapped.is_null() ? Teuchos::null : wrapped->getConstTpetraOperator();
}

bool has_mat(const Operator& op) {
  try {
    return behind_mat(op) != nullptr;
  } catch (const InvalidArgument&) {
    return false;
  }
}

/// A Thyra preconditioner, with the source and the options that it was made from.
struct PetscPreconditioner final : Thyra::DefaultPreconditioner<double> {
  Teuchos::RCP<const Source> source;
  Thyra::ESupportSolveUse use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
  Teuchos::RCP<const Operator> matrix;
  std::string line;
  Teuchos::RCP<Operator> made;
};

class PetscFactory final : public Thyra::PreconditionerFactoryBase<double> {
 public:
  bool isCompatible(const Source& source) const override {
    const auto op = unwrapped(source);
    return !op.is_null() &&
           (!Teuchos::rcp_dynamic_cast<const CrsMatrix>(op).is_null() || has_mat(*op));
  }

  Teuchos::RCP<Preconditioner> createPrec() const override {
    return Teuchos::rcp(new PetscPreconditioner);
  }

  void initializePrec(const Teuchos::RCP<const Source>& source, Preconditioner* prec,
                      const Thyra::ESupportSolveUse use) const override {
    auto& ours = dynamic_cast<PetscPreconditioner&>(*prec);
    if (source.is_null() || !isCompatible(*source))
      adapter::refuse_argument(
          "stratimikos.operator", "an operator that is neither a CrsMatrix nor a PETSc matrix",
          "a Tpetra::CrsMatrix of double or the result of mat_as_operator, wrapped for Thyra",
          "Wrap it with Thyra::createConstLinearOp.");
    const auto matrix = unwrapped(*source);
    const std::string line = option_line(*getParameterList());
    if (!ours.made.is_null() && ours.matrix == matrix && ours.line == line) {
      set_up_again(*ours.made);
    } else {
      ours.made = make(matrix, line);
      ours.matrix = matrix;
      ours.line = line;
      ours.initializeUnspecified(wrapped(ours.made));
    }
    ours.source = source;
    ours.use = use;
  }

  void uninitializePrec(Preconditioner* prec, Teuchos::RCP<const Source>* source,
                        Thyra::ESupportSolveUse* use) const override {
    auto& ours = dynamic_cast<PetscPreconditioner&>(*prec);
    if (source != nullptr) *source = ours.source;
    if (use != nullptr) *use = ours.use;
    ours.source = Teuchos::null;
  }

  void setParameterList(const Teuchos::RCP<Teuchos::ParameterList>& list) override {
    if (!list.is_null()) list->validateParametersAndSetDefaults(*getValidParameters());
    parameters_ = list;
  }
  Teuchos::RCP<Teuchos::ParameterList> getNonconstParameterList() override { return parameters_; }
  Teuchos::RCP<Teuchos::ParameterList> unsetParameterList() override {
    return std::exchange(parameters_, Teuchos::null);
  }
  Teuchos::RCP<const Teuchos::ParameterList> getParameterList() const override {
    return parameters_.is_null() ? getValidParameters() : parameters_.getConst();
  }
  Teuchos::RCP<const Teuchos::ParameterList> getValidParameters() const override {
    static const auto valid = valid_option_parameters();
    return valid;
  }

  std::string description() const override { return "daptor::solvers::PetscFactory"; }

 private:
  static Teuchos::RCP<Operator> make(const Teuchos::RCP<const Operator>& matrix,
                                     const std::string& line) {
    if (const auto crs = Teuchos::rcp_dynamic_cast<const CrsMatrix>(matrix); !crs.is_null())
      return petsc_preconditioner(crs, line);
    return petsc_preconditioner(behind_mat(*matrix), line,
                                {matrix->getRangeMap(), matrix->getDomainMap()});
  }

  static Teuchos::RCP<Thyra::LinearOpBase<double>> wrapped(const Teuchos::RCP<Operator>& op) {
    return Thyra::createLinearOp<double, LocalOrdinal, GlobalOrdinal, Node>(
        op, Thyra::tpetraVectorSpace<double>(op->getRangeMap()),
        Thyra::tpetraVectorSpace<double>(op->getDomainMap()));
  }

  Teuchos::RCP<Teuchos::ParameterList> parameters_;
};

}  // namespace

void add_petsc_to_stratimikos(Stratimikos::DefaultLinearSolverBuilder& builder,
                              const std::string& name) {
  constexpr const char* types = "Preconditioner Types";
  if (builder.getValidParameters()->sublist(types).isSublist(name))
    adapter::refuse_argument("stratimikos.name", "a builder that knows '" + name + "' already",
                             "another name");
  using Base = Thyra::PreconditionerFactoryBase<double>;
  builder.setPreconditioningStrategyFactory(Teuchos::abstractFactoryStd<Base, PetscFactory>(),
                                            name);
}

}  // namespace daptor::solvers
