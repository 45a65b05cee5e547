// SPDX-License-Identifier: BSD-3-Clause
#include "muelu_pc.hpp"

#include <algorithm>
#include <limits>

#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_MultiVector.hpp>

#include "damping.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "hints.hpp"
#include "options.hpp"
#include "solvers/src/local_count.hpp"
#include "solvers/src/parameter_limits.hpp"
#include "solvers/src/read_xml.hpp"
#include "viewing.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::call;
using petsc::detail::object;
using Kind = ParameterOption::Kind;

constexpr ParameterOption muelu_options[] = {
    {"pc_muelu_levels", "max levels", Kind::integer, "10", "Maximum number of levels",
     number_of_levels},
    {"pc_muelu_coarse_size", "coarse: max size", Kind::integer, "2000",
     "Maximum number of rows of the coarsest level", from_one},
    {"pc_muelu_algorithm", "multigrid algorithm", Kind::text, "sa",
     "sa, unsmoothed, emin, pg or another of MueLu's algorithms"},
    {"pc_muelu_damping", "sa: damping factor", Kind::real, "1.33",
     "Damping factor of the smoothed prolongator", prolongator_damping},
    {"pc_muelu_cycle", "cycle type", Kind::text, "V", "V or W"},
    {"pc_muelu_threshold", "aggregation: drop tol", Kind::real, "0",
     "Couplings below this threshold are ignored in aggregation", not_negative},
    {"pc_muelu_aggregation", "aggregation: type", Kind::text, "uncoupled",
     "uncoupled or another of MueLu's kinds of aggregation"},
    {"pc_muelu_smoother", "smoother: type", Kind::text, "RELAXATION",
     "RELAXATION, CHEBYSHEV, RILUK, ILUT, SCHWARZ or another of Ifpack2's types"},
    {"pc_muelu_relaxation", "smoother: params/relaxation: type", Kind::text,
     "Symmetric Gauss-Seidel", "Jacobi, Gauss-Seidel or Symmetric Gauss-Seidel"},
    {"pc_muelu_sweeps", "smoother: params/relaxation: sweeps", Kind::integer, "1",
     "Number of sweeps of a relaxation", from_one},
    {"pc_muelu_degree", "smoother: params/chebyshev: degree", Kind::integer, "1",
     "Degree of a Chebyshev smoother", from_one},
    {"pc_muelu_reuse", "reuse: type", Kind::text, "none",
     "What to keep if only values change: none, S, tP, emin, RP, RAP or full"},
    {"pc_muelu_repartition", "repartition: enable", Kind::flag, "false",
     "Move coarse levels to fewer processes"},
    {"pc_muelu_verbosity", "verbosity", Kind::text, "none",
     "How much MueLu itself prints: none, low, medium, high or extreme"},
};

}  // namespace

void MueluPc::read_options(PC pc, Options& options) {
  read_ = asked_;
  options.heading("MueLu, multigrid of Trilinos");
  options.text("pc_muelu_xml", "File with MueLu's parameters", read_.xml);
  for (const ParameterOption& option : muelu_options) options.parameter(option, read_.database);
  std::string assignments;
  if (options.text("pc_muelu_set", "Any parameters of MueLu: 'name=value; sublist/name=value'",
                   assignments))
    assign_parameters(assignments, read_.database);
  options.flag("pc_muelu_hints", "Say once what MueLu was not told of the matrix", read_.hints);
  const char* prefix = nullptr;
  call("PCGetOptionsPrefix", PCGetOptionsPrefix, pc, &prefix);
  read_.coarse.options_prefix = std::string(prefix == nullptr ? "" : prefix) + "pc_muelu_coarse_";
}

Terms MueluPc::no_transpose() const {
  if (TrilinosPc::no_transpose().empty()) return {};
  return "MueLu offers no transpose of its multigrid";
}

namespace {

/// Sets the type of relaxation. If its parameters are given without a type, MueLu would ask Ifpack2
/// for Jacobi.
void name_relaxation(Teuchos::ParameterList& list) {
  const auto type = list.get<std::string>("smoother: type", "RELAXATION");
  if (type != "RELAXATION" || !list.isSublist("smoother: params")) return;
  Teuchos::ParameterList& relaxation = list.sublist("smoother: params");
  if (!relaxation.isParameter("relaxation: type"))
    relaxation.set("relaxation: type", std::string("Symmetric Gauss-Seidel"));
}

bool has_stored_zeros(const CrsMatrix& matrix) {
  const auto values = matrix.getLocalMatrixHost().values;
  for (std::size_t e = 0; e < values.extent(0); ++e)
    if (PetscScalar(values(e)) == PetscScalar(0)) return true;
  return false;
}

void require_near_null_space(const Known& known) {
  if (known.attached.near_null_space == nullptr)
    adapter::refuse_argument("matrix.near-null-space", "a matrix without near-null vectors",
                             "the vectors that -pc_ml_nullspace user asks for",
                             "Set them (" + petsc::names::function("MatSetNearNullSpace") +
                                 "), or leave the option out.");
}

}  // namespace

