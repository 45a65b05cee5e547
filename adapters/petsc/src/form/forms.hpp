// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/form.hpp"
#include "daptor/petsc/vec.hpp"

/// \file
/// What each object of PETSc asks of an array. They have in common elements of type PetscScalar,
/// aligned, and counts that a PetscInt holds. A DMDA and matrices judge more by themselves.

namespace daptor::petsc::detail {

const adapter::Form& vec_form();
/// A Vec with ghosts behind its owned elements.
const adapter::Form& ghosted_vec_form();
/// The whole section, padding included, as a sequential Vec.
const adapter::Form& local_vec_form();
const adapter::Form& dmda_form();
const adapter::Form& dense_form();
const adapter::Form& scalapack_form();
/// Of lists of numbers.
const adapter::Form& numbering_form();

/// What the options change about the form of a Vec. `options` must outlive it.
adapter::Asked asked_by(const VecOptions& options);

/// Reasons that also prevent a copy: elements of another type, unless they are converted, and
/// memory of a device.
adapter::Reasons copy_reasons(const adapter::Form& form, const Section& array, bool convert);

}  // namespace daptor::petsc::detail
