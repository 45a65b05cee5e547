// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "daptor/comm.hpp"
#include "daptor/error.hpp"
#include "events.hpp"

/// \file
/// The option `-daptor_check calls`: whether all ranks make the same collective calls, as far as
/// PETSc's events tell.

namespace daptor::petsc::plugin::doctor {

/// Ranks of `comm` in numbers of PETSC_COMM_WORLD. Process-local.
std::vector<int> in_world(const std::vector<int>& ranks, MPI_Comm comm);

/// `Vec`; `null` of no object. Process-local.
std::string class_text(PetscObject object);

/// What a rank does, as findings say it: `VecNorm of Vec 'u'`.
std::string call_text(const char* event, PetscObject object);

/// `ranks 0, 1, 3: VecNorm of Vec 'u'; rank 2: MatMult of Mat`
/// @param texts   what each rank does
/// @param ranks   the number of each
std::string by_rank(const std::vector<std::string>& texts, const std::vector<int>& ranks);

/// Collective over `comm`, that of the objects of an event. A finding, the same on all ranks, if
/// the ranks are in different events, or pass objects of different classes or none.
std::optional<Finding> different_calls(const Comm& comm, const char* event, Objects objects);

/// Collective over `comm`. A finding if the options of PETSc's database differ between the ranks.
std::optional<Finding> different_options(const Comm& comm);

}  // namespace daptor::petsc::plugin::doctor
