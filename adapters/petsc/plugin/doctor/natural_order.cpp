// SPDX-License-Identifier: BSD-3-Clause
#include "natural_order.hpp"

#include <petscdmda.h>

#include <algorithm>

#include "daptor/petsc/adapter/call.hpp"
#include "petsc/src/check/objects.hpp"

namespace daptor::petsc::plugin::doctor {

NaturalOrder::NaturalOrder(DM dm, PetscLayout layout) {
  const PetscInt* firsts = nullptr;
  detail::call("PetscLayoutGetRange", PetscLayoutGetRange, layout, &own_begin_, &own_end_);
  if (dm == nullptr || !detail::is_one_of(detail::object(dm), {DMDA})) return;
  PetscMPIInt ranks = 1, rank = 0;
  MPI_Comm_size(PetscObjectComm(detail::object(dm)), &ranks);
  MPI_Comm_rank(PetscObjectComm(detail::object(dm)), &rank);
  own_rank_ = rank;
  std::array<PetscInt, 3> parts{1, 1, 1};
  detail::call("DMDAGetInfo", DMDAGetInfo, dm, nullptr, &size_[0], &size_[1], &size_[2], &parts[0],
               &parts[1], &parts[2], &components_, nullptr, nullptr, nullptr, nullptr, nullptr);
  std::array<const PetscInt*, 3> widths{};
  detail::call("DMDAGetOwnershipRanges", DMDAGetOwnershipRanges, dm, &widths[0], &widths[1],
               &widths[2]);
  for (std::size_t d = 0; d < 3; ++d) {
    starts_[d].push_back(0);
    for (PetscInt i = 0; i < parts[d]; ++i)
      starts_[d].push_back(starts_[d].back() + (widths[d] == nullptr ? size_[d] : widths[d][i]));
  }
  if (parts[0] * parts[1] * parts[2] != ranks || !fits()) return;
  detail::call("PetscLayoutGetRanges", PetscLayoutGetRanges, layout, &firsts);
  first_of_.assign(firsts, firsts + ranks + 1);
  grid_ = true;
}

/// Whether the elements of this rank are those of its points.
bool NaturalOrder::fits() const {
  for (std::size_t d = 0; d < 3; ++d)
    if (starts_[d].back() != size_[d]) return false;
  const Box box = box_of(own_rank_);
  return box.width(0) * box.width(1) * box.width(2) * components_ == own_end_ - own_begin_;
}

NaturalOrder::Box NaturalOrder::box_of(PetscInt rank) const {
  Box box{};
  for (std::size_t d = 0; d < 3; ++d) {
    const auto parts = static_cast<PetscInt>(starts_[d].size()) - 1;
    const auto part = static_cast<std::size_t>(rank % parts);
    rank /= parts;
    box.begin[d] = starts_[d][part];
    box.end[d] = starts_[d][part + 1];
  }
  return box;
}

Index NaturalOrder::operator()(PetscInt number) const {
  if (!grid_) return number;
  const bool own = number >= own_begin_ && number < own_end_;
  const auto rank =
      own ? own_rank_
          : static_cast<PetscInt>(std::upper_bound(first_of_.begin(), first_of_.end(), number) -
                                  first_of_.begin()) -
                1;
  const Box box = box_of(rank);
  PetscInt in_box = number - first_of_[static_cast<std::size_t>(rank)];
  const PetscInt component = in_box % components_;
  in_box /= components_;
  std::array<Index, 3> point{};
  for (std::size_t d = 0; d < 3; ++d) {
    point[d] = box.begin[d] + in_box % box.width(d);
    in_box /= box.width(d);
  }
  return ((point[2] * size_[1] + point[1]) * size_[0] + point[0]) * components_ + component;
}

}  // namespace daptor::petsc::plugin::doctor
