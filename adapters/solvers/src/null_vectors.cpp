// SPDX-License-Identifier: BSD-3-Clause
#include "null_vectors.hpp"

#include <algorithm>

#include "daptor/petsc/adapter/call.hpp"
#include "irregular.hpp"

namespace daptor::solvers {
namespace {

using petsc::detail::call;

/// A product that is this small relative to the matrix is zero up to rounding.
constexpr PetscReal tolerance = 1e-9;

class OwnVec {
 public:
  explicit OwnVec(Vec like) { call("VecDuplicate", VecDuplicate, like, &vec_); }
  OwnVec(const OwnVec&) = delete;
  OwnVec& operator=(const OwnVec&) = delete;
  ~OwnVec() { static_cast<void>(VecDestroy(&vec_)); }
  Vec get() const { return vec_; }

 private:
  Vec vec_ = nullptr;
};

PetscReal norm_of(Vec x) {
  PetscReal norm = 0;
  call("VecNorm", VecNorm, x, NORM_2, &norm);
  return norm;
}

/// The largest norm of the products of the matrix, or its transpose, with the vectors.
PetscReal largest_product(Mat matrix, const std::vector<Vec>& vectors, bool transpose) {
  const OwnVec product(vectors.front());
  PetscReal largest = 0;
  for (Vec x : vectors) {
    if (transpose)
      call("MatMultTranspose", MatMultTranspose, matrix, x, product.get());
    else
      call("MatMult", MatMult, matrix, x, product.get());
    largest = std::max(largest, norm_of(product.get()));
  }
  return largest;
}

}  // namespace

NullVectors::NullVectors(Mat matrix, PC solver, PetscInt count) {
  try {
    find(matrix, solver, count);
  } catch (...) {
    clear();
    throw;
  }
}

NullVectors::~NullVectors() {
  clear();
}

void NullVectors::clear() noexcept {
  for (Vec& vec : vectors_) static_cast<void>(VecDestroy(&vec));
  vectors_.clear();
}

/// Makes the last vector orthogonal to the previous ones, with length 1. Returns false if nothing
/// is left of it.
bool NullVectors::orthonormalize(std::size_t last) {
  for (int pass = 0; pass < 2; ++pass)  // the second pass removes what rounding left
    for (std::size_t i = 0; i < last; ++i) {
      PetscScalar product = 0;
      call("VecDot", VecDot, vectors_[last], vectors_[i], &product);
      call("VecAXPY", VecAXPY, vectors_[last], -product, vectors_[i]);
    }
  PetscReal norm = 0;
  call("VecNormalize", VecNormalize, vectors_[last], &norm);
  return norm > 0 && !PetscIsInfOrNanReal(norm);
}

void NullVectors::find(Mat matrix, PC solver, PetscInt count) {
  PetscInt rows = 0;
  PetscReal size = 0;
  call("MatGetSize", MatGetSize, matrix, &rows, nullptr);
  call("MatNorm", MatNorm, matrix, NORM_INFINITY, &size);
  if (count > rows || PetscIsInfOrNanReal(size)) return;
  for (PetscInt i = 0; i < count; ++i) {
    Vec vec = nullptr;
    call("MatCreateVecs", MatCreateVecs, matrix, &vec, nullptr);
    vectors_.push_back(vec);
    const OwnVec right_side(vec);
    fill_irregularly(right_side.get(), i);
    for (int repetition = 0; repetition < 2; ++repetition) {
      call("PCApply", PCApply, solver, right_side.get(), vec);
      if (!orthonormalize(static_cast<std::size_t>(i))) return clear();
      call("VecCopy", VecCopy, vec, right_side.get());
    }
  }
  if (!(largest_product(matrix, vectors_, false) <= tolerance * size)) return clear();
  of_transpose_ = largest_product(matrix, vectors_, true) <= tolerance * size;
}

}  // namespace daptor::solvers
