// SPDX-License-Identifier: BSD-3-Clause
#include "petsc_operator.hpp"

#include <algorithm>
#include <optional>

#include <Tpetra_Operator.hpp>

#include "daptor/adapter/library.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/fault.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/kokkos.hpp"
#include "daptor/tpetra/adapter/native.hpp"
#include "daptor/tpetra/adapter/space.hpp"
#include "layout_map.hpp"
#include "map_facts.hpp"
#include "names.hpp"
#include "operands.hpp"
#include "operator_side.hpp"
#include "placed.hpp"
#include "right_product.hpp"
#include "sor_diagonal.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;
using Map = Tpetra::Map<>;

/// The part of an operator that does not depend on its scalar type.
class Behind {
 public:
  Behind(std::unique_ptr<Applied> applied, const Comm& comm)
      : applied_(std::move(applied)), comm_(comm) {}
  virtual ~Behind() = default;

  Applied& applied() const { return *applied_; }
  const Comm& comm() const { return comm_; }
  const OperatorStatus& status() const { return status_; }

 protected:
  mutable OperatorStatus status_;

 private:
  std::unique_ptr<Applied> applied_;
  Comm comm_;
};

/// Collective. Sets up the object, and agrees on failures that PETSc does not report.
void set_up(Applied& applied, Call& call) {
  const char* const function = "set-up";
  const Sweeping sweeping = call.check([&] {
    const OptionSet::Active active(applied.options());
    const PC pc = applied.preconditioner();
    return pc == nullptr ? Sweeping() : sweeping_of(pc);
  });
  require_sor_diagonal(sweeping, "", "another type, such as jacobi, which takes 1 there", call);
  call.library("petsc", function, Patience{}, [&] {
    const OptionSet::Active active(applied.options());
    applied.set_up();
  });
  call.check([&] {
    const std::string failure = applied.failure();
    if (!failure.empty())
      throw LibraryFailed("petsc", function,
                          applied.name() + " cannot be set up for this matrix: " + failure);
  });
}

struct Sides {
  OperatorSide domain, range;
};

template <class Scalar>
class PetscOperator final : public Tpetra::Operator<Scalar>, public Behind {
 public:
  using MultiVector = Tpetra::MultiVector<Scalar>;
  using Task = typename Operands<Scalar>::Task;

  PetscOperator(std::unique_ptr<Applied> applied, const Comm& comm, std::shared_ptr<Sides> sides,
                std::unique_ptr<Placeholders> places)
      : Behind(std::move(applied), comm), sides_(std::move(sides)), places_(std::move(places)) {}

  ~PetscOperator() override {
    if (!tpetra::detail::kokkos_running()) tpetra::detail::keep_forever(std::move(sides_));
  }

  Teuchos::RCP<const Map> getDomainMap() const override { return sides_->domain.map(); }
  Teuchos::RCP<const Map> getRangeMap() const override { return sides_->range.map(); }
  bool hasTransposeApply() const override {
    applied().require_alive();
    return applied().has_transpose();
  }
  std::string description() const override {
    return "PETSc " + applied().name() + " through Daptor";
  }

  void apply(const MultiVector& X, MultiVector& Y, Teuchos::ETransp mode, Scalar alpha,
             Scalar beta) const override {
    applied().require_alive();
    Call call(comm(), "Tpetra::Operator::apply");
    const bool transpose = mode != Teuchos::NO_TRANS;
    if (transpose && !applied().has_transpose())
      adapter::refuse_argument("operator.transpose",
                               "a transposed application of " + applied().name(),
                               "an application without transpose, because " +
                                   names::without_transpose + applied().why_no_transpose(),
                               "Apply it without transpose.");
    OperatorSide& from = transpose ? sides_->range : sides_->domain;
    OperatorSide& to = transpose ? sides_->domain : sides_->range;
    from.require(X.getMap(), call);
    to.require(Y.getMap(), call);
    require_columns(X, Y, call);
    if (alpha == Scalar(0)) {
      scale(Y, beta);
    } else if (X.getNumVectors() > 0) {
      const Task task{alpha, beta, mode == Teuchos::CONJ_TRANS && is_complex};
      const OptionSet::Active active(applied().options());
      if (X.getNumVectors() > 1 && applied().takes_columns(transpose))
        apply_together(X, Y, task, call);
      else
        apply_one_by_one(X, Y, task, transpose, call);
    }
    to.tell_views(*Y.getMap());
  }

