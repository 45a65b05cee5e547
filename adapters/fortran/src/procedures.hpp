// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include <mpi.h>

#include "daptor/abi.h"
#include "daptor/fortran.hpp"
#include "daptor/fortran/arguments.hpp"

/// \file
/// What procedures of the module daptor call that are written by hand, and the types that other
/// functions get (interface.cpp): a reference is one variable, a pointer an array.

struct CFI_cdesc_t;

extern "C" {

/// A `type(daptor_dimension)`. Global indices count from 1; `upper` is the last one.
struct daptor_fortran_dimension {
  /// Stands for an argument that is absent.
  static constexpr std::int64_t absent = -std::numeric_limits<std::int64_t>::max();

  std::int64_t distribution = 0;  // 'n', 'b', 'c' or 'u'; 0 if the dimension is empty
  std::int64_t size = 0;
  std::int64_t grid = absent, position = absent;
  std::int64_t lower = absent, upper = absent;
  std::int64_t ghosts = absent, padding = absent, boundary = absent;
  std::int64_t periodic = absent;
  std::int64_t block_size = 1, origin = 0;
  std::int64_t indices = 0;  // of keep_list; -1 if there was no memory
  std::int64_t owned = absent;
  std::int64_t one_to_one = 0;
  std::int64_t positions = 0;  // of keep_list: of what is owned; 0 if absent, -1 without memory
  std::int64_t mask = absent;  // number of entries of the mask from which `positions` are
};
}

namespace daptor::fortran {
extern "C" {

/// Process-local. Keeps a copy of indices that count from 1. Returns -1 if there is no memory for
/// it.
Handle daptor_fortran_keep_list(const daptor_fortran_argument& indices);
/// Process-local. Returns -1 if there is no layout.
std::int64_t daptor_fortran_layout_ndim(Handle layout);
/// Process-local. Returns 1 for character types.
std::int32_t daptor_fortran_is_text(const CFI_cdesc_t& values);
void daptor_fortran_free(Handle& handle);
/// Makes `copy` stand for the object, too, in place of what it held.
void daptor_fortran_share(Handle handle, Handle& copy);
std::int64_t daptor_fortran_message_length();
const char* daptor_fortran_message();
/// Ends a job whose caller did not pass `stat`. Rank 0 prints an error that all ranks have agreed
/// on. The other ranks give it the time to do so, and print the error themselves only if rank 0
/// does not have it.
void daptor_fortran_stop();
}
}  // namespace daptor::fortran
