// SPDX-License-Identifier: BSD-3-Clause
#include "trace.hpp"

#include <petsc/private/petscimpl.h>
#include <petscksp.h>
#include <petscsnes.h>
#include <petsctao.h>
#include <petscts.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "calls.hpp"
#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/trace.hpp"
#include "events.hpp"
#include "object.hpp"
#include "petsc/plugin/program_option.hpp"
#include "petsc/src/check/objects.hpp"
#include "prints.hpp"
#include "source_line.hpp"
#include "trace_events.hpp"

namespace daptor::petsc::plugin::doctor {
namespace {

using adapter::JsonLine;

std::string text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

/// The name that the program has given to an object. PETSc itself makes names of addresses
/// (`Vec_0x84000004_0`) where it needs one.
std::string name_of(PetscObject object) {
  if (object->name == nullptr) return {};
  const std::string beginning = text_or_empty(object->class_name) + "_0x";
  return std::strncmp(object->name, beginning.c_str(), beginning.size()) == 0 ? "" : object->name;
}

/// Which objects a trace has: those on all processes of the program.
class Everywhere {
 public:
  Everywhere() {
    int tag = 0;
    detail::call("PetscCommDuplicate", PetscCommDuplicate, PETSC_COMM_WORLD, &world_, &tag);
    detail::call("PetscCommDuplicate", PetscCommDuplicate, PETSC_COMM_SELF, &self_, &tag);
    MPI_Comm_size(world_, &size_);
  }
  Everywhere(const Everywhere&) = delete;
  Everywhere& operator=(const Everywhere&) = delete;
  ~Everywhere() {
    static_cast<void>(PetscCommDestroy(&world_));
    static_cast<void>(PetscCommDestroy(&self_));
  }

  /// Process-local. An object of one process is none, also where there is one process only: on
  /// several, it would have another part of the data.
  bool has(PetscObject object) const {
    if (object == nullptr) return false;
    MPI_Comm const comm = object->comm;
    if (comm == world_) return true;
    if (comm == self_ || comm == MPI_COMM_NULL || comm == MPI_COMM_SELF) return false;
    int size = 0, same = MPI_UNEQUAL;
    MPI_Comm_size(comm, &size);
    if (size != size_) return false;
    MPI_Comm_compare(comm, world_, &same);
    return same == MPI_IDENT || same == MPI_CONGRUENT;
  }

 private:
  MPI_Comm world_ = MPI_COMM_NULL, self_ = MPI_COMM_NULL;
  int size_ = 1;
};

/// Where a Vec comes from.
struct Origin {
  PetscObject by = nullptr;  ///< the operator that has made it
  double tolerance = 0;      ///< of solves that were needed for it; 0 without any
};

/// Follows the events of a session, and writes the fingerprints of their objects.
class Tracer {
 public:
  /// Collective over PETSC_COMM_WORLD.
  Tracer(const std::string& path, int level)
      : level_(level), tracing_(Comm(PETSC_COMM_WORLD), path, facts(level)) {}

  bool busy() const { return busy_; }

  void begin(int event, Objects objects) {
    const Known& known = of(event);
    const int at = level_at(known);
    const bool wanted = at <= level_;
    if (wanted && known.event->kind != TraceKind::none) {
      flush();
      quietly([&] { enter(*known.event, objects, at); });
    }
    if (wanted || known.event->kind == TraceKind::assembly) note(event, objects);
    open_.push_back({event, at});
    inside_ += known.inside ? 1 : 0;
    solvers_ += known.solver ? 1 : 0;
  }

  void end(int event, Objects objects) {
    // What failed on the way has left events open.
    const auto opened = std::find_if(open_.rbegin(), open_.rend(),
                                     [&](const Open& each) { return each.event == event; });
    if (opened == open_.rend()) return;
    const Open own = *opened;
    while (open_.size() > static_cast<std::size_t>(open_.rend() - opened) - 1) pop();
    const Known& known = of(event);
    if (known.event->kind == TraceKind::assembly && solvers_ == 0) return assembled(objects[0]);
    if (known.event->kind == TraceKind::none) return;
    quietly([&] {
      if (own.level <= level_) leave(*known.event, objects, own);
      tolerance_inside(tolerance_of(known.event->kind, objects[0], own));
    });
  }

