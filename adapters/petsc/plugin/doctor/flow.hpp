// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/report.hpp"
#include "events.hpp"

namespace daptor::petsc::plugin::doctor {

/// The Vec that an event has made, and those of which it has made it. Their ranks are those that
/// take part in the event.
struct Flow {
  PetscObject made = nullptr;  ///< null: not known of this event, or no Vec
  std::array<PetscObject, 2> inputs{};
};
Flow flow_of(const char* event, Objects objects);

/// Collective over the communicator of the Vecs. Finds NaN and Inf in what the event has made; says
/// of which Vecs it was made if these have none, and otherwise names these first.
Report look_at_made(const char* event, const Flow& flow);

}  // namespace daptor::petsc::plugin::doctor
