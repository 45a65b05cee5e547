// SPDX-License-Identifier: BSD-3-Clause
#include "flow.hpp"

#include "object.hpp"

#include <petscvec.h>

#include <cstring>

namespace daptor::petsc::plugin::doctor {
namespace {

constexpr std::size_t none = 0;  ///< the first object, which is no Vec in these events

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
Positions with_derivative(const Positions& positions, Objects objects) {
  if (std::strcmp(positions.event, "TSFunctionEval") == 0 && vec_or_null(objects[3]) != nullptr)
    return {positions.event, 3, {1, 2}};
  return positions;
}

}  // namespace

const Positions* positions_of(const char* event) {
  for (const Positions& each : known)
    if (std::strcmp(each.event, event) == 0) return &each;
  return nullptr;
}

Flow flow_of(const Positions* positions, Objects objects) {
  if (positions == nullptr) return {};
  const Positions places = with_derivative(*positions, objects);
  Flow flow{vec_or_null(objects[places.made]), objects[0], {}};
  for (std::size_t i = 0; i < flow.inputs.size(); ++i)
    flow.inputs[i] = vec_or_null(objects[places.inputs[i]]);
  return flow;
}

std::array<PetscObject, 2> used_in(const Positions* positions, Objects objects) {
  std::array<PetscObject, 2> used{};
  if (positions != nullptr)
    used = flow_of(positions, objects).inputs;
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