  void created(PetscObject object) {
    if (inside_ == 0 && class_of(object) == MAT_CLASSID) of_program_[id_of(object)] = true;
  }

  void destroyed(PetscObject object) {
    const std::int64_t id = id_of(object);
    of_program_.erase(id);
    since_.erase(id);
    numbers_.erase(id);
    pending_.erase(std::remove_if(pending_.begin(), pending_.end(),
                                  [&](const Pending& each) { return each.id == id; }),
                   pending_.end());
  }

  /// Collective over PETSC_COMM_WORLD.
  void conclude() { flush(); }

 private:
  struct Known {
    std::string name;
    const TraceEvent* event = nullptr;
    bool inside = false, solver = false;
  };
  struct Open {
    int event = -1;
    int level = 1;
    double tolerance = 0;  ///< of solves within it
  };
  /// A Mat that was assembled, and what is known of that.
  struct Pending {
    std::int64_t id;
    PetscObject mat;
    int level;
    std::string place;
    std::vector<std::string> within;
  };

  static JsonLine facts(int level) {
    JsonLine facts;
    std::string program(PETSC_MAX_PATH_LEN, '\0');
    static_cast<void>(PetscGetProgramName(program.data(), program.size()));
    facts.text("program", program.c_str()).integer("level", level);
    facts.number("epsilon", static_cast<double>(PETSC_MACHINE_EPSILON));
    facts.text("petsc", std::to_string(PETSC_VERSION_MAJOR) + "." +
                            std::to_string(PETSC_VERSION_MINOR) + "." +
                            std::to_string(PETSC_VERSION_SUBMINOR));
#ifdef PETSC_USE_COMPLEX
    facts.text("scalar", "complex");
#else
    facts.text("scalar", "real");
#endif
    return facts.integer("index_bits", 8 * static_cast<std::int64_t>(sizeof(PetscInt)));
  }

  const Known& of(int event) {
    const auto place = static_cast<std::size_t>(event);
    if (place >= known_.size()) known_.resize(place + 1);
    Known& known = known_[place];
    if (known.event != nullptr) return known;
    known.name = event_name(event);
    known.event = &trace_event(known.name.c_str());
    known.inside = has_inside(known.name.c_str());
    known.solver = is_solver(known.name.c_str());
    return known;
  }

  /// 1 for the program's own events, 2 within those of solvers and of other objects. PETSc
  /// assembles the matrices that other events of matrices make.
  int level_at(const Known& known) const {
    const int around = known.event->kind == TraceKind::assembly ? solvers_ : inside_;
    return around == 0 ? 1 : 2;
  }

  void pop() {
    const Open last = open_.back();
    open_.pop_back();
    const Known& known = of(last.event);
    inside_ -= known.inside ? 1 : 0;
    solvers_ -= known.solver ? 1 : 0;
  }

  /// A trace changes nothing of what the program sees of PETSc, and never stops it.
  template <class F>
  void quietly(const F& body) {
    const PetscLogDouble flops = petsc_TotalFlops;
    busy_ = true;
    try {
      body();
    } catch (...) {
      if (!std::exchange(said_, true))
        std::fprintf(stderr, "daptor: -daptor_check_trace: an object could not be read: %s\n",
                     detail::current_text("trace").c_str());
    }
    busy_ = false;
    petsc_TotalFlops = flops;
  }

  /// Remembers in which events an object has taken part since it was printed.
  void note(int event, Objects objects) {
    if (tracing_.comm().rank() != 0) return;
    for (PetscObject const object : objects) {
      const PetscClassId id = class_of(object);
      if ((id != VEC_CLASSID && id != MAT_CLASSID) || !everywhere_.has(object)) continue;
      std::vector<int>& events = since_[id_of(object)];
      constexpr std::size_t most = 6;
      if (!events.empty() && events.back() == event) continue;
      if (events.size() == most) events.erase(events.begin());
      events.push_back(event);
    }
  }