/// Process-local. A number of equations among the parameters counts where the matrix has no block
/// size.
Known MueluPc::known_of(PC pc, const Teuchos::ParameterList& parameters) const {
  Known known = known_to(pc);
  if (known.attached.block_size == 1) known.attached.block_size = equations_in(parameters);
  return known;
}

MatrixFacts MueluPc::facts(PC pc) const {
  MatrixFacts facts = facts_of(pc->pmat);
  facts.equations = known_to(pc).attached.block_size;
  return facts;
}

/// Collective. The near-null vectors that MueLu is given; null leaves their choice to MueLu.
Teuchos::RCP<Tpetra::MultiVector<PetscScalar>> MueluPc::modes_of(const Known& known,
                                                                 Call& call) const {
  if (request_.near_null == NearNull::none) return Teuchos::null;
  call.check([&] {
    if (request_.near_null == NearNull::required) require_near_null_space(known);
  });
  return near_null_space(known.attached,
                         request_.near_null == NearNull::any ? coordinates() : Coordinates(),
                         matrix()->getDomainMap(), call);
}

/// Collective. MueLu drops zeros if a threshold is set, with which its set-up takes longer.
bool MueluPc::drops_zeros(const Teuchos::ParameterList& parameters, Call& call) const {
  constexpr const char* name = "aggregation: drop tol";
  const bool zero = parameters.isType<double>(name) && parameters.get<double>(name) == 0;
  if (!request_.without_zeros || (parameters.isParameter(name) && !zero)) return false;
  Agreed<bool> none;
  call.check([&] { none = call.all(!has_stored_zeros(*matrix())); });
  return !none;
}

/// Collective. A factor that an option of MueLu has set stays.
void MueluPc::scale_damping(PC pc, Teuchos::ParameterList& list, Call& call) const {
  constexpr const char* name = "sa: damping factor";
  if (asked_.database.isParameter(name)) return;
  double factor = 0;
  Agreed<bool> symmetric;
  call.check([&] {
    PetscBool known = PETSC_FALSE;
    PetscBool here = PETSC_FALSE;
    petsc::detail::call("MatIsSymmetricKnown", MatIsSymmetricKnown, pc->pmat, &known, &here);
    symmetric = call.all(here == PETSC_TRUE);
    factor = list.get<double>(name, 0.0);
  });
  if (symmetric || factor == 0) return;
  const double scale = call.library("tpetra", "the damping factor", Patience{},
                                    [&] { return damping_scale(*matrix()); });
  list.set(name, factor * scale);
}

/// Collective. Raises the maximum size of the coarsest level to one node of each process.
void MueluPc::stop_at_one_node(PC pc, Teuchos::ParameterList& list, Call& call) const {
  const Told given = call.check([&] { return told(pc, list); });
  std::int64_t processes = local_count(*matrix()->getRowMap()) > 0 ? 1 : 0;
  call.comm()->allreduce(&processes, 1, Reduction::sum);
  const std::int64_t rows = processes * std::max(given.equations, given.near_null);
  if (rows > list.get<int>("coarse: max size", 1) && rows <= std::numeric_limits<int>::max())
    list.set("coarse: max size", static_cast<int>(rows));
}

Teuchos::ParameterList MueluPc::parameters_of(PC pc, Call& call) const {
  Teuchos::ParameterList list =
      asked_.xml.empty() ? request_.parameters : read_xml(asked_.xml, call);
  call.check([&] { list.setParameters(asked_.database); });
  list = with_named_file(std::move(list), call);
  const Known found = call.check([&] {
    require_safe(list, {local_count(*matrix()->getRowMap()), call.comm().size()});
    if (asked_.database.isSublist("smoother: params")) name_relaxation(list);
    PetscBool known = PETSC_FALSE;
    PetscBool symmetric = PETSC_FALSE;
    petsc::detail::call("MatIsSymmetricKnown", MatIsSymmetricKnown, pc->pmat, &known, &symmetric);
    if (known == PETSC_TRUE && symmetric == PETSC_FALSE &&
        !list.isParameter("problem: symmetric") && !list.isSublist("Hierarchy"))
      list.set("problem: symmetric", false);
    return known_of(pc, list);
  });
  Teuchos::ParameterList& data = list.sublist("user data");
  if (const auto modes = modes_of(found, call); !modes.is_null()) data.set("Nullspace", modes);
  if (coordinates().given())
    data.set("Coordinates", coordinate_columns(found.attached.block_size, coordinates(),
                                               matrix()->getDomainMap(), call));
  if (!asked_.xml.empty()) return list;
  constexpr double least_threshold = 1e-100;  // its square is a normal number
  if (drops_zeros(list, call)) list.set("aggregation: drop tol", least_threshold);
  if (request_.damps_as_ml) scale_damping(pc, list, call);
  if (request_.stops_at_one_node) stop_at_one_node(pc, list, call);
  return list;
}

