// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/petsc/adapter/names.hpp"
#include "daptor/terms.hpp"

/// \file
/// What calls and options of this adapter are called in C++, Python and Fortran, as its messages
/// name them.

namespace daptor::petsc::names {

/// \name Calls
/// \{
inline constexpr Name import_vec{"daptor::petsc::import_vec", "a.to_petsc()", "daptor_import_vec"};
inline constexpr Name import_vec_numbered{"import_vec and local_to_global",
                                          "to_petsc(local_to_global=True)"};
inline constexpr Name import_padded_vec{"daptor::petsc::import_padded_vec",
                                        "a.to_petsc(padded=True)", "daptor_import_local_vec"};
inline constexpr Name import_dmda{"daptor::petsc::import_dmda", "a.to_dmda()"};
inline constexpr Name import_dmda_global{"daptor::petsc::import_dmda, global()",
                                         "a.to_dmda().global_vec"};
inline constexpr Name import_dmda_local{"daptor::petsc::import_dmda, local()",
                                        "a.to_dmda().local_vec"};
inline constexpr Name dmda_local{"local()", "local_vec"};
inline constexpr Name import_dense{"daptor::petsc::import_dense", "a.to_dense()"};
inline constexpr Name import_scalapack{"daptor::petsc::import_scalapack",
                                       "a.to_dense(mat_type='scalapack')"};
inline constexpr Name copy_to_vec{"daptor::petsc::copy_to_vec(a)", "a.copy_to_petsc()"};
inline constexpr Name copy_to_dmda{"daptor::petsc::copy_to_dmda(a, options)",
                                   "a.copy_to_dmda(...)"};
inline constexpr Name convert_to_vec{"daptor::petsc::copy_to_vec with CopyOptions::convert",
                                     "a.copy_to_petsc(convert=True)",
                                     "daptor_redistribute(a, b, convert=.true.), and import b"};
inline constexpr Name convert_to_dmda{"daptor::petsc::copy_to_dmda with DMDACopyOptions::convert",
                                      "a.copy_to_dmda(convert=True)"};
inline constexpr Name copy_csr{"daptor::petsc::copy_csr(mat)", "daptor.export_csr(mat, copy=True)"};
inline constexpr Name copy_csr_rows{"petsc::copy_csr", "CsrArrays.to_petsc(copy=True)"};
inline constexpr Name export_flat{"export_vec", "daptor.export(x, flat=True)", "daptor_export_vec"};
inline constexpr Name copy_to_grid{"daptor::redistribute(inner, daptor::petsc::export_dmda(dm, b))",
                                   "daptor.redistribute(inner, daptor.export(b))"};
inline constexpr Name move_to_host{"daptor::petsc::move_to_host", "x.getArray(readonly=True)"};
inline constexpr Name move_to_device{"daptor::petsc::move_to_device", "x.getCUDAHandle('r')"};
/// \}

/// \name Calls in which ranks are, as agreements name them
/// \{
inline constexpr Name in_dmda_update{"ImportedDMDA::update_padding", "ImportedDMDA.update_padding"};
inline constexpr Name in_dmda_close{"ImportedDMDA::close", "ImportedDMDA.close"};
inline constexpr Name in_load_plugin{"petsc::load_plugin", nullptr, "daptor_load_plugin"};
/// \}

/// \name Options
/// \{
inline constexpr Name allow_overlap{"set VecOptions::allow_overlap", "pass allow_overlap=True",
                                    "pass allow_overlap=.true."};
inline constexpr Name allow_reorder{"DMDAOptions::allow_reorder", "allow_reorder=True"};
inline constexpr Name ghosts{"VecOptions::ghosts", "ghosts=True", "ghosts=.true."};
inline constexpr Name export_ghosts{"VecExportOptions::ghosts", "ghosts=True", "ghosts=.true."};
inline constexpr Name boundary_grid{"DMDABoundary::grid", "boundary='grid'"};
inline constexpr Name boundary_ghosted{"DMDABoundary::ghosted", "boundary='ghosted'"};
inline constexpr Name stencil_star{"Stencil::star", "stencil='star'"};
inline constexpr Name trust_readonly{"set trust_readonly", "pass trust_readonly=True",
                                     "pass trust_readonly=.true."};
inline constexpr Name flat{"CopyOptions::flat", "flat=True"};
/// \}

/// \name PETSc's own functions, as petsc4py has them: see also names::function
/// \{
inline constexpr Name create_ghost{"VecCreateGhost or VecMPISetGhost",
                                   "Vec.createGhost or Vec.setMPIGhost",
                                   "VecCreateGhost or VecMPISetGhost"};
/// \}

/// \name Sentences
/// \{
inline constexpr Name remove_array{"Remove that array first (VecResetArray, MatDenseResetArray).",
                                   "Remove that array first (Vec.resetArray).",
                                   "Remove that array first (VecResetArray)."};
inline constexpr Name convert_to_dense{"Convert it to MATDENSE first (MatConvert).",
                                       "Convert it first: B = A.convert('dense', PETSc.Mat())."};
inline constexpr Name no_write_lock{"a Vec without a write lock (VecLockWriteSet)",
                                    "a Vec without a write lock",
                                    "a Vec without a write lock (VecLockWriteSet)"};
inline constexpr Name padded_section{
    "Use import_padded_vec or import_dmda for the padded section.",
    "Use a.to_petsc(padded=True) or a.to_dmda() for the padded section.",
    "Use daptor_import_local_vec for the section with its ghost cells."};
inline constexpr Name write_between{
    "Write between VecGetArray and VecRestoreArray only, and call both behind anything else that "
    "writes the memory.",
    "Write through x.array, taken anew each time, not through an array of NumPy that was kept, and "
    "call x.stateIncrease() on all ranks behind anything else that writes the memory."};
inline constexpr Name write_block{
    "A nested Vec does not hear of what is written to its blocks: call PetscObjectStateIncrease "
    "(petsc/private/petscimpl.h) on it, on all ranks, behind writing a block, and write between "
    "VecGetArray and VecRestoreArray only.",
    "A nested Vec does not hear of what is written to its blocks: call x.stateIncrease() on it, on "
    "all ranks, behind writing a block, and write through the array of a block, taken anew each "
    "time."};
inline constexpr Name update_ghosts{
    "Call VecGhostUpdateBegin and VecGhostUpdateEnd with INSERT_VALUES and SCATTER_FORWARD when "
    "owned values have changed and before ghosts are read.",
    "Call x.ghostUpdate(addv=PETSc.InsertMode.INSERT, mode=PETSc.ScatterMode.FORWARD) when owned "
    "values have changed and before ghosts are read.",
    "Call VecGhostUpdateBegin and VecGhostUpdateEnd with INSERT_VALUES and SCATTER_FORWARD when "
    "owned values have changed and before ghosts are read."};
inline constexpr Name global_to_local{
    "Call DMGlobalToLocal with INSERT_VALUES when the global Vec has changed and before the local "
    "one is read.",
    "Call dm.globalToLocal(g, l) when the global Vec has changed and before the local one is read.",
    "Call DMGlobalToLocal with INSERT_VALUES when the global Vec has changed and before the local "
    "one is read."};
inline constexpr Name array_on_all_ranks{
    "Call VecGetArray and VecRestoreArray on all ranks, and VecGetArrayRead where a rank only "
    "reads.",
    "Use x.array on all ranks, and x.getArray(readonly=True) where a rank only reads."};
inline constexpr Name assemble_behind{
    "Call MatAssemblyBegin and MatAssemblyEnd on the Mat, on all ranks, behind anything that "
    "writes "
    "its entries, and keep no pointer behind MatSeqAIJRestoreArray: preconditioners are made anew "
    "only if the state has changed.",
    "Call A.assemble() on all ranks behind anything that writes its entries: preconditioners are "
    "made anew only if the state has changed."};
inline constexpr Name no_kept_pointer{
    "Do not write through a pointer behind VecRestoreArray, and call VecGetArray and "
    "VecRestoreArray behind anything else that writes the memory;",
    "Do not write through an array of NumPy that was kept, but through x.array, taken anew each "
    "time, and call x.stateIncrease() on all ranks behind anything else that writes the memory;"};
/// \}

}  // namespace daptor::petsc::names
