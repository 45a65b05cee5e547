// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>

#include "daptor/report.hpp"
#include "events.hpp"

namespace daptor::petsc::plugin::doctor {

/// The Vec that an event has made, and those of which it has made it. Their ranks are those that
/// take part in the event.
struct Flow {
  PetscObject made = nullptr;   ///< null: not known of this event, or no Vec
  PetscObject maker = nullptr;  ///< the matrix, preconditioner or solver
  std::array<PetscObject, 2> inputs{};
};

/// Where an event has its Vecs among its objects.
struct Positions {
  const char* event;
  std::size_t made;
  std::array<std::size_t, 2> inputs;
};
/// Null of events of which this is not known.
const Positions* positions_of(const char* event);

/// @param positions  of the event; may be null
Flow flow_of(const Positions* positions, Objects objects);

/// The Vecs that an event uses, as far as PETSc tells: what a product multiplies, and of norms and
/// dot products the first two. Others are null; none is there twice.
/// @param positions  of the event; may be null
std::array<PetscObject, 2> used_in(const Positions* positions, Objects objects);

/// The findings about values that are NaN or Inf.
Report not_finite(const Report& report);

}  // namespace daptor::petsc::plugin::doctor
