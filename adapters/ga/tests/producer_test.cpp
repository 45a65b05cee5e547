// SPDX-License-Identifier: BSD-3-Clause
// Global Arrays as a producer of somebody else: the conformance kit tries out what its exports do,
// and GA itself, by NGA_Get and NGA_Put, writes the elements and reads them.

#include <memory>

#include <daptor/conformance.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

using conformance::Candidate;
using conformance::MultiIndex;

Numbers indices(const DistArray& array, const MultiIndex& local) {
  const std::vector<Index> global = LocalIndexMap(array).global_of(local);
  return {global.begin(), global.end()};
}

conformance::Subject subject(const Numbers& shape, const std::function<void(int)>& set = {}) {
  return [shape, set](MPI_Comm) {
    auto made = std::make_shared<Made>(shape, set);
    const DistArray array = export_array(made->handle());
    {
      WriteLease lease(array);
      for_each_owned(array, [&](const std::vector<Index>& local, const std::vector<Index>& global) {
        *element(array, local) = label(global, shape) - 1;
      });
      lease.close();
    }
    Candidate candidate;
    // An export is collective, as all ranks prove it; what it gives is described again at will.
    candidate.describe = [made, array] { return array; };
    candidate.read = [made, array](const MultiIndex& local) {
      Numbers at = indices(array, local), ld(at.size(), 1);
      double value = 0;
      NGA_Get(made->handle(), at.data(), at.data(), &value, ld.data());
      return value;
    };
    candidate.write = [made, array](const MultiIndex& local, double value) {
      Numbers at = indices(array, local), ld(at.size(), 1);
      NGA_Put(made->handle(), at.data(), at.data(), &value, ld.data());
    };
    return candidate;
  };
}

void expect_conforming(const conformance::Subject& made) {
  const Report report = conformance::check(made, world());
  EXPECT_TRUE(report) << report;
}

TEST(Producer, RegularArraysConform) {
  expect_conforming(subject({17}));
  expect_conforming(subject({9, 8}));
}

TEST(Producer, BlockCyclicArraysConform) {
  Numbers blocks{3, 2}, grid = square_grid(world_size());
  expect_conforming(subject({10, 7}, [&](int handle) {
    GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
  }));
}

}  // namespace
}  // namespace daptor::ga::test
