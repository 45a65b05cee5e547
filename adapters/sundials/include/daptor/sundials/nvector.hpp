// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sundials/sundials_nvector.h>

#include "daptor/adapter/on_array.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::sundials {

/// An N_Vector on a producer's memory: `get()`, `array()`, `modified()`. Move-only.
///
/// Owns the N_Vector and keeps the array's memory alive: do not call N_VDestroy for it. SUNDIALS
/// counts no references, so this object must live as long as an integrator or solver uses the
/// N_Vector. The destructor does not communicate, and may run after SUNContext_Free and
/// MPI_Finalize. What N_VClone makes of it is SUNDIALS' own: with memory of its own, and on the
/// caller's communicator. Call `modified()` on all ranks after what writes, such as CVode.
class ImportedNVector : public adapter::OnArray<N_Vector, N_VDestroy> {
 public:
  using OnArray::OnArray;
};

/// Collective. Makes an N_Vector of kind parallel (SUNDIALS_NVEC_PARALLEL) of the owned elements of
/// the array, on its memory and on the communicator that the array was made with, which must live
/// as long as the N_Vector and its clones.
///
/// The local length is the number of owned elements (without communication padding, with boundary
/// padding), and the global length is their sum. The owned elements of each rank must be one
/// contiguous run of aligned doubles, in memory that the host can write to: an array of one
/// dimension of any distribution, or of several that are dense in C or Fortran order, with
/// communication padding at most in the slowest varying dimension whose extent is not 1. The
/// N_Vector then begins inside the section, and SUNDIALS leaves the padding alone.
///
/// N_Vectors of two arrays can be used together if the arrays have the same layout: SUNDIALS pairs
/// the elements by their place in memory.
///
/// Costs two agreements besides N_VMake_Parallel, which has one of its own. If an array with lists
/// does not state `one_to_one`, each import proves it (`prove_one_to_one`, O(n/P)).
/// @param array    the array, over MPI, with memory, which the result keeps alive
/// @param context  SUNDIALS' context, the same as for the integrator; not null
/// @returns the N_Vector on the array's memory; no element is copied
/// @throws Malformed if the sections do not form one array. This and all of the following is thrown
///   on all ranks
/// @throws NotRepresentable with rule `sundials.nvector.type`, `sundials.nvector.device`,
///   `sundials.nvector.alignment`, `sundials.nvector.overlap`, `sundials.nvector.one-run`,
///   `sundials.nvector.order`, `sundials.nvector.index-range` or `sundials.nvector.readonly`
/// @throws InvalidArgument for an array without memory, and for a null context
///   (`sundials.nvector.context`)
/// @throws LibraryFailed (`library.sundials`) if SUNDIALS makes no vector
/// @throws Stale if the producer's memory is no longer what was described
ImportedNVector import_nvector(const DistArray& array, SUNContext context);

/// Collective. Makes an N_Vector of Daptor's own kind (SUNDIALS_NVEC_CUSTOM) of the owned elements
/// of any array of doubles, on its memory: with padding between them, as a section of a grid with
/// ghost cells has, or with other strides.
///
/// Its clones have memory of their own in the layout of the array, all padding included, so that a
/// right-hand side can fill the ghosts of its argument: `export_nvector` gives the array on which
/// an N_Vector of this kind lies, without communication. Operations visit the owned elements alone.
/// N_VGetArrayPointer must only be called where these are one run on all ranks. Elsewhere the
/// N_Vector does not have this operation, so that what needs a pointer, such as CVBBDPRE, refuses
/// it.
///
/// All N_Vectors of one operation must have the layout of the same array; otherwise the operation
/// ends the job with a sentence, since SUNDIALS has no way to tell of an error. N_VDestroy drops
/// what a clone holds.
/// @param array, context  see import_nvector
/// @returns the N_Vector on the array's memory; no element is copied
/// @throws Error like import_nvector, without `sundials.nvector.one-run` and
///   `sundials.nvector.order`; NotRepresentable with rule `sundials.nvector.shared-memory` if
///   elements share memory
ImportedNVector import_strided_nvector(const DistArray& array, SUNContext context);

/// Collective over the N_Vector's communicator. Describes an N_Vector as an array of one block
/// dimension, rank after rank, on the same memory.
///
/// The N_Vector is of kind parallel, or of kind MPIPlusX over a serial, OpenMP or Pthreads one.
/// SUNDIALS counts no references: the N_Vector must outlive the description, and all objects made
/// of it. If N_VSetArrayPointer gives it other memory, leases and imports throw Stale. After
/// writing through the array nothing needs to be told to SUNDIALS, which keeps no copies; what
/// SUNDIALS writes is told by the array's `modified()`.
///
/// An N_Vector of `import_strided_nvector`, or a clone of one, gives the array on which it lies,
/// ghosts included, without communication. That array keeps the memory alive by itself.
/// @param vector  must have memory where it has elements
/// @returns the array, on the N_Vector's communicator; `as_readonly()` of it is for reading alone
/// @throws InvalidArgument (`sundials.nvector.null`) for a null N_Vector, and NotRepresentable
///   (`sundials.nvector.kind`) for another kind, on this process alone, which knows no communicator
/// @throws InvalidArgument (`sundials.nvector.memory`), on all ranks, for an N_Vector without
///   memory
DistArray export_nvector(N_Vector vector);

/// Process-local. The same in the layout of another array, ghosts left out: for the vectors that an
/// integrator passes to a right-hand side, which are like the one that was imported.
///
/// The elements of the N_Vector are the owned elements of `like`, in the order of its memory.
///
/// Example: `like` has 2 x 10 elements on two processes, divided over dimension 1 with one ghost
/// column on each side. The N_Vector has 10 elements on each process, which the result describes as
/// 2 x 5 without ghost columns.
/// @param vector  of the same kinds, or of kind serial, OpenMP or Pthreads
/// @param like    gives the dimensions, the order of memory and the communicator; needs no memory
/// @returns the array. One that is not described, whose first collective call throws on all ranks,
///   for a null N_Vector, another kind, no memory, a number of elements that is not that of `like`
///   (`sundials.nvector.length`), other processes (`sundials.nvector.communicator`), another layout
///   than that of an N_Vector of `import_strided_nvector` (`sundials.nvector.layout`), or elements
///   of `like` that are not doubles (`sundials.nvector.type`); the defect of `like`
DistArray export_nvector(N_Vector vector, const DistArray& like);

}  // namespace daptor::sundials
