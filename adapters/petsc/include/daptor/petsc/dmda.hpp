// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <memory>

#include <petscdmda.h>

#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fields.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

namespace detail {
struct Access;
}

using daptor::Stencil;

/// What the boundary padding of an array becomes in a DMDA.
enum class DMDABoundary { as_exported, grid, ghosted };
constexpr auto words(DMDABoundary) {
  return word_list(
      word("as_exported", DMDABoundary::as_exported,
           "the boundary of the DMDA (DM_BOUNDARY_GHOSTED or MIRROR) from whose vector the array "
           "was exported; for any other array, as grid"),
      word("grid", DMDABoundary::grid,
           "points of the grid like all others (DM_BOUNDARY_NONE): the grid has the array's size"),
      word("ghosted", DMDABoundary::ghosted,
           "points outside the grid (DM_BOUNDARY_GHOSTED), which is the interior between them: for "
           "the ghost cells of a stencil code at the ends of its domain; a dimension without "
           "boundary padding has no such points"));
}

/// How `import_dmda` makes its DMDA. Must be the same on all ranks.
struct DMDAOptions {
  Stencil stencil = Stencil::box;
  int stencil_width = 0;
  DMDABoundary boundary = DMDABoundary::as_exported;
  bool no_dof = false;
  bool allow_reorder = false;
  bool readonly = false;
  bool trust_readonly = false;
};
constexpr auto fields(const DMDAOptions&) {
  using Options = DMDAOptions;
  return field_list(
      field("stencil", &Options::stencil, "which padding update_padding fills"),
      field("stencil_width", &Options::stencil_width,
            "for an array that has no communication padding on any edge; otherwise the width is "
            "that of the padding, on one rank too, where no edge shows the padding that was asked "
            "for"),
      optional_field("boundary", &Options::boundary,
                     "what boundary padding becomes; outside the grid it must have the stencil "
                     "width at both ends of each dimension that has any (petsc.dmda.boundary)"),
      field("no_dof", &Options::no_dof,
            "the fastest varying dimension is a grid dimension even if it is undistributed and "
            "unpadded, and not the degrees of freedom"),
      field("allow_reorder", &Options::allow_reorder,
            "accept ranks that are not in PETSc's order on the grid; the DMDA, and all that is "
            "numbered in it, is then on a communicator of its own, in PETSc's order"),
      field("readonly", &Options::readonly,
            "lock both vectors for reading, although the array is writable"),
      field("trust_readonly", &Options::trust_readonly,
            "accept read-only memory although this PETSc does not enforce its locks: the caller "
            "promises that no one writes to it"));
}

namespace detail {

template <class T>
[[noreturn]] void refuse_temporary_dmda() {
  static_assert(daptor::detail::never<T>,
                "a member of a temporary import, which destroys the DMDA at once: keep the import "
                "in a variable, auto field = import_dmda(a), and call field.dm()");
  std::abort();
}

}  // namespace detail

/// A DMDA with its vectors on a producer's memory. Move-only. The lifetime of the DM and of each
/// vector is that of an ImportedVec. `dm`, `local`, `global` and `communicator` of a temporary do
/// not compile: it destroys them at the end of the statement.
class ImportedDMDA {
 public:
  /// Holds nothing.
  ImportedDMDA();
  ImportedDMDA(ImportedDMDA&& other) noexcept;
  ImportedDMDA& operator=(ImportedDMDA&& other) noexcept;
  ~ImportedDMDA();

  explicit operator bool() const { return state_ != nullptr; }
  DM dm() const&;
  template <class T = DM>
  DM dm() && {
    detail::refuse_temporary_dmda<T>();
  }
  /// The communicator of the DMDA: the caller's, or the reordered one that this object owns.
  MPI_Comm communicator() const&;
  template <class T = MPI_Comm>
  MPI_Comm communicator() && {
    detail::refuse_temporary_dmda<T>();
  }
  /// Whether ranks were reordered (DMDAOptions::allow_reorder).
  bool reordered() const;
  /// The description of the memory on which the vectors are, on the communicator of the import.
  const DistArray& array() const&;
  DistArray array() && { return static_cast<const ImportedDMDA&>(*this).array(); }

  bool has_local() const;
  bool has_global() const;
  /// The padded section as the DMDA's local vector (sequential, local indices, padding included),
  /// on the producer's memory. Throws NotRepresentable (rule `petsc.dmda.local-run`) if the section
  /// is not the DMDA's ghosted box: the array has no padding although there is a stencil width, or
  /// there are gaps between its rows.
  Vec local() const&;
  template <class T = Vec>
  Vec local() && {
    detail::refuse_temporary_dmda<T>();
  }
  /// The owned part as the DMDA's global vector, on the producer's memory. Throws NotRepresentable
  /// (rule `petsc.dmda.global-run`) if the owned part is not one contiguous run, because there is
  /// communication padding in a dimension other than the slowest. In that case copy it, which takes
  /// one line each way:
  /// \code
  /// DMCreateGlobalVector(field.dm(), &b);
  /// redistribute(a, export_dmda(field.dm(), b));  // a: an array in C order
  /// redistribute(export_dmda(field.dm(), b), a);
  /// \endcode
  Vec global() const&;
  template <class T = Vec>
  Vec global() && {
    detail::refuse_temporary_dmda<T>();
  }

