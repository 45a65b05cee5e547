// SPDX-License-Identifier: BSD-3-Clause
#include "variable.hpp"

#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

#include <vector>

#include "daptor/petsc/adapter/call.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

/// A solver inside that reduces its residual by this is as good as a direct one.
constexpr double tight = 1e-8;

const char* type_of(KSP ksp) {
  KSPType type = nullptr;
  call("KSPGetType", KSPGetType, ksp, &type);
  return type;
}

std::string described(KSP ksp, double relative) {
  const char* const prefix = object(ksp)->prefix;
  return std::string(type_of(ksp)) + " (" +
         (prefix == nullptr ? "" : "options prefix '" + std::string(prefix) + "', ") +
         "relative tolerance " + number_text(relative) + ")";
}

/// Whether the solver does the same number of steps each time.
bool has_fixed_steps(KSP ksp) {
  PetscErrorCode (*test)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
  void* context = nullptr;
  KSPNormType norm = KSP_NORM_DEFAULT;
  call("KSPGetConvergenceTest", KSPGetConvergenceTest, ksp, &test, &context, nullptr);
  call("KSPGetNormType", KSPGetNormType, ksp, &norm);
  return norm == KSP_NORM_NONE || test == KSPConvergedSkip;
}

std::string variable_solver_of(KSP ksp) {
  if (type_of(ksp) == nullptr) return {};
  PetscReal relative = 0;
  call("KSPGetTolerances", KSPGetTolerances, ksp, &relative, nullptr, nullptr, nullptr);
  const bool once = is_one_of(object(ksp), {KSPPREONLY});
  const bool polynomial = once || is_one_of(object(ksp), {KSPRICHARDSON, KSPCHEBYSHEV});
  if (!once && relative > tight && !(polynomial && has_fixed_steps(ksp)))
    return described(ksp, static_cast<double>(relative));
  return ksp->pc == nullptr ? std::string() : variable_solver(ksp->pc);
}

std::vector<KSP> solvers_of_levels(PC pc) {
  std::vector<KSP> solvers;
  PetscInt levels = 0;
  call("PCMGGetLevels", PCMGGetLevels, pc, &levels);
  for (PetscInt level = 0; level < levels; ++level) {
    KSP smoother = nullptr;
    call("PCMGGetSmoother", PCMGGetSmoother, pc, level, &smoother);
    solvers.push_back(smoother);
  }
  return solvers;
}

std::vector<KSP> solvers_within(PC pc) {
  if (is_one_of(object(pc), {PCMG, PCGAMG, PCML, PCHMG, PCEXOTIC})) return solvers_of_levels(pc);
  if (is_one_of(object(pc), {PCFIELDSPLIT})) return solvers_of_fields(pc);
  if (!is_one_of(object(pc), {PCKSP})) return {};
  KSP inner = nullptr;
  call("PCKSPGetKSP", PCKSPGetKSP, pc, &inner);
  return {inner};
}

}  // namespace

std::vector<KSP> solvers_of_fields(PC pc) {
  PetscInt count = 0;
  KSP* fields = nullptr;
  call("PCFieldSplitGetSubKSP", PCFieldSplitGetSubKSP, pc, &count, &fields);
  std::vector<KSP> solvers(fields, fields + count);
  static_cast<void>(PetscFree(fields));
  return solvers;
}

bool needs_fixed_preconditioner(KSP ksp) {
  return is_one_of(object(ksp), {KSPCG, KSPPIPECG, KSPGROPPCG, KSPGMRES, KSPLGMRES, KSPDGMRES,
                                 KSPPGMRES, KSPBCGS, KSPBCGSL, KSPIBCGS, KSPCGS, KSPTFQMR, KSPTCQMR,
                                 KSPMINRES, KSPSYMMLQ, KSPCHEBYSHEV});
}

std::string variable_solver(PC pc) {
  if (pc->setupcalled == 0) return {};
  for (KSP const solver : solvers_within(pc)) {
    if (solver == nullptr) continue;
    std::string found = variable_solver_of(solver);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace daptor::petsc::detail
