// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

namespace daptor::solvers {

/// How vectors are divided over the ranks.
struct VecLayout {
  PetscInt local = 0, global = 0, first = 0, block_size = 1;
};

/// Vecs without memory of their own, one for each side of a matrix, and a dense Mat for each side,
/// to be placed on columns of foreign memory. They are not destroyed after PetscFinalize.
class Placeholders {
 public:
  /// Collective over `comm`.
  Placeholders(MPI_Comm comm, const VecLayout& from, const VecLayout& to);
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;
  ~Placeholders();

  Vec from() const { return vecs_[0]; }
  Vec to() const { return vecs_[1]; }

  /// Number of columns of the existing dense Mats; 0 if there are none.
  PetscInt columns() const { return columns_; }
  /// Collective. Makes them for a different number of columns.
  void make_columns(PetscInt columns);
  Mat from_columns() const { return mats_[0]; }
  Mat to_columns() const { return mats_[1]; }

 private:
  void make_vec(int which);
  void make_mat(int which, PetscInt columns);
  void destroy_columns() noexcept;
  void destroy() noexcept;

  MPI_Comm comm_;
  VecLayout layouts_[2];
  Vec vecs_[2] = {nullptr, nullptr};
  Mat mats_[2] = {nullptr, nullptr};
  PetscInt columns_ = 0;
  unsigned session_;
};

/// Places memory under a Vec for the length of a scope. The constructor invalidates cached norms.
class PlacedVec {
 public:
  PlacedVec(Vec vec, const PetscScalar* data);
  PlacedVec(const PlacedVec&) = delete;
  PlacedVec& operator=(const PlacedVec&) = delete;
  ~PlacedVec();

 private:
  Vec vec_;
};

/// The same for contiguous columns.
class PlacedColumns {
 public:
  PlacedColumns(Mat mat, const PetscScalar* data);
  PlacedColumns(const PlacedColumns&) = delete;
  PlacedColumns& operator=(const PlacedColumns&) = delete;
  ~PlacedColumns();

 private:
  Mat mat_;
};

}  // namespace daptor::solvers
