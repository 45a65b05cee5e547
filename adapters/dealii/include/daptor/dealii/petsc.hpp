// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <deal.II/lac/petsc_vector.h>

#include <memory>

#include "daptor/dealii/vector.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/adapter/call.hpp"
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

template <>
struct Applied<::dealii::PETScWrappers::MPI::Vector> {
  using Vector = ::dealii::PETScWrappers::MPI::Vector;
  static MPI_Comm comm(const Vector& v) { return v.get_mpi_communicator(); }
  static Index count(const Vector& v) { return static_cast<Index>(v.locally_owned_size()); }
  static const void* memory(const Vector& v) { return static_cast<const Vec&>(v); }
  /// deal.II's vectors have a layout each.
  static const void* layout(const Vector& /*v*/) { return nullptr; }
  static std::shared_ptr<const void> hold(const Vector& /*v*/) { return nullptr; }
  static const char* obstacle(const Vector& v) {
    return v.has_ghost_elements() ? "a vector of PETScWrappers with ghosts" : nullptr;
  }
  static void before_write(Vector& /*v*/) {}

  class Reading {
   public:
    explicit Reading(const Vector& v) : vec_(v) {
      petsc::detail::call("VecGetArrayRead", VecGetArrayRead, vec_, &data);
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { static_cast<void>(VecRestoreArrayRead(vec_, &data)); }
    const PetscScalar* data = nullptr;

   private:
    Vec vec_;
  };
  class Writing {
   public:
    explicit Writing(Vector& v) : vec_(v) {
      petsc::detail::call("VecGetArrayWrite", VecGetArrayWrite, vec_, &data);
    }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;
    ~Writing() { static_cast<void>(VecRestoreArrayWrite(vec_, &data)); }
    PetscScalar* data = nullptr;

   private:
    Vec vec_;
  };
};
}  // namespace detail

}  // namespace daptor::dealii
