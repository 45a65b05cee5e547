// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.hpp"

#include <petsc/private/petscimpl.h>
#include <petscksp.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/check.hpp"
#include "events.hpp"
#include "flow.hpp"
#include "ghosts.hpp"
#include "petsc/plugin/program_option.hpp"
#include "petsc/src/check/objects.hpp"
#include "places.hpp"
#include "record.hpp"
#include "schedule.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

/// What the options ask for.
struct Settings {
  bool values = false;
  bool calls = false;
  bool ghosts = false;   ///< with values, which are then looked at in each event
  double patience = 30;  ///< seconds
  bool abort = false;
  std::string report;
};

/// Events in which all ranks of the objects take part and communicate.
enum class Moment {
  other,
  solve,
  set_up,
  product,
  reduction,
  scatter,
  assembly,
  vec_assembly,
  grid,
  trial,
  collective
};

Moment moment_of(const char* name) {
  static constexpr std::array<std::pair<const char*, Moment>, 20> moments{
      {{"KSPSolve", Moment::solve},
       {"KSPSetUp", Moment::set_up},
       {"MatMult", Moment::product},
       {"MatMultAdd", Moment::product},
       {"MatMultTranspose", Moment::product},
       {"VecNorm", Moment::reduction},
       {"VecDot", Moment::reduction},
       {"VecTDot", Moment::reduction},
       {"VecMDot", Moment::reduction},
       {"VecScatterBegin", Moment::scatter},
       {"MatAssemblyEnd", Moment::assembly},
       {"VecAssemblyEnd", Moment::vec_assembly},
       {"DMLocalToGlobal", Moment::grid},
       {"DMGlobalToLocal", Moment::grid},
       {"SNESLineSearch", Moment::trial},
       // Of these, only whether all ranks are in them is of interest.
       {"MatAssemblyBegin", Moment::collective},
       {"PCSetUp", Moment::collective},
       {"SNESSolve", Moment::collective},
       {"TSStep", Moment::collective},
       {"VecNormalize", Moment::collective}}};
  for (const auto& [known, moment] : moments)
    if (std::strcmp(known, name) == 0) return moment;
  return Moment::other;
}

template <class Object>
PetscClassId class_of(Object object) {
  PetscClassId id = 0;
  if (object != nullptr) static_cast<void>(PetscObjectGetClassId(object, &id));
  return id;
}

/// Whether the preconditioner of a solver relies on the entries of the diagonal. Others, such as LU
/// and fieldsplit, are used for systems that have none in some rows.
bool needs_diagonal(KSP ksp) {
  PC pc = nullptr;
  static_cast<void>(KSPGetPC(ksp, &pc));
  return pc != nullptr &&
         detail::is_one_of(detail::object(pc),
                           {PCJACOBI, PCPBJACOBI, PCSOR, PCEISENSTAT, PCILU, PCICC, PCBJACOBI,
                            PCASM, PCGASM, PCMG, PCGAMG, PCML, "muelu", "ifpack2", PCHYPRE});
}

using Rules = std::vector<std::string>;

Report without(const Report& report, const Rules& rules) {
  Report rest;
  for (const Finding& finding : report.findings())
    if (std::find(rules.begin(), rules.end(), finding.rule) == rules.end()) rest.add(finding);
  return rest;
}

/// Whether products with the operator run code of the program, which may count them, print, or
/// have other effects.
bool runs_program(Mat mat) {
  return mat != nullptr && detail::is_one_of(detail::object(mat), {MATSHELL, MATPYTHON, MATMFFD});
}

double seconds_of(const char* option, const std::string& text) {
  std::istringstream in(text);
  double seconds = 0;
  if (!(in >> seconds) || !in.eof() || !(seconds > 0) || !(seconds < 1e9))
    throw InvalidArgument(option, text, "a number of seconds above 0");
  return seconds;
}

