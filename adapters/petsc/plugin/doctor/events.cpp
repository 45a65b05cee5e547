// SPDX-License-Identifier: BSD-3-Clause
#include "events.hpp"

#include <petsclog.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "daptor/petsc/adapter/call.hpp"

// PetscLogSet was replaced by handlers in PETSc 3.20.
#define DAPTOR_LOG_HANDLERS PETSC_VERSION_GE(3, 20, 0)

namespace daptor::petsc::plugin::doctor {
namespace {

std::vector<EventSink> sinks;
bool listening = false;

bool own() {
  return std::any_of(sinks.begin(), sinks.end(), [](const EventSink& sink) { return sink.own(); });
}

using EventFunction = PetscErrorCode (*)(PetscLogEvent, int, PetscObject, PetscObject, PetscObject,
                                         PetscObject);
using ObjectFunction = PetscErrorCode (*)(PetscObject);

// Those that were told before; null with handlers, of which PETSc calls each.
EventFunction begin_before = nullptr, end_before = nullptr;
ObjectFunction create_before = nullptr, destroy_before = nullptr;

/// What cannot be told for lack of memory is not told.
template <class F>
void tell(F&& what) noexcept {
  for (const EventSink& sink : sinks) {
    try {
      what(sink);
    } catch (...) {
    }
  }
}

PetscErrorCode begin(PetscLogEvent event, int t, PetscObject a, PetscObject b, PetscObject c,
                     PetscObject d) {
  if (begin_before != nullptr && !own()) {
    const PetscErrorCode code = begin_before(event, t, a, b, c, d);
    if (static_cast<int>(code) != 0) return code;
  }
  if (!own()) tell([&](const EventSink& sink) { sink.begin(event, {a, b, c, d}); });
  return PetscErrorCode{};
}

PetscErrorCode end(PetscLogEvent event, int t, PetscObject a, PetscObject b, PetscObject c,
                   PetscObject d) {
  if (!own()) tell([&](const EventSink& sink) { sink.end(event, {a, b, c, d}); });
  return end_before != nullptr && !own() ? end_before(event, t, a, b, c, d) : PetscErrorCode{};
}

PetscErrorCode created(PetscObject object) {
  if (!own()) tell([&](const EventSink& sink) { sink.created(object); });
  return create_before != nullptr ? create_before(object) : PetscErrorCode{};
}

PetscErrorCode destroyed(PetscObject object) {
  tell([&](const EventSink& sink) { sink.destroyed(object); });
  return destroy_before != nullptr ? destroy_before(object) : PetscErrorCode{};
}

/// Whether there is a log of the program's own, such as that of -log_view.
bool listened() {
#if DAPTOR_LOG_HANDLERS
  PetscLogHandler handler = nullptr;
  static_cast<void>(PetscLogGetDefaultHandler(&handler));
  return handler != nullptr;
#else
  return begin_before != nullptr;
#endif
}

}  // namespace

void activate(const char* event) {
  PetscLogEvent number = -1;
  if (static_cast<int>(PetscLogEventGetId(event, &number)) == 0 && number >= 0 && !listened())
    static_cast<void>(PetscLogEventSetActiveAll(number, PETSC_TRUE));
}

#if DAPTOR_LOG_HANDLERS

void listen(const EventSink& told) {
  sinks.push_back(told);
  if (!listening)
    detail::call("PetscLogLegacyCallbacksBegin", PetscLogLegacyCallbacksBegin, begin, end, created,
                 destroyed);
  listening = true;
}

bool stop_listening() {
  listening = false;  // PETSc destroys the handler with its session
  sinks.clear();
  return true;
}

const char* event_name(int event) {
  const char* name = nullptr;
  static_cast<void>(PetscLogEventGetName(event, &name));
  return name == nullptr ? "" : name;
}

#else

namespace {

// Whether the callbacks were still ours when listening ended.
bool ours_at_end = true;

}  // namespace

void listen(const EventSink& told) {
  sinks.push_back(told);
  if (listening) return;
  begin_before = PetscLogPLB;
  end_before = PetscLogPLE;
  create_before = PetscLogPHC;
  destroy_before = PetscLogPHD;
  detail::call("PetscLogSet", PetscLogSet, begin, end);
  PetscLogPHC = created;
  PetscLogPHD = destroyed;
  listening = true;
}

bool stop_listening() {
  if (!listening) return ours_at_end;  // the first sink has ended it
  const bool ours = PetscLogPLB == begin && PetscLogPLE == end;
  if (ours) static_cast<void>(PetscLogSet(begin_before, end_before));
  if (PetscLogPHC == created) PetscLogPHC = create_before;
  if (PetscLogPHD == destroyed) PetscLogPHD = destroy_before;
  listening = false;
  sinks.clear();
  return ours_at_end = ours;
}

const char* event_name(int event) {
  const PetscEventRegLog events = petsc_stageLog == nullptr ? nullptr : petsc_stageLog->eventLog;
  return events == nullptr || event < 0 || event >= events->numEvents
             ? ""
             : events->eventInfo[event].name;
}

#endif

}  // namespace daptor::petsc::plugin::doctor