  void assembled(PetscObject mat) {
    if (!everywhere_.has(mat) || of_program_.count(id_of(mat)) == 0) return;
    const auto known = std::find_if(pending_.begin(), pending_.end(),
                                    [&](const Pending& each) { return each.mat == mat; });
    if (known != pending_.end()) pending_.erase(known);
    const bool writes = tracing_.comm().rank() == 0;
    pending_.push_back({id_of(mat), mat, 1, writes ? text_of(line_of_program()) : "",
                        writes ? within() : Names{}});
  }

  /// Collective, in an event of the program in which ranks communicate: prints what was assembled.
  void flush() {
    if (pending_.empty()) return;
    const std::vector<Pending> all = std::exchange(pending_, {});
    quietly([&] {
      for (const Pending& each : all)
        print("MatAssemblyEnd", "out", "assembled", each.mat, each.level, each.place, each.within);
    });
  }

  void enter(const TraceEvent& event, Objects objects, int level) {
    switch (event.kind) {
      case TraceKind::vecs:
        for (const int place : event.in)
          print_vec(event, "in", event.in_role, objects, place, level);
        return;
      case TraceKind::linear:
        return enter_solve(event, objects, level);
      case TraceKind::nonlinear:
      case TraceKind::step:
      case TraceKind::optimise:
        return print(event.name, "in", "state", state_of(event.kind, objects[0]), level);
      default:
        return;
    }
  }

  void leave(const TraceEvent& event, Objects objects, const Open& own) {
    switch (event.kind) {
      case TraceKind::vecs:
        return print_vec(event, "out", event.out_role, objects, event.out, own.level,
                         own.tolerance);
      case TraceKind::linear:
        return leave_solve(event, objects, own.level);
      case TraceKind::nonlinear:
      case TraceKind::step:
      case TraceKind::optimise:
        return leave_state(event, objects[0], own);
      default:
        return;
    }
  }

  /// @param tolerance  of solves by which the Vec was made; 0 without any
  void print_vec(const TraceEvent& event, const char* when, const char* role, Objects objects,
                 int place, int level, double tolerance = 0) {
    if (place < 0) return;
    PetscObject const object = objects[static_cast<std::size_t>(place)];
    if (class_of(object) == VEC_CLASSID)
      print(event.name, when, role, object, level, nullptr, {objects[0], tolerance});
  }

  void enter_solve(const TraceEvent& event, Objects objects, int level) {
    if (class_of(objects[0]) != KSP_CLASSID || !everywhere_.has(objects[0])) return;
    const detail::System system = detail::system_of(as<KSP>(objects[0]));
    print(event.name, "in", "operator", detail::object(system.operators), level);
    if (system.preconditioning != system.operators)
      print(event.name, "in", "preconditioner's matrix", detail::object(system.preconditioning),
            level);
    print(event.name, "in", "right-hand side", objects[1], level);
    PetscBool guess = PETSC_FALSE;
    detail::call("KSPGetInitialGuessNonzero", KSPGetInitialGuessNonzero, as<KSP>(objects[0]),
                 &guess);
    if (guess == PETSC_TRUE) print(event.name, "in", "initial guess", objects[2], level);
  }