 private:
  static constexpr bool is_complex = Teuchos::ScalarTraits<Scalar>::isComplex;

  static void require_columns(const MultiVector& X, const MultiVector& Y, Call& call) {
    if (X.getNumVectors() == Y.getNumVectors()) return;
    const auto text = std::to_string(X.getNumVectors()) + " columns of X and " +
                      std::to_string(Y.getNumVectors()) + " columns of Y";
    call.library("tpetra", "Tpetra::Operator::apply", Patience{}, [&] {
      adapter::refuse_argument("operator.vectors", text, "the same number of columns in both");
    });
  }

  static void scale(MultiVector& Y, Scalar beta) {
    if (beta == Scalar(0))
      Y.putScalar(Scalar(0));
    else
      Y.scale(beta);
  }

  /// A vector that cannot be passed on this rank is replaced by NaN, so that this rank takes part.
  void apply_one_by_one(const MultiVector& X, MultiVector& Y, const Task& task, bool transpose,
                        Call& call) const {
    bool handed_over = true;
    try {
      daptor::detail::fault_point("solvers.petsc_apply.open");
      operands_.open(X, Y, task);
    } catch (...) {
      handed_over = false;
    }
    try {
      if (!handed_over)
        operands_.stand_in(X.getNumVectors(), static_cast<Index>(X.getLocalLength()),
                           static_cast<Index>(Y.getLocalLength()));
      apply_columns(X.getNumVectors(), transpose);
      if (handed_over) {
        operands_.finish(task);
      } else {
        ++status_.not_handed_over;
        Y.putScalar(Operands<Scalar>::not_a_number());
      }
    } catch (...) {
      settle_failure(call);
    }
  }

  void apply_columns(std::size_t columns, bool transpose) const {
    const Vec from = transpose ? places_->to() : places_->from();
    const Vec to = transpose ? places_->from() : places_->to();
    for (std::size_t j = 0; j < columns; ++j) {
      const PlacedVec x(from, operands_.x(j));
      const PlacedVec y(to, operands_.y(j));
      applied().apply(from, to, transpose);
      ++status_.columns;
      applied().report(status_);
    }
  }

  /// Applies the object to all columns in one PETSc call, if they are contiguous on all ranks.
  void apply_together(const MultiVector& X, MultiVector& Y, const Task& task, Call& call) const {
    const std::size_t columns = X.getNumVectors();
    std::int64_t pattern = 0;
    Agreed<bool> gapless, same;
    call.check([&] {
      operands_.open(X, Y, task);
      pattern = applied().pattern();
      gapless = call.all(operands_.gapless());
      same = call.all(places_->columns() == static_cast<PetscInt>(columns) && pattern_ == pattern);
    });
    try {
      if (gapless)
        apply_gapless(columns, pattern, same);
      else
        apply_columns(columns, false);
      operands_.finish(task);
    } catch (...) {
      settle_failure(call);
    }
  }

  void apply_gapless(std::size_t columns, std::int64_t pattern, bool same) const {
    pattern_.reset();
    if (!same) places_->make_columns(petsc::detail::petsc_int(static_cast<Index>(columns)));
    {
      const PlacedColumns x(places_->from_columns(), operands_.x(0));
      const PlacedColumns y(places_->to_columns(), operands_.y(0));
      applied().apply_columns(places_->from_columns(), places_->to_columns(), same);
    }
    pattern_ = pattern;
    status_.columns += static_cast<std::int64_t>(columns);
    applied().report(status_);
  }

  /// Handles the exception that is being handled, which came from a collective PETSc call.
  [[noreturn]] static void settle_failure(Call& call) {
    const std::exception_ptr failure = adapter::current_failure("petsc", "apply");
    call.library("petsc", "the application of a PETSc object", Patience{},
                 [&] { std::rethrow_exception(failure); });
    std::terminate();  // the call threw
  }

