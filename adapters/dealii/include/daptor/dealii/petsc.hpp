// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deal.II/lac/petsc_vector.h>

#include "daptor/dealii/vector.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/vec.hpp"

#ifndef DEAL_II_WITH_PETSC
#error "daptor/dealii/petsc.hpp: this deal.II was configured without PETSc."
#endif

/// \file
/// PETScWrappers' vectors. Programs link daptor::petsc. deal.II and Daptor must have been built
/// with the same PETSc; a difference in version, element type or width of indices does not compile.

namespace daptor::dealii {

/// \name PETScWrappers::MPI::Vector
/// The vector as an array on its memory: `petsc::export_vec`, with the ghosts behind the owned
/// elements if the vector has any. A matrix or a vector of PETScWrappers can also be passed to all
/// calls that take a Mat or a Vec. Process-local.
///
/// deal.II does not write to vectors with ghosts, and their ghost state never changes: a halo
/// exchange of the array does what `update_ghost_values` does.
/// @param vector  PETSc counts the references to it, so it may go before the array
/// @throws Error like petsc::export_vec
/// \{
inline DistArray describe(::dealii::PETScWrappers::MPI::Vector& vector) {
  petsc::VecExportOptions options;
  options.ghosts = vector.has_ghost_elements();
  return petsc::export_vec(vector, options);
}
inline DistArray describe(const ::dealii::PETScWrappers::MPI::Vector& vector) {
  petsc::VecExportOptions options;
  options.ghosts = vector.has_ghost_elements();
  return petsc::export_vec_readonly(vector, options);
}
/// \}

namespace detail {
template <>
struct Describer<::dealii::PETScWrappers::MPI::Vector> {
  template <class Vector>
  static DistArray describe(Vector& vector) {
    return dealii::describe(vector);
  }
};
}  // namespace detail

}  // namespace daptor::dealii
