// SPDX-License-Identifier: BSD-3-Clause
// A program whose Trilinos is of another version on one rank, by its own word, and of another patch
// release on the other ranks.

#include <Trilinos_version.h>
#include <Tpetra_CrsMatrix.hpp>
#include <Tpetra_Version.hpp>

#include <daptor/adapter/found.hpp>
#include <daptor/tpetra/csr.hpp>

#include "support.hpp"

// Takes the place of Tpetra's own.
std::string Tpetra::version() {
  using namespace daptor::test;
  return world_rank() == world_size() - 1 ? "Tpetra in Trilinos 99.4.0"
                                          : "Tpetra in Trilinos " TRILINOS_VERSION_STRING ".77";
}

namespace daptor::test {
namespace {

void expect_refused_build(const std::function<void()>& call) {
  expect_refused_everywhere<InvalidArgument>("tpetra.build", call);
}

TEST(OtherVersion, isRefusedOnAllRanks) {
  const DistArray array = labelled({{plain_block(9, world_size())}, {}});
  expect_refused_build([&] { tpetra::import_map(array); });
  expect_refused_build([&] { tpetra::import_vector<double>(array); });
  const auto map = Teuchos::rcp(new Tpetra::Map<>(9, 0, Tpetra::getDefaultComm()));
  expect_refused_build([&] { tpetra::export_map(map); });
  Tpetra::CrsMatrix<double> matrix(map, 1);
  matrix.fillComplete();
  expect_refused_build([&] { tpetra::copy_csr(matrix); });
}

TEST(OtherVersion, isFound) {
  const auto libraries = adapter::found_libraries();
  ASSERT_EQ(libraries.size(), 1U);
  EXPECT_EQ(libraries[0].adapter, "tpetra");
  const bool other = world_rank() == world_size() - 1;
  EXPECT_EQ(libraries[0].fits, !other);
  EXPECT_EQ(libraries[0].version,
            other ? "Trilinos 99.4.0" : "Trilinos " TRILINOS_VERSION_STRING ".77");
}

}  // namespace
}  // namespace daptor::test
