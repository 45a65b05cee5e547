// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>

#include <Ifpack2_Factory.hpp>
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Vector.hpp>

#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/callback.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "options.hpp"
#include "solvers/src/diagonal.hpp"
#include "solvers/src/local_count.hpp"
#include "solvers/src/parameter_limits.hpp"
#include "solvers/src/read_xml.hpp"
#include "trilinos_pc.hpp"
#include "viewing.hpp"

namespace daptor::solvers::plugin {
namespace {

using petsc::detail::call;
using petsc::detail::object;
using Kind = ParameterOption::Kind;
using Row = Tpetra::RowMatrix<PetscScalar>;
using Preconditioner = Ifpack2::Preconditioner<PetscScalar, Row::local_ordinal_type,
                                               Row::global_ordinal_type, Row::node_type>;

constexpr ParameterOption ifpack2_options[] = {
    {"pc_ifpack2_drop_tolerance", "fact: drop tolerance", Kind::real, "0",
     "Entries below this are dropped (ILUT)", not_negative},
    {"pc_ifpack2_relaxation", "relaxation: type", Kind::text, "Jacobi",
     "Jacobi, Gauss-Seidel or Symmetric Gauss-Seidel (RELAXATION)"},
    {"pc_ifpack2_sweeps", "relaxation: sweeps", Kind::integer, "1", "Sweeps (RELAXATION)",
     from_one},
    {"pc_ifpack2_damping", "relaxation: damping factor", Kind::real, "1", "Damping (RELAXATION)",
     damping},
    {"pc_ifpack2_degree", "chebyshev: degree", Kind::integer, "1", "Degree (CHEBYSHEV)", from_one},
    {"pc_ifpack2_overlap", "schwarz: overlap level", Kind::integer, "0",
     "Layers of overlap (SCHWARZ)", from_zero},
    {"pc_ifpack2_subdomain", "subdomain solver name", Kind::text, "ILUT",
     "Ifpack2's type within a subdomain (SCHWARZ)"},
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

class Ifpack2Pc final : public TrilinosPc {
 public:
  void read_options(PC pc, Options& options) override;
  void take_options() override { asked_ = read_; }
  void view(PC pc, PetscViewer viewer) override;
  Terms no_transpose() const override;

 private:
  Teuchos::RCP<Operator> build(PC pc, Call& call) override;
  Teuchos::RCP<Operator> rebuild(PC pc, Call& call) override;
  void add_options(Teuchos::ParameterList& list) const;
  void note_structure(PC pc, const Teuchos::ParameterList& list);
  void require_usable(Call& call) const;
  void require_finite(Call& call) const;

  /// The values of the options.
  struct Asked {
    std::string xml;
    std::string type = "RILUK";
    std::optional<PetscReal> fill;
    Teuchos::ParameterList database;
  };
  Asked asked_;
  Asked read_;
  Teuchos::RCP<Preconditioner> ifpack2_;
  /// Whether `compute` alone takes new values.
  bool computes_anew_ = false;
  /// Whether its transpose is what Ifpack2 applies as one.
  bool transposes_ = false;
};

/// The range of the fill: a number of levels for RILUK, a ratio to the matrix's entries for ILUT.
Range range_of_fill(const std::string& type) {
  if (upper(type) == "RILUK") return from_zero;
  return upper(type) == "ILUT" ? Range{1} : not_negative;
}

void Ifpack2Pc::read_options(PC, Options& options) {
  read_ = asked_;
  options.heading("Ifpack2, one-level preconditioners of Trilinos");
  options.text("pc_ifpack2_type",
               "RILUK, ILUT, RELAXATION, CHEBYSHEV, SCHWARZ, DIAGONAL, AMESOS2, ...", read_.type);
  options.text("pc_ifpack2_xml", "File with Ifpack2's parameters", read_.xml);
  PetscReal fill = 0;
  if (options.real("pc_ifpack2_fill",
                   "Level of fill (RILUK) or ratio of fill (ILUT); default: Ifpack2's",
                   not_negative, fill))
    read_.fill = fill;
  if (read_.fill) options.require("pc_ifpack2_fill", *read_.fill, range_of_fill(read_.type));
  for (const ParameterOption& option : ifpack2_options) options.parameter(option, read_.database);
  std::string assignments;
  if (options.text("pc_ifpack2_set", "Any parameters of Ifpack2: 'name=value; sublist/name=value'",
                   assignments))
    assign_parameters(assignments, read_.database);
}

void Ifpack2Pc::add_options(Teuchos::ParameterList& list) const {
  const std::string type = upper(asked_.type);
  list.setParameters(asked_.database);
  if (asked_.fill && type == "ILUT") list.set("fact: ilut level-of-fill", double{*asked_.fill});
  if (asked_.fill && type == "RILUK")
    list.set("fact: iluk level-of-fill", static_cast<int>(*asked_.fill));
  if (type == "AMESOS2") list.sublist("Amesos2");  // the wrapper requires it
}

/// Collective. Applies the preconditioner once, since a zero pivot only shows in a result that is
/// not finite. All ranks see the same norm.
void Ifpack2Pc::require_finite(Call& call) const {
  const bool finite = call.library("ifpack2", "Ifpack2::Preconditioner::apply", Patience{}, [&] {
    Tpetra::Vector<PetscScalar> ones(ifpack2_->getDomainMap());
    Tpetra::Vector<PetscScalar> result(ifpack2_->getRangeMap());
    ones.putScalar(1.0);
    ifpack2_->apply(ones, result);
    return !PetscIsInfOrNanReal(result.norm1());
  });
  if (!finite)
    throw LibraryFailed(
        "ifpack2", asked_.type,
        "the preconditioner's result is not finite: the matrix contains a number that "
        "is not finite, or its factorization met a zero pivot; try another type, or "
        "thresholds ('fact: absolute threshold')");
}

/// Collective. Looks for rows that the preconditioner cannot deal with, before numbers that are not
/// finite, because it can name them.
void Ifpack2Pc::require_usable(Call& call) const {
  Dividing<PetscScalar> dividing;
  dividing.description = ifpack2_->description();
  dividing.apply = [&](const auto& r, auto& z) { ifpack2_->apply(r, z); };
  require_diagonal<PetscScalar>(*matrix(), dividing, call);
  require_finite(call);
}

Teuchos::RCP<Preconditioner> make(const std::string& type, const Teuchos::RCP<CrsMatrix>& matrix,
                                  const Teuchos::ParameterList& list) {
  const auto made = Ifpack2::Factory::create<Row>(type, Teuchos::RCP<const Row>(matrix));
  made->setParameters(list);
  made->initialize();
  return made;
}

/// Whether the preconditioner is a factorization of each process's own rows (RILUK), with vectors
/// on that process alone. A Schwarz method combines these to one preconditioner.
bool is_local(const Preconditioner& made, const CrsMatrix& matrix) {
  return made.getDomainMap()->getComm()->getSize() != matrix.getComm()->getSize();
}

/// The parameters of a Schwarz method whose subdomains are solved by `type` with `list`.
Teuchos::ParameterList schwarz_of(const std::string& type, const Teuchos::ParameterList& list) {
  Teuchos::ParameterList schwarz;
  Teuchos::ParameterList& inner = schwarz.sublist("subdomain solver parameters");
  for (auto entry = list.begin(); entry != list.end(); ++entry) {
    const std::string& name = list.name(entry);
    (name.rfind("schwarz:", 0) == 0 ? schwarz : inner).setEntry(name, list.entry(entry));
  }
  schwarz.set("subdomain solver name", type);
  return schwarz;
}

bool is_any(const std::string& type, std::initializer_list<const char*> of) {
  return std::any_of(of.begin(), of.end(), [&](const char* one) { return type == one; });
}

/// Whether any parameter is one of a Schwarz method.
bool has_schwarz(const Teuchos::ParameterList& list) {
  for (auto entry = list.begin(); entry != list.end(); ++entry)
    if (list.name(entry).rfind("schwarz:", 0) == 0) return true;
  return false;
}

/// Process-local. Notes what holds for these types with these parameters, and for no others.
///
/// `initialize` of the others makes copies with the values of that time (rows of other processes,
/// filtered rows, blocks), and `compute` does not renew them. CHEBYSHEV and Gauss-Seidel of Ifpack2
/// 13.2 apply themselves in place of their transposes, although hasTransposeApply() is true.
void Ifpack2Pc::note_structure(PC pc, const Teuchos::ParameterList& list) {
  const std::string type = upper(asked_.type);
  computes_anew_ =
      is_any(type, {"RILUK", "ILUT", "RELAXATION", "CHEBYSHEV", "DIAGONAL"}) && !has_schwarz(list);
  const std::string relaxation =
      type == "RELAXATION" && list.isType<std::string>("relaxation: type")
          ? list.get<std::string>("relaxation: type")
          : "Jacobi";
  PetscBool known = PETSC_FALSE;
  PetscBool symmetric = PETSC_FALSE;
  call("MatIsSymmetricKnown", MatIsSymmetricKnown, pc->pmat, &known, &symmetric);
  const bool itself = known == PETSC_TRUE && symmetric == PETSC_TRUE &&
                      (type == "CHEBYSHEV" || relaxation == "Symmetric Gauss-Seidel");
  transposes_ = itself || type == "ILUT" || (type == "RELAXATION" && relaxation == "Jacobi");
}

Terms Ifpack2Pc::no_transpose() const {
  if (!TrilinosPc::no_transpose().empty())
    return "this type of Ifpack2 offers no transpose; others do, such as ILUT";
  if (transposes_) return {};
  return "Ifpack2 is not known to apply this type's transpose; ILUT and Jacobi have one, and "
         "CHEBYSHEV and Symmetric Gauss-Seidel are their own where the matrix is said to be "
         "symmetric (" +
         petsc::names::say_symmetric + ")";
}

Teuchos::RCP<Operator> Ifpack2Pc::build(PC pc, Call& call) {
  Teuchos::ParameterList list =
      asked_.xml.empty() ? Teuchos::ParameterList() : read_xml(asked_.xml, call);
  call.check([&] {
    add_options(list);
    require_safe_type(asked_.type, local_count(*matrix()->getRowMap()));
    require_safe(list, {local_count(*matrix()->getRowMap()), call.comm().size()});
    note_structure(pc, list);
  });
  // Trilinos' direct solvers give correct results for the rows of one process.
  const bool one_each = upper(asked_.type) == "AMESOS2" && call.comm().size() > 1;
  ifpack2_ = call.library("ifpack2", "Ifpack2::Factory::create", Patience{}, [&] {
    auto made = one_each ? Teuchos::null : make(asked_.type, matrix(), list);
    if (one_each || is_local(*made, *matrix()))
      made = make("SCHWARZ", matrix(), schwarz_of(asked_.type, list));
    made->compute();
    return made;
  });
  require_usable(call);
  return ifpack2_;
}

Teuchos::RCP<Operator> Ifpack2Pc::rebuild(PC pc, Call& call) {
  if (!computes_anew_) return build(pc, call);
  call.library("ifpack2", "Ifpack2::Preconditioner::compute", Patience{},
               [&] { ifpack2_->compute(); });
  require_usable(call);
  return ifpack2_;
}

void Ifpack2Pc::view(PC, PetscViewer viewer) {
  write_lines(viewer, "Ifpack2 of Trilinos through Daptor, type " + asked_.type +
                          "; parameters from " + (asked_.xml.empty() ? "options" : asked_.xml));
  if (!preconditioner().is_null()) write_lines(viewer, ifpack2_->description());
}

}  // namespace

PetscErrorCode create_ifpack2(PC pc) {
  return petsc::detail::guarded(PetscObjectComm(object(pc)), "PCCreate_ifpack2",
                                [&] { adopt(pc, std::make_unique<Ifpack2Pc>()); });
}

}  // namespace daptor::solvers::plugin
