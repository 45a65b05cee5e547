// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/dealii/vector.hpp"
#include "daptor/tpetra/adapter/local_count.hpp"
#include "daptor/tpetra/adapter/window.hpp"

/// \file
/// An operator of Trilinos as a preconditioner of deal.II's solvers. Programs link daptor::tpetra,
/// and daptor::solvers if they make the operator with it.

namespace daptor::dealii {

/// Applies an operator of Trilinos to deal.II's vectors, in their memory: MueLu, Ifpack2, a PC of
/// PETSc (`solvers::pc_as_operator`), or any other Tpetra::Operator. The vectors are
/// LinearAlgebra::distributed::Vector, or TrilinosWrappers::MPI::Vector and
/// PETScWrappers::MPI::Vector without ghosts, if `daptor/dealii/trilinos.hpp` or
/// `daptor/dealii/petsc.hpp` is included.
///
/// deal.II's solvers take it for the preconditioner of a matrix-free operator. The i-th owned
/// element of a vector is the i-th local element of the operator's Map, so that an operator made
/// for a matrix over the same DoFHandler fits. No vector is copied, and nothing of the length of a
/// vector is allocated, except what the operator itself allocates.
///
/// \code
/// auto M = daptor::solvers::muelu_preconditioner(A, parameters);  // A: a matrix of PETScWrappers
/// daptor::dealii::Preconditioner P(M);
/// cg.solve(op, x, b, P);  // x, b: LinearAlgebra::distributed::Vector; op: matrix-free
/// \endcode
/// @tparam Scalar  of the operator and of the vectors
template <class Scalar>
class Preconditioner {
  static_assert(tpetra::host_vectors<Scalar>,
                "deal.II's vectors are in host memory, where this Tpetra has none");

 public:
  using Operator = Tpetra::Operator<Scalar>;

  /// Process-local.
  /// @param op  the operator, of which a reference is held; not null, set up
  template <class Op>
  explicit Preconditioner(const Teuchos::RCP<Op>& op)
      : op_(require(op)), domain_(op->getDomainMap()), range_(op->getRangeMap()) {}

  /// Collective over the operator's communicator. Writes the result of the operator to the owned
  /// elements of `dst`. Ghosts of `src` are not read; those of `dst`, if they were valid, become 0,
  /// and `dst.has_ghost_elements()` false.
  ///
  /// The first time that a process is given vectors of a partitioner, or of a Map of Epetra, all
  /// processes agree that the vectors fit; with vectors of PETScWrappers, in each application.
  /// @param dst, src  different vectors, with as many owned elements as the operator has
  /// @throws InvalidArgument on all ranks: `dealii.preconditioner.vector`
  /// @throws what the operator throws
  template <class Vector>
  void vmult(Vector& dst, const Vector& src) const {
    apply(dst, src, Teuchos::NO_TRANS);
  }

  /// The same by the transpose of the operator.
  /// @throws InvalidArgument (`dealii.preconditioner.transpose`) on all ranks if it has none, as
  ///   MueLu
  template <class Vector>
  void Tvmult(Vector& dst, const Vector& src) const {
    if (!op_->hasTransposeApply())
      adapter::refuse_argument("dealii.preconditioner.transpose", "an operator without a transpose",
                               "one with hasTransposeApply()",
                               "Use a solver that does not need it; a symmetric one is its own.");
    apply(dst, src, Teuchos::TRANS);
  }

  const Teuchos::RCP<const Operator>& get() const& { return op_; }
  Teuchos::RCP<const Operator> get() && { return op_; }

 private:
  /// One Map of the operator, and the layout of vectors that is known to fit.
  struct Side {
    explicit Side(const Teuchos::RCP<const Tpetra::Map<>>& map)
        : count(tpetra::local_count(*map)), window(map, count) {}
    Index count;
    tpetra::Window<Scalar> window;
    const void* agreed = nullptr;
    std::shared_ptr<const void> held;

    template <class Vector>
    bool knows(const Vector& v) const {
      const void* const layout = detail::Applied<Vector>::layout(v);
      return layout != nullptr && layout == agreed;
    }
    template <class Vector>
    void remember(const Vector& v) {
      held = detail::Applied<Vector>::hold(v);
      agreed = detail::Applied<Vector>::layout(v);
    }
  };

  template <class Op>
  static Teuchos::RCP<const Operator> require(const Teuchos::RCP<Op>& op) {
    if (op.is_null())
      adapter::refuse_argument("dealii.preconditioner.null", "a null operator", "an operator");
    return op;
  }

  template <class Vector>
  void apply(Vector& dst, const Vector& src, Teuchos::ETransp mode) const {
    static_assert(std::is_same_v<typename Vector::value_type, Scalar>,
                  "the vectors have elements of another type than the operator");
    using Applied = detail::Applied<Vector>;
    Side& from = mode == Teuchos::NO_TRANS ? domain_ : range_;
    Side& to = mode == Teuchos::NO_TRANS ? range_ : domain_;
    if (!from.knows(src) || !to.knows(dst)) agree(from, src, to, dst);
    Applied::before_write(dst);
    const typename Applied::Reading read(src);
    const typename Applied::Writing write(dst);
    const Tpetra::MultiVector<Scalar>& X = from.window.place(read.data);
    op_->apply(X, to.window.place(write.data), mode, Scalar(1), Scalar(0));
  }

  template <class Vector>
  static void agree(Side& from, const Vector& src, Side& to, const Vector& dst) {
    using Applied = detail::Applied<Vector>;
    Call call(Applied::comm(src), "dealii::Preconditioner::vmult");
    call.check([&] {
      require_fits(from, src);
      require_fits(to, dst);
      if (Applied::memory(src) == Applied::memory(dst) && from.count > 0)
        adapter::refuse_argument("dealii.preconditioner.vector", "one vector for both",
                                 "different vectors");
    });
    from.remember(src);
    to.remember(dst);
  }

  template <class Vector>
  static void require_fits(const Side& side, const Vector& vector) {
    using Applied = detail::Applied<Vector>;
    if (const char* found = Applied::obstacle(vector); found != nullptr)
      adapter::refuse_argument("dealii.preconditioner.vector", found, "a vector without ghosts",
                               "Copy it to one that has the owned elements alone.");
    const Index count = Applied::count(vector);
    if (count == side.count) return;
    adapter::refuse_argument(
        "dealii.preconditioner.vector",
        "a vector with " + std::to_string(count) + " owned elements on this process",
        std::to_string(side.count) + ", as many as the operator has",
        "Make the operator for a matrix over the same DoFHandler.");
  }

  Teuchos::RCP<const Operator> op_;
  mutable Side domain_, range_;
};

template <class Op>
Preconditioner(const Teuchos::RCP<Op>&) -> Preconditioner<typename Op::scalar_type>;

}  // namespace daptor::dealii