  void leave_solve(const TraceEvent& event, Objects objects, int level) {
    if (class_of(objects[0]) != KSP_CLASSID || !everywhere_.has(objects[0])) return;
    KSP const ksp = as<KSP>(objects[0]);
    JsonLine solve;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscInt steps = 0, most = 0;
    PetscReal residual = 0, rtol = 0, atol = 0, dtol = 0;
    PC pc = nullptr;
    detail::call("KSPGetConvergedReason", KSPGetConvergedReason, ksp, &reason);
    detail::call("KSPGetIterationNumber", KSPGetIterationNumber, ksp, &steps);
    detail::call("KSPGetResidualNorm", KSPGetResidualNorm, ksp, &residual);
    detail::call("KSPGetTolerances", KSPGetTolerances, ksp, &rtol, &atol, &dtol, &most);
    detail::call("KSPGetPC", KSPGetPC, ksp, &pc);
    const std::string type = text_or_empty(detail::object(ksp)->type_name);
    solve.text("type", type);
    solve.text("preconditioner", text_or_empty(detail::object(pc)->type_name));
    solve.integer("steps", steps).integer("reason", static_cast<std::int64_t>(reason));
    solve.number("residual", static_cast<double>(residual));
    if (type != KSPPREONLY)
      solve.number("rtol", static_cast<double>(rtol)).number("atol", static_cast<double>(atol));
    add_residual(ksp, objects, solve);
    print(event.name, "out", "solver", objects[0], level, &solve);
    print(event.name, "out", "solution", objects[2], level);
  }

  /// Collective. The true residual, and the norm of the right-hand side.
  void add_residual(KSP ksp, Objects objects, JsonLine& solve) {
    Mat const a = detail::system_of(ksp).operators;
    if (a == nullptr || class_of(objects[1]) != VEC_CLASSID || class_of(objects[2]) != VEC_CLASSID)
      return;
    const auto norms = residual_of(tracing_.comm(), a, as<Vec>(objects[2]), as<Vec>(objects[1]));
    if (!norms) return;
    solve.number("true_residual", norms->residual);
    solve.number("right_hand_side", norms->right_hand_side);
  }

  /// The Vec that a solver changes; null if it has none.
  static PetscObject state_of(TraceKind kind, PetscObject solver) {
    Vec state = nullptr;
    const PetscClassId id = class_of(solver);
    if (kind == TraceKind::nonlinear && id == SNES_CLASSID)
      detail::call("SNESGetSolution", SNESGetSolution, as<SNES>(solver), &state);
    if (kind == TraceKind::step && id == TS_CLASSID)
      detail::call("TSGetSolution", TSGetSolution, as<TS>(solver), &state);
    if (kind == TraceKind::optimise && id == TAO_CLASSID)
      detail::call("TaoGetSolution", TaoGetSolution, as<Tao>(solver), &state);
    return detail::object(state);
  }

  void leave_state(const TraceEvent& event, PetscObject solver, const Open& own) {
    if (!everywhere_.has(solver)) return;
    JsonLine facts;
    facts.text("type", text_or_empty(solver->type_name));
    if (event.kind == TraceKind::nonlinear) add_nonlinear(as<SNES>(solver), own, facts);
    if (event.kind == TraceKind::step) add_step(as<TS>(solver), own, facts);
    if (event.kind == TraceKind::optimise) add_optimise(as<Tao>(solver), facts);
    print(event.name, "out", "solver", solver, own.level, &facts);
    print(event.name, "out", "state", state_of(event.kind, solver), own.level);
  }

  void add_nonlinear(SNES snes, const Open& own, JsonLine& facts) {
    SNESConvergedReason reason = SNES_CONVERGED_ITERATING;
    PetscInt steps = 0;
    PetscReal norm = 0;
    detail::call("SNESGetConvergedReason", SNESGetConvergedReason, snes, &reason);
    detail::call("SNESGetIterationNumber", SNESGetIterationNumber, snes, &steps);
    detail::call("SNESGetFunctionNorm", SNESGetFunctionNorm, snes, &norm);
    facts.integer("steps", steps).integer("reason", static_cast<std::int64_t>(reason));
    facts.number("residual", static_cast<double>(norm));
    facts.number("rtol", tolerance_of(TraceKind::nonlinear, detail::object(snes), own));
  }

