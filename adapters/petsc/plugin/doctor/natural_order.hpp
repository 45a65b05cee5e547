// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

#include <petscdm.h>

#include "daptor/types.hpp"

namespace daptor::petsc::plugin::doctor {

/// The number of an element that does not depend on the number of ranks: that of its point in a
/// DMDA, row by row, with the components of a point behind each other; without a DMDA, its global
/// number.
///
/// Example: a DMDA of 4 x 2 points on two ranks, each of which has 2 x 2 of them.
///
///     PETSc's numbers   2 3 | 6 7      natural numbers   4 5 | 6 7
///                       0 1 | 4 5                        0 1 | 2 3
class NaturalOrder {
 public:
  /// Process-local. Throws LibraryFailed.
  /// @param dm      may be null
  /// @param layout  of the elements
  NaturalOrder(DM dm, PetscLayout layout);

  /// Whether the numbers are those of points in a grid.
  bool of_grid() const { return grid_; }
  /// Numbers of points in the grid along x, y and z, and of components.
  std::array<PetscInt, 4> shape() const { return {size_[0], size_[1], size_[2], components_}; }

  /// @param number  PETSc's global number, of any rank
  Index operator()(PetscInt number) const;
  /// Calls `run(local, count, natural)` for consecutive elements of this rank, which have
  /// consecutive natural numbers.
  template <class F>
  void for_each_run(const F& run) const {
    const auto local = static_cast<std::size_t>(own_end_ - own_begin_);
    if (!grid_) return run(std::size_t{0}, local, Index{own_begin_});
    const Box box = box_of(own_rank_);
    const auto row = static_cast<std::size_t>(box.width(0)) * static_cast<std::size_t>(components_);
    for (std::size_t done = 0; row > 0 && done < local; done += row)
      run(done, row, (*this)(own_begin_ + static_cast<PetscInt>(done)));
  }

 private:
  struct Box {
    std::array<PetscInt, 3> begin, end;
    PetscInt width(std::size_t d) const { return end[d] - begin[d]; }
  };
  Box box_of(PetscInt rank) const;
  bool fits() const;

  PetscInt own_begin_ = 0, own_end_ = 0, own_rank_ = 0;
  bool grid_ = false;
  PetscInt components_ = 1;
  std::array<PetscInt, 3> size_{1, 1, 1};
  std::array<std::vector<PetscInt>, 3> starts_;  ///< of the ranks' boxes, along each dimension
  std::vector<PetscInt> first_of_;               ///< PETSc's number of each rank's first element
};

}  // namespace daptor::petsc::plugin::doctor
