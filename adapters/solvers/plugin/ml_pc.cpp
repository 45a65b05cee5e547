// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The type `ml`: PETSc's multigrid on MueLu's grids, as PETSc's own type of this name is PETSc's
/// multigrid on ML's grids. Smoothers, cycles and the coarse solver are PETSc's in both, and so are
/// their options.

#include <petsc/private/pcmgimpl.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/tpetra.hpp"
#include "ml_options.hpp"
#include "muelu_pc.hpp"
#include "solvers/src/sor_diagonal.hpp"
#include "trilinos_pc.hpp"
#include "viewing.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::call;
using petsc::detail::object;

struct MlPc {
  MlPc() { muelu.request(request.muelu); }

  _PCOps multigrid{};  ///< the functions of PETSc's multigrid
  MlRequest request = ml_defaults();
  MueluPc muelu;
  bool has_been_set_up = false;
};

MlPc& ml_of(PC pc) {
  return *static_cast<MlPc*>(static_cast<PC_MG*>(pc->data)->innerctx);
}

MPI_Comm ml_comm(PC pc) {
  return PetscObjectComm(object(pc));
}

PetscErrorCode ml_set_from_options(PC pc, OptionItems items) {
  return petsc::detail::guarded(ml_comm(pc), "PCSetFromOptions", [&] {
    const Comm comm = petsc::detail::comm_of(object(pc));
    Call call(comm, "PCSetFromOptions");
    require_same_type(pc, call);
    MlPc& ml = ml_of(pc);
    MlRequest request;
    call.check([&] {
      const petsc::detail::QuietErrors quiet;
      const char* prefix = nullptr;
      petsc::detail::call("PCGetOptionsPrefix", PCGetOptionsPrefix, pc, &prefix);
      Options options(items, prefix == nullptr ? "" : prefix);
      request = read_ml_options(options);
      ml.muelu.read_options(pc, options);
      call.same("trilinos.option", options.given());
    });
    ml.muelu.request(request.muelu);
    ml.muelu.take_options();
    ml.request = std::move(request);
    say_once(ml.request.untranslated);
  });
}

/// Richardson's iteration with SOR, as in PETSc's interface to ML; options override it.
void choose_smoother(PC pc, PetscInt level) {
  KSP smoother = nullptr;
  PC inner = nullptr;
  call("PCMGGetSmoother", PCMGGetSmoother, pc, level, &smoother);
  call("KSPSetType", KSPSetType, smoother, KSPRICHARDSON);
  call("KSPGetPC", KSPGetPC, smoother, &inner);
  call("PCSetType", PCSetType, inner, PCSOR);
}

PetscInt rows_of(Mat matrix) {
  PetscInt rows = 0;
  call("MatGetSize", MatGetSize, matrix, &rows, nullptr);
  return rows;
}

/// Where no node has a neighbour on its process, MueLu goes on to make levels of the same size up
/// to the maximum number; ML stops there.
void drop_levels_of_same_size(PC pc, Grids& grids) {
  constexpr double least_ratio = 1.05;  // ML's
  while (!grids.operators.empty()) {
    const Mat finer = grids.operators.size() == 1 ? pc->pmat : grids.operators[1].get();
    if (rows_of(finer) >= least_ratio * rows_of(grids.operators[0].get())) return;
    grids.operators.erase(grids.operators.begin());
    grids.interpolations.erase(grids.interpolations.begin());
    --grids.levels;
  }
}

/// A matrix so small that it is a coarsest level. PETSc's multigrid would smooth it.
void solve_directly(PC pc) {
  KSP solver = nullptr;
  PC inner = nullptr;
  PetscMPIInt size = 1;
  MPI_Comm_size(ml_comm(pc), &size);
  call("PCMGGetCoarseSolve", PCMGGetCoarseSolve, pc, &solver);
  call("KSPSetType", KSPSetType, solver, KSPPREONLY);
  call("KSPGetPC", KSPGetPC, solver, &inner);
  call("PCSetType", PCSetType, inner, size == 1 ? PCLU : PCREDUNDANT);
}

