// SPDX-License-Identifier: BSD-3-Clause
#include "vec_watch.hpp"

#include <utility>

#include "exchange_watch.hpp"
#include "flow.hpp"
#include "last_look.hpp"
#include "object.hpp"
#include "petsc/src/check/assembly.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/native/local_form.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// Whether a Vec of several processes has ghosts: it may take part in their updates only.
bool is_ghosted(PetscObject vec) {
  if (class_of(vec) != VEC_CLASSID || !detail::is_one_of(vec, {VECMPI})) return false;
  return detail::LocalForm(as<Vec>(vec)).get() != nullptr;
}

}  // namespace

VecWatch::VecWatch(Settings settings, Looks& looks, const Course& course,
                   void (*before_destruction)(Vec vec))
    : settings_(settings),
      looks_(looks),
      course_(course),
      before_destruction_(before_destruction),
      not_finite_(settings.ghosts, looks, course) {
  if (settings_.values) ghosts_.emplace(settings_.ghosts);
}

void VecWatch::begins(int event, const Kind& kind, Objects objects) {
  if (!settings_.values) return;
  ghosts_->begins(event, kind, objects);
  not_finite_.begins(kind.moment);
}

void VecWatch::event_ended(int event, const Kind& kind, Objects objects) {
  if (ghosts_) ghosts_->ends(event, kind, objects);
}

void VecWatch::ends(int event, const Kind& kind, Objects objects) {
  if (settings_.values) not_finite_.ends(event, kind, objects);
}

void VecWatch::look_at(PetscObject vec) {
  if (class_of(vec) != VEC_CLASSID) return;
  const std::int64_t id = id_of(vec);
  if (!settings_.values) {
    if (schedule_.due_once(id))
      looks_.look(vec, [&] {
        return without(petsc::check(as<Vec>(vec), {false, false}), {"check.mapping.unblocked"});
      });
    return;
  }
  look_at_ghosts(vec);
  if (!schedule_.due(id) && !settings_.ghosts) return;
  Rules irrelevant{"check.mapping.unblocked"};
  if (course_.may_try_again()) irrelevant.emplace_back("check.vec.not-finite");
  looks_.look(vec, [&] {
    const Report report = without(petsc::check(as<Vec>(vec)), irrelevant);
    return not_finite_.with_maker(without_copies(report, vec), vec);
  });
  looks_.look(vec, [&] { return changes(id, as<Vec>(vec)); });
}

void VecWatch::scattered(PetscObject scatter, PetscObject vec) {
  if (is_ghosted(vec) && on_same_ranks(vec, scatter)) look_at(vec);
}

void VecWatch::gathering(PetscObject object) {
  const PetscClassId kind = class_of(object);
  if ((kind != VEC_CLASSID && kind != MAT_CLASSID) || !mode_schedule_.due(id_of(object))) return;
  const bool both = modes_.take(id_of(object));
  looks_.look(object, [&] { return detail::check_modes(object, both); });
}

void VecWatch::assembled(PetscObject vec) {
  look_at_ghosts(vec);
}

void VecWatch::set_ended(PetscObject vec) {
  if (modes_.after(as<Vec>(vec))) modes_.note(id_of(vec));
}

void VecWatch::is_destroyed(Vec vec) {
  const auto watch = watches_.find(id_of(detail::object(vec)));
  if (watch == watches_.end()) return;
  look_at_last(watch->second, "VecDestroy");
  watches_.erase(watch);
}

std::optional<Finding> VecWatch::forget(PetscObject object) {
  const std::int64_t id = id_of(object);
  schedule_.forget(id);
  mode_schedule_.forget(id);
  modes_.forget(id);
  not_finite_.forget(id);
  watches_.erase(id);
  written_.erase(id);
  return ghosts_ ? ghosts_->destroyed(object) : std::nullopt;
}

std::string VecWatch::hint(const Finding& finding) const {
  if (!ghosts_ || finding.rule != "check.vec.not-finite") return {};
  const std::string vecs = ghosts_->spoiled();
  return vecs.empty() ? vecs : "; stale ghosts have been filled with NaN: those of " + vecs;
}

std::vector<Finding> VecWatch::conclude() {
  // An array of NumPy holds its Vec, and PETSc hears of what is written to it when it goes.
  for (const auto& [id, watch] : watches_)
    if (detail::object(watch.vec)->refct == 1) look_at_last(watch, "PetscFinalize");
  watches_.clear();
  return ghosts_ ? ghosts_->conclude() : std::vector<Finding>{};
}

/// What is found of the ghosts is told when the Vec is destroyed, since they may be updated yet.
void VecWatch::look_at_ghosts(PetscObject vec) {
  if (!ghosts_ || !ghosts_->is_due(vec)) return;
  looks_.look(vec, [&] {
    ghosts_->look(as<Vec>(vec));
    return Report{};
  });
}

/// VecCopy copies the norm that PETSc has cached, too, so that a solver's own vectors have the
/// stale norm of the program's.
Report VecWatch::without_copies(const Report& report, PetscObject vec) {
  if (!report.has("check.vec.stale-norm")) return report;
  PetscBool known = PETSC_FALSE;
  PetscReal norm = 0;
  detail::call("VecNormAvailable", VecNormAvailable, as<Vec>(vec), NORM_2, &known, &norm);
  const auto first = stale_norms_.emplace(static_cast<double>(norm), id_of(vec)).first;
  return first->second == id_of(vec) ? report : without(report, {"check.vec.stale-norm"});
}

/// Collective. What has changed in the Vec since it was looked at.
Report VecWatch::changes(std::int64_t id, Vec vec) {
  const auto found = watches_.find(id);
  if (found == watches_.end()) {
    watches_.emplace(id, Watched{vec, petsc::ValueWatch(vec)});
    before_destruction(vec, before_destruction_);
    return {};
  }
  Report report = found->second.values.look();
  if (!report.findings().empty()) written_.insert(id);
  return report;
}

/// Process-local. Whether the Vec was written to behind PETSc's back while PETSc had a norm of
/// it, for which nothing is computed when the program asks again.
void VecWatch::look_at_last(const Watched& watch, const char* when) {
  PetscObject const object = detail::object(watch.vec);
  looks_.look_alone(
      object,
      [&] {
        const bool at_risk = written_.count(id_of(object)) == 0 && owns_values(watch.vec) &&
                             has_cached_norm(watch.vec);
        return at_risk ? watch.values.look_here() : Report{};
      },
      course_.empty() ? when : course_.where() + ", " + when);
}

}  // namespace daptor::petsc::plugin::doctor
