// SPDX-License-Identifier: BSD-3-Clause
#include "not_finite_watch.hpp"

#include <petscts.h>

#include <string>
#include <utility>

#include "calls.hpp"
#include "daptor/petsc/check.hpp"
#include "object.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

Finding ended_by_not_finite(PetscObject solver, const Ended& end) {
  const PetscClassId id = class_of(solver);
  const char* const rule = id == KSP_CLASSID    ? "check.ksp.not-finite"
                           : id == SNES_CLASSID ? "check.snes.not-finite"
                                                : "check.ts.not-finite";
  return error_finding(rule, -1, class_text(solver),
                       detail::subject_of(solver) + ": ended by " + end.reason +
                           "; no product, preconditioner or function was seen that has made NaN "
                           "or Inf of finite values",
                       "finite numbers",
                       "Look at what the program does in its callbacks, and at the operators.");
}

}  // namespace

NotFiniteWatch::NotFiniteWatch(bool always, Looks& looks, const Course& course)
    : always_(always),
      looks_(looks),
      course_(course),
      origins_([&course](PetscObject object) { return course.made_in(object); }) {}

void NotFiniteWatch::begins(Moment now) {
  if (!is_solve(now)) return;
  if (!course_.is_nested()) found_in_ = MPI_COMM_NULL;
  origins_.enter(course_.depth());
}

void NotFiniteWatch::ends(int event, const Kind& kind, Objects objects) {
  const Flow flow = flow_of(kind.positions, objects);
  if (flow.made != nullptr) origins_.note(event_name(event), flow);
  const bool told = is_solve(kind.moment) && look_at_end(event, kind.moment, objects[0]);
  if (flow.made == nullptr || told || course_.may_try_again()) return;
  if (schedules_[event].due(id_of(objects[0])) || always_) look_at_made(flow);
}

void NotFiniteWatch::forget(std::int64_t id) {
  for (auto& [event, schedule] : schedules_) schedule.forget(id);
  solvers_.erase(id);
  origins_.forget(id);
}

Report NotFiniteWatch::with_maker(const Report& report, PetscObject vec) {
  if (not_finite(report).findings().empty()) return report;
  found_in_ = PetscObjectComm(vec);
  const std::string maker = origins_.maker_of(vec);
  Report more;
  for (Finding finding : report.findings()) {
    if (finding.rule == "check.vec.not-finite" && !maker.empty()) finding.found += "; " + maker;
    more.add(std::move(finding));
  }
  return more;
}

/// Collective over the communicator of the Vec.
Report NotFiniteWatch::not_finite_in(PetscObject vec) {
  return with_maker(not_finite(petsc::check(as<Vec>(vec))), vec);
}

/// Finds NaN and Inf in what an event has made, or else in what it was made of.
void NotFiniteWatch::look_at_made(const Flow& flow) {
  Report made;
  looks_.look(flow.made, [&] {
    made = not_finite_in(flow.made);
    return Report{};
  });
  if (made.findings().empty()) return;
  bool of_finite = true;
  for (PetscObject const input : flow.inputs)
    if (input != nullptr && input != flow.made)
      looks_.look(input, [&] {
        Report report = not_finite_in(input);
        of_finite &= report.findings().empty();
        return report;
      });
  if (of_finite) looks_.look(flow.made, [&] { return made; });
}

/// A solver has come to its end.
/// @returns whether it has met NaN or Inf, which is told
bool NotFiniteWatch::look_at_end(int event, Moment then, PetscObject solver) {
  const Ended end = ended(solver);
  const bool held = course_.is_inside(Moment::step) ||
                    (course_.is_inside(Moment::nonlinear) && class_of(solver) != KSP_CLASSID);
  bool told = end.how != Ended::How::well && !held && tell_why(solver, end);
  if (!told && !course_.is_nested() && end.how == Ended::How::well)
    told = look_at_result(event, then, solver, end.result);
  origins_.leave(course_.depth(), held && end.how == Ended::How::by_not_finite);
  return told;
}

/// What a solver that has ended badly has met first. Of one that has ended because of NaN it is
/// said that it has, at least.
bool NotFiniteWatch::tell_why(PetscObject solver, const Ended& end) {
  const bool certain = end.how == Ended::How::by_not_finite;
  if (!certain && class_of(solver) != TS_CLASSID) return false;
  bool told = found_in_ == PetscObjectComm(solver);
  // What a solver has met is told once, also if it meets it in each step.
  if (told) solvers_.insert(id_of(solver));
  if (told || solvers_.count(id_of(solver)) > 0) return true;
  looks_.look(solver, [&] {
    Report report = origins_.first_within(solver);
    if (report.findings().empty() && certain) report.add(ended_by_not_finite(solver, end));
    told = !report.findings().empty();
    return report;
  });
  if (told) solvers_.insert(id_of(solver));
  return told;
}

/// The solution of the outermost solver, of which this rank alone knows the values where it is
/// not due for a look of all ranks.
/// @returns whether all ranks know that it is not finite
bool NotFiniteWatch::look_at_result(int event, Moment then, PetscObject solver, Vec result) {
  if (result == nullptr || found_in_ == PetscObjectComm(solver) ||
      solvers_.count(id_of(solver)) > 0)
    return false;
  PetscObject const object = detail::object(result);
  if (then == Moment::step && schedules_[event].due(id_of(solver))) {
    bool told = false;
    looks_.look(object, [&] {
      Report report = not_finite_in(object);
      told = !report.findings().empty();
      const Report first = told ? origins_.first_within(solver) : Report{};
      return first.findings().empty() ? report : first;
    });
    if (told) solvers_.insert(id_of(solver));
    return told;
  }
  const detail::VecValues values(result);
  const std::string text =
      values.readable() ? detail::not_finite_text(result, values) : std::string();
  if (text.empty()) return false;
  detail::Findings findings = detail::findings_about(object);
  detail::add_not_finite(text, findings);
  looks_.alone(object, findings.report(), course_.where());
  return false;
}

}  // namespace daptor::petsc::plugin::doctor
