// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// deal.II's own distributed vectors as distributed arrays on the same memory. Needs daptor::core.
///
/// \code
/// auto a = daptor::dealii::describe(u);      // LinearAlgebra::distributed::Vector; no copy
/// auto x = daptor::petsc::import_vec(a);     // a Vec on its owned elements
/// KSPSolve(ksp, b.get(), x.get());
/// a.modified();                              // u is written: its ghosts are no longer valid
/// daptor::HaloExchange(a).update();          // now they are: u.has_ghost_elements()
/// \endcode
///
/// Other headers, each for programs whose deal.II has the library, and which link the component:
/// - `daptor/dealii/trilinos.hpp` (daptor::core): TrilinosWrappers' vectors and matrices
/// - `daptor/dealii/petsc.hpp` (daptor::petsc): PETScWrappers' vectors
/// - `daptor/dealii/preconditioner.hpp` (daptor::tpetra): an operator of Trilinos, such as MueLu,
///   as a preconditioner of deal.II's solvers

#include "daptor/dealii/vector.hpp"
