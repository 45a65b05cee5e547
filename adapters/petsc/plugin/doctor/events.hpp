// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include <petscsys.h>

/// \file
/// PETSc's logging callbacks, by which the doctor sees the objects of a program.

namespace daptor::petsc::plugin::doctor {

/// The objects that PETSc passes with an event; any may be null.
using Objects = const std::array<PetscObject, 4>&;

/// What is told of each event. Exceptions are dropped.
struct EventSink {
  void (*begin)(int event, Objects objects);
  void (*end)(int event, Objects objects);
  void (*created)(PetscObject object);
  void (*destroyed)(PetscObject object);
  /// Whether events are made by the doctor itself, and are none of the program's: other users of
  /// the callbacks, such as -log_view, do not see them where PETSc has one callback for all.
  bool (*own)();
};

/// Begins to tell `told`, which must outlive PETSc's session, and goes on telling those that were
/// told before. Events that one of several sinks makes itself are told to none of them.
/// Process-local. Throws LibraryFailed.
void listen(const EventSink& told);
/// Ends it, for all sinks.
/// @returns false if somebody else has taken the callbacks meanwhile
bool stop_listening();

/// Turns on an event that PETSc leaves out by default, unless somebody else listens to it.
/// Process-local.
void activate(const char* event);

/// The name of an event, `KSPSolve`; empty if PETSc does not know it.
const char* event_name(int event);

}  // namespace daptor::petsc::plugin::doctor
