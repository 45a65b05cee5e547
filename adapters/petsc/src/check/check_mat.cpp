// SPDX-License-Identifier: BSD-3-Clause
#include <string>
#include <utility>
#include <vector>

#include "assembly.hpp"
#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "daptor/petsc/check.hpp"
#include "nest.hpp"
#include "null_space.hpp"
#include "object_mappings.hpp"
#include "objects.hpp"
#include "petsc/src/native/names.hpp"
#include "probe.hpp"
#include "rows.hpp"
#include "symmetry.hpp"

namespace daptor::petsc {
namespace {

using detail::Findings;

/// @returns whether all vectors have as many elements on this rank as the matrix has columns
bool look_at_lengths(const detail::NullVectors& vectors, PetscInt columns, const char* rule,
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

/// What this rank knows of a matrix.
struct Known {
  detail::NullVectors null, transposed_null, near_null;
  bool null_fits = false, transposed_fits = false, near_fits = false;
  bool multiplies = false;
};

/// This rank's own work.
Known look_at(Mat mat, Findings& findings) {
  Known known;
  if (!detail::is_set_up(mat)) return known;
  const detail::LocalShape shape = detail::shape_of(mat);
  MatNullSpace transposed = nullptr;
  detail::call("MatGetTransposeNullSpace", MatGetTransposeNullSpace, mat, &transposed);
  known.null = detail::null_vectors(mat);
  // Of a symmetric matrix, PETSc gives the null space.
  known.transposed_null = detail::vectors_of(transposed);
  if (known.transposed_null.vecs == known.null.vecs) known.transposed_null = {};
  known.near_null = detail::near_null_vectors(mat);
  look_at_layout(mat, findings);
  known.null_fits = look_at_lengths(known.null, shape.columns, "check.mat.null-space-rows",
                                    "null space", findings);
  known.transposed_fits =
      look_at_lengths(known.transposed_null, shape.rows, "check.mat.null-space-rows",
                      "transpose null space", findings);
  known.near_fits = look_at_lengths(known.near_null, shape.columns,
                                    "check.mat.near-null-space-rows", "near-null space", findings);
  known.multiplies = detail::can_apply(mat);
  if (!known.multiplies) return known;
  detail::look_at_rows(mat, findings);
  return known;
}

/// Rows of a block of a nested matrix may be empty, and need no diagonal.
bool is_about_all(const Finding& finding) {
  return finding.rule == "check.mat.empty-row" || finding.rule == "check.mat.no-diagonal";
}

/// Collective. What is wrong with a nested matrix and its blocks.
Report parts_of(Mat mat, const CheckOptions& options) {
  const std::vector<detail::NestBlock> blocks = detail::blocks_of_nest(mat);
  if (blocks.empty()) return {};
  Report report = detail::check_nest(mat);
  for (const detail::NestBlock& block : blocks) {
    if (block.mat == nullptr) continue;
    const Report of_block = check(block.mat, options);
    for (Finding finding : of_block.findings()) {
      if (is_about_all(finding)) continue;
      finding.found += "; it is " + block.part() + " of " + detail::subject_of(detail::object(mat));
      report.add(std::move(finding));
    }
  }
  return report;
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
  detail::SetModes modes;
  detail::NullSpaceCheck null_space(mat, call);
  detail::Orthonormal orthonormal(mat, call, "null space");
  detail::Orthonormal orthonormal_transposed(mat, call, "transpose null space");
  detail::NearNullCheck near_null(mat, call);
  detail::ToldSymmetry symmetry(mat, call);
  look.gather([&](Findings& findings) {
    mappings.gather(detail::mappings_of(mat), call);
    modes.gather(mat, call);
    const Known known = look_at(mat, findings);
    const bool applicable = known.multiplies && options.apply;
    null_space.gather(known.null, applicable && known.null_fits && known.null.any(), call);
    orthonormal.gather(known.null, known.null_fits, call);
    orthonormal_transposed.gather(known.transposed_null, known.transposed_fits, call);
    near_null.gather(known.near_null, known.near_fits, applicable, call);
    symmetry.gather(mat, applicable, call);
  });
  Report report = look.conclude(mappings, modes, null_space, orthonormal, orthonormal_transposed,
                                near_null, symmetry);
  report.append(parts_of(mat, options));
  return report;
}

}  // namespace daptor::petsc
