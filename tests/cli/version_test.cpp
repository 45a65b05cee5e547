// SPDX-License-Identifier: BSD-3-Clause
// Whether a library says that it is of the version that the command was built with.

#include "cli/version.hpp"

#include <gtest/gtest.h>

namespace daptor::cli {
namespace {

TEST(NamesVersion, IsFoundInMoreWords) {
  EXPECT_TRUE(names_version("Open MPI v4.1.4, package: Debian", "Open MPI", "4.1.4"));
  EXPECT_TRUE(names_version("MPICH Version: 4.0.2", "MPICH", "4.0.2"));
}

TEST(NamesVersion, IsAWholeNumber) {
  EXPECT_FALSE(names_version("Open MPI v4.1.40, package: Debian", "Open MPI", "4.1.4"));
  EXPECT_FALSE(names_version("Open MPI v14.1.4, package: Debian", "Open MPI", "4.1.4"));
  EXPECT_FALSE(names_version("Open MPI v4.1.6, package: Debian", "Open MPI", "4.1.4"));
  EXPECT_TRUE(names_version("Open MPI v4.1.40, formerly 4.1.4", "Open MPI", "4.1.4"));
}

TEST(NamesVersion, IsOfThatLibrary) {
  EXPECT_FALSE(names_version("Intel MPI 4.1.4", "Open MPI", "4.1.4"));
  EXPECT_FALSE(names_version("", "Open MPI", "4.1.4"));
}

TEST(FitsMpi, OfOneInterface) {
  EXPECT_TRUE(fits_mpi("Open MPI v5.0.7, package: Debian", "Open MPI"));
  EXPECT_TRUE(fits_mpi("MPICH Version: 4.0.2", "MPICH"));
  EXPECT_TRUE(fits_mpi("Intel(R) MPI Library 2021.9", "MPICH"));
  EXPECT_TRUE(fits_mpi("", "Open MPI"));
  EXPECT_FALSE(fits_mpi("MPICH Version: 4.0.2", "Open MPI"));
  EXPECT_FALSE(fits_mpi("Open MPI v4.1.4, package: Debian", "MPICH"));
}

}  // namespace
}  // namespace daptor::cli
