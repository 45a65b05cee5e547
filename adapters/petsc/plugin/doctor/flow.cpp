// SPDX-License-Identifier: BSD-3-Clause
#include "flow.hpp"

#include <petscvec.h>

#include <cstring>
#include <string>

#include "daptor/petsc/check.hpp"
#include "petsc/src/check/findings.hpp"

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
  PetscClassId id = 0;
  if (object != nullptr) static_cast<void>(PetscObjectGetClassId(object, &id));
  return id == VEC_CLASSID ? object : nullptr;
}

Report not_finite(PetscObject vec) {
  const Report all = petsc::check(reinterpret_cast<Vec>(vec));
  Report report;
  for (const Finding& finding : all.findings())
    if (finding.rule == "check.vec.not-finite") report.add(finding);
  return report;
}

}  // namespace

Flow flow_of(const char* event, Objects objects) {
  for (const Positions& places : known) {
    if (std::strcmp(places.event, event) != 0) continue;
    Flow flow{vec_or_null(objects[places.made]), {}};
    for (std::size_t i = 0; i < flow.inputs.size(); ++i)
      flow.inputs[i] = vec_or_null(objects[places.inputs[i]]);
    return flow;
  }
  return {};
}

Report look_at_made(const char* event, const Flow& flow) {
  const Report made = not_finite(flow.made);
  if (made.findings().empty()) return {};
  Report report;
  std::string names;
  for (PetscObject const input : flow.inputs) {
    if (input == nullptr || input == flow.made) continue;
    report.append(not_finite(input));
    names += (names.empty() ? "" : " and ") + detail::subject_of(input);
  }
  const bool is_origin = report.findings().empty() && !names.empty();
  for (Finding finding : made.findings()) {
    if (is_origin)
      finding.found += "; " + std::string(event) + " has made it of " + names + ", without any";
    report.add(finding);
  }
  return report;
}

}  // namespace daptor::petsc::plugin::doctor
