// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <string>

#include "../names.hpp"
#include "daptor/adapter/row_faults.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "object_mappings.hpp"
#include "objects.hpp"
#include "probe.hpp"

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

/// @returns whether all vectors have as many elements on this rank as the matrix has columns
bool look_at_lengths(const NullVectors& vectors, PetscInt columns, const char* rule,
                     const char* space, Findings& findings) {
  for (PetscInt i = 0; i < vectors.count; ++i)
    if (!detail::has_length(vectors.vecs[i], columns, rule,
                            "vector " + std::to_string(i) + " of its " + space + ",",
                            ", one for each column of the matrix on this rank", findings))
      return false;
  return true;
}

/// Square matrices whose diagonal block is not square on a rank cannot be solved with.
void look_at_layout(Mat mat, Findings& findings) {
  PetscInt rows = 0, columns = 0;
  detail::call("MatGetSize", MatGetSize, mat, &rows, &columns);
  const detail::LocalShape local = detail::shape_of(mat);
  if (rows == columns && local.rows != local.columns)
    findings.warning("check.mat.layout",
                     "a square matrix that has " + std::to_string(local.rows) + " rows and " +
                         std::to_string(local.columns) + " columns on this rank",
                     "as many columns as rows on each rank",
                     "Give rows and columns the same local sizes.");
}

bool is_square(const detail::MatBlocks& blocks) {
  return blocks.global_rows == blocks.global_columns && blocks.first_row == blocks.first_column &&
         blocks.rows == blocks.columns;
}

adapter::RowFaults faults_of(const detail::OpenBlock& own, const detail::OpenBlock& other,
                             const detail::MatBlocks& blocks) {
  adapter::RowFaults faults;
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    const Index row = Index{blocks.first_row} + r;
    const auto at = static_cast<std::size_t>(r);
    faults.look_at_row(
        own.columns() + own.begin(at), own.columns() + own.end(at), row, r,
        [&](PetscInt column) { return Index{blocks.first_column} + column; }, other.length(at) > 0);
    faults.look_at_columns(other.columns() + other.begin(at), other.columns() + other.end(at), row,
                           [&](PetscInt column) { return Index{blocks.ghosts_of[column]}; });
  }
  return faults;
}

/// Looks at this rank's rows of an AIJ matrix that is assembled: columns that a row has twice or
/// that are not in order, and, if the matrix is square, rows without entries and without an entry
/// on the diagonal. Other matrices have no findings.
void look_at_rows(Mat mat, Findings& findings) {
  if (!detail::is_one_of(detail::object(mat), {MATSEQAIJ, MATMPIAIJ})) return;
  const detail::MatBlocks blocks = detail::blocks_of(mat);
  const detail::OpenBlock own(blocks.own, detail::BlockAccess::columns),
      other(blocks.other, detail::BlockAccess::columns);
  if (!own.readable() || !other.readable()) return;
  faults_of(own, other, blocks).tell(is_square(blocks), findings);
}

/// Whether the matrix maps the vectors of its null space to zero, compared with one of random
/// numbers. A fact of an Inspection.
class NullSpaceCheck {
 public:
  NullSpaceCheck(Mat mat, Call& call) : probe_(mat, call) {}

  /// @param applicable  whether this rank can multiply
  void gather(const NullVectors& vectors, bool applicable, Call& call) {
    vectors_ = vectors;
    applicable_ = call.all(applicable);
  }
  bool settled() const { return !applicable_; }
  void ask(Call&) {
    if (!applicable_) return;
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
  void tell(Findings& findings) const {
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
  Agreed<bool> applicable_;
  double scale_ = 0;
  double greatest_ = 100 * std::sqrt(static_cast<double>(PETSC_MACHINE_EPSILON));
  std::string worst_, ratio_;
};

/// This rank's own work.
/// @param null  its null space
/// @returns whether the matrix and these vectors can be multiplied
bool look_at(Mat mat, const NullVectors& null, Findings& findings) {
  if (!detail::is_set_up(mat)) return false;
  const PetscInt columns = detail::shape_of(mat).columns;
  look_at_layout(mat, findings);
  const bool fits =
      look_at_lengths(null, columns, "check.mat.null-space-rows", "null space", findings);
  look_at_lengths(near_null_vectors(mat), columns, "check.mat.near-null-space-rows",
                  "near-null space", findings);
  if (!detail::can_apply(mat)) return false;
  look_at_rows(mat, findings);
  return fits && (null.constant || null.count > 0);
}

/// Whether a Vec has as many local elements as the Mat has rows or columns here.
void look_at_factor(Vec vec, PetscInt expected, const char* whose, Findings& findings) {
  if (detail::is_set_up(vec))
    detail::has_length(vec, expected, "check.mat.vec",
                       "used with " + detail::subject_of(detail::object(vec)), whose, findings,
                       " Ranks at fault leave the product with an error, in which the others then "
                       "wait.");
}

}  // namespace

Report check(Mat mat, Vec x, Vec y) {
  detail::Inspection look(detail::object(mat));
  look.gather([&](Findings& findings) {
    if (!detail::is_set_up(mat)) return;
    const detail::LocalShape shape = detail::shape_of(mat);
    look_at_factor(x, shape.columns, ", the columns of this rank", findings);
    look_at_factor(y, shape.rows, ", the rows of this rank", findings);
  });
  return look.conclude();
}

Report check(Mat mat, const CheckOptions& options) {
  detail::Inspection look(detail::object(mat));
  Call& call = look.call();
  call.same(options);
  detail::Mappings mappings;
  NullSpaceCheck null_space(mat, call);
  look.gather([&](Findings& findings) {
    const NullVectors vectors = null_vectors(mat);
    mappings.gather(detail::mappings_of(mat), call);
    null_space.gather(vectors, look_at(mat, vectors, findings) && options.apply, call);
  });
  return look.conclude(mappings, null_space);
}

}  // namespace daptor::petsc