/// Looks at objects in the course of a session.
class Doctor {
 public:
  /// Collective over PETSC_COMM_WORLD.
  explicit Doctor(Settings settings) : settings_(std::move(settings)) {
    if (settings_.values) ghosts_.emplace(settings_.ghosts);
    if (!settings_.calls) return;
    try {
      places_ = std::make_unique<Places>(
          settings_.patience, [this](const Finding& finding) { record_.add(finding, ""); });
    } catch (const Error&) {
      record_.cannot("ranks that wait for each other are not noticed: " +
                     detail::current_text("check"));
    }
  }

  bool busy() const { return busy_; }

  void begin(int event, Objects objects) {
    if (busy_) return;
    open_.push_back(event);
    if (ghosts_) ghosts_->begins(event_name(event), objects);
    if (settings_.calls) {
      is_at(call_text(event_name(event), objects[0]));
      if (moment(event) != Moment::other && moment(event) != Moment::vec_assembly)
        compare(event, objects);
    }
    switch (moment(event)) {
      case Moment::set_up:
        return look_at_operators(objects[0]);
      case Moment::solve:
        look_at_operators(objects[0]);
        look_at_system(objects);
        look_at_vec(objects[1]);
        return;
      case Moment::product:
      case Moment::reduction:
        for (PetscObject const object : objects)
          if (class_of(object) == VEC_CLASSID) return look_at_vec(object);
        return;
      case Moment::scatter:
        return look_at_scatter(objects);
      case Moment::grid:
        if (class_of(objects[0]) == DM_CLASSID) look_at_dm(objects[0]);
        return;
      default:
        return;
    }
  }

  void end(int event, Objects objects) {
    if (busy_) return;
    const Moment now = moment(event);
    if (ghosts_) ghosts_->ends(event_name(event), objects);
    if (now == Moment::vec_assembly) look_at_ghosts(objects[0]);
    if (now == Moment::assembly && class_of(objects[0]) == MAT_CLASSID)
      schedule_.changed(id_of(objects[0]));
    if (now == Moment::solve && class_of(objects[0]) == KSP_CLASSID &&
        schedule_.due(id_of(objects[0])))
      look_at_solver(as<KSP>(objects[0]));
    if (settings_.values) look_at_flow(event, objects);
    // What failed on the way has left events open.
    const auto opened = std::find(open_.rbegin(), open_.rend(), event);
    if (opened != open_.rend()) open_.erase(std::prev(opened.base()), open_.end());
    if (settings_.calls) is_at(std::string("after ") + event_name(event));
  }

  void created(PetscObject object) {
    if (!busy_ && !open_.empty()) makers_[id_of(object)] = open_.back();
  }

  void destroyed(PetscObject object) {
    const std::int64_t id = id_of(object);
    makers_.erase(id);
    schedule_.forget(id);
    layout_schedule_.forget(id);
    for (auto& [event, schedule] : flow_schedules_) schedule.forget(id);
    watches_.erase(id);
    if (!ghosts_) return;
    if (const auto finding = ghosts_->destroyed(object))
      record_.add(*finding, "", object->name == nullptr ? id : 0);
  }

  void conclude() {
    busy_ = true;
    if (ghosts_)
      for (const Finding& finding : ghosts_->conclude()) record_.add(finding, "");
    watches_.clear();
    if (places_ != nullptr) places_->free();
    record_.conclude(settings_.report);
  }
  Record& record() { return record_; }

 private:
  template <class Object>
  static Object as(PetscObject object) {
    return reinterpret_cast<Object>(object);
  }
  static std::int64_t id_of(PetscObject object) {
    return static_cast<std::int64_t>(detail::id_of(object));
  }

  Moment moment(int event) {
    const auto place = static_cast<std::size_t>(event);
    if (place >= moments_.size()) moments_.resize(place + 1, unknown);
    if (moments_[place] == unknown)
      moments_[place] = static_cast<int>(moment_of(event_name(event)));
    return static_cast<Moment>(moments_[place]);
  }

