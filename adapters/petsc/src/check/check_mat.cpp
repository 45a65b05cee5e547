// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <optional>
#include <string>

#include "../names.hpp"
#include "daptor/adapter/merged.hpp"
#include "daptor/call.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "findings.hpp"
#include "object_mappings.hpp"
#include "probe.hpp"
#include "rows.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;

/// The vectors of a null space, whose functions, if it has any, are not looked at.
struct NullVectors {
  bool constant = false;
  const Vec* vecs = nullptr;
  PetscInt count = 0;
};

NullVectors vectors_of(MatNullSpace space) {
  NullVectors vectors;
  PetscBool constant = PETSC_FALSE;
  if (space == nullptr) return vectors;
  detail::call("MatNullSpaceGetVecs", MatNullSpaceGetVecs, space, &constant, &vectors.count,
               &vectors.vecs);
  vectors.constant = constant == PETSC_TRUE;
  return vectors;
}

NullVectors null_vectors(Mat mat) {
  MatNullSpace space = nullptr;
  detail::call("MatGetNullSpace", MatGetNullSpace, mat, &space);
  return vectors_of(space);
}

NullVectors near_null_vectors(Mat mat) {
  MatNullSpace space = nullptr;
  detail::call("MatGetNearNullSpace", MatGetNearNullSpace, mat, &space);
  return vectors_of(space);
}

PetscInt local_size(Vec vec) {
  PetscInt size = 0;
  detail::call("VecGetLocalSize", VecGetLocalSize, vec, &size);
  return size;
}

/// @returns whether all vectors have as many elements on this rank as the matrix has columns
bool look_at_lengths(const NullVectors& vectors, PetscInt columns, const char* rule,
                     const char* space, Findings& findings) {
  for (PetscInt i = 0; i < vectors.count; ++i) {
    const PetscInt size = local_size(vectors.vecs[i]);
    if (size == columns) continue;
    findings.error(rule,
                   "vector " + std::to_string(i) + " of its " + space + " has " +
                       detail::counted(size, "element", "elements") + " on this rank",
                   std::to_string(columns) + ", one for each column of the matrix on this rank",
                   "Make the vectors by " + names::function("MatCreateVecs") +
                       ", or with the layout of the matrix.");
    return false;
  }
  return true;
}

/// Square matrices whose diagonal block is not square on a rank cannot be solved with.
void look_at_layout(Mat mat, Findings& findings) {
  PetscInt rows = 0, columns = 0, local_rows = 0, local_columns = 0;
  detail::call("MatGetSize", MatGetSize, mat, &rows, &columns);
  detail::call("MatGetLocalSize", MatGetLocalSize, mat, &local_rows, &local_columns);
  if (rows == columns && local_rows != local_columns)
    findings.warning("check.mat.layout",
                     "a square matrix that has " + std::to_string(local_rows) + " rows and " +
                         std::to_string(local_columns) + " columns on this rank",
                     "as many columns as rows on each rank",
                     "Give rows and columns the same local sizes.");
}

/// Collective. Multiplies the vectors of the null space, and one of random numbers, with the
/// matrix.
class NullSpaceCheck {
 public:
  NullSpaceCheck(Mat mat, Call& call) : probe_(mat, call), vectors_(null_vectors(mat)) {}

  void run() {
    const auto x = probe_.of_columns();
    const auto y = probe_.of_rows();
    probe_.set_random(x.get(), 1);
    scale_ = gain(x.get(), y.get());
    if (vectors_.constant) {
      probe_.set(x.get(), 1);
      judge(x.get(), y.get(), "the constant vector");
    }
    for (PetscInt i = 0; i < vectors_.count; ++i) {
      const auto copy = probe_.like(vectors_.vecs[i]);
      probe_.copy(vectors_.vecs[i], copy.get());
      judge(copy.get(), y.get(), "vector " + std::to_string(i));
    }
  }
  void conclude(Findings& findings) const {
    if (worst_.empty()) return;
    findings.error(
        "check.mat.null-space",
        worst_ + " of its null space is multiplied to a vector whose norm is " + ratio_ +
            " of what it is for a vector of random numbers",
        "zero, but for rounding",
        "Set the null space of this matrix, or none: " + names::function("MatSetNullSpace") +
            " makes the solver remove it from solutions. Boundary conditions change the "
            "null space.");
  }

