// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>

#include <MueLu_TpetraOperator.hpp>
#include <Teuchos_ParameterList.hpp>

#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/solvers/muelu.hpp"
#include "daptor/tpetra.hpp"
#include "fields.hpp"
#include "local_rows.hpp"
#include "log.hpp"
#include "muelu_level.hpp"
#include "multigrid.hpp"
#include "names.hpp"
#include "operator_side.hpp"
#include "read_xml.hpp"
#include "take_values.hpp"

namespace daptor::solvers {
namespace {

/// What a set-up of MueLu's multigrid was made of.
struct Request {
  Teuchos::ParameterList parameters;  ///< as the caller gave them
  CoarseSolver coarse;
};

/// MueLu's operator, which can be set up again for another matrix.
template <class Scalar>
class Multigrid final : public MueLuOperator<Scalar> {
 public:
  Multigrid(const MueLuOperator<Scalar>& made, Teuchos::RCP<CrsMatrix> copy, Request request)
      : MueLuOperator<Scalar>(made), copy_(std::move(copy)), request_(std::move(request)) {}

  void apply(const Tpetra::MultiVector<Scalar>& x, Tpetra::MultiVector<Scalar>& y,
             Teuchos::ETransp mode, Scalar alpha, Scalar beta) const override {
    if (!whole_)
      adapter::refuse_argument("muelu.set-up", "a preconditioner whose last set-up has failed",
                               "one that is set up",
                               "Call " + names::set_up_again + ", or make a new one.");
    MueLuOperator<Scalar>::apply(x, y, mode, alpha, beta);
  }

  const Request& request() const { return request_; }
  const Teuchos::RCP<CrsMatrix>& copy() const { return copy_; }
  bool is_whole() const { return whole_; }

  void take(const MueLuOperator<Scalar>& made, Teuchos::RCP<CrsMatrix> copy) {
    MueLuOperator<Scalar>::operator=(made);
    copy_ = std::move(copy);
    whole_ = true;
  }
  /// Runs a set-up that changes this operator on its way.
  template <class F>
  void change(Teuchos::RCP<CrsMatrix> copy, F&& set_up) {
    whole_ = false;
    std::forward<F>(set_up)();
    copy_ = std::move(copy);
    whole_ = true;
  }

 private:
  Teuchos::RCP<CrsMatrix> copy_;
  Request request_;
  bool whole_ = true;
};

/// The facts and parameters for a matrix.
struct Inputs {
  MatrixFacts facts;
  Teuchos::ParameterList parameters;
};

/// Collective. Adds the near-null space of the matrix, unless the parameters have one.
Inputs inputs_of(Mat matrix, const CrsMatrix& copy, const Teuchos::ParameterList& parameters,
                 Call& call) {
  const auto modes = near_null_space(matrix, copy.getDomainMap(), call);
  return call.check([&] {
    Inputs inputs{facts_of(matrix), parameters};
    if (modes.is_null()) return inputs;
    Teuchos::ParameterList& data = inputs.parameters.sublist("user data");
    if (!data.isParameter("Nullspace")) data.set("Nullspace", modes);
    return inputs;
  });
}

template <class Scalar>
Teuchos::RCP<Tpetra::Operator<Scalar>> renewable(const Teuchos::RCP<Tpetra::Operator<Scalar>>& made,
                                                 const Teuchos::RCP<CrsMatrix>& copy,
                                                 Request request) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    return Teuchos::rcp(new Multigrid<Scalar>(dynamic_cast<MueLuOperator<Scalar>&>(*made), copy,
                                              std::move(request)));
  } else {
    return made;
  }
}

/// Collective. The matrix, on the Maps of the operator's own, with the new values.
template <class Scalar>
Teuchos::RCP<CrsMatrix> copied_again(const Multigrid<Scalar>& own, Mat matrix, bool& same_entries,
                                     Call& call) {
  Teuchos::RCP<CrsMatrix> copy = own.copy();
  same_entries = take_values(matrix, copy, true, call);
  return same_entries ? copy : copy_matrix(matrix);
}

template <class Scalar>
void set_up(Multigrid<Scalar>& own, Mat matrix, Call& call) {
  bool same_entries = false;
  const Teuchos::RCP<CrsMatrix> copy = copied_again(own, matrix, same_entries, call);
  const Logged logged(Event::set_up);
  const Inputs inputs = inputs_of(matrix, *copy, own.request().parameters, call);
  const CoarseSolver& coarse = own.request().coarse;
  const std::string kept =
      same_entries && own.is_whole() ? kept_parts(inputs.parameters) : std::string("none");
  if (kept == "full") return;
  if (kept == "none") {
    const auto made = multigrid(copy, inputs.facts, inputs.parameters, coarse, call);
    own.take(dynamic_cast<MueLuOperator<Scalar>&>(*made), copy);
    return;
  }
  own.change(copy, [&] {
    renew_multigrid(Teuchos::rcpFromRef<Operator>(own), copy, inputs.facts, inputs.parameters,
                    coarse, call);
  });
}

template <class Scalar>
void set_up_again_as(Tpetra::Operator<Scalar>& preconditioner, Mat matrix) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    require_matrix(matrix);
    const Comm comm = petsc::detail::comm_of(petsc::detail::object(matrix));
    Call call(comm, "solvers::set_up_again");
    auto* const own = dynamic_cast<Multigrid<Scalar>*>(&preconditioner);
    call.check([&] {
      if (own == nullptr)
        adapter::refuse_argument("muelu.hierarchy", "an operator that is not from MueLu",
                                 "the result of muelu_preconditioner",
                                 "For a PC or KSP of PETSc call set_up_again without a matrix.");
      require_square(matrix);
      PetscInt rows = 0;
      petsc::detail::call("MatGetLocalSize", MatGetLocalSize, matrix, &rows, nullptr);
      require_fitting(*own->getRangeMap(), call.comm(), rows, "operator.map-size");
    });
    set_up(*own, matrix, call);
  }
}

}  // namespace

Teuchos::RCP<Operator> muelu_preconditioner(Mat matrix, const Teuchos::ParameterList& parameters,
                                            const CoarseSolver& coarse) {
  require_matrix(matrix);
  const Comm comm = petsc::detail::comm_of(petsc::detail::object(matrix));
  Call call(comm, "solvers::muelu_preconditioner");
  call.check([&] { require_square(matrix); });
  const Teuchos::RCP<CrsMatrix> copy = copy_matrix(matrix);
  const Logged logged(Event::set_up);
  const Teuchos::ParameterList all = with_named_file(parameters, call);
  const Inputs inputs = inputs_of(matrix, *copy, all, call);
  const auto made = multigrid(copy, inputs.facts, inputs.parameters, coarse, call);
  return call.check([&] { return renewable<PetscScalar>(made, copy, {all, coarse}); });
}

void set_up_again(Operator& preconditioner, Mat matrix) {
  set_up_again_as<PetscScalar>(preconditioner, matrix);
}

}  // namespace daptor::solvers