/// Gives the grids to PETSc's multigrid. Level 0 is the coarsest.
void take_grids(PC pc, const Grids& grids) {
  const auto levels = static_cast<PetscInt>(grids.levels);
  call("PCMGSetLevels", PCMGSetLevels, pc, levels, nullptr);
  for (PetscInt level = 0; level < levels; ++level) {
    const auto at = static_cast<std::size_t>(level);
    Mat matrix = level + 1 == levels ? pc->pmat : grids.operators[at].get();
    call("PCMGSetOperators", PCMGSetOperators, pc, level, matrix, matrix);
    if (level == 0) continue;
    choose_smoother(pc, level);
    call("PCMGSetInterpolation", PCMGSetInterpolation, pc, level,
         grids.interpolations[at - 1].get());
    call("PCMGSetResidual", PCMGSetResidual, pc, level, &PCMGResidualDefault, matrix);
  }
}

/// PETSc's multigrid reads its options once it knows its number of levels.
PetscErrorCode set_multigrid_from_options(PC pc) {
  const char* prefix = nullptr;
  PetscCall(PCGetOptionsPrefix(pc, &prefix));
  PetscOptionsBegin(ml_comm(pc), prefix, "Multigrid of PETSc", "PC");
  PetscCall(ml_of(pc).multigrid.setfromoptions(pc, PetscOptionsObject));
  PetscOptionsEnd();
  return PetscErrorCode{};
}

/// The smoothers of the levels, the finest first: those on the way down and, where they differ,
/// those on the way up. That of the coarsest is its solver.
struct Smoothers {
  struct Smoother {
    Sweeping sweeping;
    std::string place;  ///< empty for the program's own matrix
  };
  std::vector<Smoother> list;

  explicit Smoothers(PC pc) {
    PetscInt levels = 0;
    call("PCMGGetLevels", PCMGGetLevels, pc, &levels);
    PC_MG_Levels* const* const all = static_cast<PC_MG*>(pc->data)->levels;
    for (PetscInt level = levels - 1; level >= 0; --level) {
      add(all[level]->smoothd, levels - 1 - level);
      if (all[level]->smoothu != all[level]->smoothd) add(all[level]->smoothu, levels - 1 - level);
    }
  }

 private:
  void add(KSP smoother, PetscInt number) {
    PC inner = nullptr;
    call("KSPGetPC", KSPGetPC, smoother, &inner);
    Smoother found;
    found.sweeping = sweeping_of(inner);
    call("KSPGetOperators", KSPGetOperators, smoother, nullptr, &found.sweeping.matrix);
    if (number > 0) found.place = "level " + std::to_string(number) + " of MueLu's hierarchy";
    list.push_back(std::move(found));
  }
};

/// Collective. The smoothers have not read their options yet.
void require_smoother_diagonals(PC pc, Call& call) {
  const Smoothers smoothers = call.check([&] { return Smoothers(pc); });
  for (const Smoothers::Smoother& each : smoothers.list)
    require_sor_diagonal(each.sweeping, each.place,
                         "another smoother: -mg_levels_pc_type jacobi takes 1 there", call);
}

/// Collective. Sets up PETSc's multigrid on the grids that it has been given.
void set_up_multigrid(PC pc, Call& call) {
  call.library("petsc", "PCSetFromOptions", Patience{},
               [&] { petsc::detail::call("PCSetFromOptions", set_multigrid_from_options, pc); });
  require_smoother_diagonals(pc, call);
  // All of its parts are new.
  pc->setupcalled = 0;
  call.library("petsc", "PCSetUp", Patience{},
               [&] { petsc::detail::call("PCSetUp", ml_of(pc).multigrid.setup, pc); });
}