  /// Collective over `communicator()`. Fills the communication padding, in the producer's buffer,
  /// with the values of the owners, and calls `array().modified()`. With Stencil::star, padding in
  /// more than one direction (corners) remains unchanged. The result is that of DMLocalToLocal on
  /// `local()`, bit for bit. A HaloExchange of the array does the work, which the first call makes.
  /// The first call throws on all ranks, later calls process-locally: what local() throws,
  /// InvalidArgument if the array is read-only, and what HaloExchange throws. This also fills
  /// copies of a neighbour's ghost points outside the grid, which DMLocalToLocal leaves unchanged.
  /// With DM_BOUNDARY_MIRROR, DMLocalToLocal itself is called, which fills mirrored points, and
  /// every call throws on all ranks.
  void update_padding();

  /// Puts the memory of another array of the same layout under both vectors. Process-local;
  /// logically collective. Throws the errors of ImportedVec::rebind.
  /// @param array  this process's section, with memory; it is kept alive in place of the previous
  ///   one
  void rebind(const Section& array);

  /// Collective over `communicator()`. Releases vectors, DM and communicator. A second call has no
  /// effect. Throws Finalized after PetscFinalize.
  void close();

 private:
  friend struct detail::Access;
  struct State;
  explicit ImportedDMDA(std::unique_ptr<State> state);
  const State& state() const;
  std::unique_ptr<State> state_;
};

/// Collective. Makes a DMDA of an n-d block array: one to three grid dimensions (block or
/// undistributed), and degrees of freedom from a fastest varying undistributed dimension.
///
/// PETSc's x is the dimension that varies fastest in memory, so the dimensions of a C-order array
/// are reversed, while those of a Fortran-order array keep their order. Unequal blocks become `lx`,
/// `ly` and `lz`. A periodic dimension becomes DM_BOUNDARY_PERIODIC, any other dimension
/// DM_BOUNDARY_NONE. Points of boundary padding are owned like all others, unless
/// DMDAOptions::boundary puts them outside the grid. The stencil width is the width of the
/// communication padding.
///
/// The DMDA itself keeps index metadata: about five PetscInts per element of the section for its
/// mapping and scatter, as `explain` says. Daptor adds none.
/// @param array    the array, over MPI, with memory, which the DMDA's vectors keep alive
/// @param options  how the DMDA is made
/// @returns the DMDA, with a local vector, a global vector, or both, on the array's memory
/// @throws NotRepresentable for a limit of DMDA, proven on all ranks before PETSc is called:
///   `petsc.dmda.distribution` (a dimension is cyclic or unstructured), `petsc.dmda.dimensions`
///   (more than three), `petsc.dmda.empty-rank`, `petsc.dmda.width` (there must be one width on
///   every internal and periodic edge, and none elsewhere), `petsc.dmda.local-width` (a divided or
///   periodic dimension is narrower than the width on some rank), `petsc.dmda.boundary` (see
///   DMDAOptions::boundary; also DM_BOUNDARY_MIRROR with a box stencil), `petsc.dmda.rank-order`
///   (see DMDAOptions::allow_reorder), `petsc.dmda.one-run` (the section and the owned part both
///   have gaps), and `petsc.dmda.type`, `petsc.dmda.alignment`, `petsc.dmda.index-range`,
///   `petsc.dmda.readonly`, `petsc.dmda.device`
/// @throws Error otherwise like import_vec
ImportedDMDA import_dmda(const DistArray& array, const DMDAOptions& options = {});

/// Describes a vector of a DMDA, either a global one (owned points) or a padded local one
/// (sequential). Process-local (call it on all ranks); nothing is copied. Lifetime and Stale are
/// those of export_vec.
///
/// The description is in C order, with PETSc's x as the last grid dimension; if there is more than
/// one degree of freedom, an undistributed dimension follows. In a local vector, the stencil points
/// on internal and periodic edges are communication padding. Points of DM_BOUNDARY_GHOSTED and
/// DM_BOUNDARY_MIRROR are outside PETSc's index space: they are boundary padding of an index space
/// that is shifted by the stencil width, with `size` larger by twice the stencil width.
/// `import_dmda` of such an array makes the same DMDA again.
///
/// If `import_dmda` has made both the vector and the DMDA, the description is that of the array
/// from which they were made, on its communicator; otherwise it has the DMDA's own layout, and is
/// on the communicator of the DMDA.
///
/// @param dm   the DMDA, set up, which is not kept
/// @param vec  a global or local vector of it, to which the description holds a reference
/// @returns the array on the memory of `vec`
/// @throws InvalidArgument if `dm` is not a DMDA that is set up, or `vec` is not a vector of it;
///   NotRepresentable with rule `petsc.dmda.boundary` for DM_BOUNDARY_TWIST; otherwise like
///   export_vec
DistArray export_dmda(DM dm, Vec vec);

/// The same, but the description is read-only.
DistArray export_dmda_readonly(DM dm, Vec vec);

}  // namespace daptor::petsc