  void add_step(TS ts, const Open& own, JsonLine& facts) {
    PetscInt step = 0;
    PetscReal time = 0;
    TSConvergedReason reason = TS_CONVERGED_ITERATING;
    detail::call("TSGetStepNumber", TSGetStepNumber, ts, &step);
    detail::call("TSGetTime", TSGetTime, ts, &time);
    detail::call("TSGetConvergedReason", TSGetConvergedReason, ts, &reason);
    facts.integer("steps", step).integer("reason", static_cast<std::int64_t>(reason));
    facts.number("time", static_cast<double>(time)).number("rtol", own.tolerance);
    TSAdapt adapt = nullptr;
    PetscReal atol = 0, rtol = 0;
    detail::call("TSGetAdapt", TSGetAdapt, ts, &adapt);
    if (detail::is_one_of(detail::object(adapt), {TSADAPTNONE})) return;
    detail::call("TSGetTolerances", TSGetTolerances, ts, &atol, nullptr, &rtol, nullptr);
    facts.number("step_tolerance", static_cast<double>(rtol));
  }

  void add_optimise(Tao tao, JsonLine& facts) {
    PetscInt steps = 0;
    PetscReal value = 0, gradient = 0, constraints = 0, difference = 0;
    TaoConvergedReason reason = TAO_CONTINUE_ITERATING;
    detail::call("TaoGetSolutionStatus", TaoGetSolutionStatus, tao, &steps, &value, &gradient,
                 &constraints, &difference, &reason);
    facts.integer("steps", steps).integer("reason", static_cast<std::int64_t>(reason));
    facts.number("residual", static_cast<double>(gradient));
    facts.number("rtol", tolerance_of(TraceKind::optimise, detail::object(tao), {}));
  }

  /// To which part a solve that has ended is exact; 0 if it is no iteration.
  static double tolerance_of(TraceKind kind, PetscObject solver, const Open& own) {
    PetscReal rtol = 0, atol = 0, other = 0;
    PetscInt most = 0, evaluations = 0;
    const PetscClassId id = class_of(solver);
    if (kind == TraceKind::linear && id == KSP_CLASSID && !detail::is_one_of(solver, {KSPPREONLY}))
      detail::call("KSPGetTolerances", KSPGetTolerances, as<KSP>(solver), &rtol, &atol, &other,
                   &most);
    if (kind == TraceKind::linear) return static_cast<double>(rtol);
    if (kind == TraceKind::nonlinear && id == SNES_CLASSID) {
      if (detail::is_one_of(solver, {SNESKSPONLY})) return own.tolerance;
      detail::call("SNESGetTolerances", SNESGetTolerances, as<SNES>(solver), &atol, &rtol, &other,
                   &most, &evaluations);
    }
    if (kind == TraceKind::optimise && id == TAO_CLASSID)
      detail::call("TaoGetTolerances", TaoGetTolerances, as<Tao>(solver), &atol, &rtol, &other);
    return static_cast<double>(std::max(rtol, other));
  }

  /// What is around a solve that is ending is no more exact than it, such as the product of a shell
  /// matrix that solves; but for what is around a solver, which may have tolerances of its own.
  void tolerance_inside(double tolerance) {
    if (tolerance <= 0) return;
    for (auto around = open_.rbegin(); around != open_.rend(); ++around) {
      around->tolerance = std::max(around->tolerance, tolerance);
      if (of(around->event).solver) return;
    }
  }

  using Names = std::vector<std::string>;

  Names within() {
    std::vector<int> events;
    for (const Open& each : open_) events.push_back(each.event);
    return names_of(events);
  }

  Names names_of(const std::vector<int>& events) {
    Names names;
    for (const int event : events) names.push_back(of(event).name);
    return names;
  }

  void print(const char* event, const char* when, const char* role, PetscObject object, int level,
             const JsonLine* solve = nullptr, const Origin& origin = {}) {
    const bool writes = tracing_.comm().rank() == 0;
    print(event, when, role, object, level, writes ? text_of(line_of_program()) : "",
          writes ? within() : Names{}, solve, origin);
  }

