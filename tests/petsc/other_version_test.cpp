// SPDX-License-Identifier: BSD-3-Clause
// A program whose PETSc is of another version on one rank, by its own word.

#include <daptor/adapter/found.hpp>

#include "../support/everywhere.hpp"
#include "support.hpp"

// Takes the place of PETSc's own.
PetscErrorCode PetscGetVersionNumber(PetscInt* major, PetscInt* minor, PetscInt* subminor,
                                     PetscInt* release) {
  const bool other = daptor_test::rank_of() == daptor_test::size_of() - 1;
  if (major != nullptr) *major = PETSC_VERSION_MAJOR;
  if (minor != nullptr) *minor = PETSC_VERSION_MINOR + (other ? 70 : 0);
  if (subminor != nullptr) *subminor = PETSC_VERSION_SUBMINOR;
  if (release != nullptr) *release = 1;
  return PetscErrorCode{};
}

namespace {

using namespace daptor_test;

TEST(OtherVersion, isRefusedOnAllRanks) {
  std::vector<PetscScalar> values(2);
  const DistArray array =
      daptor::describe(values, daptor::block_dimensions({Index{2} * size_of()}, world));
  daptor::test::expect_refused_everywhere("petsc.build",
                                          [&] { daptor::petsc::import_vec(array, world); });
}

TEST(OtherVersion, isFound) {
  const auto libraries = daptor::adapter::found_libraries();
  ASSERT_EQ(libraries.size(), 1U);
  EXPECT_EQ(libraries[0].adapter, "petsc");
  const bool other = rank_of() == size_of() - 1;
  EXPECT_EQ(libraries[0].mismatch.empty(), !other) << libraries[0].mismatch;
  const std::string minor = std::to_string(PETSC_VERSION_MINOR + (other ? 70 : 0));
  EXPECT_NE(libraries[0].version.find("PETSc 3." + minor), std::string::npos)
      << libraries[0].version;
}

}  // namespace
