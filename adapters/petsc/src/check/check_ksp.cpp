// SPDX-License-Identifier: BSD-3-Clause
#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "diverged.hpp"
#include "objects.hpp"
#include "parts.hpp"
#include "petsc/src/native/names.hpp"
#include "probe.hpp"
#include "singular.hpp"
#include "symmetry.hpp"
#include "variable.hpp"

namespace daptor::petsc {
namespace {

using detail::exact_text;
using detail::Findings;
using detail::LocalShape;
using detail::number_text;
using detail::System;

/// How many times larger than its tolerance a residual may be, and the least relative residual that
/// is called large: preconditioned norms differ from true ones by the condition of the operator.
constexpr double allowed_factor = 1000;
constexpr double large_residual = 0.05;
/// The part of a right-hand side that may be in the null space, relative to it, as by rounding.
constexpr double most_outside = 1e-6;

std::string shape_text(LocalShape shape) {
  return std::to_string(shape.rows) + " x " + std::to_string(shape.columns);
}

/// @returns whether the vector fits
bool look_at_vec(Vec vec, PetscInt expected, const char* what, Findings& findings) {
  return vec != nullptr && detail::is_set_up(vec) &&
         detail::has_length(vec, expected, "check.ksp.layout", what, ", as the operator has here",
                            findings);
}

bool is_one_of(KSP ksp, std::initializer_list<const char*> types) {
  return detail::is_one_of(detail::object(ksp), types);
}

/// Whether the matrix for the preconditioner may have this shape. Solvers of least squares take the
/// matrix of the normal equations, too.
bool preconditions(LocalShape matrix, LocalShape operators, KSP ksp) {
  const auto same = [&](LocalShape shape) {
    return matrix.rows == shape.rows && matrix.columns == shape.columns;
  };
  const bool normal = same({operators.columns, operators.columns}) ||
                      same({operators.rows, operators.rows});  // of the transpose
  return same(operators) || (normal && is_one_of(ksp, {KSPLSQR, KSPCGLS, KSPCGNE}));
}

/// @returns whether all parts of the system fit on this rank
bool look_at_layouts(KSP ksp, const System& system, bool transposed, Findings& findings) {
  const LocalShape shape = detail::shape_of(system.operators);
  const LocalShape other = detail::shape_of(system.preconditioning);
  if (!preconditions(other, shape, ksp))
    findings.error("check.ksp.layout",
                   "an operator that is " + shape_text(shape) +
                       " on this rank, and a matrix for the preconditioner that is " +
                       shape_text(other),
                   "the same local sizes", "Make both matrices with one layout.");
  const bool rhs = look_at_vec(system.rhs, transposed ? shape.columns : shape.rows,
                               "a right-hand side", findings);
  const bool solution =
      look_at_vec(system.solution, transposed ? shape.rows : shape.columns, "a solution", findings);
  return rhs && solution;
}

template <class Solver>
auto solves_transposed(Solver ksp, int) -> decltype(ksp->transpose_solve == PETSC_TRUE) {
  return ksp->transpose_solve == PETSC_TRUE;
}
template <class Solver>
bool solves_transposed(Solver, long) {
  return true;  // not known, so nothing is said about its residual
}

/// Whether the solver compares residuals with its tolerances and the right-hand side, and not with
/// the first residual or by a function of the program.
bool compares_with_rhs(KSP ksp) {
  PetscErrorCode (*test)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
  void* context = nullptr;
  detail::call("KSPGetConvergenceTest", KSPGetConvergenceTest, ksp, &test, &context, nullptr);
  if (test != KSPConvergedDefault || context == nullptr) return false;
  const auto* const settings = static_cast<const KSPConvergedDefaultCtx*>(context);
  PetscBool from_guess = PETSC_FALSE;
  detail::call("KSPGetInitialGuessNonzero", KSPGetInitialGuessNonzero, ksp, &from_guess);
  return from_guess == PETSC_FALSE || settings->initialrtol == PETSC_FALSE;
}

/// Whether the solver says that it made the residual small.
bool claims_small_residual(KSP ksp) {
  if (!compares_with_rhs(ksp)) return false;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscBool scaled = PETSC_FALSE;
  detail::call("KSPGetConvergedReason", KSPGetConvergedReason, ksp, &reason);
  detail::call("KSPGetDiagonalScale", KSPGetDiagonalScale, ksp, &scaled);
  return (reason == KSP_CONVERGED_RTOL || reason == KSP_CONVERGED_ATOL) && scaled == PETSC_FALSE &&
         !is_one_of(ksp, {KSPLSQR, KSPCGLS, KSPCGNE, KSPPREONLY, KSPFETIDP});
}

/// Whether the solver looks for a solution, and not for the least residual.
bool solves_equations(KSP ksp) {
  PetscBool scaled = PETSC_FALSE;
  detail::call("KSPGetDiagonalScale", KSPGetDiagonalScale, ksp, &scaled);
  return scaled == PETSC_FALSE && !is_one_of(ksp, {KSPLSQR, KSPCGLS, KSPCGNE, KSPFETIDP, KSPQCG});
}

bool needs_symmetry(KSP ksp) {
  return is_one_of(
      ksp, {KSPCG, KSPPIPECG, KSPGROPPCG, KSPPIPECGRR, KSPPIPELCG, KSPCR, KSPPIPECR, KSPMINRES,
            KSPSYMMLQ, KSPFCG, KSPPIPEFCG, KSPNASH, KSPSTCG, KSPGLTR, KSPQCG});
}

/// The tolerances of a solver.
struct Tolerances {
  double relative = 0, absolute = 0, divergence = 0;
  PetscInt steps = 0;
};

Tolerances tolerances_of(KSP ksp) {
  PetscReal relative = 0, absolute = 0, divergence = 0;
  PetscInt steps = 0;
  detail::call("KSPGetTolerances", KSPGetTolerances, ksp, &relative, &absolute, &divergence,
               &steps);
  return {static_cast<double>(relative), static_cast<double>(absolute),
          static_cast<double>(divergence), steps};
}

/// What must be the same on all ranks, for they would make different collective calls otherwise.
std::string settings_of(KSP ksp) {
  const Tolerances tolerances = tolerances_of(ksp);
  const auto type_of = [](PetscObject object) -> std::string {
    return object == nullptr || object->type_name == nullptr ? "no type" : object->type_name;
  };
  return type_of(detail::object(ksp)) + " with " + type_of(detail::object(ksp->pc)) +
         ", tolerances " + exact_text(tolerances.relative) + ", " +
         exact_text(tolerances.absolute) + " and " + exact_text(tolerances.divergence) +
         ", at most " + std::to_string(tolerances.steps) + " iterations";
}

/// Numbers that a solver has been measured by.
struct Measured {
  double residual = 0, rhs = 0;  ///< true norms
  detail::Asymmetry asymmetry;
};

/// Collective. Norms of the right-hand side and of the true residual, from which the null space is
/// removed, as the solver does. If the right-hand side has a part in the null space, what remains
/// depends on the preconditioner, and is not judged.
void measure_residual(const System& system, const detail::Probe& probe, Call& call,
                      Measured& measured) {
  const auto x = probe.like(system.solution);
  const auto r = probe.like(system.rhs);
  const auto b = probe.like(system.rhs);
  probe.copy(system.solution, x.get());
  probe.copy(system.rhs, b.get());
  measured.rhs = probe.norm(b.get());
  probe.apply(x.get(), r.get());
  probe.add(r.get(), -1, b.get());
  MatNullSpace space = nullptr;
  call.check([&] {
    detail::call("MatGetTransposeNullSpace", MatGetTransposeNullSpace, system.operators, &space);
    if (space == nullptr)
      detail::call("MatGetNullSpace", MatGetNullSpace, system.operators, &space);
  });
  measured.residual = 0;
  if (space != nullptr) {
    const auto inside = probe.like(system.rhs);
    probe.copy(b.get(), inside.get());
    for (const Vec vec : {r.get(), inside.get()})
      call.library(detail::Routine("MatNullSpaceRemove", MatNullSpaceRemove), space, vec);
    probe.add(inside.get(), -1, b.get());
    if (probe.norm(inside.get()) > most_outside * measured.rhs) return;
  }
  measured.residual = probe.norm(r.get());
}

void judge_residual(const Measured& measured, const Tolerances& tolerances, Findings& findings) {
  if (!(measured.rhs > 0)) return;  // then PETSc compares with the first residual
  const double allowed =
      std::max({allowed_factor * tolerances.relative * measured.rhs,
                allowed_factor * tolerances.absolute, large_residual * measured.rhs});
  if (!(measured.residual > std::min(allowed, 0.99 * measured.rhs))) return;
  if (measured.residual <= allowed_factor * tolerances.absolute) return;
  findings.warning(
      "check.ksp.residual",
      "called converged with a true residual of norm " + number_text(measured.residual) +
          ", which is " + number_text(measured.residual / measured.rhs) +
          " of that of the right-hand side",
      "about the relative tolerance " + number_text(tolerances.relative) +
          "; the solver looks at the preconditioned residual",
      "Look at -ksp_monitor_true_residual. A preconditioner that fails, such as multigrid for an "
      "indefinite operator, hides the residual: use another one, or -ksp_norm_type "
      "unpreconditioned.");
}

void judge_symmetry(const Measured& measured, Findings& findings) {
  // Some operators are symmetric and not Hermitian.
  const double asymmetry = std::min(measured.asymmetry.hermitian, measured.asymmetry.symmetric);
  if (!(asymmetry > detail::Asymmetry::largest_rounded())) return;
  findings.warning("check.ksp.not-symmetric",
                   "an operator for which (u, A v) and (A u, v) differ by " +
                       number_text(asymmetry) + " of their bound |u| |A v| + |v| |A u|",
                   "a symmetric operator, which this type of solver relies on",
                   "Use GMRES or BiCGStab, or make the operator symmetric: " +
                       names::function("MatZeroRowsColumns") + " in place of " +
                       names::function("MatZeroRows") + ", for example.");
}

void look_at_preconditioner(KSP ksp, Findings& findings) {
  if (ksp->pc == nullptr || !detail::needs_fixed_preconditioner(ksp)) return;
  const std::string inner = detail::variable_solver(ksp->pc);
  if (inner.empty()) return;
  findings.warning("check.ksp.variable-preconditioner",
                   "a preconditioner in which " + inner +
                       " solves, so that each application is "
                       "another map",
                   "one and the same linear map in each application, which this type of solver "
                   "relies on",
                   "Use a flexible method, -ksp_type fgmres, or inside -ksp_type preonly.");
}

/// The fields of a preconditioner that is a fieldsplit and set up; none of another one.
std::vector<IS> fields_of(KSP ksp) {
  std::vector<IS> fields;
  PC const pc = ksp->pc;
  if (pc == nullptr || pc->setupcalled == 0 ||
      !detail::is_one_of(detail::object(pc), {PCFIELDSPLIT}))
    return fields;
  fields.resize(detail::solvers_of_fields(pc).size());
  for (std::size_t i = 0; i < fields.size(); ++i)
    detail::call("PCFieldSplitGetISByIndex", PCFieldSplitGetISByIndex, pc, static_cast<PetscInt>(i),
                 &fields[i]);
  return fields;
}

/// Looks at whether the fields have each row of the preconditioner's matrix once.
void gather_fields(KSP ksp, detail::Parts& parts, Call& call) {
  const std::vector<IS> fields = fields_of(ksp);
  PetscInt size = 0, first = 0, last = 0;
  if (!fields.empty()) {
    detail::call("MatGetSize", MatGetSize, ksp->pc->pmat, &size, nullptr);
    detail::call("MatGetOwnershipRange", MatGetOwnershipRange, ksp->pc->pmat, &first, &last);
  }
  parts.gather(fields, {first, last}, size,
               {"check.ksp.fields-repeated", "check.ksp.fields-left-out", "row", "field",
                "Correct the index sets of " + names::function("PCFieldSplitSetIS") +
                    ": unknowns in no field are not preconditioned, but set to zero."},
               call);
}

/// Whether the residual is as small as the solver says, and its operator as symmetric as it relies
/// on. A fact of an Inspection.
class SolveCheck {
 public:
  void gather(KSP ksp, bool apply, Findings& findings, Call& call) {
    ksp_ = ksp;
    system_ = detail::system_of(ksp);
    bool residual = false, symmetry = false, singular = false;
    if (system_.operators != nullptr && detail::is_set_up(system_.operators) &&
        detail::is_set_up(system_.preconditioning)) {
      const bool transposed = solves_transposed(ksp, 0);
      const bool fits = look_at_layouts(ksp, system_, transposed, findings);
      const LocalShape shape = detail::shape_of(system_.operators);
      const bool applicable = apply && detail::can_apply(system_.operators);
      const bool square = shape.rows == shape.columns;
      residual = fits && applicable && !transposed && claims_small_residual(ksp);
      symmetry = applicable && square && needs_symmetry(ksp);
      singular = fits && applicable && square && !transposed && solves_equations(ksp);
    }
    singular_.gather(system_, singular, call);
    residual_ = call.all(residual);
    symmetry_ = call.all(symmetry);
  }
  bool settled() const { return !residual_ && !symmetry_ && singular_.settled(); }
  void ask(Call& call) {
    singular_.ask(call);
    if (!residual_ && !symmetry_) return;
    const detail::Probe probe(system_.operators, call);
    if (residual_) measure_residual(system_, probe, call, measured_);
    if (symmetry_) measured_.asymmetry = detail::measure_symmetry(probe);
  }
  void tell(Findings& findings) const {
    if (residual_) judge_residual(measured_, tolerances_of(ksp_), findings);
    if (symmetry_) judge_symmetry(measured_, findings);
    singular_.tell(findings);
  }

 private:
  KSP ksp_ = nullptr;
  System system_;
  Measured measured_;
  detail::SingularCheck singular_;
  Agreed<bool> residual_, symmetry_;
};

}  // namespace

Report check(KSP ksp, const CheckOptions& options) {
  detail::Inspection look(detail::object(ksp));
  Call& call = look.call();
  call.same(options);
  SolveCheck solve;
  detail::Parts fields;
  adapter::SameText settings(
      "check.ksp.settings",
      "Set types, tolerances and options on all ranks, to what all ranks have.");
  look.gather([&](Findings& findings) {
    settings.gather(settings_of(ksp), call);
    look_at_preconditioner(ksp, findings);
    solve.gather(ksp, options.apply, findings, call);
    gather_fields(ksp, fields, call);
    if (const auto diverged = detail::diverged(ksp)) findings.take(*diverged);
  });
  return look.conclude(settings, solve, fields);
}

}  // namespace daptor::petsc
