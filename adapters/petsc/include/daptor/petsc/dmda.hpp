// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include <petscdmda.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

namespace detail {
struct Access;
}

using daptor::Stencil;

/// What the boundary padding of an array is in a DMDA.
enum class DMDABoundary {
  /// Of an array that `export_dmda` has made of a vector of a DMDA: what it was there,
  /// DM_BOUNDARY_GHOSTED or DM_BOUNDARY_MIRROR. Of any other: as `grid`.
  as_exported,
  /// Points of the grid like others (DM_BOUNDARY_NONE): the grid has the array's `size`.
  grid,
  /// Points outside of the grid (DM_BOUNDARY_GHOSTED): the grid is what lies between them, the
  /// interior. The ghost cells of a stencil code at the ends of its domain. A dimension without
  /// boundary padding has no such points (DM_BOUNDARY_NONE).
  ghosted
};

/// How `import_dmda` makes its DMDA. Must be the same on all ranks (InvalidArgument otherwise).
struct DMDAOptions {
  /// Which padding `update_padding` fills: all of it (box), or faces without corners (star).
  Stencil stencil = Stencil::box;
  /// Stencil width of an array that has no communication padding on any edge. The array's own width
  /// counts otherwise; on one process, where no edge shows it, the width that its builder was asked
  /// for (`Block::asked`).
  int stencil_width = 0;
  /// What boundary padding is. Where it is outside of the grid, it has the stencil width on both
  /// ends of each dimension that has any (rule `petsc.dmda.boundary`).
  DMDABoundary boundary = DMDABoundary::as_exported;
  /// The fastest varying dimension is a grid dimension also where it is undistributed and unpadded;
  /// otherwise such a dimension of an array of two dimensions or more is the degrees of freedom.
  bool no_dof = false;
  /// Accept ranks that are not in PETSc's order on the grid: the DMDA is made on a communicator of
  /// its own, in PETSc's order, which `communicator()` shows and in which everything is numbered.
  bool allow_reorder = false;
  bool readonly = false;        ///< as VecOptions::readonly, for both vectors
  bool trust_readonly = false;  ///< as VecOptions::trust_readonly
};

/// A DMDA with its vectors on a producer's memory. Move-only; lifetime as ImportedVec, for the DM
/// and each vector.
class ImportedDMDA {
 public:
  /// Holds nothing.
  ImportedDMDA();
  ImportedDMDA(ImportedDMDA&& other) noexcept;
  ImportedDMDA& operator=(ImportedDMDA&& other) noexcept;
  ~ImportedDMDA();

  explicit operator bool() const { return state_ != nullptr; }
  DM dm() const;
  /// The communicator of the DMDA: the caller's, or the reordered one that this object owns.
  MPI_Comm communicator() const;
  /// Ranks were reordered (DMDAOptions::allow_reorder).
  bool reordered() const;
  /// The description whose memory the vectors lie on.
  const DistArray& array() const;

  bool has_local() const;
  bool has_global() const;
  /// The padded section as the DMDA's local vector (sequential, local indices, padding included),
  /// on the producer's memory. Throws NotRepresentable (rule `petsc.dmda.local-run`) where the
  /// section is not the DMDA's ghosted box: an unpadded array with a stencil width, or gaps between
  /// its rows.
  Vec local() const;
  /// The owned part as the DMDA's global vector, on the producer's memory. Throws NotRepresentable
  /// (rule `petsc.dmda.global-run`) where the owned part is not one contiguous run: communication
  /// padding in a dimension other than the slowest. Copy it then, which takes a line each way:
  /// \code
  /// DMCreateGlobalVector(field.dm(), &b);
  /// redistribute(a, export_dmda(field.dm(), b), comm);  // a: an array in C order
  /// redistribute(export_dmda(field.dm(), b), a, comm);
  /// \endcode
  Vec global() const;

  /// Collective over `communicator()`. Fills the communication padding, in the producer's buffer,
  /// from what its owners hold, and calls `array().modified()`. With Stencil::star padding in more
  /// than one direction (corners) stays as it is. As DMLocalToLocal on `local()`, bit for bit, by a
  /// HaloExchange of the array, which the first call makes. That one throws on all ranks, later
  /// ones process-locally: as local(), InvalidArgument where the array is read-only, and as
  /// HaloExchange. Copies of ghost points outside of the grid that a neighbour has are filled as
  /// well, which DMLocalToLocal leaves alone. With DM_BOUNDARY_MIRROR it is DMLocalToLocal, which
  /// fills mirrored points, and every call throws on all ranks.
  void update_padding();

