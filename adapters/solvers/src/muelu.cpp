// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/solvers/muelu.hpp"

#include <algorithm>
#include <sstream>
#include <string>

#include <Trilinos_version.h>
#include <MueLu_CreateTpetraPreconditioner.hpp>
#include <MueLu_DirectSolver.hpp>
#include <MueLu_MasterList.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_StrUtils.hpp>
#include <Xpetra_TpetraVector.hpp>

#include "coarse_smoother.hpp"
#include "copy_matrix_blocks.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/solvers/matrix.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "database_options.hpp"
#include "fields.hpp"
#include "local_count.hpp"
#include "local_rows.hpp"
#include "log.hpp"
#include "muelu_diagonals.hpp"
#include "muelu_failure.hpp"
#include "muelu_inputs.hpp"
#include "muelu_level.hpp"
#include "multigrid.hpp"
#include "names.hpp"
#include "parameter_limits.hpp"

namespace daptor::solvers {
namespace {

/// Whether the list defines its factories explicitly, so that nothing may be added to it.
bool spelled_out(const Teuchos::ParameterList& parameters) {
  return parameters.isSublist("Hierarchy") || parameters.isSublist("Factories");
}

bool names_coarse_solver(const Teuchos::ParameterList& parameters) {
  return spelled_out(parameters) || parameters.isParameter("coarse: type");
}

bool begins_with(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

bool has_modes(const Teuchos::ParameterList& parameters) {
  return parameters.isSublist("user data") &&
         parameters.sublist("user data").isParameter("Nullspace");
}

/// Whether MueLu was built with its newer factories. Trilinos 13.2 says so by a macro; 14.2 has no
/// such macro, because it always builds them.
bool has_kokkos_factories() {
#if defined(HAVE_MUELU_KOKKOS_REFACTOR) || TRILINOS_MAJOR_MINOR_VERSION >= 140200
  return MueLu::MasterList::List()->isParameter("use kokkos refactor");
#else
  return false;
#endif
}

/// Whether to use MueLu's newer factories, although MueLu itself selects the older ones on the
/// host: they set up a scalar problem in two thirds of the time. They do not support all
/// parameters.
bool takes_kokkos_factories(const Teuchos::ParameterList& parameters, PetscInt equations) {
  if (!has_kokkos_factories()) return false;
  if (equations > 1 || parameters.isParameter("number of equations")) return false;
  if (has_modes(parameters)) return false;
  for (auto entry = parameters.begin(); entry != parameters.end(); ++entry) {
    const std::string& name = parameters.name(entry);
    if (name == "multigrid algorithm") {
      if (!parameters.isType<std::string>(name)) return false;
      const auto& algorithm = parameters.get<std::string>(name);
      if (algorithm != "sa" && algorithm != "unsmoothed") return false;
    }
    for (const char* theirs : {"aggregation:", "filtered matrix:", "sa: use filtered", "tentative:",
                               "semicoarsen:", "problem: type", "use kokkos", "level "})
      if (begins_with(name, theirs)) return false;
  }
  return true;
}

/// What parameters that are not given depend on; the same on all ranks.
struct Totals {
  int coarse_rows = 0;          ///< maximum number of rows of the coarsest level
  bool rows_everywhere = true;  ///< whether each process has rows
};

/// Collective. If rows are short, as in two dimensions, a direct factorization is cheap, and one
/// level less saves iterations. The coarsest level has at most a quarter of the rows of a small
/// matrix, so that multigrid is actually used, unless factoring the whole matrix takes no longer.
template <class Scalar>
Totals totals_of(const Tpetra::CrsMatrix<Scalar>& matrix, const Comm& comm) {
  constexpr std::int64_t short_row = 5;
  const Index rows = local_count(*matrix.getRowMap());
  std::int64_t counts[] = {rows, static_cast<std::int64_t>(matrix.getLocalMatrixHost().nnz()),
                           rows == 0 ? 1 : 0};
  comm->allreduce(counts, 3, Reduction::sum);
  const bool is_short = counts[1] <= short_row * counts[0];
  const std::int64_t most = is_short ? 5000 : 2000;
  const std::int64_t least = is_short ? 2000 : 1000;
  return {static_cast<int>(std::clamp(counts[0] / 4, least, most)), counts[2] == 0};
}

template <class Scalar>
bool has_no_rows(const Tpetra::CrsMatrix<Scalar>& matrix) {
  return matrix.getRowMap()->getGlobalNumElements() == 0;
}

/// MueLu looks for the partitioner of a level in the level's list alone, if it has one.
void copy_partition_to_levels(Teuchos::ParameterList& list) {
  const Teuchos::ParameterList parameters = list.sublist("repartition: params");
  for (auto entry = list.begin(); entry != list.end(); ++entry) {
    if (!list.entry(entry).isList() || !begins_with(list.name(entry), "level ")) continue;
    Teuchos::ParameterList& level = list.sublist(list.name(entry));
    if (!level.isSublist("repartition: params"))
      level.sublist("repartition: params").setParameters(parameters);
  }
}

/// By default MueLu assigns the rows of a coarse level to processes by coordinates. Without
/// coordinates, let neighbours in rank order share a process; this also needs no other library.
void choose_partition(Teuchos::ParameterList& list) {
  if (!list.isType<bool>("repartition: enable") || !list.get<bool>("repartition: enable")) return;
  if (list.isSublist("user data") && list.sublist("user data").isParameter("Coordinates")) return;
  const auto partitioner = list.get<std::string>("repartition: partitioner", "zoltan2");
  Teuchos::ParameterList& parameters = list.sublist("repartition: params");
  if (partitioner == "zoltan2" && !parameters.isParameter("algorithm"))
    parameters.set("algorithm", std::string("block"));
  const auto algorithm = parameters.get<std::string>("algorithm", "rcb");
  if (algorithm != "multijagged" && algorithm != "rcb") return copy_partition_to_levels(list);
  adapter::refuse_argument(
      "muelu.coordinates",
      "'repartition: partitioner' " + partitioner + " with the algorithm " + algorithm +
          ", without coordinates",
      "coordinates of the nodes, or an algorithm that needs no coordinates",
      "Set the coordinates (" + petsc::names::function("PCSetCoordinates") +
          ", or 'Coordinates' in the list 'user data'), or set 'repartition: params/algorithm' to "
          "block, or leave it out.");
}

/// An aggregate with fewer unknowns than there are near-null vectors, such as a single node with
/// six rigid body modes, leaves rows of the coarse matrix empty. Neither MueLu nor PETSc works with
/// the zeros on its diagonal.
void choose_repair(Teuchos::ParameterList& list, PetscInt equations) {
  using Modes = Teuchos::RCP<Tpetra::MultiVector<PetscScalar>>;
  if (list.isParameter("rap: fix zero diagonals") || !has_modes(list)) return;
  const Teuchos::ParameterList& data = list.sublist("user data");
  if (!data.isType<Modes>("Nullspace")) return;
  const auto modes = data.get<Modes>("Nullspace");
  if (modes.is_null() || static_cast<Index>(modes->getNumVectors()) <= equations) return;
  list.set("rap: fix zero diagonals", true);
}

/// MueLu gives the parts of a level to the processes that have most of them, and fails on one
/// process where another has no rows.
void choose_processes(Teuchos::ParameterList& list, bool rows_everywhere) {
  constexpr const char* name = "repartition: remap parts";
  if (!rows_everywhere && list.isParameter("repartition: enable") && !list.isParameter(name))
    list.set(name, false);
}

Teuchos::ParameterList with_defaults(const Teuchos::ParameterList& parameters, PetscInt equations,
                                     const Totals& totals) {
  Teuchos::ParameterList list(parameters);
  if (spelled_out(parameters)) return list;
  if (!list.isParameter("verbosity")) list.set("verbosity", std::string("none"));
  if (equations > 1 && !list.isParameter("number of equations"))
    list.set("number of equations", static_cast<int>(equations));
  if (takes_kokkos_factories(parameters, equations)) list.set("use kokkos refactor", true);
  choose_partition(list);
  choose_processes(list, totals.rows_everywhere);
  choose_repair(list, equations);
  if (names_coarse_solver(parameters)) return list;
  // A cheap solver, which will be replaced.
  list.set("coarse: type", std::string("RELAXATION"));
  if (!list.isParameter("coarse: max size")) list.set("coarse: max size", totals.coarse_rows);
  return list;
}

/// The parameters for a matrix without rows; the caller's do not matter. With more than one level,
/// MueLu of Trilinos 16.1 releases the smoother of a level that does not exist, and crashes.
Teuchos::ParameterList for_no_rows() {
  Teuchos::ParameterList list;
  list.set("verbosity", std::string("none"));
  list.set("max levels", 1);
  list.set("coarse: type", std::string("RELAXATION"));
  return list;
}

/// The values in a list that have plain types; for objects (coordinates, a null space) only the
/// fact that they exist.
void spell(const Teuchos::ParameterList& list, const std::string& path, Settings& settings) {
  for (auto entry = list.begin(); entry != list.end(); ++entry) {
    const Teuchos::ParameterEntry& value = list.entry(entry);
    const std::string name = path + list.name(entry);
    if (value.isList()) {
      spell(Teuchos::getValue<Teuchos::ParameterList>(value), name + '/', settings);
    } else if (value.isType<std::string>()) {
      settings[name] = Teuchos::getValue<std::string>(value);
    } else if (value.isType<int>() || value.isType<bool>() || value.isType<double>()) {
      std::ostringstream out;
      value.leftshift(out, false);
      settings[name] = out.str() + " (" + value.getAny(false).typeName() + ')';
    } else {
      settings[name] = "an object";
    }
  }
}

/// The prefix of the coarse solver's options may differ between ranks, but the options may not.
void spell(const CoarseSolver& coarse, Settings& settings) {
  settings["coarse solver"] = coarse.pc_type;
  if (coarse.options_prefix.empty()) return;
  for (const auto& [name, value] : options_under(coarse.options_prefix))
    settings["option " + name + " of the coarse solver"] = value;
}

/// Collective. If ranks requested different things, MueLu would fail on one rank, or wait.
void require_same_request(const Teuchos::ParameterList& parameters, const CoarseSolver& coarse,
                          Call& call) {
  call.check([&] {
    Settings mine;
    spell(parameters, "", mine);
    spell(coarse, mine);
    call.same("muelu.parameters", mine);
  });
}

template <class Scalar>
void put_smoother(MueLu::Level& level, const CoarseSolver& options, PetscInt null_vectors) {
  using Base = MueLu::SmootherBase<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  const auto matrix = matrix_of<Scalar>(level, "A");
  if (matrix.is_null()) return;
  const Comm comm(tpetra::communicator(*matrix->getDomainMap()));
  Call call(comm, "solvers::put_smoother");
  const RankOrder columns = rank_order(*matrix->getDomainMap(), comm);
  const std::vector<PetscInt> numbers = column_numbers(*matrix, columns, call);
  const LocalRows rows = call.check([&] { return square_rows(*matrix, numbers, columns.first); });
  auto pc = std::make_unique<CoarsePc>(rows, options, null_vectors, call);
  const MueLu::FactoryBase* const nobody = MueLu::NoFactory::get();
  const Teuchos::RCP<Base> smoother =
      Teuchos::rcp(new CoarseSmoother<Scalar>(matrix, std::move(pc)));
  level.Set("PreSmoother", smoother, nobody);
  if (level.IsAvailable("PostSmoother", nobody)) level.Delete("PostSmoother", nobody);
}

template <class Scalar>
void put_coarse_solver(const Teuchos::RCP<Tpetra::Operator<Scalar>>& preconditioner,
                       const CoarseSolver& options, PetscInt null_vectors) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    const Comm comm(tpetra::communicator(*preconditioner->getDomainMap()));
    Call call(comm, "solvers::set_coarse_solver");
    const auto hierarchy = call.check([&] {
      static_cast<void>(petsc::detail::require_session());
      tpetra::require_trilinos();
      const auto muelu = Teuchos::rcp_dynamic_cast<MueLuOperator<Scalar>>(preconditioner);
      if (muelu.is_null() || muelu->GetHierarchy().is_null()) {
        adapter::refuse_argument("muelu.hierarchy",
                                 "an operator that is not from MueLu or has no hierarchy",
                                 "a " + names::muelu_operator + " that is set up",
                                 "Pass the result of " + names::create_muelu + ".");
      }
      return muelu->GetHierarchy();
    });
    require_same_request(Teuchos::ParameterList(), options, call);
    call.library("muelu", "the coarse solver", Patience{}, [&] {
      put_smoother<Scalar>(*hierarchy->GetLevel(hierarchy->GetNumLevels() - 1), options,
                           null_vectors);
    });
  }
}

/// Collective. The residual of a direct solver's solution, relative to the right-hand side.
template <class Scalar>
double coarse_residual(const MueLu::SmootherBase<Scalar, LocalOrdinal, GlobalOrdinal, Node>& solver,
                       const Tpetra::CrsMatrix<Scalar>& matrix) {
  using Vector = Tpetra::Vector<Scalar>;
  using Wrapped = Xpetra::TpetraVector<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  const auto b = Teuchos::rcp(new Vector(matrix.getRangeMap()));
  const auto x = Teuchos::rcp(new Vector(matrix.getDomainMap()));
  // Neighbouring values differ, so that a row or column in the wrong place shows.
  Index i = matrix.getRangeMap()->getMinGlobalIndex();
  for (Scalar& value : b->getDataNonConst()) value = Scalar(1 + i++ % 7);
  Wrapped wrapped(x);
  solver.Apply(wrapped, Wrapped(b), true);
  Vector residual(*b, Teuchos::Copy);
  matrix.apply(*x, residual, Teuchos::NO_TRANS, Scalar(-1), Scalar(1));
  const double norm = b->norm2();
  return norm > 0 ? residual.norm2() / norm : 0;
}

/// Requires that a direct solver of Trilinos on the coarsest level really solves. Collective over
/// the level.
template <class Scalar>
void require_right_coarse_solver(MueLu::Level& level) {
  using Base = MueLu::SmootherBase<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  using Direct = MueLu::DirectSolver<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
  constexpr double tolerance = 1e-6;
  if (!level.IsAvailable("PreSmoother", MueLu::NoFactory::get())) return;
  const auto solver =
      level.template Get<Teuchos::RCP<Base>>("PreSmoother", MueLu::NoFactory::get());
  const auto matrix = matrix_of<Scalar>(level, "A");
  if (matrix.is_null() || Teuchos::rcp_dynamic_cast<Direct>(solver).is_null()) return;
  const double residual = coarse_residual<Scalar>(*solver, *matrix);
  if (residual <= tolerance) return;
  std::ostringstream text;
  text << "the coarse solver " << solver->description() << " gives wrong solutions (relative "
       << "residual " << residual << ") for this matrix and number of processes; leave out "
       << "'coarse: type', so that PETSc solves the coarsest level, or select a relaxation";
  throw LibraryFailed("muelu", "the coarse solver", text.str());
}

/// In Trilinos 13.2, Tacho ends the program with a segmentation fault: in Debian 12 on several
/// processes, in Debian 13 on one process too. Newer versions are allowed on one process, and
/// refused on several, where they are untested.
void refuse_tacho(const Teuchos::ParameterList& parameters, int processes) {
  constexpr bool works_alone = TRILINOS_MAJOR_MINOR_VERSION >= 140000;
  if (works_alone && processes == 1) return;
  if (!parameters.isType<std::string>("coarse: type")) return;
  const std::string type = Teuchos::StrUtils::allCaps(parameters.get<std::string>("coarse: type"));
  if (type == "TACHO")
    throw LibraryFailed("muelu", "the coarse solver",
                        "Tacho is not supported " +
                            std::string(works_alone ? "on several processes" : "in Trilinos 13.2") +
                            ", where it may end the program; leave out 'coarse: type', so that "
                            "PETSc solves the coarsest level");
}

/// Level of detail of MueLu's description.
constexpr auto description_level = Teuchos::VERB_HIGH;

/// Collective. Runs a set-up of MueLu on all ranks. A zero or missing entry on the diagonal, which
/// MueLu tells by the damping factor of its prolongator, is refused with its row
/// (`matrix.diagonal`).
template <class Scalar, class F>
auto set_up_muelu(const Tpetra::CrsMatrix<Scalar>& matrix, const char* function, Call& call,
                  F&& body) {
  try {
    return call.library("muelu", function, Patience{},
                        [&] { return with_advice(function, std::forward<F>(body)); });
  } catch (const LibraryFailed& error) {
    if (is_about_damping(error.what())) {
      Call after(call.comm(), function);  // a call that has failed cannot go on
      require_no_zero_on_diagonal(matrix, after);
    }
    throw;
  }
}

template <class Scalar>
Teuchos::RCP<Tpetra::Operator<Scalar>> make(const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix,
                                            const MatrixFacts& facts,
                                            const Teuchos::ParameterList& parameters,
                                            const CoarseSolver& coarse, Call& call) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    using Op = Tpetra::Operator<Scalar>;
    require_same_request(parameters, coarse, call);
    const Totals totals = totals_of(*matrix, call.comm());
    Teuchos::ParameterList list = call.check([&] {
      refuse_tacho(parameters, call.comm().size());
      if (has_no_rows(*matrix)) return for_no_rows();
      Teuchos::ParameterList all = with_defaults(parameters, facts.equations, totals);
      require_safe(all,
                   {local_count(*matrix->getRowMap()), call.comm().size(), totals.rows_everywhere});
      require_good_inputs(*matrix, all);
      return all;
    });
    const Teuchos::RCP<Op> preconditioner =
        set_up_muelu(*matrix, "MueLu::CreateTpetraPreconditioner", call, [&]() -> Teuchos::RCP<Op> {
          return MueLu::CreateTpetraPreconditioner<Scalar, LocalOrdinal, GlobalOrdinal, Node>(
              Teuchos::RCP<Op>(matrix), list);
        });
    const auto hierarchy = dynamic_cast<MueLuOperator<Scalar>&>(*preconditioner).GetHierarchy();
    require_level_diagonals<Scalar>(*hierarchy, names_coarse_solver(parameters), call);
    if (!names_coarse_solver(parameters)) {
      put_coarse_solver<Scalar>(preconditioner, coarse, facts.null_vectors);
      return preconditioner;
    }
    call.library("muelu", "the coarse solver", Patience{}, [&] {
      require_right_coarse_solver<Scalar>(*hierarchy->GetLevel(hierarchy->GetNumLevels() - 1));
    });
    return preconditioner;
  } else {
    return Teuchos::null;
  }
}

