// SPDX-License-Identifier: BSD-3-Clause
// A fault on each rank in turn, at every check of every collective call: all ranks throw the same
// error, nothing is left behind, and the next call works.

#include "grids.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;

/// Expects that `call`, which works on `array`, leaves nothing behind whether it fails or not.
void sweep(const DistArray& array, const std::function<void()>& call) {
  const auto nothing_left = [&] { EXPECT_EQ(array.buffer().state()->view_count(), 0u); };
  daptor::test::Faults().expect_agreed(call, nothing_left);
  nothing_left();
}

std::vector<Dimension> rows() {
  return {daptor::block(5 * size_of() + 1, line()), daptor::undistributed(2)};
}

TEST(Faults, ImportVec) {
  const DistArray a = owning(rows());
  sweep(a, [&] { import_vec(a); });
}

TEST(Faults, ImportVecOfUnstructuredWithMapping) {
  const DistArray a = owning({dealt(23)});
  VecOptions options;
  options.local_to_global = true;
  sweep(a, [&] { import_vec(a, options); });
}

TEST(Faults, ImportGhostedVec) {
  std::vector<daptor::Index> ghosts;
  if (size_of() > 1) ghosts.push_back(2 * ((rank_of() + 1) % size_of()));
  const DistArray a = owning({daptor::owned_then_ghosts(
      2 * size_of(), line(), std::vector<daptor::Index>{2 * rank_of(), 2 * rank_of() + 1},
      ghosts)});
  VecOptions options;
  options.ghosts = true;
  sweep(a, [&] { import_vec(a, options); });
}

TEST(Faults, ImportPaddedVec) {
  const DistArray a = owning({padded_block(4 * size_of(), {1, 1}, true)});
  sweep(a, [&] { import_padded_vec(a); });
}

TEST(Faults, Close) {
  const DistArray a = owning(rows());
  std::optional<ImportedVec> vec;
  sweep(a, [&] {
    vec = import_vec(a);
    try {
      vec->close();
    } catch (...) {
      vec.reset();
      throw;
    }
  });
}

TEST(Faults, ImportDMDAAndUpdate) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  sweep(a, [&] {
    ImportedDMDA field = import_dmda(a);
    field.update_padding();
    field.close();
  });
}

TEST(Faults, ImportDMDAReordered) {
  const DistArray a = make_grid({"fortran", 2, 1, {true, true}, 1, true, Order::fortran});
  DMDAOptions options;
  options.allow_reorder = true;
  sweep(a, [&] { import_dmda(a, options); });
}

TEST(Faults, ImportDense) {
  const DistArray a = owning(rows(), Order::fortran);
  sweep(a, [&] { import_dense(a); });
}

TEST(Faults, CopyToVec) {
  const DistArray a = owning({daptor::cyclic(3 * size_of() + 1, line()), daptor::undistributed(2)});
  sweep(a, [&] { copy_to_vec(a); });
  const DistArray b = make_grid({"two", 2, 1, {true, true}});
  CopyOptions options;
  options.local_size = static_cast<PetscInt>(b.owned_count());
  sweep(b, [&] { copy_to_vec(b, options); });
}

TEST(Faults, CopyToPaddedVec) {
  const DistArray a = make_grid({"two", 2, 1, {true, true}});
  sweep(a, [&] { copy_to_padded_vec(a); });
}

TEST(Faults, CopyToDMDA) {
  const DistArray a = owning({daptor::cyclic(4 * size_of(), line()), daptor::cyclic(5, {1, 0}, 2)});
  DMDAOptions options;
  options.stencil_width = 1;
  sweep(a, [&] { copy_to_dmda(a, options); });
}

TEST(Faults, LocalToGlobal) {
  const DistArray a = make_grid({"two", 2, 1, {true, false}});
  sweep(a, [&] { local_to_global(a, Numbering::natural); });
  sweep(a, [&] { local_to_global(a, Numbering::contiguous); });
  const DistArray b = owning(rows());
  sweep(b, [&] { local_to_global(b, Numbering::contiguous); });
  const daptor::GridPosition from_the_end{size_of(), size_of() - 1 - rank_of()};
  const DistArray c =
      owning({daptor::block(4 * size_of(), from_the_end, daptor::BlockPadding({1, 1}, {}, true))});
  sweep(c, [&] { local_to_global(c, Numbering::contiguous); });
}

TEST(Faults, NaturalOrdering) {
  const DistArray a = make_grid({"two", 2, 1, {true, false}});
  sweep(a, [&] { natural_ordering(a); });
}

}  // namespace
