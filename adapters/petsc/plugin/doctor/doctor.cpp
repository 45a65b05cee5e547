// SPDX-License-Identifier: BSD-3-Clause
#include "doctor.hpp"

#include <petsc/private/petscimpl.h>
#include <petscts.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "applications.hpp"
#include "calls.hpp"
#include "counting.hpp"
#include "daptor/call.hpp"
#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/state.hpp"
#include "daptor/petsc/check.hpp"
#include "ended.hpp"
#include "events.hpp"
#include "flow.hpp"
#include "ghosts.hpp"
#include "last_look.hpp"
#include "mesh.hpp"
#include "options.hpp"
#include "origins.hpp"
#include "petsc/plugin/program_option.hpp"
#include "petsc/src/check/assembly.hpp"
#include "petsc/src/check/diverged.hpp"
#include "petsc/src/check/objects.hpp"
#include "petsc/src/check/vec_values.hpp"
#include "petsc/src/local_form.hpp"
#include "places.hpp"
#include "python_end.hpp"
#include "record.hpp"
#include "scatter_grid.hpp"
#include "schedule.hpp"
#include "set_modes.hpp"

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
  Counting counting;
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
  preconditioner,
  application,
  gathering,
  graph,
  values,
  nonlinear,
  step,
  collective
};