  std::shared_ptr<Sides> sides_;
  std::unique_ptr<Placeholders> places_;
  mutable Operands<Scalar> operands_;
  // pattern of the Mat for which the product was made
  mutable std::optional<std::int64_t> pattern_;
};

struct Layouts {
  VecLayout rows, columns;
};

VecLayout layout_of(PetscLayout native) {
  VecLayout layout;
  call("PetscLayoutGetLocalSize", PetscLayoutGetLocalSize, native, &layout.local);
  call("PetscLayoutGetSize", PetscLayoutGetSize, native, &layout.global);
  PetscInt end = 0;
  if (layout.local >= 0 && layout.global >= 0)
    call("PetscLayoutGetRange", PetscLayoutGetRange, native, &layout.first, &end);
  if (layout.local < 0 || layout.global < 0 || layout.first < 0)
    adapter::refuse_argument(
        "operator.matrix", "a matrix that is not set up", "a matrix with a layout",
        "First call " + petsc::names::function("MatSetUp") + ", or assemble the matrix.");
  call("PetscLayoutGetBlockSize", PetscLayoutGetBlockSize, native, &layout.block_size);
  layout.block_size = std::max<PetscInt>(layout.block_size, 1);
  return layout;
}

void require_host_vectors(Mat matrix) {
  VecType type = nullptr;
  call("MatGetVecType", MatGetVecType, matrix, &type);
  const std::string name = type == nullptr ? "standard" : type;
  for (const char* known : {VECSTANDARD, VECSEQ, VECMPI, VECSHARED})
    if (name == known) return;
  throw NotRepresentable(
      adapter::reason("operator.vec-type", "a matrix whose vectors are of type " + name,
                      "vectors of type standard, in memory that the host can reach",
                      "Use host types: -mat_type aij -vec_type standard."));
}

template <class Scalar>
Layouts judged(const Applied& applied) {
  static_cast<void>(petsc::detail::require_session());
  tpetra::require_trilinos();
  tpetra::require_host_vectors("");
  const Mat matrix = applied.matrix();
  PetscLayout rows = nullptr;
  PetscLayout columns = nullptr;
  call("MatGetLayouts", MatGetLayouts, matrix, &rows, &columns);
  const Layouts layouts{layout_of(rows), layout_of(columns)};
  require_host_vectors(matrix);
  return layouts;
}

/// Requires a one-to-one Map, because a Vec has each element on one rank only.
void require_one_to_one(const Map& map, Call& call) {
  if (one_to_one(map, call)) return;
  throw NotRepresentable(adapter::reason("operator.map", "a Map with an index on several ranks",
                                         "one-to-one Maps, like the layouts of PETSc's vectors",
                                         "Use Maps made by " + names::one_to_one + "."));
}

/// Collective. The caller's Maps if there are any, otherwise new ones.
std::shared_ptr<Sides> sides_of(const VecLayout& domain, const VecLayout& range,
                                const OperatorMaps& maps, Call& call) {
  call.same("maps.domain given", !maps.domain.is_null());
  call.same("maps.range given", !maps.range.is_null());
  const auto same = call.all(maps.domain == maps.range && domain.local == range.local);
  call.check([&] {
    const auto require = [&](const Teuchos::RCP<const Map>& map, const VecLayout& layout) {
      if (!map.is_null()) require_fitting(*map, call.comm(), layout.local, "operator.map-size");
    };
    require(maps.domain, domain);
    require(maps.range, range);
  });
  const auto made = [&](const Teuchos::RCP<const Map>& given, const VecLayout& layout) {
    if (given.is_null()) return layout_map(call, layout.global, layout.first, layout.local);
    require_one_to_one(*given, call);
    return given;
  };
  const Teuchos::RCP<const Map> domain_map = made(maps.domain, domain);
  const Teuchos::RCP<const Map> range_map = same ? domain_map : made(maps.range, range);
  return call.check([&] {
    return std::make_shared<Sides>(
        Sides{OperatorSide(domain_map, domain.local), OperatorSide(range_map, range.local)});
  });
}

