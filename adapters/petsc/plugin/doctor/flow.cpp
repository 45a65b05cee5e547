// SPDX-License-Identifier: BSD-3-Clause
#include "flow.hpp"

#include "object.hpp"

#include <petscvec.h>

#include <cstring>

namespace daptor::petsc::plugin::doctor {
namespace {

constexpr std::size_t none = 0;  ///< the first object, which is no Vec in these events

/// Where an event has its Vecs among its objects.
struct Positions {
  const char* event;
  std::size_t made;
  std::array<std::size_t, 2> inputs;
};

constexpr std::array<Positions, 8> known{{{"MatMult", 2, {1, none}},
                                          {"MatMultAdd", 3, {1, 2}},
                                          {"MatMultTranspose", 2, {1, none}},
                                          {"MatSolve", 2, {1, none}},
                                          {"PCApply", 2, {1, none}},
                                          {"KSPSolve", 2, {1, none}},
                                          {"SNESFunctionEval", 2, {1, none}},
                                          {"TSFunctionEval", 2, {1, none}}}};

PetscObject vec_or_null(PetscObject object) {
  return class_of(object) == VEC_CLASSID ? object : nullptr;
}

/// Of the function of an implicit time stepper PETSc passes the time derivative, too.
Positions positions_of(const Positions& positions, Objects objects) {
  if (std::strcmp(positions.event, "TSFunctionEval") == 0 && vec_or_null(objects[3]) != nullptr)
    return {positions.event, 3, {1, 2}};
  return positions;
}

}  // namespace

Flow flow_of(const char* event, Objects objects) {
  for (const Positions& places : known) {
    if (std::strcmp(places.event, event) != 0) continue;
    const Positions positions = positions_of(places, objects);
    Flow flow{vec_or_null(objects[positions.made]), objects[0], {}};
    for (std::size_t i = 0; i < flow.inputs.size(); ++i)
      flow.inputs[i] = vec_or_null(objects[positions.inputs[i]]);
    return flow;
  }
  return {};
}

std::array<PetscObject, 2> used_in(const char* event, Objects objects) {
  std::array<PetscObject, 2> used{};
  const Flow flow = flow_of(event, objects);
  if (flow.maker != nullptr)
    used = flow.inputs;
  else
    for (std::size_t i = 0; i < used.size(); ++i) used[i] = vec_or_null(objects[i]);
  if (used[1] == used[0]) used[1] = nullptr;
  return used;
}

Report not_finite(const Report& report) {
  Report rest;
  for (const Finding& finding : report.findings())
    if (finding.rule == "check.vec.not-finite") rest.add(finding);
  return rest;
}

}  // namespace daptor::petsc::plugin::doctor
