// SPDX-License-Identifier: BSD-3-Clause
// A description that is wrong on one rank is the same error on all ranks, in whichever import or
// copy it is used first.

#include <functional>
#include <vector>

#include <daptor/daptor.hpp>
#include <daptor/petsc.hpp>

#include "everywhere.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(Defect, OnEachRankInTurnIsTheErrorOfAll) {
  const std::vector<std::function<void(const DistArray&)>> calls = {
      [](const DistArray& a) { petsc::import_vec(a); },
      [](const DistArray& a) { petsc::import_vec_readonly(a); },
      [](const DistArray& a) { petsc::import_padded_vec(a); },
      [](const DistArray& a) { petsc::import_dmda(a); },
      [](const DistArray& a) { petsc::import_dense(a); },
      [](const DistArray& a) { petsc::local_to_global(a, petsc::Numbering::natural); },
      [](const DistArray& a) { petsc::natural_ordering(a); },
      [](const DistArray& a) { petsc::copy_to_vec(a); },
      [](const DistArray& a) { petsc::copy_to_padded_vec(a); },
      [](const DistArray& a) { petsc::copy_to_dmda(a); },
      [](const DistArray& a) { explain(a); },
  };
  const Index size = 8 * world_size();
  for (std::size_t i = 0; i < calls.size(); ++i)
    for (int culprit = 0; culprit < world_size(); ++culprit) {
      SCOPED_TRACE(testing::Message() << "call " << i << ", rank " << culprit);
      std::vector<PetscScalar> u(8);
      IndexRange owned{8 * world_rank(), 8 * world_rank() + 8};
      if (world_rank() == culprit) owned.stop = size + 1;
      const DistArray a =
          describe(u, {block(size, {world_size(), world_rank()}, owned)}).on(PETSC_COMM_WORLD);
      expect_refused_everywhere("B08", [&] { calls[i](a); });
    }
}

TEST(Defect, AnArrayThatIsNotThereYet) {
  for (int culprit = 0; culprit < world_size(); ++culprit) {
    std::vector<PetscScalar> u(8);
    Section a;
    if (world_rank() != culprit)
      a = describe(u, {block(8 * world_size(), {world_size(), world_rank()})});
    expect_refused_everywhere("array.empty", [&] { petsc::import_vec(a.on(PETSC_COMM_WORLD)); });
    expect_refused_everywhere("array.empty", [&] { petsc::import_dmda(a.on(PETSC_COMM_WORLD)); });
  }
}

}  // namespace
