// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "objects.hpp"
#include "procedures.hpp"

namespace daptor::fortran {

/// First and last Fortran index. There are no indices if `upper` is less than `lower`.
struct Bounds {
  Index lower;
  Index upper;
};

/// \name Converting Fortran's arguments to dimensions
/// Process-local. Call these functions inside a check (`Call::check`), because they throw what is
/// wrong on this process.
/// \{
Layout block_layout(const daptor_fortran_argument* arguments, const Comm& comm);
Layout layout_of(const daptor_fortran_dimension* dimensions, std::int64_t count, const Comm& comm);
/// All points of another layout on one process, with the same Fortran indices.
Layout on_process(const Layout& whole, Index process);
/// \}

/// The indices that this process owns along dimension `d`, without ghost cells. For cyclic and
/// unstructured dimensions these are positions in the section.
Bounds owned_bounds(const Layout& layout, std::size_t d);
/// The same for all of this process's memory, ghost cells included.
Bounds local_bounds(const Layout& layout, std::size_t d);

/// \name Arguments of rank 1 that are written
/// \{
Index size_of(const CFI_cdesc_t& list);
/// Throws InvalidArgument, and writes nothing, if one of the numbers is no default integer and the
/// list is of these.
/// @param name  of the argument
void store(const std::vector<Index>& numbers, const CFI_cdesc_t& list, const char* name);
/// \}

}  // namespace daptor::fortran
