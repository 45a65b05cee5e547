// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include <mpi.h>

#include "daptor/comm.hpp"
#include "daptor/types.hpp"

/// \file
/// The arguments that the Fortran side passes; their fields are those of its derived types of the
/// same names.

extern "C" {

/// An optional argument of rank 1; `count` is -1 if it is absent.
struct daptor_fortran_list {
  const std::int64_t* values;
  std::int64_t count;
};

/// The arguments of `layout%block`.
struct daptor_fortran_block {
  daptor_fortran_list shape, grid, position, ghosts, padding, boundary, periodic, lower, upper;
};

/// A `type(daptor_dimension)`. Global indices count from 1; `upper` is the last one.
struct daptor_fortran_dimension {
  std::int32_t distribution;  // 'n', 'b', 'c' or 'u'; 0 if the dimension is empty
  std::int32_t periodic;      // -1 if absent
  std::int32_t one_to_one;
  std::int64_t size;
  std::int64_t lower, upper;               // both -1 for an even block
  std::int64_t grid, position;             // -huge if absent
  std::int64_t ghosts, padding, boundary;  // -1 if absent
  std::int64_t block_size;
  std::int64_t origin;
  std::int64_t indices;    // of keep_list; -1 if there was no memory
  std::int64_t owned;      // -1 if absent
  std::int64_t positions;  // of keep_list: of what is owned; 0 if absent, -1 if there was no memory
  std::int64_t mask;       // number of entries of the mask from which `positions` are; -1 if none
};
}

namespace daptor::fortran {

/// Process-local. `comm` is a handle of Fortran.
Comm communicator(MPI_Fint comm);

/// `nullopt` if the argument is absent.
std::optional<std::vector<Index>> values_of(const daptor_fortran_list& list);

}  // namespace daptor::fortran
