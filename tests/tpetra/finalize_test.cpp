// SPDX-License-Identifier: BSD-3-Clause
// Objects made before Kokkos ended, and calls after its end. Kokkos cannot be started twice, so
// this is a program of its own, with one test.

#include <optional>

#include "support.hpp"

namespace daptor::test {
namespace {

std::optional<tpetra::ImportedVector<double>> destroyed_at_exit;

struct Leftovers {
  std::optional<tpetra::ImportedMultiVector<double>> imported;
  std::optional<DistArray> exported;
  std::vector<Dimension> listed;
};

Leftovers make_leftovers(const DistArray& array, const DistArray& shuffled) {
  Leftovers left;
  left.imported = tpetra::import_multivector<double>(array);
  const auto own = Teuchos::rcp(new MultiVector(tpetra::import_map(array), 2));
  left.exported = tpetra::export_multivector(own);
  left.listed.push_back(tpetra::export_map(tpetra::import_map(shuffled)));
  destroyed_at_exit = tpetra::import_vector<double>(shuffled);
  return left;
}

TEST(AfterKokkos, CallsSayFinalizedAndDestructorsLeaveItAlone) {
  const DistArray array = labelled({{plain_block(9, world_size())}, {}});
  const DistArray shuffled = labelled({{shuffled_axis(30, world_size(), 2)}, {}});
  char name[] = "finalize_test";
  char* arguments[] = {name, nullptr};
  int count = 1;
  char** argv = arguments;
  Tpetra::initialize(&count, &argv);
  Leftovers left = make_leftovers(array, shuffled);
  Tpetra::finalize();

  expect_refused_everywhere<Finalized>("finalized", [&] { tpetra::import_map(array); });
  expect_refused_everywhere<Finalized>("finalized", [&] { tpetra::import_vector<double>(array); });
  EXPECT_THROW(left.imported->rebind(array), Finalized);
  EXPECT_THROW(ReadLease{*left.exported}, Finalized);
  left.imported.reset();
  left.exported.reset();
  left.listed.clear();
}

}  // namespace
}  // namespace daptor::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  ::testing::InitGoogleTest(&argc, argv);
  const int status = RUN_ALL_TESTS();
  MPI_Finalize();
  return status;
}
