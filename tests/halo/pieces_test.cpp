// SPDX-License-Identifier: BSD-3-Clause
// Messages beyond the limit are sent in pieces, whichever way each side transfers them.

#include <gtest/gtest.h>

#include <vector>

#include <daptor/daptor.hpp>

#include "exchange/halo/plan_halo.hpp"
#include "exchange/parcel_transfer.hpp"
#include "halo_oracle.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

int sent = 0;

}  // namespace

// Counts what the library sends.
extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag,
                         MPI_Comm comm, MPI_Request* request) {
  ++sent;
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}

namespace {

/// Number of messages of at most `piece` bytes.
int expected_messages(const detail::Sharing& plan, std::size_t piece) {
  std::size_t messages = 0;
  for (const detail::SharedRegions& with : plan.owned) {
    std::size_t bytes = 0;
    for (const detail::Region& region : with.regions)
      bytes += static_cast<std::size_t>(region.count()) * sizeof(Element);
    messages += (bytes + piece - 1) / piece;
  }
  return static_cast<int>(messages);
}

class Pieces : public ::testing::TestWithParam<std::size_t> {};

/// Rings of slabs, whose faces are one run, and of columns, whose faces are strided.
std::vector<PaddedModel> models(Index ranks) {
  std::vector<PaddedModel> all;
  std::mt19937 random(1);
  for (const std::vector<Index>& grid : {std::vector<Index>{ranks, 1}, {1, ranks}})
    for (const Memory memory : {Memory::c, Memory::fortran, Memory::strided}) {
      Draw draw;
      draw.grid = grid;
      draw.periodic = {true, true};
      draw.width = {2, 1};
      draw.memory = memory;
      all.push_back(draw_model(draw, random));
    }
  return all;
}

TEST_P(Pieces, ArriveInOrder) {
  const Comm comm(MPI_COMM_WORLD);
  for (const PaddedModel& model : models(comm.size())) {
    PaddedSection<Element> section(model, comm, canary);
    const DistArray& array = section.array();
    const GlobalIndexMap map(array);
    Call call(comm, "pieces");
    const auto plans = detail::plan_halo(array, map, {}, false, call);
    const detail::ParcelBuffers buffers(plans.update, sizeof(Element), 1);
    detail::ParcelTransfer transfer(
        plans.update, detail::ArrayMemory::of(array),
        {1, buffers.owned.get(), buffers.wanted.get(), false, GetParam()});
    transfer.bind(transfer.bound_to({static_cast<std::byte*>(array.mutable_data())}));
    for (Element round = 0; round < 3; ++round) {
      fill_owned(model, comm.rank(), section, 1000 * round);
      sent = 0;
      transfer.start(comm->mpi(), 5);
      EXPECT_EQ(sent, expected_messages(plans.update, GetParam()));
      transfer.finish();
      expect_updated(model, comm.rank(), Stencil::box, section, 1000 * round);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, Pieces, ::testing::Values(1, 7, 8, 24, 64, 1000));

}  // namespace
