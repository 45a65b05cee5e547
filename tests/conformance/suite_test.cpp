// SPDX-License-Identifier: BSD-3-Clause
// The GoogleTest suite, instantiated as projects do it: with a maker, an exporter, and a library.

#include <memory>

#include "daptor/conformance/gtest.hpp"
#include "field.hpp"

using daptor::test::Fault;

DAPTOR_CONFORMANCE_SUITE(Maker, [](MPI_Comm comm) {
  return daptor::test::field_candidate(comm, Fault::none);
});

DAPTOR_CONFORMANCE_SUITE(MakerOfASection, [] {
  int rank = 0;
  int size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto cells = std::make_shared<std::vector<float>>(5, static_cast<float>(0));
  for (int i = 0; i < 5; ++i)
    (*cells)[static_cast<std::size_t>(i)] = static_cast<float>(5 * rank + i);
  daptor::conformance::Candidate candidate{[cells, rank, size] {
    return daptor::describe(cells->data(), {daptor::block(5 * size, {size, rank})},
                            daptor::Order::c, cells);
  }};
  candidate.destroy = [] {};
  return candidate;
});

DAPTOR_CONFORMANCE_SUITE(Library,
                         daptor::conformance::load_producer(DAPTOR_TEST_PLUGINS
                                                            "/libdaptor_test_plugin_grid.so:grid"));

namespace {

TEST(Suite, HasATestForEachCheck) {
  const auto* unit = ::testing::UnitTest::GetInstance();
  int tests = 0;
  for (int i = 0; i < unit->total_test_suite_count(); ++i)
    if (std::string(unit->GetTestSuite(i)->name()) == "Library")
      tests = unit->GetTestSuite(i)->total_test_count();
  EXPECT_EQ(tests, static_cast<int>(daptor::conformance::checks().size()));
}

TEST(Suite, NamesTestsAfterChecks) {
  EXPECT_EQ(daptor::conformance::test_name("shared-memory"), "SharedMemory");
  EXPECT_EQ(daptor::conformance::test_name("twice"), "Twice");
}

}  // namespace

DAPTOR_CONFORMANCE_MAIN();
