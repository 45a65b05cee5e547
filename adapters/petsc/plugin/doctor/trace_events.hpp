// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

namespace daptor::petsc::plugin::doctor {

/// What a trace makes of an event.
enum class TraceKind {
  none,
  vecs,      ///< prints its Vecs, at the positions of a TraceEvent
  assembly,  ///< of a Mat, which is printed when the next event begins
  linear,    ///< a solve by a KSP
  nonlinear,
  step,
  optimise,
  together  ///< prints nothing, but its ranks communicate
};

/// An event of PETSc that a trace knows. A position is one among the event's objects, or -1.
struct TraceEvent {
  const char* name = "";
  TraceKind kind = TraceKind::none;
  std::array<int, 2> in{-1, -1};
  int out = -1;
  const char* in_role = "";
  const char* out_role = "";
};

/// The event of this name; one of kind `none` if a trace does not know it.
const TraceEvent& trace_event(const char* name);

/// Whether events within this one are a solver's or another object's own, and not the program's.
bool has_inside(const char* name);

/// Whether it is a solver's, in which functions of the program may be called.
bool is_solver(const char* name);

}  // namespace daptor::petsc::plugin::doctor