  void look_at_operators(PetscObject solver) {
    if (class_of(solver) != KSP_CLASSID) return;
    const detail::System system = detail::system_of(as<KSP>(solver));
    const bool diagonal = needs_diagonal(as<KSP>(solver));
    const Rules unless_needed = diagonal ? Rules{} : Rules{"check.mat.no-diagonal"};
    if (system.operators == system.preconditioning)
      return look_at_mat(system.operators, unless_needed);
    look_at_mat(system.operators, {"check.mat.no-diagonal"});
    // Solvers remove the null space of the operator alone, and a Schur complement's preconditioner
    // is made of a block that may be zero.
    Rules rules = unless_needed;
    rules.push_back("check.mat.null-space");
    if (!diagonal) rules.push_back("check.mat.empty-row");
    look_at_mat(system.preconditioning, rules);
  }

  /// Right-hand side and solution against the operator, at the beginning of a solve.
  void look_at_system(Objects objects) {
    if (class_of(objects[0]) != KSP_CLASSID || class_of(objects[1]) != VEC_CLASSID ||
        class_of(objects[2]) != VEC_CLASSID)
      return;
    Mat const mat = detail::system_of(as<KSP>(objects[0])).operators;
    if (mat == nullptr || !layout_schedule_.due(id_of(objects[0]))) return;
    Vec const rhs = as<Vec>(objects[1]), solution = as<Vec>(objects[2]);
    look(objects[0], [&] {
      const Report report = petsc::check(mat, solution, rhs);
      // A solve with the transpose is the same event.
      const bool right =
          report.findings().empty() || petsc::check(mat, rhs, solution).findings().empty();
      return right ? Report{} : report;
    });
  }

  /// @param irrelevant  rules of which no findings are reported
  void look_at_mat(Mat mat, Rules irrelevant) {
    PetscObject const object = detail::object(mat);
    if (mat == nullptr || !schedule_.due_once(id_of(object))) return;
    petsc::CheckOptions options;
    options.apply = !runs_program(mat);
    irrelevant.emplace_back("check.mapping.unblocked");
    if (within_solver()) irrelevant.emplace_back("check.mapping.elsewhere");
    look(object, [&] { return without(petsc::check(mat, options), irrelevant); });
  }

  /// Whether a solver works within another one. The numbers in what preconditioners make, such as
  /// the coarse matrix of BDDC, need not follow who owns what.
  bool within_solver() { return count_open(Moment::solve) + count_open(Moment::set_up) > 1; }

  std::ptrdiff_t count_open(Moment what) {
    return std::count_if(open_.begin(), open_.end(),
                         [&](int event) { return moment(event) == what; });
  }

  void look_at_solver(KSP ksp) {
    petsc::CheckOptions options;
    options.apply = !runs_program(detail::system_of(ksp).operators);
    look(detail::object(ksp), [&] { return petsc::check(ksp, options); });
  }

  void look_at_scatter(Objects objects) {
    PetscObject const scatter = objects[0];
    if (class_of(scatter) != PETSCSF_CLASSID) return;
    look_at_dm_of(objects[1]);
    look_at_dm_of(objects[2]);
    if (!schedule_.due(id_of(scatter))) return;
    // Whether it adds up what has several sources, or keeps one of them, is not to be seen.
    if (schedule_.is_first(id_of(scatter)))
      look(scatter,
           [&] { return without(petsc::check(as<PetscSF>(scatter)), {"check.scatter.twice"}); });
    if (class_of(objects[1]) == VEC_CLASSID && class_of(objects[2]) == VEC_CLASSID)
      look(scatter, [&] {
        return petsc::check(as<PetscSF>(scatter), as<Vec>(objects[1]), as<Vec>(objects[2]));
      });
  }

  void look_at_dm(PetscObject dm) {
    if (schedule_.due_once(id_of(dm))) look(dm, [&] { return petsc::check(as<DM>(dm)); });
  }

  /// The DM of which a Vec is a global one: DMGlobalToLocal of most DMs is no event.
  void look_at_dm_of(PetscObject vec) {
    if (class_of(vec) != VEC_CLASSID) return;
    DM dm = nullptr;
    int same = MPI_UNEQUAL;
    static_cast<void>(VecGetDM(as<Vec>(vec), &dm));
    if (dm == nullptr) return;
    PetscObject const object = detail::object(dm);
    MPI_Comm_compare(PetscObjectComm(vec), PetscObjectComm(object), &same);
    if (same == MPI_IDENT || same == MPI_CONGRUENT) look_at_dm(object);
  }