Moment moment_of(const char* name) {
  static constexpr std::array<std::pair<const char*, Moment>, 26> moments{
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
       {"PCSetUp", Moment::preconditioner},
       {"PCApply", Moment::application},
       {"MatAssemblyBegin", Moment::gathering},
       {"VecAssemblyBegin", Moment::gathering},
       {"SFBcastBegin", Moment::graph},
       {"SFReduceBegin", Moment::graph},
       {"SFFetchOpBegin", Moment::graph},
       {"VecSetValues", Moment::values},
       {"SNESSolve", Moment::nonlinear},
       {"TSStep", Moment::step},
       // Of these, only whether all ranks are in them is of interest.
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

/// Tells the doctor of a move between Vecs of a DM.
void look_at_move(DM dm, Vec global, Vec local);
void look_before_vec_goes(Vec vec);
void program_ends();

/// Looks at objects in the course of a session.
class Doctor {
 public:
  /// Collective over PETSC_COMM_WORLD.
  explicit Doctor(Settings settings)
      : settings_(std::move(settings)),
        record_(settings_.report, settings_.counting),
        origins_([this](PetscObject object) { return made_in(object); }) {
    MPI_Comm_size(PETSC_COMM_WORLD, &world_size_);
    if (settings_.values) ghosts_.emplace(settings_.ghosts);
    if (world_size_ == 1) return;
    try {
      places_ = std::make_unique<Places>(
          Places::Settings{settings_.calls, settings_.patience,
                           [this](const Finding& finding) { tell_of_calls(finding); },
                           [this](const std::string& sentence) { record_.say(sentence); }});
    } catch (const Error&) {
      record_.say("ranks that wait for each other are not noticed: " +
                  detail::current_text("check"));
    }
  }
  Doctor(const Doctor&) = delete;
  Doctor& operator=(const Doctor&) = delete;
  /// Process-local. If the session has not come to its end, what solvers that are open have met is
  /// added to the record, which writes it.
  ~Doctor() {
    if (concluded_) return;
    try {
      const Report met = origins_.first_here();
      for (const Finding& finding : met.findings())
        record_.add_alone(finding, where(), finding.found.str(), true);
    } catch (...) {  // the process ends
    }
  }

  bool busy() const { return busy_; }

  void begin(int event, Objects objects) {
    if (busy_) return;
    if (moment(event) == Moment::values) return modes_.before(as<Vec>(objects[0]));
    open_.push_back(event);
    note_place(event, objects);
    if (ghosts_) ghosts_->begins(event_name(event), objects);
    const Moment now = moment(event);
    if (settings_.calls && is_compared(now)) compare(event, objects);
    if (settings_.values && is_solve(now)) {
      if (open_.size() == 1) not_finite_in_ = MPI_COMM_NULL;
      origins_.enter(open_.size());
    }
    switch (now) {
      case Moment::set_up:
        solver_ = objects[0];
        look_at_states(objects[0]);
        return look_at_operators(objects[0]);
      case Moment::preconditioner:
        return look_at_changed(objects[0]);
      case Moment::gathering:
        return look_at_modes(objects[0]);
      case Moment::graph:
        return look_at_graph(objects[0]);
      case Moment::solve:
        look_at_operators(objects[0]);
        watch_operators(objects[0]);
        watch_applications(objects[0]);
        look_at_system(objects);
        look_at_vec(objects[1]);
        return;
      case Moment::reduction:
        // What a nested Vec does with its blocks has been looked at with the Vec.
        if (open_.size() > 1 && moment(open_[open_.size() - 2]) == Moment::reduction) return;
        [[fallthrough]];
      case Moment::product:
        for (PetscObject const vec : used_in(event_name(event), objects)) look_at_vec(vec);
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
    if (now == Moment::values) {
      if (modes_.after(as<Vec>(objects[0]))) modes_.note(id_of(objects[0]));
      return;
    }
    if (ghosts_) ghosts_->ends(event_name(event), objects);
    if (now == Moment::vec_assembly) look_at_ghosts(objects[0]);
    if (now == Moment::assembly && class_of(objects[0]) == MAT_CLASSID) {
      schedule_.changed(id_of(objects[0]));
      assembled_.insert(id_of(objects[0]));
    }
    if (now == Moment::application && class_of(objects[0]) == PC_CLASSID &&
        class_of(objects[1]) == VEC_CLASSID && class_of(objects[2]) == VEC_CLASSID)
      applications_.applied(as<PC>(objects[0]), as<Vec>(objects[1]), as<Vec>(objects[2]));
    if (now == Moment::solve && class_of(objects[0]) == KSP_CLASSID) {
      if (schedule_.due(id_of(objects[0]))) look_at_solver(as<KSP>(objects[0]));
      if (applications_.has_begun(as<KSP>(objects[0])))
        collectively(objects[0], [&] { return applications_.end(as<KSP>(objects[0])); });
      note_divergence(as<KSP>(objects[0]));
    }
    // What failed on the way has left events open.
    std::size_t depth = open_.size();
    while (depth > 0 && open_[depth - 1] != event) --depth;
    const bool known = depth > 0;
    if (known) open_.resize(depth);
    if (settings_.values && known) look_at_flow(event, objects);
    if (known) open_.pop_back();
    if (places_ == nullptr || (!settings_.calls && now == Moment::other)) return;
    const bool inside = !open_.empty();
    const Places::Texts texts{"after ", event_name(event), inside ? ", in " : nullptr,
                              inside ? event_name(open_.front()) : nullptr};
    places_->at(texts);
  }

  void created(PetscObject object) {
    if (!hears_of_values_ && class_of(object) == VEC_CLASSID) {
      activate("VecSetValues");
      hears_of_values_ = true;
    }
    if (busy_) return;
    if (!open_.empty()) makers_[id_of(object)] = open_.back();
    note_creation(object);
    if (class_of(object) == DM_CLASSID) tell_of_moves(object, doctor::look_at_move);
    if (class_of(object) == DM_CLASSID) grids_.insert(object);
  }

  /// Process-local: other ranks may destroy the Vec later, or never.
  void look_before_destruction(Vec vec) {
    const auto watch = watches_.find(id_of(detail::object(vec)));
    if (busy_ || watch == watches_.end()) return;
    look_at_last(watch->second, "VecDestroy");
    watches_.erase(watch);
  }

  void destroyed(PetscObject object) {
    const std::int64_t id = id_of(object);
    makers_.erase(id);
    schedule_.forget(id);
    layout_schedule_.forget(id);
    for (auto& [event, schedule] : flow_schedules_) schedule.forget(id);
    watches_.erase(id);
    mat_watches_.erase(id);
    value_schedule_.forget(id);
    mode_schedule_.forget(id);
    application_schedule_.forget(id);
    modes_.forget(id);
    assembled_.erase(id);
    prepared_.erase(id);
    solvers_.erase(id);
    states_.erase(id);
    if (object == solver_) solver_ = nullptr;
    written_.erase(id);
    not_finite_solvers_.erase(id);
    origins_.forget(id);
    grids_.erase(object);
    if (!ghosts_) return;
    if (const auto finding = ghosts_->destroyed(object))
      record_.add(*finding, "", object->name == nullptr ? id : 0);
  }

  /// Collective over the communicator of the DM.
  void look_at_move(PetscObject dm, Vec global, Vec local) {
    if (busy_ || !detail::is_one_of(dm, {DMPLEX}) || !move_schedule_.due(id_of(dm))) return;
    look(dm, [&] { return petsc::check(as<DM>(dm), global, local); });
  }

  /// Process-local. The program is about to call PetscFinalize.
  void leave() {
    if (places_ != nullptr) places_->leave();
  }

  /// Collective over PETSC_COMM_WORLD.
  void conclude() {
    for (const auto& [id, diverged] : diverged_) record_.add(diverged.first, diverged.second);
    busy_ = true;
    if (ghosts_)
      for (const Finding& finding : ghosts_->conclude()) record_.add(finding, "");
    // An array of NumPy holds its Vec, and PETSc hears of what is written to it when it goes.
    for (const auto& [id, watch] : watches_)
      if (detail::object(watch.vec)->refct == 1) look_at_last(watch, "PetscFinalize");
    watches_.clear();
    mat_watches_.clear();
    if (places_ != nullptr) {
      places_->await_all();
      places_->free();
    }
    concluded_ = true;
    record_.conclude();
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

  /// A Vec whose values are remembered.
  struct Watched {
    Vec vec;
    petsc::ValueWatch values;
  };

  static bool is_solver(PetscObject object) {
    const PetscClassId id = class_of(object);
    return id == KSP_CLASSID || id == SNES_CLASSID || id == TS_CLASSID;
  }

  static bool is_solve(Moment moment) {
    return moment == Moment::solve || moment == Moment::nonlinear || moment == Moment::step;
  }

  Moment moment(int event) {
    const auto place = static_cast<std::size_t>(event);
    if (place >= moments_.size()) moments_.resize(place + 1, unknown);
    if (moments_[place] == unknown)
      moments_[place] = static_cast<int>(moment_of(event_name(event)));
    return static_cast<Moment>(moments_[place]);
  }

  /// Whether all ranks of the objects are in an event of this kind, which is not too frequent.
  static bool is_compared(Moment moment) {
    return moment != Moment::other && moment != Moment::application && moment != Moment::graph &&
           moment != Moment::vec_assembly;
  }

  /// Another solver has operators that were looked at with a former one, and may have changed
  /// without an assembly that is an event, as by MatZeroRows. Ranks may differ in what they know of
  /// that, and agree.
  void look_at_states(PetscObject solver) {
    if (class_of(solver) != KSP_CLASSID || !solvers_.insert(id_of(solver)).second) return;
    const detail::System system = detail::system_of(as<KSP>(solver));
    for (Mat const mat : {system.operators, system.preconditioning}) {
      PetscObject const object = detail::object(mat);
      const auto known = mat == nullptr ? states_.end() : states_.find(id_of(object));
      if (known == states_.end() || assembled_.count(id_of(object)) > 0) continue;
      collectively(object, [&] {
        Call call(detail::comm_of(object), "petsc::check");
        const Agreed<bool> same = call.all(detail::object_state(object) == known->second);
        call.check();
        if (!same) schedule_.changed(id_of(object));
        known->second = detail::object_state(object);
        return Report{};
      });
    }
  }

  /// A preconditioner is set up. If it has been before, an operator has changed, perhaps without an
  /// assembly that is an event, as by MatZeroRows.
  void look_at_changed(PetscObject preconditioner) {
    if (class_of(preconditioner) != PC_CLASSID) return;
    PC of_solver = nullptr;
    if (solver_ != nullptr) static_cast<void>(KSPGetPC(as<KSP>(solver_), &of_solver));
    if (detail::object(of_solver) != preconditioner) return;
    const detail::System system = detail::system_of(as<KSP>(solver_));
    const bool again = !prepared_.insert(id_of(preconditioner)).second;
    for (Mat const mat : {system.operators, system.preconditioning})
      if (mat != nullptr && assembled_.erase(id_of(detail::object(mat))) == 0 && again)
        schedule_.changed(id_of(detail::object(mat)));
    if (again) look_at_operators(solver_);
  }

  /// Values of a Vec or Mat are about to be sent to their owners.
  void look_at_modes(PetscObject object) {
    const PetscClassId kind = class_of(object);
    if ((kind != VEC_CLASSID && kind != MAT_CLASSID) || !mode_schedule_.due(id_of(object))) return;
    const bool both = modes_.take(id_of(object));
    look(object, [&] { return detail::check_modes(object, both); });
  }

  void look_at_graph(PetscObject graph) {
    if (class_of(graph) == PETSCSF_CLASSID && schedule_.due_once(id_of(graph)))
      look(graph,
           [&] { return without(petsc::check(as<PetscSF>(graph)), {"check.scatter.twice"}); });
  }

  void watch_applications(PetscObject solver) {
    if (class_of(solver) == KSP_CLASSID && needs_symmetric_preconditioner(as<KSP>(solver)) &&
        application_schedule_.due(id_of(solver)))
      applications_.begin(as<KSP>(solver));
  }

  /// Entries of operators that PETSc does not know to have changed.
  void watch_operators(PetscObject solver) {
    if (class_of(solver) != KSP_CLASSID || !settings_.values) return;
    const detail::System system = detail::system_of(as<KSP>(solver));
    watch_mat(system.operators);
    if (system.preconditioning != system.operators) watch_mat(system.preconditioning);
  }

  void watch_mat(Mat mat) {
    PetscObject const object = detail::object(mat);
    if (mat != nullptr && value_schedule_.due(id_of(object)))
      look(object, [&] {
        const auto found = mat_watches_.find(id_of(object));
        if (found != mat_watches_.end()) return found->second.look();
        mat_watches_.emplace(id_of(object), petsc::ValueWatch(mat));
        return Report{};
      });
  }

  /// What a solve that the program itself has begun has ended by; told at the end of the run if it
  /// was the solver's last one. Other solvers look at the reason of theirs.
  void note_divergence(KSP ksp) {
    static constexpr std::array<const char*, 12> solvers{"KSP", "PC",  "SNES", "TS",  "Tao", "EPS",
                                                         "SVD", "PEP", "NEP",  "LME", "MFN", "ST"};
    const bool inside = std::any_of(open_.begin(), std::prev(open_.end()), [&](int event) {
      return std::any_of(solvers.begin(), solvers.end(), [&](const char* solver) {
        return std::strncmp(event_name(event), solver, std::strlen(solver)) == 0;
      });
    });
    int rank = 0;
    MPI_Comm_rank(PetscObjectComm(detail::object(ksp)), &rank);
    if (inside || rank != 0) return;
    diverged_.erase(id_of(detail::object(ksp)));
    if (const auto report = detail::diverged(ksp))
      diverged_[id_of(detail::object(ksp))] = {report->findings().front(), where()};
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
    states_[id_of(object)] = detail::object_state(object);
    petsc::CheckOptions options;
    options.apply = !runs_program(mat);
    irrelevant.emplace_back("check.mapping.unblocked");
    if (within_solver())
      irrelevant.insert(irrelevant.end(), {"check.mapping.elsewhere", "check.mat.near-null-space"});
    // The fields of a fieldsplit may be zero, which nested matrices then have as blocks.
    if (within_solver() && detail::is_one_of(object, {MATNEST}))
      irrelevant.emplace_back("check.mat.empty-row");
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
    Rules irrelevant{"check.ksp.diverged"};
    // What multigrid makes of a singular operator has no null space, and need not have one.
    if (within_solver())
      irrelevant.insert(irrelevant.end(), {"check.ksp.no-null-space", "check.ksp.null-space-unused",
                                           "check.ksp.right-hand-side"});
    look(detail::object(ksp), [&] { return without(petsc::check(ksp, options), irrelevant); });
  }

  void look_at_scatter(Objects objects) {
    PetscObject const scatter = objects[0];
    if (class_of(scatter) != PETSCSF_CLASSID) return;
    look_at_dm_of(objects[1]);
    look_at_dm_of(objects[2]);
    for (PetscObject const vec : {objects[1], objects[2]})
      if (is_ghosted(vec) && on_same_ranks(vec, scatter)) look_at_vec(vec);
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
    static_cast<void>(VecGetDM(as<Vec>(vec), &dm));
    if (dm != nullptr && on_same_ranks(vec, detail::object(dm))) look_at_dm(detail::object(dm));
  }

  static bool on_same_ranks(PetscObject one, PetscObject other) {
    int same = MPI_UNEQUAL;
    MPI_Comm_compare(PetscObjectComm(one), PetscObjectComm(other), &same);
    return same == MPI_IDENT || same == MPI_CONGRUENT;
  }

  /// Whether a Vec of several processes has ghosts: it may take part in their updates only.
  static bool is_ghosted(PetscObject vec) {
    if (class_of(vec) != VEC_CLASSID || !detail::is_one_of(vec, {VECMPI})) return false;
    return detail::LocalForm(as<Vec>(vec)).get() != nullptr;
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
    Rules irrelevant{"check.mapping.unblocked"};
    if (may_try_again()) irrelevant.emplace_back("check.vec.not-finite");
    look(vec, [&] {
      return with_maker(without_copies(without(petsc::check(as<Vec>(vec)), irrelevant), vec), vec);
    });
    look(vec, [&] { return watched(id, as<Vec>(vec)); });
  }

  /// VecCopy copies the norm that PETSc has cached, too, so that a solver's own vectors have the
  /// stale norm of the program's.
  Report without_copies(const Report& report, PetscObject vec) {
    if (!report.has("check.vec.stale-norm")) return report;
    PetscBool known = PETSC_FALSE;
    PetscReal norm = 0;
    detail::call("VecNormAvailable", VecNormAvailable, as<Vec>(vec), NORM_2, &known, &norm);
    const auto first = stale_norms_.emplace(static_cast<double>(norm), id_of(vec)).first;
    return first->second == id_of(vec) ? report : without(report, {"check.vec.stale-norm"});
  }

  /// Collective. Says of values that are not finite what has made them.
  Report with_maker(const Report& report, PetscObject vec) {
    if (not_finite(report).findings().empty()) return report;
    not_finite_in_ = PetscObjectComm(vec);
    const std::string maker = origins_.maker_of(vec);
    Report more;
    for (Finding finding : report.findings()) {
      if (finding.rule == "check.vec.not-finite" && !maker.empty()) finding.found += "; " + maker;
      more.add(std::move(finding));
    }
    return more;
  }

  /// Whether a shorter step is taken where the function has no value: by a line search, and by a
  /// time stepper, whose solver has failed then.
  bool may_try_again() { return count_open(Moment::trial) + count_open(Moment::step) > 0; }

  /// What is found of the ghosts is told when the Vec is destroyed, since they may be updated yet.
  void look_at_ghosts(PetscObject vec) {
    if (!ghosts_ || !ghosts_->is_due(vec)) return;
    look(vec, [&] {
      ghosts_->look(as<Vec>(vec));
      return Report{};
    });
  }

  /// What the event has made.
  void look_at_flow(int event, Objects objects) {
    const char* const name = event_name(event);
    const Flow flow = flow_of(name, objects);
    if (flow.made != nullptr) origins_.note(name, flow);
    const bool told = is_solve(moment(event)) && look_at_end(event, objects[0]);
    if (flow.made == nullptr || told || may_try_again()) return;
    if (flow_schedules_[event].due(id_of(objects[0])) || settings_.ghosts) look_at_made(flow);
  }

  /// Finds NaN and Inf in what an event has made, or else in what it was made of.
  void look_at_made(const Flow& flow) {
    const auto not_finite_in = [this](PetscObject vec) {
      return with_maker(not_finite(petsc::check(as<Vec>(vec))), vec);
    };
    Report made;
    look(flow.made, [&] {
      made = not_finite_in(flow.made);
      return Report{};
    });
    if (made.findings().empty()) return;
    bool of_finite = true;
    for (PetscObject const input : flow.inputs)
      if (input != nullptr && input != flow.made)
        look(input, [&] {
          Report report = not_finite_in(input);
          of_finite &= report.findings().empty();
          return report;
        });
    if (of_finite) look(flow.made, [&] { return made; });
  }

  /// A solver has come to its end.
  /// @returns whether it has met NaN or Inf, which is told
  bool look_at_end(int event, PetscObject solver) {
    const Ended end = ended(solver);
    const bool held = is_inside(Moment::step) ||
                      (is_inside(Moment::nonlinear) && class_of(solver) != KSP_CLASSID);
    bool told = end.how != Ended::How::well && !held && tell_why(solver, end);
    if (!told && open_.size() == 1 && end.how == Ended::How::well)
      told = look_at_result(event, solver, end.result);
    origins_.leave(open_.size(), held && end.how == Ended::How::by_not_finite);
    return told;
  }

  /// Whether another such event is open around the one that ends.
  bool is_inside(Moment what) {
    return std::any_of(open_.begin(), std::prev(open_.end()),
                       [&](int event) { return moment(event) == what; });
  }

  /// What a solver that has ended badly has met first. Of one that has ended because of NaN it is
  /// said that it has, at least.
  bool tell_why(PetscObject solver, const Ended& end) {
    const bool certain = end.how == Ended::How::by_not_finite;
    if (!certain && class_of(solver) != TS_CLASSID) return false;
    bool told = not_finite_in_ == PetscObjectComm(solver);
    // What a solver has met is told once, also if it meets it in each step.
    if (told) not_finite_solvers_.insert(id_of(solver));
    if (told || not_finite_solvers_.count(id_of(solver)) > 0) return true;
    look(solver, [&] {
      Report report = origins_.first_within(solver);
      if (report.findings().empty() && certain) report.add(ended_by_not_finite(solver, end));
      told = !report.findings().empty();
      return report;
    });
    if (told) not_finite_solvers_.insert(id_of(solver));
    return told;
  }

  static Finding ended_by_not_finite(PetscObject solver, const Ended& end) {
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

  /// The solution of the outermost solver, of which this rank alone knows the values where it is
  /// not due for a look of all ranks.
  /// @returns whether all ranks know that it is not finite
  bool look_at_result(int event, PetscObject solver, Vec result) {
    if (result == nullptr || not_finite_in_ == PetscObjectComm(solver) ||
        not_finite_solvers_.count(id_of(solver)) > 0)
      return false;
    PetscObject const object = detail::object(result);
    bool told = false;
    if (moment(event) == Moment::step && flow_schedules_[event].due(id_of(solver))) {
      look(object, [&] {
        Report report = with_maker(not_finite(petsc::check(result)), object);
        told = !report.findings().empty();
        const Report first = told ? origins_.first_within(solver) : Report{};
        return first.findings().empty() ? report : first;
      });
      if (told) not_finite_solvers_.insert(id_of(solver));
      return told;
    }
    const detail::VecValues values(result);
    const std::string text =
        values.readable() ? detail::not_finite_text(result, values) : std::string();
    if (text.empty()) return false;
    detail::Findings findings = detail::findings_about(object);
    detail::add_not_finite(text, findings);
    add_alone(object, findings.report(), where());
    return false;
  }

  /// Process-local. Whether the Vec was written to behind PETSc's back while PETSc had a norm of
  /// it, for which nothing is computed when the program asks again.
  void look_at_last(const Watched& watch, const char* when) {
    const double began = MPI_Wtime();
    try {
      PetscObject const object = detail::object(watch.vec);
      if (written_.count(id_of(object)) == 0 && owns_values(watch.vec) &&
          has_cached_norm(watch.vec))
        add_alone(object, watch.values.look_here(), open_.empty() ? when : where() + ", " + when);
    } catch (...) {
      record_.say("a Vec could not be looked at: " + detail::current_text("check"));
    }
    record_.add_seconds(MPI_Wtime() - began);
  }

  /// Process-local. PETSc gives an object the same tag on all of its ranks.
  void add_alone(PetscObject object, const Report& report, const std::string& where) {
    for (Finding finding : report.findings()) {
      finding.found += made_in(object);
      record_.add_alone(finding, where,
                        detail::subject_of(object) + ' ' + std::to_string(object->tag),
                        object->name != nullptr);
    }
  }

  /// Collective. What has changed in the Vec since it was looked at.
  Report watched(std::int64_t id, Vec vec) {
    const auto found = watches_.find(id);
    if (found == watches_.end()) {
      watches_.emplace(id, Watched{vec, petsc::ValueWatch(vec)});
      before_destruction(vec, look_before_vec_goes);
      return {};
    }
    Report report = found->second.values.look();
    if (!report.findings().empty()) written_.insert(id);
    return report;
  }

  /// Tells the other processes of the machine where this one is, and counts the events in which all
  /// processes take part.
  void note_place(int event, Objects objects) {
    const bool collective = moment(event) != Moment::other;
    if (places_ == nullptr || (!settings_.calls && !collective)) return;
    const bool inside = open_.size() > 1;
    const std::string text = settings_.calls ? call_text(event_name(event), objects[0]) : "";
    const Places::Texts texts{settings_.calls ? text.c_str() : event_name(event),
                              inside ? ", in " : nullptr,
                              inside ? event_name(open_.front()) : nullptr, nullptr};
    places_->at(texts);
    if (collective && is_of_all(objects)) places_->count();
  }

  /// Objects are made together, too, and PETSc communicates for their layouts without an event.
  /// Others, such as viewers, it makes when the first rank asks for them.
  void note_creation(PetscObject object) {
    const PetscClassId id = class_of(object);
    const bool together = id == VEC_CLASSID || id == MAT_CLASSID || id == DM_CLASSID ||
                          id == KSP_CLASSID || id == SNES_CLASSID || id == TS_CLASSID;
    if (places_ == nullptr || !together || !is_of_all({object, nullptr, nullptr, nullptr})) return;
    before_python_ends(program_ends);
    const Places::Texts texts{"creation of ", object->class_name, " or after", nullptr};
    places_->at(texts);
    places_->count();
  }

  /// Whether an event is one of objects that all processes share.
  bool is_of_all(Objects objects) const {
    return std::any_of(objects.begin(), objects.end(), [this](PetscObject object) {
      int size = 0;
      if (object != nullptr) MPI_Comm_size(PetscObjectComm(object), &size);
      return size == world_size_;
    });
  }

  /// Process-local; threads of `places_` call it, too, which call no MPI.
  void tell_of_calls(const Finding& finding) {
    if (!record_.add(finding, "") || !settings_.abort || std::this_thread::get_id() != thread_)
      return;
    record_.save();
    MPI_Abort(PETSC_COMM_WORLD, PETSC_ERR_PLIB);
  }

  /// Collective over the objects' communicator. Whether all ranks are in this event.
  void compare(int event, Objects objects) {
    const auto first = std::find_if(objects.begin(), objects.end(),
                                    [](PetscObject object) { return object != nullptr; });
    if (first == objects.end()) return;
    if (rank_in(*first) == 0) record_.count_comparison();
    collectively(*first, [&] {
      Report report = compared(detail::comm_of(*first), event, objects);
      calls_told_ |= !report.findings().empty();
      return report;
    });
  }

  /// Collective over `comm`.
  Report compared(const Comm& comm, int event, Objects objects) {
    Report report;
    if (comm.size() == 1) return report;
    if (const auto finding = different_calls(comm, event_name(event), objects))
      report.add(*finding);
    // Options are read when objects are made; what comes later is looked at less and less often.
    if (comm.size() != world_size_) return report;
    ++compared_;
    if ((compared_ & (compared_ - 1)) == 0)
      if (const auto finding = different_options(comm)) report.add(*finding);
    return report;
  }

  /// Collective over the object's communicator.
  template <class Check>
  void look(PetscObject object, const Check& check) {
    if (rank_in(object) == 0) record_.count_look();
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
    } catch (const LibraryFailed& error) {
      say_not_looked(object, error.rule() == "library.mpi");
    } catch (...) {
      say_not_looked(object, false);
    }
    busy_ = false;
    petsc_TotalFlops = flops;
    record_.add_seconds(MPI_Wtime() - began);
  }

  /// In the handler of what a check has thrown.
  /// @param by_mpi  MPI has failed, as it does where ranks meet that are in different calls, and
  ///                their messages have other lengths than expected
  void say_not_looked(PetscObject object, bool by_mpi) {
    const std::string sentence =
        "an object of class " + class_text(object) + " could not be looked at";
    if (!by_mpi) return record_.say(sentence + ": " + detail::current_text("check"));
    if (calls_told_) return;
    record_.say(sentence + ", as other ranks seem to be in another call (" +
                detail::current_text("check") + ")" +
                (settings_.calls ? "" : "; -daptor_check calls says in which"));
  }

  void take(PetscObject object, const Report& report) {
    if (report.findings().empty()) return;
    const MPI_Comm comm = PetscObjectComm(object);
    const int rank = rank_in(object);
    bool severe = false;
    int ends = 0;
    for (Finding finding : report.findings()) {
      severe = severe || record_.counting().is_severe(finding.severity);
      finding.ranks = in_world(finding.ranks, comm);
      if (rank == 0 && add(object, std::move(finding))) ends = 1;
    }
    if (!settings_.abort || !severe) return;
    MPI_Bcast(&ends, 1, MPI_INT, 0, comm);  // the first rank knows whether it is suppressed
    if (ends == 0) return;
    record_.save();
    MPI_Barrier(comm);  // or other ranks would end rank 0 before it has printed
    MPI_Abort(PETSC_COMM_WORLD, PETSC_ERR_PLIB);
  }

  static int rank_in(PetscObject object) {
    int rank = 0;
    MPI_Comm_rank(PetscObjectComm(object), &rank);
    return rank;
  }

  /// What is said of an object without a name: the event that has made it.
  std::string made_in(PetscObject object) const {
    const auto maker = object->name == nullptr ? makers_.find(id_of(object)) : makers_.end();
    if (maker == makers_.end()) return {};
    return "; the object was made in " + std::string(event_name(maker->second));
  }

  /// @returns whether it counts, and is severe
  bool add(PetscObject object, Finding finding) {
    const bool about_it = finding.found.str().rfind(detail::subject_of(object), 0) == 0;
    const bool unnamed = object->name == nullptr && about_it;
    if (unnamed) finding.found += made_in(object);
    if (about_it && class_of(object) == PETSCSF_CLASSID)
      finding.found += grid_text(as<PetscSF>(object), grids_);
    if (ghosts_ && finding.rule == "check.vec.not-finite")
      if (const std::string vecs = ghosts_->spoiled(); !vecs.empty())
        finding.found += "; stale ghosts have been filled with NaN: those of " + vecs;
    // What a solver has met is a Vec of its own, and known by the solver.
    const bool of_solver = finding.key == "Vec" && is_solver(object);
    return record_.add(finding, where(), unnamed || of_solver ? id_of(object) : 0);
  }

  std::string where() const {
    std::string names;
    for (const int event : open_)
      names += (names.empty() ? "" : ", ") + std::string(event_name(event));
    return names;
  }

  static constexpr int unknown = -1;

  const Settings settings_;
  const std::thread::id thread_ = std::this_thread::get_id();
  int world_size_ = 1;
  bool busy_ = false;
  bool concluded_ = false;
  bool calls_told_ = false;  ///< that ranks are in different calls, or will be
  Record record_;
  Schedule schedule_;
  Schedule layout_schedule_;       ///< of solvers
  Schedule mode_schedule_;         ///< of assemblies
  Schedule value_schedule_;        ///< of operators
  Schedule application_schedule_;  ///< of solvers
  Schedule move_schedule_;         ///< of DMs
  std::unordered_map<std::int64_t, petsc::ValueWatch> mat_watches_;
  Applications applications_;
  SetModesWatch modes_;
  bool hears_of_values_ = false;
  PetscObject solver_ = nullptr;                ///< whose set-up has begun last
  std::unordered_set<std::int64_t> assembled_;  ///< Mats, since a preconditioner was made of them
  std::unordered_set<std::int64_t> prepared_;   ///< preconditioners that have been set up
  std::unordered_set<std::int64_t> solvers_;    ///< that have been set up
  std::unordered_map<std::int64_t, PetscObjectState> states_;  ///< of Mats when looked at
  /// Solvers whose last solve has diverged: what is told at the end, and where it was.
  std::map<std::int64_t, std::pair<Finding, std::string>> diverged_;
  std::unordered_map<int, Schedule> flow_schedules_;  ///< by event
  std::vector<int> open_;                             ///< events that have begun and not ended
  std::vector<int> moments_;                          ///< by event
  std::unordered_map<std::int64_t, Watched> watches_;
  std::set<std::int64_t> written_;              ///< Vecs that were written to behind PETSc's back
  std::set<PetscObject> grids_;                 ///< the DMs that there are
  std::map<double, std::int64_t> stale_norms_;  ///< the Vecs in which they were found first
  std::set<std::int64_t> not_finite_solvers_;   ///< those of which it was told
  /// Where NaN or Inf was found since the outermost solver has begun, the same on all its ranks.
  MPI_Comm not_finite_in_ = MPI_COMM_NULL;
  std::unordered_map<std::int64_t, int> makers_;  ///< the event in which an object was made
  std::uint64_t compared_ = 0;                    ///< events of all processes
  Origins origins_;
  std::unique_ptr<Places> places_;
  std::optional<GhostWatch> ghosts_;  ///< if values are read
};

std::unique_ptr<Doctor> doctor;

void look_at_move(DM dm, Vec global, Vec local) {
  if (doctor != nullptr) doctor->look_at_move(detail::object(dm), global, local);
}

void program_ends() {
  if (doctor != nullptr) doctor->leave();
}

void look_before_vec_goes(Vec vec) {
  if (doctor != nullptr) doctor->look_before_destruction(vec);
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
  settings.counting = Counting::of_program();
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
  print_help_if_asked();
  const auto what = program_option("-daptor_check");
  if (what && !is_word(*what, {"0", "false", "no", "off"})) begin_session(*what);
}

}  // namespace daptor::petsc::plugin::doctor