  /// Collective. Prints an object, or a solver with the facts of its solve.
  void print(const char* event, const char* when, const char* role, PetscObject object, int level,
             const std::string& place, const Names& within, const JsonLine* solve = nullptr,
             const Origin& origin = {}) {
    if (!everywhere_.has(object)) return;
    const PetscClassId id = class_of(object);
    std::optional<JsonLine> numbers;
    if (id == VEC_CLASSID) numbers = print_of(tracing_.comm(), as<Vec>(object));
    if (id == MAT_CLASSID) numbers = print_of(tracing_.comm(), as<Mat>(object));
    if (tracing_.comm().rank() != 0 || (solve == nullptr && !numbers)) return;
    JsonLine line, about;
    line.text("event", event).text("when", when).text("role", role).integer("level", level);
    about.text("class", class_text(object)).integer("id", number_of(object));
    if (const std::string name = name_of(object); !name.empty()) about.text("name", name);
    line.object("object", about);
    if (class_of(origin.by) == MAT_CLASSID && everywhere_.has(origin.by))
      line.integer("by", number_of(origin.by));
    if (origin.tolerance > 0) line.number("tolerance", origin.tolerance);
    if (!within.empty()) line.texts("within", within);
    if (const auto events = since_.find(id_of(object)); events != since_.end()) {
      line.texts("since", names_of(events->second));
      events->second.clear();
    }
    line.text("place", place);
    if (numbers) line.object("print", *numbers);
    if (solve != nullptr) line.object("solve", *solve);
    tracing_.write(line);
  }

  /// Objects are numbered as they come.
  std::int64_t number_of(PetscObject object) {
    return numbers_.emplace(id_of(object), next_number_).second ? next_number_++
                                                                : numbers_[id_of(object)];
  }

  const int level_;
  const Everywhere everywhere_;
  Tracing tracing_;
  bool busy_ = false, said_ = false;
  std::vector<Known> known_;  ///< by event
  std::vector<Open> open_;    ///< events that have begun and not ended
  int inside_ = 0, solvers_ = 0;
  std::vector<Pending> pending_;
  std::unordered_map<std::int64_t, bool> of_program_;         ///< matrices that no event has made
  std::unordered_map<std::int64_t, std::vector<int>> since_;  ///< events of an object
  std::unordered_map<std::int64_t, std::int64_t> numbers_;
  std::int64_t next_number_ = 1;
};

std::unique_ptr<Tracer> tracer;

PetscErrorCode end_trace() {
  if (tracer == nullptr) return PetscErrorCode{};
  const bool heard_all = stop_listening();
  if (!heard_all)
    std::fprintf(stderr,
                 "daptor: -daptor_check_trace: the program has begun to log by itself, and nothing "
                 "was traced from then on\n");
  return detail::guarded(PETSC_COMM_WORLD, "daptor_check_trace", [&] {
    if (heard_all) tracer->conclude();
    tracer.reset();
  });
}

}  // namespace

void begin_trace_if_asked() {
  if (tracer != nullptr) return;  // loaded by a second path
  const auto path = program_option("-daptor_check_trace");
  if (!path) return;
  if (path->empty())
    throw InvalidArgument("-daptor_check_trace", "", "the file to which the trace is written");
  const auto level = program_option("-daptor_check_trace_level");
  if (level && *level != "1" && *level != "2")
    throw InvalidArgument("-daptor_check_trace_level", *level,
                          "1 for the program's own events, or 2 for those within solves, too");
  tracer = std::make_unique<Tracer>(*path, level && *level == "2" ? 2 : 1);
  listen({[](int event, Objects objects) {
            if (tracer != nullptr) tracer->begin(event, objects);
          },
          [](int event, Objects objects) {
            if (tracer != nullptr) tracer->end(event, objects);
          },
          [](PetscObject object) {
            if (tracer != nullptr) tracer->created(object);
          },
          [](PetscObject object) {
            if (tracer != nullptr) tracer->destroyed(object);
          },
          [] { return tracer != nullptr && tracer->busy(); }});
  detail::call("PetscRegisterFinalize", PetscRegisterFinalize, end_trace);
}

}  // namespace daptor::petsc::plugin::doctor