template <class Scalar>
void renew(const Teuchos::RCP<Tpetra::Operator<Scalar>>& preconditioner,
           const Teuchos::RCP<Tpetra::CrsMatrix<Scalar>>& matrix, const MatrixFacts& facts,
           const Teuchos::ParameterList& parameters, const CoarseSolver& coarse, Call& call) {
  if constexpr (tpetra::has_scalar<Scalar>) {
    if (has_no_rows(*matrix)) return;
    set_up_muelu(*matrix, "MueLu::ReuseTpetraPreconditioner", call, [&] {
      MueLu::ReuseTpetraPreconditioner(matrix,
                                       dynamic_cast<MueLuOperator<Scalar>&>(*preconditioner));
    });
    const auto hierarchy = dynamic_cast<MueLuOperator<Scalar>&>(*preconditioner).GetHierarchy();
    require_level_diagonals<Scalar>(*hierarchy, names_coarse_solver(parameters), call);
    if (!names_coarse_solver(parameters))
      put_coarse_solver<Scalar>(preconditioner, coarse, facts.null_vectors);
  }
}

template <class Scalar>
MultigridView view(const Teuchos::RCP<Tpetra::Operator<Scalar>>& preconditioner, Call& call) {
  MultigridView seen;
  if constexpr (tpetra::has_scalar<Scalar>) {
    const auto hierarchy = dynamic_cast<MueLuOperator<Scalar>&>(*preconditioner).GetHierarchy();
    seen.levels = levels_everywhere(*hierarchy, call);
    std::ostringstream text;
    const auto out = Teuchos::getFancyOStream(Teuchos::rcpFromRef(text));
    hierarchy->describe(*out, description_level);
    seen.text = text.str();
    using Base = MueLu::SmootherBase<Scalar, LocalOrdinal, GlobalOrdinal, Node>;
    auto& coarsest = *hierarchy->GetLevel(hierarchy->GetNumLevels() - 1);
    if (coarsest.IsAvailable("PreSmoother", MueLu::NoFactory::get())) {
      const auto base =
          coarsest.template Get<Teuchos::RCP<Base>>("PreSmoother", MueLu::NoFactory::get());
      if (const auto ours = Teuchos::rcp_dynamic_cast<CoarseSmoother<Scalar>>(base);
          !ours.is_null())
        seen.coarse = ours->pc();
    }
  }
  return seen;
}

}  // namespace

