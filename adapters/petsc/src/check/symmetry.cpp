// SPDX-License-Identifier: BSD-3-Clause
#include "symmetry.hpp"

#include <algorithm>
#include <cmath>

#include "daptor/petsc/adapter/call.hpp"
#include "daptor/petsc/adapter/mat_rows.hpp"
#include "daptor/petsc/adapter/names.hpp"
#include "objects.hpp"

namespace daptor::petsc::detail {
namespace {

bool has_been_told(Mat mat, const char* name, PetscErrorCode (*ask)(Mat, PetscBool*, PetscBool*)) {
  PetscBool known = PETSC_FALSE, value = PETSC_FALSE;
  call(name, ask, mat, &known, &value);
  return known == PETSC_TRUE && value == PETSC_TRUE;
}

double absolute(PetscScalar value) {
  return static_cast<double>(PetscAbsScalar(value));
}

/// (u, A u), relative to its bound.
double energy_of(const Probe& probe, Vec u, Vec a_u) {
  const double bound = probe.norm(u) * probe.norm(a_u);
  return bound > 0 ? static_cast<double>(PetscRealPart(probe.dot(a_u, u))) / bound : 0;
}

/// The first row of this rank whose entry on the diagonal is not above 0; -1 if there is none. Of
/// AIJ matrices.
Index first_not_positive(Mat mat) {
  if (!is_one_of(object(mat), {MATSEQAIJ, MATMPIAIJ})) return -1;
  const MatBlocks blocks = blocks_of(mat);
  const OpenBlock own(blocks.own);
  for (PetscInt r = 0; r < blocks.rows; ++r) {
    bool positive = false;
    own.row(static_cast<std::size_t>(r), [&](PetscInt column, const PetscScalar& value) {
      if (column == r) positive = !(PetscRealPart(value) <= 0);
    });
    if (!positive) return Index{blocks.first_row} + r;
  }
  return -1;
}

Terms remedy(const char* option) {
  return std::string("Correct the matrix, or do not set ") + option + ": " +
         names::function("MatSetOption") +
         " looks at no entry, and preconditioners and solvers rely on it.";
}

}  // namespace

double Asymmetry::largest_rounded() {
  return std::sqrt(static_cast<double>(PETSC_MACHINE_EPSILON));
}

Asymmetry measure_symmetry(const Probe& probe, bool energies) {
  const auto u = probe.of_columns(), v = probe.of_columns();
  const auto a_u = probe.of_rows(), a_v = probe.of_rows();
  probe.set_random(u.get(), 2);
  probe.set_random(v.get(), 3);
  probe.apply(u.get(), a_u.get());
  probe.apply(v.get(), a_v.get());
  const double scale =
      probe.norm(u.get()) * probe.norm(a_v.get()) + probe.norm(v.get()) * probe.norm(a_u.get());
  const double hermitian = absolute(probe.dot(a_u.get(), v.get()) - probe.dot(u.get(), a_v.get()));
  const double symmetric =
      absolute(probe.plain_dot(a_u.get(), v.get()) - probe.plain_dot(u.get(), a_v.get()));
  Asymmetry measured;
  if (scale > 0) {
    measured.hermitian = hermitian / scale;
    measured.symmetric = symmetric / scale;
  }
  if (!energies) return measured;
  measured.energy =
      std::min(energy_of(probe, u.get(), a_u.get()), energy_of(probe, v.get(), a_v.get()));
  probe.set(u.get(), 1);
  probe.apply(u.get(), a_u.get());
  measured.energy = std::min(measured.energy, energy_of(probe, u.get(), a_u.get()));
  return measured;
}

void ToldSymmetry::gather(Mat mat, bool applicable, Call& call) {
  const LocalShape shape = is_set_up(mat) ? shape_of(mat) : LocalShape{};
  if (applicable && shape.rows == shape.columns) {
    symmetric_ = has_been_told(mat, "MatIsSymmetricKnown", MatIsSymmetricKnown);
    hermitian_ = has_been_told(mat, "MatIsHermitianKnown", MatIsHermitianKnown);
    positive_ = has_been_told(mat, "MatIsSPDKnown", MatIsSPDKnown);
  }
  if (positive_) negative_row_ = first_not_positive(mat);
  applicable_ = call.all(symmetric_ || hermitian_ || positive_);
  positive_diagonal_ = call.all(negative_row_ < 0);
}

void ToldSymmetry::ask(Call&) {
  if (applicable_) measured_ = measure_symmetry(probe_, positive_);
}

void ToldSymmetry::tell(Findings& findings) const {
  if (!applicable_) return;
  const bool real = !PetscDefined(USE_COMPLEX);
  const double asymmetry = std::max(symmetric_ ? measured_.symmetric : 0,
                                    hermitian_ || (positive_ && real) ? measured_.hermitian : 0);
  if (asymmetry > Asymmetry::largest_rounded())
    findings.error("check.mat.told-symmetric",
                   std::string("set as ") + (symmetric_ ? "symmetric" : "Hermitian") +
                       ", though (u, A v) and (A u, v) differ by " + number_text(asymmetry) +
                       " of their bound |u| |A v| + |v| |A u|",
                   "a matrix that is what it is set as",
                   remedy(symmetric_ ? "MAT_SYMMETRIC" : "MAT_HERMITIAN"));
  if (!positive_) return;
  const bool negative = positive_diagonal_ && measured_.energy < -Asymmetry::largest_rounded();
  if (negative_row_ < 0 && !negative) return;
  findings.error("check.mat.told-positive",
                 "set as positive definite, though " +
                     (negative_row_ >= 0 ? "the entry on the diagonal of row " +
                                               std::to_string(negative_row_) + " is not above 0"
                                         : "(u, A u) is " + number_text(measured_.energy) +
                                               " of |u| |A u| for a vector u"),
                 "a positive definite matrix", remedy("MAT_SPD"));
}

}  // namespace daptor::petsc::detail
