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

/// Where GA has an element of this process, ghost cells included.
double* among_ghosts(int handle, const MultiIndex& local) {
  Numbers extents(local.size()), ld(local.size());
  double* memory = nullptr;
  NGA_Access_ghosts(handle, extents.data(), static_cast<void*>(&memory), ld.data());
  NGA_Release_ghosts(handle);
  Index offset = 0;
  for (std::size_t d = 0; d < local.size(); ++d) offset = offset * extents[d] + local[d];
  return memory + offset;
}

conformance::Subject subject(const Numbers& shape, const std::function<void(int)>& set = {}) {
  return [shape, set](MPI_Comm) {
    auto made = std::make_shared<OwnedGlobalArray>(shape, set);
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
    const bool ghosts = GA_Has_ghosts(made->handle()) != 0;
    candidate.read = [=](const MultiIndex& local) {
      if (ghosts) return *among_ghosts(made->handle(), local);
      Numbers at = indices(array, local), ld(at.size(), 1);
      double value = 0;
      NGA_Get(made->handle(), at.data(), at.data(), &value, ld.data());
      return value;
    };
    candidate.write = [=](const MultiIndex& local, double value) {
      if (ghosts) {
        *among_ghosts(made->handle(), local) = value;
        return;
      }
      Numbers at = indices(array, local), ld(at.size(), 1);
      NGA_Put(made->handle(), at.data(), at.data(), &value, ld.data());
    };
    return candidate;
  };
}

void expect_conforming(const conformance::Subject& made, const Comm& comm = world()) {
  const Report report = conformance::check(made, comm);
  EXPECT_TRUE(report) << report;
}

TEST(Producer, RegularArraysConform) {
  expect_conforming(subject({17}));
  expect_conforming(subject({9, 8}));
}

TEST(Producer, IrregularArraysConform) {
  // The first process has the most, each other one an index more than the one before.
  Numbers starts;
  int next = 0;
  for (int rank = 0; rank < world_size(); ++rank) {
    starts.push_back(next);
    next += rank == 0 ? 9 : rank;
  }
  Numbers blocks{world_size(), 1};
  starts.push_back(0);
  expect_conforming(subject(
      {next, 5}, [&](int handle) { GA_Set_irreg_distr(handle, starts.data(), blocks.data()); }));
}

TEST(Producer, ArraysWithGhostCellsConform) {
  Numbers widths{1, 2};
  expect_conforming(subject({16, 10}, [&](int handle) { GA_Set_ghosts(handle, widths.data()); }));
}

TEST(Producer, ArraysOfGroupsConform) {
  const Halves halves;
  expect_conforming(subject({9, 8}, [&](int handle) { GA_Set_pgroup(handle, halves.mine()); }),
                    GA_MPI_Comm_pgroup(halves.mine()));
}

TEST(Producer, BlockCyclicArraysConform) {
  Numbers blocks{3, 2}, grid = square_grid(world_size());
  // A block for every process: GA 5.8 gets no elements of other arrays.
  const Numbers shape{3 * world_size() + 1, 7};
  expect_conforming(subject(shape, [&](int handle) {
    GA_Set_block_cyclic_proc_grid(handle, blocks.data(), grid.data());
  }));
}

}  // namespace
}  // namespace daptor::ga::test
