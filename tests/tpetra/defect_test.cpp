// SPDX-License-Identifier: BSD-3-Clause
// A description that is wrong on one rank is the same error on all ranks, in whichever import or
// copy it is used first.

#include <functional>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/tpetra.hpp>

#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(Defect, OnEachRankInTurnIsTheErrorOfAll) {
  const Index size = 8 * world_size();
  std::vector<double> right(8);
  const DistArray sound =
      describe(right, {block(size, {world_size(), world_rank()})}).on(MPI_COMM_WORLD);
  const auto map = tpetra::import_map(sound);
  const auto x = tpetra::copy_to_multivector<double>(sound, map).get();
  const std::vector<std::function<void(const DistArray&)>> calls = {
      [&](const DistArray& a) { tpetra::import_map(a); },
      [&](const DistArray& a) {
        tpetra::MapOptions options;
        options.part = tpetra::Part::overlap;
        tpetra::import_map(a, options);
      },
      [&](const DistArray& a) { tpetra::import_vector<double>(a); },
      [&](const DistArray& a) { tpetra::import_vector_readonly<double>(a); },
      [&](const DistArray& a) { tpetra::import_multivector<double>(a); },
      [&](const DistArray& a) { tpetra::import_multivector_readonly<double>(a); },
      [&](const DistArray& a) { tpetra::copy_to_multivector<double>(a, map); },
      [&](const DistArray& a) { tpetra::copy_to_multivector<double>(a); },
      [&](const DistArray& a) { tpetra::copy_from_multivector(x, a); },
      [&](const DistArray& a) { explain(a); },
  };
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (int culprit = 0; culprit < world_size(); ++culprit) {
      SCOPED_TRACE(testing::Message() << "call " << i << ", rank " << culprit);
      std::vector<double> u(8);
      IndexRange owned{8 * world_rank(), 8 * world_rank() + 8};
      if (world_rank() == culprit) owned.stop = size + 1;
      const DistArray a =
          describe(u, {block(size, {world_size(), world_rank()}, owned)}).on(MPI_COMM_WORLD);
      expect_refused_everywhere("B08", [&] { calls[i](a); });
    }
}

}  // namespace