 private:
  double gain(Vec x, Vec y) const {
    const double length = probe_.norm(x);
    probe_.apply(x, y);
    return length > 0 ? probe_.norm(y) / length : 0;
  }
  void judge(Vec x, Vec y, const std::string& name) {
    const double ratio = gain(x, y) / scale_;
    if (!(ratio > greatest_)) return;
    greatest_ = ratio;
    worst_ = name;
    ratio_ = std::to_string(ratio);
  }

  detail::Probe probe_;
  NullVectors vectors_;
  double scale_ = 0;
  double greatest_ = 100 * std::sqrt(static_cast<double>(PETSC_MACHINE_EPSILON));
  std::string worst_, ratio_;
};

/// This rank's own work.
/// @returns whether its null vectors can be multiplied
bool look_at(Mat mat, Findings& findings) {
  if (!detail::is_set_up(mat)) return false;
  PetscInt rows = 0, columns = 0;
  detail::call("MatGetLocalSize", MatGetLocalSize, mat, &rows, &columns);
  look_at_layout(mat, findings);
  const NullVectors null = null_vectors(mat);
  const bool fits =
      look_at_lengths(null, columns, "check.mat.null-space-rows", "null space", findings);
  look_at_lengths(near_null_vectors(mat), columns, "check.mat.near-null-space-rows",
                  "near-null space", findings);
  if (!detail::can_apply(mat)) return false;
  detail::look_at_rows(mat, findings);
  return fits && (null.constant || null.count > 0);
}

/// Whether a Vec has as many local elements as the Mat has rows or columns here.
void look_at_factor(Vec vec, PetscInt expected, const char* what, Findings& findings) {
  PetscInt size = 0;
  detail::call("VecGetLocalSize", VecGetLocalSize, vec, &size);
  if (size == expected) return;
  findings.error("check.mat.vec",
                 "used with " + Findings(detail::object(vec)).subject() + " of " +
                     detail::counted(size, "local element", "local elements"),
                 std::to_string(expected) + ", the " + what + " of this rank",
                 "Make vectors by " + names::function("MatCreateVecs") +
                     ", or with the layout of the matrix. Ranks at "
                     "fault leave the product with an error, in which the others then wait.");
}

}  // namespace

Report check(Mat mat, Vec x, Vec y) {
  Call call(detail::comm_of(detail::object(mat)), "petsc::check");
  return adapter::merged(call, [&] {
    detail::require_session();
    Findings findings(detail::object(mat));
    if (!detail::is_set_up(mat)) return findings.report();
    PetscInt rows = 0, columns = 0;
    detail::call("MatGetLocalSize", MatGetLocalSize, mat, &rows, &columns);
    if (detail::is_set_up(x)) look_at_factor(x, columns, "columns", findings);
    if (detail::is_set_up(y)) look_at_factor(y, rows, "rows", findings);
    return findings.report();
  });
}

Report check(Mat mat, const CheckOptions& options) {
  Call call(detail::comm_of(detail::object(mat)), "petsc::check");
  call.same(options);
  detail::MappingChecks mappings;
  std::optional<Findings> findings;
  std::optional<NullSpaceCheck> null_space;
  Agreed<bool> clean, applicable;
  call.check([&] {
    detail::require_session();
    findings.emplace(detail::object(mat));
    null_space.emplace(mat, call);
    mappings.begin(detail::mappings_of(mat), call);
    applicable = call.all(look_at(mat, *findings) && options.apply);
    clean = call.all(findings->report().findings().empty());
  });
  if (clean && mappings.clean() && !applicable) return {};
  mappings.ask(call);
  if (applicable) null_space->run();
  return adapter::merged(call, [&] {
    null_space->conclude(*findings);
    Report report = mappings.conclude();
    report.append(findings->report());
    return report;
  });
}

Report check(ISLocalToGlobalMapping mapping, Mat layout) {
  Call call(detail::comm_of(detail::object(layout)), "petsc::check");
  detail::MappingChecks mappings;
  call.check([&] {
    detail::require_session();
    mappings.begin({detail::mapping_on(mapping, layout)}, call);
  });
  mappings.ask(call);
  return adapter::merged(call, [&] { return mappings.conclude(); });
}

}  // namespace daptor::petsc
