// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <petscmat.h>

namespace daptor::solvers {

/// How vectors are divided.
struct VecLayout {
  PetscInt local = 0, global = 0, first = 0, block_size = 1;
};

/// Vecs without memory of their own, one for each side of a matrix, and a dense Mat for each, to be
/// put where somebody else's columns are. After PetscFinalize they are left alone.
class Placeholders {
 public:
  /// Collective over `comm`.
  Placeholders(MPI_Comm comm, const VecLayout& from, const VecLayout& to);
  Placeholders(const Placeholders&) = delete;
  Placeholders& operator=(const Placeholders&) = delete;
  ~Placeholders();

  Vec from() const { return vecs_[0]; }
  Vec to() const { return vecs_[1]; }

  /// Columns of the dense Mats that are there; 0: none are.
  PetscInt columns() const { return columns_; }
  /// Collective. Makes them for another number of columns.
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

/// Memory under a Vec for the length of a scope. Its beginning voids cached norms.
class PlacedVec {
 public:
  PlacedVec(Vec vec, const PetscScalar* data);
  PlacedVec(const PlacedVec&) = delete;
  PlacedVec& operator=(const PlacedVec&) = delete;
  ~PlacedVec();

 private:
  Vec vec_;
};

/// The same for columns that follow each other without gaps.
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
