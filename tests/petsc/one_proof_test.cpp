// SPDX-License-Identifier: BSD-3-Clause
// PETSc's imports report a breach across ranks in the same way as `validate`.

#include "../validation/one_proof.hpp"
#include "daptor/petsc.hpp"

namespace daptor::test {
namespace {

TEST(OneProof, ImportsBlameTheSameRankInTheSameWords) {
  expect_one_error<PetscScalar>({
      {"import_dmda", [](const DistArray& a) { petsc::import_dmda(a); }},
      {"import_vec", [](const DistArray& a) { petsc::import_vec(a); }},
      {"import_padded_vec", [](const DistArray& a) { petsc::import_padded_vec(a); }},
      {"local_to_global",
       [](const DistArray& a) { petsc::local_to_global(a, petsc::Numbering::contiguous); }},
  });
}

/// PETSc numbers ghosts by their owners, so it comes upon lists in which an index has not one
/// owner.
TEST(OneProof, ImportsOfGhostsBlameListsInTheSameWords) {
  const CallOnArray ghosted{"import_vec with ghosts", [](const DistArray& a) {
                              petsc::VecOptions options;
                              options.ghosts = true;
                              petsc::import_vec(a, options);
                            }};
  const CallOnArray contiguous{"local_to_global", [](const DistArray& a) {
                                 petsc::local_to_global(a, petsc::Numbering::contiguous);
                               }};
  const CallOnArray natural{"natural_ordering",
                            [](const DistArray& a) { petsc::natural_ordering(a); }};
  for (int at_fault = 1; at_fault < world_size(); ++at_fault) {
    const BrokenLists<PetscScalar> lists(at_fault);
    expect_one_error(lists.owned_twice({}), at_fault, {ghosted, contiguous, natural});
    expect_one_error(lists.owned_by_nobody({}), at_fault, {ghosted, contiguous});
  }
}

}  // namespace
}  // namespace daptor::test
