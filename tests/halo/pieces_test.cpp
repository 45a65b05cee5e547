// Messages that are longer than one may be travel in pieces, whichever way each side takes.

#include <gtest/gtest.h>

#include <vector>

#include <daptor/daptor.hpp>

#include "halo/plan.hpp"
#include "halo/transfer.hpp"
#include "halo_oracle.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

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
  const auto comm = std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
  for (const PaddedModel& model : models(comm->size())) {
    Section<Element> section(model, comm->rank(), canary);
    const DistArray& array = section.array();
    const GlobalIndexMap map(array, comm);
    const auto plans = detail::plan_halo(array, map, {}, false, comm);
    const detail::Batch batch{array.byte_strides(), sizeof(Element), 1};
    const detail::HaloBuffers buffers(plans.update, batch);
    detail::HaloTransfer transfer(detail::HaloTransfer::Direction::to_copies, plans.update, batch,
                                  buffers, GetParam());
    transfer.bind(transfer.bound_to({static_cast<std::byte*>(array.mutable_data())}));
    for (Element round = 0; round < 3; ++round) {
      fill_owned(model, comm->rank(), section, 1000 * round);
      transfer.start(comm->mpi(), 5);
      transfer.finish();
      expect_updated(model, comm->rank(), Stencil::box, section, 1000 * round);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Bytes, Pieces, ::testing::Values(1, 7, 8, 24, 64, 1000));

}  // namespace
