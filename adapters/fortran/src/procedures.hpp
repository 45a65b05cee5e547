// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <limits>

#include <mpi.h>

#include "daptor/abi.h"
#include "daptor/fortran.hpp"
#include "daptor/fortran/arguments.hpp"

/// \file
/// What the module daptor calls. interface.cpp writes the interfaces in Fortran from these
/// declarations: a reference is one variable, a pointer an array. Functions that return `int`
/// return 0 or the value for `stat`. Parameters stand in the order of Fortran's arguments.

struct CFI_cdesc_t;

namespace daptor::fortran {
/// Reductions in the order of Wanted.
inline constexpr const char* reductions[] = {
    "array%sum",         "array%mean",  "array%var",   "array%minval", "array%maxval",
    "array%dot_product", "array%norm2", "array%count", "array%any",    "array%all"};
}  // namespace daptor::fortran

using daptor::fortran::Handle;

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

/// \name Layouts
/// \{
/// Collective over `comm`. `arguments` are those of `layout%block` without comm: a shape, grid,
/// position, ghosts, padding, boundary, periodic, lower, upper.
int daptor_fortran_layout_block(Handle& layout, MPI_Fint comm,
                                const daptor_fortran_argument* arguments);
/// Collective over `comm`.
int daptor_fortran_layout_create(Handle& layout, const daptor_fortran_dimension* dimensions,
                                 std::int64_t count, MPI_Fint comm);
/// Process-local. Keeps a copy of indices that count from 1. Returns -1 if there is no memory for
/// it.
Handle daptor_fortran_keep_list(const daptor_fortran_argument& indices);
/// Collective over the communicator of `whole`, whose grid the new layout has.
int daptor_fortran_layout_on_process(Handle& layout, Handle whole, std::int32_t process);
/// Process-local. Returns -1 if there is no layout.
std::int64_t daptor_fortran_layout_ndim(Handle layout);
/// Process-local. First and last Fortran index along each dimension, either of the points that this
/// process owns or of its section with ghost cells.
int daptor_fortran_layout_bounds(Handle layout, std::int32_t ghosts, CFI_cdesc_t& lower,
                                 CFI_cdesc_t& upper);
/// Process-local. The number of processes along each dimension, and the position of this one.
int daptor_fortran_layout_grid(Handle layout, CFI_cdesc_t& grid, CFI_cdesc_t& position);
/// \}

/// \name Arrays
/// \{
/// Process-local. Returns 1 for character types.
std::int32_t daptor_fortran_is_text(const CFI_cdesc_t& values);
/// Collective over the layout's communicator. `component` may be `values` itself.
int daptor_fortran_describe(Handle& array, const CFI_cdesc_t& values, const CFI_cdesc_t& component,
                            Handle layout, std::int32_t readonly);
/// Process-local.
int daptor_fortran_array_layout(Handle array, Handle& layout);
/// Logically collective.
int daptor_fortran_modified(Handle array);
/// Collective. Indices keep the numbers that they have in the array.
int daptor_fortran_without_padding(Handle array, Handle& inside);
/// Collective. Stores the report as the message. If `must_conform` is not 0, an array that does not
/// conform is an error.
int daptor_fortran_validate(Handle array, const daptor_fortran_argument* options,
                            std::int32_t must_conform, std::int32_t& conforms);
/// Process-local.
int daptor_fortran_to_abi(Handle array, daptor_array& out);
/// Collective over `comm`. Takes `in` on all processes or on none.
int daptor_fortran_from_abi(Handle& array, daptor_array& in, MPI_Fint comm);
/// \}

/// \name Reductions
/// Collective. `mask` is 0 if all elements count.
/// \{
/// `wanted` is a number of Wanted; `result` gets it. `other` is of dot_product, `ddof` of var.
int daptor_fortran_reduce(Handle array, std::int32_t wanted, Handle other,
                          const daptor_fortran_argument& result,
                          const daptor_fortran_argument& ddof, Handle mask);
/// Writes the bounds of the first extreme in the order of Fortran's elements.
int daptor_fortran_place(Handle array, std::int32_t greatest, CFI_cdesc_t& place, Handle mask);
/// `process` (0 if it is absent) gets all elements of the interior, or `everywhere` each does.
int daptor_fortran_gather(Handle array, CFI_cdesc_t& values, const daptor_fortran_argument& process,
                          const daptor_fortran_argument& everywhere);
/// \}

/// \name Exchanges
/// \{
/// Collective over the first array's communicator.
int daptor_fortran_update_ghosts(Handle array, const daptor_fortran_argument* options);
int daptor_fortran_halo_create(Handle& halo, const Handle* arrays, std::int64_t count,
                               const daptor_fortran_argument* options);
/// Fills the copies; or, if `accumulate` is not 0, combines contributions on their owners by `how`,
/// a Combine. `whole`: ends the exchange, too.
int daptor_fortran_halo_begin(Handle halo, std::int32_t accumulate,
                              const daptor_fortran_argument& how, std::int32_t whole);
int daptor_fortran_halo_end(Handle halo);
int daptor_fortran_halo_rebind(Handle halo, const Handle* arrays, std::int64_t count);
/// Collective over the first source's communicator.
int daptor_fortran_redistribution_create(Handle& redistribution, const Handle* sources,
                                         std::int64_t source_count, const Handle* targets,
                                         std::int64_t target_count,
                                         const daptor_fortran_argument* options);
/// Copies once, with the same options but for those of a plan that is kept.
int daptor_fortran_redistribute(Handle source, Handle target,
                                const daptor_fortran_argument* options);
int daptor_fortran_redistribution_begin(Handle redistribution, std::int32_t back,
                                        const daptor_fortran_argument* transform,
                                        std::int32_t whole);
int daptor_fortran_redistribution_end(Handle redistribution);
/// \}

/// \name Objects and messages
/// \{
void daptor_fortran_free(Handle& handle);
Handle daptor_fortran_share(Handle handle);
std::int64_t daptor_fortran_message_length();
const char* daptor_fortran_message();
/// Ends a job whose caller did not pass `stat`. Rank 0 prints an error that all ranks have agreed
/// on. The other ranks give it the time to do so, and print the error themselves only if rank 0
/// does not have it.
void daptor_fortran_stop();
/// \}
}