  void look_at_vec(PetscObject vec) {
    if (class_of(vec) != VEC_CLASSID) return;
    const std::int64_t id = id_of(vec);
    if (!settings_.values) {
      if (schedule_.due_once(id))
        look(vec, [&] {
          return without(petsc::check(as<Vec>(vec), {false, false}), {"check.mapping.unblocked"});
        });
      return;
    }
    look_at_ghosts(vec);
    if (!schedule_.due(id) && !settings_.ghosts) return;
    // A line search takes shorter steps until the function has a value.
    Rules irrelevant{"check.mapping.unblocked"};
    if (count_open(Moment::trial) > 0) irrelevant.emplace_back("check.vec.not-finite");
    look(vec, [&] { return without(petsc::check(as<Vec>(vec)), irrelevant); });
    look(vec, [&] { return watched(id, as<Vec>(vec)); });
  }

  /// What is found of the ghosts is told when the Vec is destroyed, since they may be updated yet.
  void look_at_ghosts(PetscObject vec) {
    if (!ghosts_ || !ghosts_->is_due(vec)) return;
    look(vec, [&] {
      ghosts_->look(as<Vec>(vec));
      return Report{};
    });
  }

  /// What the event has made. A line search takes shorter steps until the function has a value.
  void look_at_flow(int event, Objects objects) {
    const char* const name = event_name(event);
    const Flow flow = flow_of(name, objects);
    if (flow.made == nullptr || count_open(Moment::trial) > 0) return;
    const bool due = flow_schedules_[event].due(id_of(objects[0])) || settings_.ghosts;
    if (due || met_no_number(objects[0])) look(flow.made, [&] { return look_at_made(name, flow); });
  }

  /// Whether a solver has ended because it met NaN or Inf: all of its ranks say the same.
  static bool met_no_number(PetscObject solver) {
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    if (class_of(solver) == KSP_CLASSID)
      static_cast<void>(KSPGetConvergedReason(as<KSP>(solver), &reason));
    return reason == KSP_DIVERGED_NANORINF;
  }

  /// Collective. What has changed in the Vec since it was looked at.
  Report watched(std::int64_t id, Vec vec) {
    const auto found = watches_.find(id);
    if (found != watches_.end()) return found->second.look();
    watches_.emplace(id, petsc::ValueWatch(vec));
    return {};
  }

  /// Tells the other processes of the machine where this one is.
  void is_at(const std::string& what) {
    if (places_ == nullptr) return;
    const bool inside = open_.size() > 1;
    places_->at(inside ? what + ", in " + event_name(open_.front()) : what);
  }

  /// Collective over the objects' communicator. Whether all ranks are in this event.
  void compare(int event, Objects objects) {
    const auto first = std::find_if(objects.begin(), objects.end(),
                                    [](PetscObject object) { return object != nullptr; });
    if (first == objects.end()) return;
    collectively(*first, [&] {
      Report report;
      const Comm comm = detail::comm_of(*first);
      if (comm.size() == 1) return report;
      if (const auto finding = different_calls(comm, event_name(event), objects))
        report.add(*finding);
      PetscMPIInt all = 0;
      MPI_Comm_size(PETSC_COMM_WORLD, &all);
      // Options are read when objects are made; what comes later is looked at less and less often.
      if (comm.size() != all) return report;
      ++compared_;
      if ((compared_ & (compared_ - 1)) == 0)
        if (const auto finding = different_options(comm)) report.add(*finding);
      return report;
    });
  }

  /// Collective over the object's communicator.
  template <class Check>
  void look(PetscObject object, const Check& check) {
    record_.count_look();
    collectively(object, check);
  }

  /// Collective over the object's communicator. Takes the report of `check`, which may throw.
  template <class Check>
  void collectively(PetscObject object, const Check& check) {
    const double began = MPI_Wtime();
    const PetscLogDouble flops = petsc_TotalFlops;
    busy_ = true;
    try {
      take(object, check());
    } catch (...) {
      record_.cannot("an object of class " + class_text(object) +
                     " could not be looked at: " + detail::current_text("check"));
    }
    busy_ = false;
    petsc_TotalFlops = flops;
    record_.add_seconds(MPI_Wtime() - began);
  }