  /// Puts the memory of another array of the same layout under both vectors. Process-local;
  /// logically collective. Errors as ImportedVec::rebind.
  /// @param array  this process's section, with memory; it is kept alive in place of the one before
  void rebind(const DistArray& array);

  /// Collective over `communicator()`. Releases vectors, DM and communicator. Does nothing the
  /// second time. Throws Finalized after PetscFinalize.
  void close();

 private:
  friend struct detail::Access;
  struct State;
  explicit ImportedDMDA(std::unique_ptr<State> state);
  const State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective over `comm`. An n-d block array as a DMDA: one to three grid dimensions (block or
/// undistributed), degrees of freedom from a fastest varying undistributed one.
///
/// PETSc's x is the dimension that varies fastest in memory, so the dimensions of a C-order array
/// come in reversed order, those of a Fortran-order array in theirs. Unequal blocks go in as `lx`,
/// `ly`, `lz`; a periodic dimension is DM_BOUNDARY_PERIODIC, any other DM_BOUNDARY_NONE, and
/// boundary padding is owned points like others; unless DMDAOptions::boundary puts it outside of
/// the grid. The stencil width is the width of the communication padding.
///
/// The DMDA itself keeps index metadata: about five PetscInts an element of the section for its
/// mapping and scatter; `explain` says it. Daptor adds none.
/// @param array    this process's section, with memory, which the DMDA's vectors keep alive
/// @param comm     the processes that the array is divided among, over MPI
/// @param options  how the DMDA is made
/// @returns the DMDA, with a local or a global vector on the array's memory, or both
/// @throws NotRepresentable for a limit of DMDA's, proven on all ranks before PETSc is called:
///   `petsc.dmda.distribution` (a cyclic or unstructured dimension), `petsc.dmda.dimensions` (more
///   than three), `petsc.dmda.empty-rank`, `petsc.dmda.width` (one width on every internal or
///   periodic edge, none elsewhere), `petsc.dmda.local-width` (a divided or periodic dimension
///   narrower than the width on some rank), `petsc.dmda.boundary` (see DMDAOptions::boundary;
///   DM_BOUNDARY_MIRROR with a box stencil), `petsc.dmda.rank-order` (see
///   DMDAOptions::allow_reorder), `petsc.dmda.layout` (neither section nor owned part gapless), and
///   `petsc.dmda.scalar-type`, `petsc.dmda.alignment`, `petsc.dmda.index-range`,
///   `petsc.dmda.readonly`, `petsc.dmda.device`
/// @throws Error otherwise as import_vec
ImportedDMDA import_dmda(const DistArray& array, const Comm& comm, const DMDAOptions& options = {});

/// Describes a vector of a DMDA: a global one (owned points), or a padded local one (sequential).
/// Process-local (call it on all ranks); no copy; lifetime and Stale as export_vec.
///
/// C order, PETSc's x last, a trailing undistributed dimension for more than one degree of freedom.
/// In a local vector the stencil points on internal and periodic edges are communication padding.
/// Points of DM_BOUNDARY_GHOSTED and DM_BOUNDARY_MIRROR lie outside PETSc's index space: they are
/// boundary padding of an index space shifted by the stencil width, with `size` larger by twice of
/// it. `import_dmda` of such an array makes the same DMDA again.
///
/// A vector that `import_dmda` has made, with the DMDA that it has made, is described as the array
/// that it was made of; any other in the DMDA's own layout.
///
/// @param dm   the DMDA, set up; it is not kept
/// @param vec  a global or local vector of it; the description holds a reference of it
/// @returns this process's section, on the memory of `vec`
/// @throws InvalidArgument where `dm` is not a DMDA that is set up, or `vec` is not a vector of it;
///   NotRepresentable with rule `petsc.dmda.boundary` for DM_BOUNDARY_TWIST; otherwise as
///   export_vec
DistArray export_dmda(DM dm, Vec vec);

/// The same, not writable.
DistArray export_dmda_readonly(DM dm, Vec vec);

}  // namespace daptor::petsc