template <class Scalar>
Teuchos::RCP<Tpetra::Operator<Scalar>> make(std::unique_ptr<Applied> applied,
                                            const OperatorMaps& maps) {
  const Comm comm = petsc::detail::comm_of(applied->object());
  if constexpr (!tpetra::has_scalar<Scalar>) {
    tpetra::detail::refuse_scalar(DataType::of<Scalar>(), comm, "solvers::as_operator");
  } else {
    Call call(comm, "solvers::as_operator");
    Layouts layouts = call.check([&] { return judged<Scalar>(*applied); });
    // MatConvert to SELL in parallel leaves both ranges at 0 (3.18).
    layouts.rows.first = static_cast<PetscInt>(comm->exclusive_sum(layouts.rows.local));
    layouts.columns.first = static_cast<PetscInt>(comm->exclusive_sum(layouts.columns.local));
    const VecLayout& domain = applied->inverse() ? layouts.rows : layouts.columns;
    const VecLayout& range = applied->inverse() ? layouts.columns : layouts.rows;
    std::shared_ptr<Sides> sides = sides_of(domain, range, maps, call);
    applied->note_transpose(require_right_product(applied->matrix(), call));
    set_up(*applied, call);
    std::unique_ptr<Placeholders> places = call.library(
        "petsc", "VecCreateMPIWithArray", Patience{},
        [&] { return std::make_unique<Placeholders>(comm->original(), domain, range); });
    return call.check([&]() -> Teuchos::RCP<Tpetra::Operator<Scalar>> {
      return Teuchos::rcp(
          new PetscOperator<Scalar>(std::move(applied), comm, std::move(sides), std::move(places)));
    });
  }
}

template <class Object>
void require_object(Object object, const char* key, const char* found, const char* expected) {
  if (object == nullptr) throw InvalidArgument(key, found, expected);
  static_cast<void>(petsc::detail::require_running());
}

const Behind& behind(const Operator& op) {
  const auto* const ours = dynamic_cast<const Behind*>(&op);
  if (ours == nullptr)
    adapter::refuse_argument(
        "operator.foreign", "an operator without a PETSc object behind it",
        "the result of mat_as_operator, pc_as_operator, petsc_preconditioner or a similar function",
        "What muelu_preconditioner returned is set up again by set_up_again(*M, A).");
  return *ours;
}

template <class Object>
Object behind_as(const Operator& op, PetscClassId wanted) {
  const Behind& ours = behind(op);
  ours.applied().require_alive();
  PetscClassId found = 0;
  call("PetscObjectGetClassId", PetscObjectGetClassId, ours.applied().object(), &found);
  return found == wanted ? reinterpret_cast<Object>(ours.applied().object()) : nullptr;
}

}  // namespace

Teuchos::RCP<Operator> as_operator(std::unique_ptr<Applied> applied, const OperatorMaps& maps) {
  return make<PetscScalar>(std::move(applied), maps);
}

Teuchos::RCP<Operator> mat_as_operator(Mat mat, const OperatorMaps& maps) {
  require_object(mat, "mat", "a null Mat", "a Mat of PETSc");
  return as_operator(applied(mat), maps);
}

Teuchos::RCP<Operator> pc_as_operator(PC pc, const OperatorMaps& maps) {
  require_object(pc, "pc", "a null PC", "a PC of PETSc");
  return as_operator(applied(pc), maps);
}

Teuchos::RCP<Operator> ksp_as_operator(KSP ksp, const OperatorMaps& maps) {
  require_object(ksp, "ksp", "a null KSP", "a KSP of PETSc");
  return as_operator(applied(ksp), maps);
}

void set_up_again(const Operator& op) {
  const Behind& ours = behind(op);
  Call call(ours.comm(), "solvers::set_up_again");
  call.check([&] { ours.applied().require_alive(); });
  ours.applied().renew(call);
  set_up(ours.applied(), call);
}

OperatorStatus status(const Operator& op) {
  return behind(op).status();
}

Mat behind_mat(const Operator& op) {
  return behind_as<Mat>(op, MAT_CLASSID);
}
PC behind_pc(const Operator& op) {
  return behind_as<PC>(op, PC_CLASSID);
}
KSP behind_ksp(const Operator& op) {
  return behind_as<KSP>(op, KSP_CLASSID);
}

}  // namespace daptor::solvers