PetscErrorCode ml_set_up(PC pc) {
  MlPc& ml = ml_of(pc);
  const PetscErrorCode code = petsc::detail::guarded(ml_comm(pc), "PCSetUp", [&] {
    ml.has_been_set_up = true;
    ml.muelu.set_up(pc);
    const Comm comm = petsc::detail::comm_of(object(pc));
    Call call(comm, "PCSetUp");
    Grids grids = ml.muelu.grids(pc, call);
    const bool coarsest = ml.muelu.is_coarsest(rows_of(pc->pmat));
    if (!ml.muelu.reuses()) ml.muelu.reset();
    call.library("petsc", "PCMGSetLevels", Patience{}, [&] {
      petsc::detail::call("PCReset", ml.multigrid.reset, pc);
      drop_levels_of_same_size(pc, grids);
      take_grids(pc, grids);
      if (grids.levels == 1 && coarsest) solve_directly(pc);
    });
    set_up_multigrid(pc, call);
  });
  // PETSc has marked the PC as set up for this matrix, although the set-up failed.
  if (static_cast<int>(code) != 0) pc->setupcalled = 0;
  return code;
}

PetscErrorCode ml_reset(PC pc) {
  if (tpetra::detail::kokkos_running()) ml_of(pc).muelu.reset();
  return ml_of(pc).multigrid.reset(pc);
}

void view_request(const MlRequest& request, PetscViewer viewer) {
  const auto plain = Teuchos::ParameterList::PrintOptions().showFlags(false).indent(4);
  std::ostringstream parameters;
  request.muelu.parameters.print(parameters, plain);
  write_lines(viewer, "Grids of MueLu through Daptor, in place of ML's, with MueLu's parameters");
  write_lines(viewer, parameters.str());
  for (const std::string& sentence : request.untranslated) write_lines(viewer, sentence);
}

PetscErrorCode ml_view(PC pc, PetscViewer viewer) {
  PetscBool ascii = PETSC_FALSE;
  PetscCall(PetscObjectTypeCompare(object(viewer), PETSCVIEWERASCII, &ascii));
  if (ascii == PETSC_TRUE)
    PetscCall(petsc::detail::guarded(ml_comm(pc), "PCView",
                                     [&] { view_request(ml_of(pc).request, viewer); }));
  return ml_of(pc).multigrid.view(pc, viewer);
}

PetscErrorCode ml_set_coordinates(PC pc, PetscInt dimension, PetscInt count, PetscReal values[]) {
  return petsc::detail::guarded(ml_comm(pc), "PCSetCoordinates", [&] {
    Coordinates coordinates;
    coordinates.dimension = dimension;
    coordinates.values.assign(values, values + dimension * count);
    ml_of(pc).muelu.set_coordinates(std::move(coordinates));
  });
}

PetscErrorCode ml_destroy(PC pc) {
  std::unique_ptr<MlPc> ml(&ml_of(pc));
  const auto destroy = ml->multigrid.destroy;
  if (ml->has_been_set_up && !tpetra::detail::kokkos_running())
    tpetra::detail::keep_forever(std::shared_ptr<MlPc>(std::move(ml)));
  PetscCall(PetscObjectComposeFunction(object(pc), "PCSetCoordinates_C", nullptr));
  return destroy(pc);
}

}  // namespace

PetscErrorCode create_ml(PC pc) {
  return petsc::detail::guarded(ml_comm(pc), "PCCreate_ml", [&] {
    auto ml = std::make_unique<MlPc>();
    call("PCSetType", PCSetType, pc, PCMG);
    call("PetscObjectChangeTypeName", PetscObjectChangeTypeName, object(pc), PCML);
    // PETSc's multigrid would ask it for grids.
    call("PCSetDM", PCSetDM, pc, nullptr);
    call("PCMGSetGalerkin", PCMGSetGalerkin, pc, PC_MG_GALERKIN_EXTERNAL);
    ml->multigrid = *pc->ops;
    petsc::detail::check(
        PetscObjectComposeFunction(object(pc), "PCSetCoordinates_C", ml_set_coordinates),
        "PetscObjectComposeFunction");
    static_cast<PC_MG*>(pc->data)->innerctx = ml.release();
    pc->ops->setfromoptions = ml_set_from_options;
    pc->ops->setup = ml_set_up;
    pc->ops->reset = ml_reset;
    pc->ops->view = ml_view;
    pc->ops->destroy = ml_destroy;
  });
}

}  // namespace daptor::solvers::plugin
