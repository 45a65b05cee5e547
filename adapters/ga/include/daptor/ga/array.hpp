// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// Global Arrays, which are known by their handles, and described arrays on the same memory.
///
/// Whatever Global Arrays finds wrong ends the job. These calls therefore prove everything before
/// they call it, and throw the same error on all ranks.

namespace daptor::ga {

/// \name Exports
/// Collective over `comm`: a Global Array as an array on the same memory; nothing is copied.
/// Indices count from 0 in the order of GA's C interface, and memory is in C order.
///
/// All ranks must pass one array. That is proven by its handle as long as no process has made a
/// processor group; in a program with groups, where one array may have different handles, by its
/// name, shape, type and division, so that two arrays which agree in all of these go unnoticed
/// unless one of them has been exported before.
///
/// | Global Array | dimensions of the protocol |
/// | --- | --- |
/// | regular or irregular blocks | block; undistributed where the grid has one process |
/// | the same with ghost cells | block with communication padding, periodic |
/// | block-cyclic on a process grid | block-cyclic, dealt from process 0 on |
/// | block-cyclic, dealt along dimension 0 | block-cyclic, and undistributed |
///
/// GA may leave processes without elements. Where they follow the processes with elements and the
/// grid can be lengthened, they have empty sections. Elsewhere (restricted arrays, most often) the
/// array is described on the processes with elements alone, `communicator(handle)`; on the others
/// the result is not described (`Section::described`), and must not be passed to collective calls.
///
/// The description does not keep the Global Array alive, which has no reference count: a lease
/// after GA_Destroy, GA_Deallocate, GA_Set_property or GA_Unset_property throws Stale, and
/// Finalized after GA_Terminate, without a look at the memory. After GA_Put and GA_Acc of any
/// process call GA_Sync before a lease. A WriteLease, and every call of `modified()`, ends with
/// GA's synchronisation of the processes on which the array is described; GA_Get sees what was
/// written.
/// \{

/// @param handle  of an array whose processes are `comm`
/// @param comm    the processes of the array's group, in the same order
/// @returns the array, on `comm`, or on a communicator of the processes with elements where it is
///   described on these alone. Exporting again gives the same array
/// @throws InvalidArgument on all ranks: without GA_Initialize (`ga.initialized`), for a number
///   that is no array (`ga.handle`), other processes (`ga.communicator`), or different arrays on
///   different ranks (`collective.different`, with what differs as its key; `ga.same`)
/// @throws NotRepresentable on all ranks: for mirrored arrays (`ga.mirrored`), tiles stored one
///   after another (`ga.tiled`), blocks dealt one after another in several dimensions
///   (`ga.dealing`), registered types (`ga.type`), and where GA has other memory than the division
///   takes (`ga.memory`), as GA 5.8 does for block-cyclic arrays on some groups
/// @throws Finalized after GA_Terminate or MPI_Finalize
DistArray export_array(int handle, const Comm& comm);
/// The same over the processes of the array's group, or over all of GA's where the handle is no
/// array. Without `comm`, all ranks must pass arrays of one group: a rank that passes an array of
/// another group, or no array of a smaller group, leaves the others waiting for ever.
DistArray export_array(int handle);
/// \}

/// The communicator on which an exported array is described. Process-local after `export_array`,
/// which it calls where that has not been done.
/// @throws InvalidArgument (`ga.outside`) on a process on which the array is not described; what
///   `export_array` throws
Comm communicator(int handle);

/// Collective. The handle of the Global Array whose memory the array is: an exported array, or one
/// made of it (a view of PETSc's, for example, exported again). GA allocates all its memory itself,
/// so this is the only import without a copy; for others there is `copy_to_array`.
/// @returns the handle on this process. GA still owns the array
/// @throws NotRepresentable on all ranks (`ga.array.memory`, `ga.array.layout`) for other memory,
///   and for another layout than the export's; (`ga.array.readonly`) where the array is read-only
///   on some rank and its export is not, because GA_Put and GA_Acc write through any handle
/// @throws Stale, Finalized as a lease; Malformed where the sections do not make one array
int import_array(const DistArray& array);

}  // namespace daptor::ga
