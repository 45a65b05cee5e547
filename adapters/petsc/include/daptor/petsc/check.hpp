// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscdm.h>
#include <petscis.h>
#include <petscksp.h>
#include <petscmat.h>
#include <petscsf.h>
#include <petscvec.h>

#include "daptor/fields.hpp"
#include "daptor/petsc/config.hpp"
#include "daptor/report.hpp"

/// \file
/// What is wrong with objects of PETSc that PETSc itself does not look at, above all in optimised
/// builds: mappings and layouts that do not fit each other, stale norms, values that are no
/// numbers, matrices and solvers that do not do what they are used for.
///
/// \code
/// const daptor::Report report = daptor::petsc::check(A);  // on all ranks
/// if (!report) PetscPrintf(PETSC_COMM_WORLD, "%s\n", to_string(report.findings()[0]).c_str());
/// \endcode
///
/// `docs/check-rules.md` lists the rules.

namespace daptor::petsc {

/// What a check looks at. Must be the same on all ranks.
struct CheckOptions {
  bool values = true;
  bool apply = true;
};
constexpr auto fields(const CheckOptions&) {
  return field_list(
      field("values", &CheckOptions::values, "read the values of a Vec, all of them"),
      field("apply", &CheckOptions::apply, "apply operators, to vectors of the check"));
}

/// \name Findings about an object
///
/// Collective over the communicator of the object. Returns the same report on all ranks: each
/// finding names its rule (`check.…`), the lowest of the ranks at fault, and the object by its
/// type, name and options prefix. What the object is, its state and what PETSc has cached about it
/// stay as they are; operators are applied, to vectors of the check, where that is said.
///
/// @param object  not null on any rank; one that is not set up yet is not looked at
/// @returns a report that is true if nothing is wrong; warnings do not count as wrong
/// @throws InvalidArgument (`argument`: PETSc is not initialized; `petsc.build`), Finalized, on all
///   ranks
/// \{

/// Looks at the local-to-global mapping, the ghosts, the values and the norm that PETSc has cached.
/// Values are looked at in Vecs of type `seq`, `mpi` and `shared`.
Report check(Vec vec, const CheckOptions& options = {});

/// Looks at the local-to-global mappings of rows and columns, the layouts, the rows of an AIJ
/// matrix, and null spaces: each of the vectors is multiplied once.
Report check(Mat mat, const CheckOptions& options = {});

/// Looks at the local sizes of two Vecs that are used with the Mat as in MatMult, `x` by its
/// columns and `y` by its rows. Collective over the communicator of the Mat.
/// @param x, y  not null on any rank
Report check(Mat mat, Vec x, Vec y);

/// Looks at the local-to-global mapping, if the DM has made one already, and whether all ranks have
/// made a DMDA with the same sizes, ownership ranges, boundary and stencil.
Report check(DM dm);

/// Looks at the mapping as that of `layout`, over whose communicator it is collective.
Report check(ISLocalToGlobalMapping mapping, Vec layout);
/// The same for the rows of a Mat.
Report check(ISLocalToGlobalMapping mapping, Mat layout);

/// Looks at what the index set says of itself: blocks, and on each rank a permutation. Index sets
/// of type `general`, `stride` and `block`.
Report check(IS set);
/// Looks at the index set as a part of the vector, of which MatCreateSubMatrix, PCFieldSplit or a
/// scatter take each element once: indices out of range, and, if set and vector are on the same
/// processes, repeated ones, whichever ranks have them. Collective over the communicator of
/// `layout`.
Report check(IS set, Vec layout);
/// The same for the rows of a Mat.
Report check(IS set, Mat layout);

/// Looks at the graph of a PetscSF or VecScatter.
Report check(PetscSF scatter);
/// Looks at the local sizes of two Vecs with which a VecScatter is used, forward or in reverse.
/// Collective over the communicator of the scatter.
/// @param x, y  as of VecScatterBegin; not null on any rank
Report check(PetscSF scatter, Vec x, Vec y);

/// Looks at the layouts of operators, right-hand side and solution; after a solve that has
/// converged also at the true residual, and, with methods for symmetric operators, at the symmetry
/// of the operator. Applies the operator up to three times, unless it is of type `mffd`.
Report check(KSP ksp, const CheckOptions& options = {});

/// Compares each ghost of a ghosted Vec with the value of its owner: whether a ghost update was
/// left out. The finding (`check.ghosts.stale`) names the ranks with ghosts that differ, the first
/// one on the lowest of these ranks with both values, how many there are, and the largest
/// difference of all ranks. Not for a Vec whose ghosts hold contributions that are still to be
/// added to their owners, and not between begin and end of an update. Costs two exchanges, in which
/// ranks ask the owners of their ghosts.
/// @param vec  made by VecCreateGhost or a function of its kind
/// @throws NotRepresentable (`petsc.vec.ghosts`) on all ranks if the Vec has no ghosts, or if
///   its local-to-global mapping has been replaced and PETSc knows the ghosts from nowhere else
Report check_ghosts(Vec vec);
/// The same for a local Vec of a DM, all of whose values DMGlobalToLocal would fill from `global`:
/// with INSERT_VALUES, and with the hooks that the program has added to the DM. Ghost points that
/// it does not fill, as those beyond the ends of a DMDA, are not compared. Points of a DMDA are
/// named in PETSc's order, x first. Not between begin and end of a transfer with the DM. Collective
/// over its communicator. Costs a local and a global Vec.
/// @throws InvalidArgument on all ranks if the Vecs are not like those that the DM makes
Report check_ghosts(DM dm, Vec local, Vec global);
/// \}

/// Remembers the values of a Vec, to find what changes them without PETSc's knowledge: a pointer
/// that was kept after VecRestoreArray, or another library that works on the same memory. PETSc
/// then goes on using norms of the former values.
///
/// \code
/// daptor::petsc::ValueWatch watch(x);
/// step(x);
/// const daptor::Report report = watch.look();  // check.vec.unnoticed-write
/// \endcode
class ValueWatch {
 public:
  /// Process-local. Reads the values once, and keeps 8 bytes for each 1024 of them.
  /// @param vec  must outlive this object; of type `seq`, `mpi` or `shared`, otherwise nothing is
  ///             watched
  explicit ValueWatch(Vec vec);
  ValueWatch(ValueWatch&& other) noexcept;
  ValueWatch& operator=(ValueWatch&& other) noexcept;
  ~ValueWatch();

  /// Collective over the communicator of the Vec. Finds values that differ from those that were
  /// remembered although the state of the Vec is the same, and remembers the present ones.
  Report look();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace daptor::petsc
