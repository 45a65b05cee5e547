// SPDX-License-Identifier: BSD-3-Clause
#include "exchange_watch.hpp"

#include "daptor/petsc/check.hpp"
#include "mesh.hpp"
#include "object.hpp"
#include "petsc/src/check/objects.hpp"
#include "scatter_grid.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// Whether it adds up what has several sources, or keeps one of them, is not to be seen.
Report check_graph(PetscObject graph) {
  return without(petsc::check(as<PetscSF>(graph)), {"check.scatter.twice"});
}

}  // namespace

bool on_same_ranks(PetscObject one, PetscObject other) {
  int same = MPI_UNEQUAL;
  MPI_Comm_compare(PetscObjectComm(one), PetscObjectComm(other), &same);
  return same == MPI_IDENT || same == MPI_CONGRUENT;
}

void ExchangeWatch::scatter_begins(Objects objects) {
  PetscObject const scatter = objects[0];
  look_at_dm_of(objects[1]);
  look_at_dm_of(objects[2]);
  if (!schedule_.due(id_of(scatter))) return;
  if (schedule_.is_first(id_of(scatter)))
    looks_.look(scatter, [&] { return check_graph(scatter); });
  if (class_of(objects[1]) == VEC_CLASSID && class_of(objects[2]) == VEC_CLASSID)
    looks_.look(scatter, [&] {
      return petsc::check(as<PetscSF>(scatter), as<Vec>(objects[1]), as<Vec>(objects[2]));
    });
}

void ExchangeWatch::graph_begins(PetscObject graph) {
  if (class_of(graph) == PETSCSF_CLASSID && schedule_.due_once(id_of(graph)))
    looks_.look(graph, [&] { return check_graph(graph); });
}

void ExchangeWatch::grid_begins(PetscObject dm) {
  if (class_of(dm) == DM_CLASSID) look_at_dm(dm);
}

void ExchangeWatch::moves(DM dm, Vec global, Vec local) {
  PetscObject const object = detail::object(dm);
  if (detail::is_one_of(object, {DMPLEX}) && move_schedule_.due(id_of(object)))
    looks_.look(object, [&] { return petsc::check(dm, global, local); });
}

void ExchangeWatch::created(PetscObject object, void (*told)(DM dm, Vec global, Vec local)) {
  if (class_of(object) != DM_CLASSID) return;
  tell_of_moves(object, told);
  grids_.insert(object);
}

void ExchangeWatch::forget(PetscObject object) {
  schedule_.forget(id_of(object));
  move_schedule_.forget(id_of(object));
  grids_.erase(object);
}

std::string ExchangeWatch::hint(PetscObject object) const {
  return class_of(object) == PETSCSF_CLASSID ? grid_text(as<PetscSF>(object), grids_)
                                             : std::string();
}

void ExchangeWatch::look_at_dm(PetscObject dm) {
  if (schedule_.due_once(id_of(dm))) looks_.look(dm, [&] { return petsc::check(as<DM>(dm)); });
}

/// The DM of which a Vec is a global one: DMGlobalToLocal of most DMs is no event.
void ExchangeWatch::look_at_dm_of(PetscObject vec) {
  if (class_of(vec) != VEC_CLASSID) return;
  DM dm = nullptr;
  static_cast<void>(VecGetDM(as<Vec>(vec), &dm));
  if (dm != nullptr && on_same_ranks(vec, detail::object(dm))) look_at_dm(detail::object(dm));
}

}  // namespace daptor::petsc::plugin::doctor