Teuchos::RCP<Operator> MueluPc::build(PC pc, Call& call) {
  parameters_ = parameters_of(pc, call);
  const MatrixFacts known = call.check([&] { return facts(pc); });
  const auto made = multigrid(matrix(), known, parameters_, asked_.coarse, call);
  hint(pc);
  return made;
}

/// Process-local. Without a word where it fails: this process alone would.
void MueluPc::hint(PC pc) const noexcept {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0 || !request_.hints || !asked_.hints) return;
  try {
    std::vector<std::string> sentences = missing_in(*matrix(), told(pc, parameters_));
    for (std::string& sentence : sentences)
      sentence = "-pc_type muelu: " + sentence + " (-pc_muelu_hints false leaves this out)";
    say_once(sentences);
  } catch (...) {
    return;
  }
}

Teuchos::RCP<Operator> MueluPc::rebuild(PC pc, Call& call) {
  if (!keeps_parts()) return build(pc, call);
  // All of it stays as it was made, for the old matrix too: MueLu would multiply by the new one and
  // smooth by the old one's diagonals.
  if (kept_parts(parameters_) == "full") return preconditioner();
  const MatrixFacts known = call.check([&] { return facts(pc); });
  renew_multigrid(preconditioner(), matrix(), known, parameters_, asked_.coarse, call);
  return preconditioner();
}

Grids MueluPc::grids(PC pc, Call& call) const {
  return grids_of(preconditioner(), PetscObjectComm(object(pc)), call);
}

bool MueluPc::is_coarsest(PetscInt rows) const {
  const auto most = [this](const char* name) {
    return parameters_.isType<int>(name) ? parameters_.get<int>(name) : 1;
  };
  return rows > 0 && rows <= most("coarse: max size") && most("max levels") > 1;
}

namespace {

void view_coarse(PC coarse, PetscViewer viewer) {
  const auto check = petsc::detail::check;
  check(PetscViewerASCIIPushTab(viewer), "PetscViewerASCIIPushTab");
  check(PCView(coarse, viewer), "PCView");
  check(PetscViewerASCIIPopTab(viewer), "PetscViewerASCIIPopTab");
}

}  // namespace

Told MueluPc::told(PC pc, const Teuchos::ParameterList& parameters) const {
  using Columns = Teuchos::RCP<Tpetra::MultiVector<PetscScalar>>;
  const Known found = known_of(pc, parameters);
  Told told;
  told.equations = found.attached.block_size;
  told.equations_from = found.block_size_from;
  told.near_null_from = found.near_null_from;
  if (parameters.isType<int>("number of equations"))
    told.equations = parameters.get<int>("number of equations");
  told.coordinates = coordinates().given();
  if (!parameters.isSublist("user data")) return told;
  const Teuchos::ParameterList& data = parameters.sublist("user data");
  if (data.isType<Columns>("Nullspace"))
    told.near_null = static_cast<PetscInt>(data.get<Columns>("Nullspace")->getNumVectors());
  return told;
}

void MueluPc::view(PC pc, PetscViewer viewer) {
  if (preconditioner().is_null()) {
    write_lines(viewer, "MueLu of Trilinos through Daptor, not yet set up");
    return;
  }
  const Comm comm = petsc::detail::comm_of(object(pc));
  Call call(comm, "PCView");
  const MultigridView seen = view_multigrid(preconditioner(), call);
  const std::string levels =
      seen.levels == 1 ? "1 level, which is no multigrid: its coarse solver takes the whole matrix"
                       : std::to_string(seen.levels) + " levels";
  write_lines(viewer, "MueLu of Trilinos through Daptor, " + levels + "; parameters from " +
                          (asked_.xml.empty() ? "options" : asked_.xml));
  write_lines(viewer, hints_on(*matrix(), told(pc, parameters_)));
  write_lines(viewer, seen.text);
  if (seen.coarse == nullptr ||
      !adapter::same_processes(PetscObjectComm(object(seen.coarse)), PetscObjectComm(object(pc))))
    return;
  write_lines(viewer, "Coarsest level: a PC of PETSc");
  view_coarse(seen.coarse, viewer);
}

PetscErrorCode create_muelu(PC pc) {
  return petsc::detail::guarded(PetscObjectComm(object(pc)), "PCCreate_muelu",
                                [&] { adopt(pc, std::make_unique<MueluPc>()); });
}

}  // namespace daptor::solvers::plugin
