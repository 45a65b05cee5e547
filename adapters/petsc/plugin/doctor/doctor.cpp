// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.hpp"

#include <petsc/private/petscimpl.h>
#include <petscts.h>

#include <memory>
#include <string>
#include <utility>

#include "call_watch.hpp"
#include "course.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "events.hpp"
#include "exchange_watch.hpp"
#include "flow.hpp"
#include "looks.hpp"
#include "object.hpp"
#include "options.hpp"
#include "record.hpp"
#include "system_watch.hpp"
#include "vec_watch.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// PETSc's callbacks have no place for an object of the caller: these pass on to the doctor.
/// \{
void tell_of_move(DM dm, Vec global, Vec local);
void tell_of_destruction(Vec vec);
void tell_of_leaving();
/// \}

/// Looks at objects in the course of a session: tells each watch of the events that it is for.
class Doctor {
 public:
  /// Collective over PETSC_COMM_WORLD.
  explicit Doctor(const Options& options)
      : record_(options.report, options.counting),
        looks_({options.calls, options.abort,
                [this](PetscObject object, const Finding& finding) {
                  return exchanges_.hint(object) + vecs_.hint(finding);
                }},
               record_, course_),
        calls_({options.calls, options.patience, options.abort, tell_of_leaving}, record_, looks_,
               course_),
        exchanges_(looks_),
        systems_(options.values, looks_, course_),
        vecs_({options.values, options.ghosts}, looks_, course_, tell_of_destruction) {}
  Doctor(const Doctor&) = delete;
  Doctor& operator=(const Doctor&) = delete;
  /// Process-local. If the session has not come to its end, what solvers that are open have met is
  /// added to the record, which writes it.
  ~Doctor() {
    if (concluded_) return;
    try {
      const Report met = vecs_.met_here();
      for (const Finding& finding : met.findings())
        record_.add_alone(finding, course_.where(), finding.found.str(), true);
    } catch (...) {  // the process ends
    }
  }

  bool busy() const { return looks_.busy(); }

  void begin(int event, Objects objects) {
    if (busy()) return;
    const Kind kind = course_.kind(event);
    if (kind.moment == Moment::values) return vecs_.set_begins(as<Vec>(objects[0]));
    course_.begin(event);
    calls_.begins(event, kind.moment, objects);
    vecs_.begins(event, kind, objects);
    switch (kind.moment) {
      case Moment::set_up:
        return systems_.set_up_begins(objects[0]);
      case Moment::preconditioner:
        return systems_.preconditioner_set_up_begins(objects[0]);
      case Moment::gathering:
        return vecs_.gathering(objects[0]);
      case Moment::graph:
        return exchanges_.graph_begins(objects[0]);
      case Moment::solve:
        systems_.solve_begins(objects);
        return vecs_.look_at(objects[1]);
      case Moment::reduction:
        // What a nested Vec does with its blocks has been looked at with the Vec.
        if (course_.around() == Moment::reduction) return;
        [[fallthrough]];
      case Moment::product:
        for (PetscObject const vec : used_in(kind.positions, objects)) vecs_.look_at(vec);
        return;
      case Moment::scatter:
        if (class_of(objects[0]) != PETSCSF_CLASSID) return;
        for (PetscObject const vec : {objects[1], objects[2]}) vecs_.scattered(objects[0], vec);
        return exchanges_.scatter_begins(objects);
      case Moment::grid:
        return exchanges_.grid_begins(objects[0]);
      default:
        return;
    }
  }

  void end(int event, Objects objects) {
    if (busy()) return;
    const Kind kind = course_.kind(event);
    const Moment now = kind.moment;
    if (now == Moment::values) return vecs_.set_ended(objects[0]);
    const bool known = course_.ends(event);
    vecs_.event_ended(event, kind, objects);
    if (now == Moment::vec_assembly) vecs_.assembled(objects[0]);
    if (now == Moment::assembly) systems_.assembled(objects[0]);
    if (now == Moment::application) systems_.applied(objects);
    if (now == Moment::solve) systems_.solve_ended(objects[0]);
    if (known) {
      vecs_.ends(event, kind, objects);
      course_.close();
    }
    calls_.ended(event, now);
  }

  void created(PetscObject object) {
    if (!hears_of_values_ && class_of(object) == VEC_CLASSID) {
      activate("VecSetValues");
      hears_of_values_ = true;
    }
    if (busy()) return;
    course_.created(object);
    calls_.created(object);
    exchanges_.created(object, tell_of_move);
  }

  void destroyed(PetscObject object) {
    course_.forget(id_of(object));
    exchanges_.forget(object);
    systems_.forget(object);
    if (const auto finding = vecs_.forget(object))
      record_.add(*finding, "", object->name == nullptr ? id_of(object) : 0);
  }

  /// Process-local. PETSc tells of a destruction when the values are gone; this is before.
  void is_destroyed(Vec vec) {
    if (!busy()) vecs_.is_destroyed(vec);
  }

  /// Collective over the communicator of the DM.
  void moves(DM dm, Vec global, Vec local) {
    if (!busy()) exchanges_.moves(dm, global, local);
  }

  /// Process-local. The program is about to call PetscFinalize.
  void leave() { calls_.leave(); }

  /// Collective over PETSC_COMM_WORLD.
  void conclude() {
    looks_.end();
    systems_.conclude(record_);
    for (const Finding& finding : vecs_.conclude()) record_.add(finding, "");
    calls_.conclude();
    concluded_ = true;
    record_.conclude();
  }
  Record& record() { return record_; }

 private:
  Record record_;
  Course course_;
  Looks looks_;
  CallWatch calls_;
  ExchangeWatch exchanges_;
  SystemWatch systems_;
  VecWatch vecs_;
  bool hears_of_values_ = false;
  bool concluded_ = false;
};

std::unique_ptr<Doctor> doctor;

void tell_of_move(DM dm, Vec global, Vec local) {
  if (doctor != nullptr) doctor->moves(dm, global, local);
}

void tell_of_leaving() {
  if (doctor != nullptr) doctor->leave();
}

void tell_of_destruction(Vec vec) {
  if (doctor != nullptr) doctor->is_destroyed(vec);
}

PetscErrorCode end_session() {
  if (doctor == nullptr) return PetscErrorCode{};
  if (!stop_listening())
    doctor->record().say(
        "the program has begun to log by itself, and nothing was looked at from then on");
  return detail::guarded(PETSC_COMM_WORLD, "daptor_check", [] {
    doctor->conclude();
    doctor.reset();
  });
}

void begin_session(const Options& options) {
  doctor = std::make_unique<Doctor>(options);
  listen({[](int event, Objects objects) {
            if (doctor != nullptr) doctor->begin(event, objects);
          },
          [](int event, Objects objects) {
            if (doctor != nullptr) doctor->end(event, objects);
          },
          [](PetscObject object) {
            if (doctor != nullptr) doctor->created(object);
          },
          [](PetscObject object) {
            if (doctor != nullptr) doctor->destroyed(object);
          },
          [] { return doctor != nullptr && doctor->busy(); }});
  detail::call("PetscRegisterFinalize", PetscRegisterFinalize, end_session);
}

}  // namespace

void begin_if_asked() {
  if (doctor != nullptr) return;  // loaded by a second path
  print_help_if_asked();
  if (const auto options = Options::of_program()) begin_session(*options);
}

}  // namespace daptor::petsc::plugin::doctor