  void take(PetscObject object, const Report& report) {
    if (report.findings().empty()) return;
    const MPI_Comm comm = PetscObjectComm(object);
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    for (Finding finding : report.findings()) {
      finding.ranks = in_world(finding.ranks, comm);
      if (rank == 0) add(object, std::move(finding));
    }
    if (!settings_.abort || report) return;
    MPI_Barrier(comm);  // or other ranks would end rank 0 before it has printed
    MPI_Abort(PETSC_COMM_WORLD, PETSC_ERR_PLIB);
  }

  /// Of an object without a name, the event is told that has made it.
  void add(PetscObject object, Finding finding) {
    const bool unnamed =
        object->name == nullptr && finding.found.str().rfind(detail::subject_of(object), 0) == 0;
    const auto maker = makers_.find(id_of(object));
    if (unnamed && maker != makers_.end())
      finding.found += "; the object was made in " + std::string(event_name(maker->second));
    if (ghosts_ && finding.rule == "check.vec.not-finite")
      if (const std::string vecs = ghosts_->spoiled(); !vecs.empty())
        finding.found += "; stale ghosts have been filled with NaN: those of " + vecs;
    record_.add(finding, where(), unnamed ? id_of(object) : 0);
  }

  std::string where() const {
    std::string names;
    for (const int event : open_)
      names += (names.empty() ? "" : ", ") + std::string(event_name(event));
    return names;
  }

  static constexpr int unknown = -1;

  const Settings settings_;
  bool busy_ = false;
  Record record_;
  Schedule schedule_;
  Schedule layout_schedule_;                          ///< of solvers
  std::unordered_map<int, Schedule> flow_schedules_;  ///< by event
  std::vector<int> open_;                             ///< events that have begun and not ended
  std::vector<int> moments_;                          ///< by event
  std::unordered_map<std::int64_t, petsc::ValueWatch> watches_;
  std::unordered_map<std::int64_t, int> makers_;  ///< the event in which an object was made
  std::uint64_t compared_ = 0;                    ///< events of all processes
  std::unique_ptr<Places> places_;
  std::optional<GhostWatch> ghosts_;  ///< if values are read
};

std::unique_ptr<Doctor> doctor;

PetscErrorCode end_session() {
  if (doctor == nullptr) return PetscErrorCode{};
  if (!stop_listening())
    doctor->record().cannot(
        "the program has begun to log by itself, and nothing was looked at from then on");
  return detail::guarded(PETSC_COMM_WORLD, "daptor_check", [] {
    doctor->conclude();
    doctor.reset();
  });
}

/// Whether the text is one of PETSc's words for a truth value.
bool is_word(const std::string& text, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

void begin_session(const std::string& what) {
  Settings settings;
  std::istringstream words(is_word(what, {"1", "true", "yes", "on"}) ? "" : what);
  for (std::string word; std::getline(words, word, ',');) {
    if (word == "values")
      settings.values = true;
    else if (word == "calls")
      settings.calls = true;
    else if (word == "ghosts")
      settings.values = settings.ghosts = true;
    else
      throw InvalidArgument("-daptor_check", what,
                            "no value, or 'values', 'calls' or 'ghosts', with commas between");
  }
  if (const auto report = program_option("-daptor_check_report")) settings.report = *report;
  if (!settings.report.empty() && !writes_reports)
    throw InvalidArgument("-daptor_check_report", settings.report,
                          "no report: nlohmann-json was not found when the plug-in was built");
  settings.abort = program_flag("-daptor_check_abort");
  if (const auto patience = program_option("-daptor_check_patience"))
    settings.patience = seconds_of("-daptor_check_patience", *patience);
  doctor = std::make_unique<Doctor>(std::move(settings));
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
  const auto what = program_option("-daptor_check");
  if (what && !is_word(*what, {"0", "false", "no", "off"})) begin_session(*what);
}

}  // namespace daptor::petsc::plugin::doctor
