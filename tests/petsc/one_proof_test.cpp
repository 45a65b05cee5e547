// SPDX-License-Identifier: BSD-3-Clause
// PETSc's imports say about a breach across ranks what `validate` says.

#include "../validation/one_proof.hpp"
#include "daptor/petsc.hpp"

namespace daptor::test {
namespace {

TEST(OneProof, ImportsBlameTheSameRankInTheSameWords) {
  expect_one_error<PetscScalar>({
      {"import_dmda", [](const DistArray& a) { petsc::import_dmda(a, PETSC_COMM_WORLD); }},
      {"import_vec", [](const DistArray& a) { petsc::import_vec(a, PETSC_COMM_WORLD); }},
      {"import_padded_vec",
       [](const DistArray& a) { petsc::import_padded_vec(a, PETSC_COMM_WORLD); }},
      {"local_to_global",
       [](const DistArray& a) {
         petsc::local_to_global(a, PETSC_COMM_WORLD, petsc::Numbering::contiguous);
       }},
  });
}

}  // namespace
}  // namespace daptor::test
