// SPDX-License-Identifier: BSD-3-Clause
// Different collective calls of the Tpetra adapter and the core at the same time.

#include "../support/mixed_calls.hpp"
#include "daptor/tpetra/check.hpp"
#include "support.hpp"

namespace daptor::test {
namespace {

TEST(MixedCalls, OfTpetra) {
  std::vector<double> memory(3, 1.0);
  const DistArray a =
      describe(memory.data(), {block(3 * world_size(), {world_size(), world_rank()})})
          .on(MPI_COMM_WORLD);
  expect_no_mixing(
      {{"validate", [&] { EXPECT_TRUE(validate(a)); }},
       {"explain", [&] { explain(a); }},
       {"tpetra::import_map", [&] { tpetra::import_map(a); }},
       {"tpetra::import_multivector", [&] { tpetra::import_multivector<double>(a); }},
       {"tpetra::copy_to_multivector", [&] { tpetra::copy_to_multivector<double>(a); }}});
}

/// `long double` is not an element type of any Tpetra.
TEST(MixedCalls, OfElementsThatTpetraLacks) {
  std::vector<long double> memory(3, 1.0L);
  const DistArray a =
      describe(memory.data(), {block(3 * world_size(), {world_size(), world_rank()})})
          .on(MPI_COMM_WORLD);
  const NamedCall validated{"validate", [&] { validate(a); }};
  const std::vector<NamedCall> refused = {
      {"tpetra::import_multivector", [&] { tpetra::import_multivector<long double>(a); }},
      {"tpetra::copy_to_multivector", [&] { tpetra::copy_to_multivector<long double>(a); }}};
  for (int rank = 0; world_size() > 1 && rank < world_size(); ++rank)
    for (const NamedCall& call : refused) {
      expect_mixed(world_rank() == rank ? call : validated, rank, call, validated, world_rank());
      expect_mixed(world_rank() == rank ? validated : call, rank, validated, call, world_rank());
    }
}

TEST(MixedCalls, OfAMap) {
  const auto map = Teuchos::rcp(new Map(3 * world_size(), 0, Tpetra::getDefaultComm()));
  const auto x = Teuchos::rcp(new MultiVector(map, 1));
  const MPI_Comm comm = tpetra::communicator(*map);
  std::vector<double> memory(3, 1.0);
  const DistArray a =
      describe(memory.data(), {block(3 * world_size(), {world_size(), world_rank()})}).on(comm);
  tpetra::export_map(map);
  expect_no_mixing(
      {{"validate", [&] { validate(a); }},
       {"tpetra::copy_to_multivector", [&] { tpetra::copy_to_multivector<double>(a, map); }},
       {"tpetra::copy_from_multivector", [&] { tpetra::copy_from_multivector(x, a); }},
       {"tpetra::overlap_exchange", [&] { tpetra::overlap_exchange(x, map); }},
       {"tpetra::check", [&] { tpetra::check(map); }}});
}

TEST(MixedCalls, OfTheFirstExport) {
  for (int rank = 0; world_size() > 1 && rank < world_size(); ++rank) {
    const auto map = Teuchos::rcp(new Map(3 * world_size(), 0, Tpetra::getDefaultComm()));
    const MPI_Comm comm = tpetra::communicator(*map);
    std::vector<double> memory(3, 1.0);
    const DistArray a =
        describe(memory.data(), {block(3 * world_size(), {world_size(), world_rank()})}).on(comm);
    const NamedCall exported{"tpetra::export", [&] { tpetra::export_map(map); }};
    const NamedCall validated{"validate", [&] { validate(a); }};
    expect_mixed(world_rank() == rank ? exported : validated, rank, exported, validated,
                 world_rank());
    EXPECT_NO_THROW(tpetra::export_map(map));
  }
}

}  // namespace
}  // namespace daptor::test