MatrixFacts facts_of(Mat matrix) {
  using petsc::detail::call;
  MatrixFacts facts;
  call("MatGetBlockSize", MatGetBlockSize, matrix, &facts.equations);
  MatNullSpace space = nullptr;
  call("MatGetNullSpace", MatGetNullSpace, matrix, &space);
  if (space == nullptr) return facts;
  PetscBool constant = PETSC_FALSE;
  const Vec* vectors = nullptr;
  call("MatNullSpaceGetVecs", MatNullSpaceGetVecs, space, &constant, &facts.null_vectors, &vectors);
  if (constant == PETSC_TRUE) ++facts.null_vectors;
  return facts;
}

Teuchos::RCP<Operator> multigrid(const Teuchos::RCP<CrsMatrix>& matrix, const MatrixFacts& facts,
                                 const Teuchos::ParameterList& parameters,
                                 const CoarseSolver& coarse, Call& call) {
  return make<PetscScalar>(matrix, facts, parameters, coarse, call);
}

void renew_multigrid(const Teuchos::RCP<Operator>& preconditioner,
                     const Teuchos::RCP<CrsMatrix>& matrix, const MatrixFacts& facts,
                     const Teuchos::ParameterList& parameters, const CoarseSolver& coarse,
                     Call& call) {
  renew<PetscScalar>(preconditioner, matrix, facts, parameters, coarse, call);
}

MultigridView view_multigrid(const Teuchos::RCP<Operator>& preconditioner, Call& call) {
  return view<PetscScalar>(preconditioner, call);
}

std::string kept_parts(const Teuchos::ParameterList& parameters) {
  const auto given = parameters.isParameter("reuse: type")
                         ? parameters.get<std::string>("reuse: type")
                         : std::string("none");
  // MueLu 13.2 keeps the graph of a filtered matrix with these, fills it with the entries that the
  // new values leave, and ends the program.
  const bool filtered = parameters.isType<double>("aggregation: drop tol") &&
                        parameters.get<double>("aggregation: drop tol") > 0;
  return filtered && (given == "S" || given == "emin") ? "none" : given;
}

void set_coarse_solver(const Teuchos::RCP<Operator>& preconditioner, const CoarseSolver& coarse) {
  if (preconditioner.is_null())
    throw InvalidArgument("preconditioner", "a null operator", "a " + names::muelu_operator);
  put_coarse_solver<PetscScalar>(preconditioner, coarse, 0);
}

}  // namespace daptor::solvers
