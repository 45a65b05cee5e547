// SPDX-License-Identifier: BSD-3-Clause
// A program whose PETSc is of another version on one rank, by its own word.

#include <cstring>

#include <daptor/adapter/found.hpp>
#include <daptor/petsc/adapter/found.hpp>
#include <daptor/petsc/csr.hpp>

#include "../support/everywhere.hpp"
#include "../support/other_petsc.hpp"
#include "support.hpp"

namespace {

using namespace daptor_test;

TEST(OtherVersion, isRefusedOnAllRanks) {
  std::vector<PetscScalar> values(2);
  const DistArray array =
      daptor::describe(values, daptor::block_dimensions({Index{2} * size_of()}, world)).on(world);
  expect_refused_everywhere("petsc.build", [&] { daptor::petsc::import_vec(array); });
}

TEST(OtherVersion, isRefusedOnAllRanksOfAnObject) {
  Mat mat = nullptr;
  MatCreateAIJ(world, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, nullptr, 0, nullptr, &mat);
  MatAssemblyBegin(mat, MAT_FINAL_ASSEMBLY);
  MatAssemblyEnd(mat, MAT_FINAL_ASSEMBLY);
  expect_refused_everywhere("petsc.build", [&] { daptor::petsc::copy_csr(mat); });
  MatDestroy(&mat);
}

TEST(OtherVersion, isFound) {
  const auto libraries = daptor::adapter::found_libraries();
  ASSERT_EQ(libraries.size(), 1U);
  EXPECT_EQ(libraries[0].adapter, "petsc");
  const bool other = rank_of() == size_of() - 1;
  EXPECT_EQ(libraries[0].fits, !other);
  const std::string minor = std::to_string(daptor::test::petsc_minor());
  EXPECT_NE(libraries[0].version.find("PETSc 3." + minor), std::string::npos)
      << libraries[0].version;
}

/// PETSc's main branch has the version of the last release.
TEST(OtherVersion, isThatOfTheMainBranch) {
  daptor::test::petsc_release = 1 - PETSC_VERSION_RELEASE;
  const auto mismatch = daptor::petsc::detail::petsc_mismatch();
  daptor::test::petsc_release = PETSC_VERSION_RELEASE;
  const auto is_development = [](const std::string& text) {
    return text.find("(development)") != std::string::npos;
  };
  ASSERT_FALSE(mismatch.found.empty());
  EXPECT_NE(is_development(mismatch.found), is_development(mismatch.expected)) << mismatch.found;
}

/// What a PETSc writes for PETSC_TRUE whose PetscBool has `bytes` bytes.
void write_true(void* place, std::size_t bytes) {
  const std::int32_t yes = 1;
  std::memset(place, 1, 1);
  if (bytes == sizeof(yes)) std::memcpy(place, &yes, sizeof(yes));
}

TEST(OtherVersion, writesItsOwnPetscBool) {
  struct {
    daptor::petsc::detail::AnyBool value;
    unsigned char behind[8] = {};
  } memory;
  EXPECT_FALSE(memory.value);
  for (const std::size_t bytes : {std::size_t{1}, sizeof(std::int32_t)}) {
    memory.value = {};
    write_true(memory.value.place(), bytes);
    EXPECT_TRUE(memory.value) << bytes;
    for (const unsigned char byte : memory.behind) EXPECT_EQ(byte, 0) << bytes;
  }
}

}  // namespace
