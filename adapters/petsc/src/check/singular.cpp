// SPDX-License-Identifier: BSD-3-Clause
#include "singular.hpp"

#include <algorithm>
#include <cmath>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"

namespace daptor::petsc::detail {
namespace {

/// The part of a right-hand side in the null space that is told.
constexpr double most_in_null_space = 1e-4;

bool has_length(const NullVectors& vectors, PetscInt length) {
  return std::all_of(vectors.vecs, vectors.vecs + vectors.count,
                     [&](Vec vec) { return local_size(vec) == length; });
}

bool multiplies_transposed(Mat mat) {
  PetscBool can = PETSC_FALSE;
  call("MatHasOperation", MatHasOperation, mat, MATOP_MULT_TRANSPOSE, &can);
  return can == PETSC_TRUE;
}

/// Calls `use(vec)` for a copy of each of the vectors, the constant one included.
template <class Use>
void for_each(const NullVectors& vectors, const Probe& probe, const Use& use) {
  if (vectors.constant) {
    const auto constant = probe.of_columns();
    probe.set(constant.get(), 1);
    use(constant.get());
  }
  for (PetscInt i = 0; i < vectors.count; ++i) {
    const auto copy = probe.like(vectors.vecs[i]);
    probe.copy(vectors.vecs[i], copy.get());
    use(copy.get());
  }
}

}  // namespace

void SingularCheck::gather(const System& system, bool applicable, Call& call) {
  system_ = system;
  applicable_ = call.all(applicable);
  MatNullSpace transposed = nullptr;
  bool has_other = false, has_rhs = false;
  if (applicable) {
    const PetscInt columns = shape_of(system.operators).columns;
    // PETSc takes the null space for that of the transpose, too, if the matrix is set as symmetric.
    detail::call("MatGetTransposeNullSpace", MatGetTransposeNullSpace, system.operators,
                 &transposed);
    own_ = null_vectors(system.operators);
    if (system.preconditioning != system.operators) other_ = null_vectors(system.preconditioning);
    has_other = other_.any() && has_length(other_, columns);
    has_rhs = own_.any() && has_length(own_, columns) && transposed == nullptr &&
              system.rhs != nullptr && local_size(system.rhs) == columns &&
              multiplies_transposed(system.operators);
  }
  has_own_ = call.all(own_.any() || transposed != nullptr);
  has_other_ = call.all(has_other);
  has_rhs_ = call.all(has_rhs);
}

void SingularCheck::ask(Call& call) {
  if (!applicable_) return;
  const Probe probe(system_.operators, call);
  const Gain gain(probe);
  if (has_rhs_) look_at_rhs(gain, probe);
  if (has_own_) return;
  look_for_constants(gain, probe);
  if (has_other_) look_at_other(gain, probe);
}

void SingularCheck::look_for_constants(const Gain& gain, const Probe& probe) {
  const auto constant = probe.of_columns();
  probe.set(constant.get(), 1);
  const Gain::Rows rows = gain.rows(constant.get());
  constants_ = rows.zero > 1 && rows.others == 0;
}

void SingularCheck::look_at_other(const Gain& gain, const Probe& probe) {
  others_hold_ = true;
  for_each(other_, probe, [&](Vec vec) {
    const Gain::Rows rows = gain.rows(vec);
    others_hold_ = others_hold_ && rows.zero > 1 && rows.others == 0;
  });
}

/// Only what the transpose maps to zero, too, prevents a solution.
void SingularCheck::look_at_rhs(const Gain& gain, const Probe& probe) {
  const double length = std::sqrt(
      std::max(0.0, static_cast<double>(PetscRealPart(probe.dot(system_.rhs, system_.rhs)))));
  if (!(length > 0)) return;
  const auto product = probe.of_columns();
  for_each(own_, probe, [&](Vec vec) {
    const double own = probe.norm(vec);
    if (!(own > 0)) return;
    const double part =
        static_cast<double>(PetscAbsScalar(probe.dot(system_.rhs, vec))) / own / length;
    if (!(part > std::max(most_in_null_space, in_null_space_))) return;
    if (gain.rows(vec).others > 0) return;
    probe.apply_transpose(vec, product.get());
    if (!gain.is_zero(product.get(), own)) return;
    in_null_space_ = part;
  });
}

void SingularCheck::tell(Findings& findings) const {
  if (!applicable_) return;
  if (others_hold_)
    findings.warning("check.ksp.null-space-unused",
                     "a null space of the matrix for the preconditioner alone, of which the "
                     "operator is another Mat that has none, and maps its vectors to zero, too",
                     "the null space at the operator, of which the solver takes it",
                     "Call " + names::function("MatSetNullSpace") + " with the first matrix of " +
                         names::function("KSPSetOperators") + ", too.");
  else if (constants_)
    findings.warning("check.ksp.no-null-space",
                     "an operator each of whose rows adds up to 0, so that it is singular, and no "
                     "null space",
                     "a null space at a singular operator, or another one",
                     "Call " + names::function("MatSetNullSpace") +
                         " with a null space that has the constants "
                         "(" +
                         names::function("MatNullSpaceCreate") +
                         "), or look for boundary conditions that are not set.");
  if (in_null_space_ > 0)
    findings.warning(
        "check.ksp.right-hand-side",
        "a right-hand side of which " + number_text(in_null_space_) +
            " of its norm is in the null space of the operator, and of its transpose",
        "a right-hand side that is orthogonal to it: there is no solution otherwise, and the "
        "residual stays that large",
        "Remove it by " + names::function("MatNullSpaceRemove") +
            ", or let PETSc do so: " + names::function("MatSetTransposeNullSpace") + ".");
}

}  // namespace daptor::petsc::detail
