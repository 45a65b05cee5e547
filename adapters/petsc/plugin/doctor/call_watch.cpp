// SPDX-License-Identifier: BSD-3-Clause
#include "call_watch.hpp"

#include <algorithm>

#include <petscdm.h>
#include <petscts.h>

#include "calls.hpp"
#include "daptor/error.hpp"
#include "object.hpp"
#include "python_end.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// Whether all ranks of the objects are in an event of this kind, which is not too frequent.
bool is_compared(Moment moment) {
  return moment != Moment::other && moment != Moment::application && moment != Moment::graph &&
         moment != Moment::vec_assembly;
}

}  // namespace

CallWatch::CallWatch(Settings settings, Record& record, Looks& looks, const Course& course)
    : settings_(settings), record_(record), looks_(looks), course_(course) {
  MPI_Comm_size(PETSC_COMM_WORLD, &world_size_);
  if (world_size_ == 1) return;
  try {
    places_ = std::make_unique<Places>(Places::Settings{
        settings_.compared, settings_.patience, [this](const Finding& finding) { tell(finding); },
        [this](const std::string& sentence) { record_.say(sentence); }});
  } catch (const Error&) {
    record_.say("ranks that wait for each other are not noticed: " + detail::current_text("check"));
  }
}

void CallWatch::begins(int event, Moment now, Objects objects) {
  if (places_ != nullptr && (settings_.compared || now != Moment::other)) {
    const bool inside = course_.is_nested();
    const std::string text = settings_.compared ? call_text(event_name(event), objects[0]) : "";
    const Places::Texts texts{settings_.compared ? text.c_str() : event_name(event),
                              inside ? ", in " : nullptr, inside ? course_.outermost() : nullptr,
                              nullptr};
    places_->at(texts);
    if (now != Moment::other && is_of_all(objects)) places_->count();
  }
  if (settings_.compared && is_compared(now)) compare(event, objects);
}

void CallWatch::ended(int event, Moment then) {
  if (places_ == nullptr || (!settings_.compared && then == Moment::other)) return;
  const bool inside = !course_.empty();
  const Places::Texts texts{"after ", event_name(event), inside ? ", in " : nullptr,
                            inside ? course_.outermost() : nullptr};
  places_->at(texts);
}

void CallWatch::created(PetscObject object) {
  const PetscClassId id = class_of(object);
  // Others, such as viewers, PETSc makes when the first rank asks for them.
  const bool together = id == VEC_CLASSID || id == MAT_CLASSID || id == DM_CLASSID ||
                        id == KSP_CLASSID || id == SNES_CLASSID || id == TS_CLASSID;
  if (places_ == nullptr || !together || !is_of_all({object, nullptr, nullptr, nullptr})) return;
  before_python_ends(settings_.leave);
  const Places::Texts texts{"creation of ", object->class_name, " or after", nullptr};
  places_->at(texts);
  places_->count();
}

void CallWatch::leave() {
  if (places_ != nullptr) places_->leave();
}

void CallWatch::conclude() {
  if (places_ == nullptr) return;
  places_->await_all();
  places_->free();
}

/// Whether an event is one of objects that all processes share.
bool CallWatch::is_of_all(Objects objects) const {
  return std::any_of(objects.begin(), objects.end(), [this](PetscObject object) {
    int size = 0;
    if (object != nullptr) MPI_Comm_size(PetscObjectComm(object), &size);
    return size == world_size_;
  });
}

/// Process-local; threads of `places_` call it, too, which call no MPI.
void CallWatch::tell(const Finding& finding) {
  if (!record_.add(finding, "") || !settings_.abort || std::this_thread::get_id() != thread_)
    return;
  record_.save();
  MPI_Abort(PETSC_COMM_WORLD, PETSC_ERR_PLIB);
}

/// Collective over the objects' communicator. Whether all ranks are in this event.
void CallWatch::compare(int event, Objects objects) {
  const auto first = std::find_if(objects.begin(), objects.end(),
                                  [](PetscObject object) { return object != nullptr; });
  if (first == objects.end()) return;
  if (rank_in(*first) == 0) record_.count_comparison();
  looks_.collectively(*first, [&] {
    Report report = compared(detail::comm_of(*first), event, objects);
    if (!report.findings().empty()) looks_.calls_differ();
    return report;
  });
}

/// Collective over `comm`.
Report CallWatch::compared(const Comm& comm, int event, Objects objects) {
  Report report;
  if (comm.size() == 1) return report;
  if (const auto finding = different_calls(comm, event_name(event), objects)) report.add(*finding);
  // Options are read when objects are made; what comes later is looked at less and less often.
  if (comm.size() != world_size_) return report;
  ++compared_;
  if ((compared_ & (compared_ - 1)) == 0)
    if (const auto finding = different_options(comm)) report.add(*finding);
  return report;
}

}  // namespace daptor::petsc::plugin::doctor
