// SPDX-License-Identifier: BSD-3-Clause
// Copies of any array as a Vec, in PETSc's division or another, and back.

#include <algorithm>
#include <numeric>

#include <daptor/without_padding.hpp>

#include "copies.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::flatten;
using daptor::InvalidArgument;
using daptor::NotRepresentable;
using daptor::redistribute;

constexpr auto item_size = static_cast<Index>(sizeof(PetscScalar));

Index size_of_vec(Vec vec) {
  PetscInt size = 0;
  DAPTOR_EXPECT_OK(VecGetSize(vec, &size));
  return size;
}

/// Each element of the Vec is its own number, and the Vec lies on the memory that `array()`
/// describes.
void expect_natural(const ImportedVec& copy, Index count) {
  PetscInt start = 0, stop = 0, size = 0;
  DAPTOR_EXPECT_OK(VecGetSize(copy.get(), &size));
  EXPECT_EQ(size, count);
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(copy.get(), &start, &stop));
  std::vector<PetscScalar> expected;
  for (PetscInt i = start; i < stop; ++i) expected.push_back(value_of(i));
  EXPECT_TRUE(same_bits(values(copy.get()), expected));
  expect_on_memory_of(copy.get(), copy.array());
}

Index count_of(const Section& array) {
  Index count = 1;
  for (const Index n : array.global_shape()) count *= n;
  return count;
}

/// Layouts that no PETSc object can hold, besides those that a Vec can hold.
std::vector<Layout> any_layouts() {
  using namespace daptor;
  std::vector<Layout> list = vec_layouts();
  list.push_back({"block_cyclic_plane", [] {
                    const auto grid = block_grid(2, size_of());
                    const auto seat = grid_coordinates(grid, rank_of());
                    return owning({cyclic(11, {grid[0], seat[0]}, 2),
                                   cyclic(9, {grid[1], seat[1]}, 3, grid[1] - 1)},
                                  Order::fortran);
                  }});
  list.push_back({"padded_cube", [] {
                    return make_grid({"three", 3, 1, {true, false, true}, 2, true});
                  }});
  list.push_back({"unstructured_rows", [] { return owning({dealt(13), undistributed(4)}); }});
  list.push_back({"unstructured_cube", [] {
                    return owning({dealt(7), undistributed(2), undistributed(3)});
                  }});
  list.push_back({"every_other", [] {
                    auto memory = std::make_shared<std::vector<PetscScalar>>(200);
                    return describe(memory->data(), {block(4 * size_of(), line())}, {2 * item_size},
                                    memory)
                        .on(world);
                  }});
  list.push_back(
      {"no_dimensions", [] { return size_of() == 1 ? owning({}) : owning({block(3, line())}); }});
  return list;
}

class CopyToVec : public ::testing::TestWithParam<Layout> {};

TEST_P(CopyToVec, HoldsEachElementAtItsNumber) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_vec(a);
  expect_natural(copy, count_of(a));
  EXPECT_EQ(a.buffer().state()->view_count(), 0u);
}

TEST_P(CopyToVec, InAnyParallelLayoutAndBack) {
  const DistArray a = numbered(GetParam().make());
  const Index count = count_of(a);
  CopyOptions options;
  options.flat = true;
  const Index first = std::min<Index>(count, 3);
  const Index last = count - first;
  options.local_size = 0;
  if (rank_of() == 0) options.local_size += static_cast<PetscInt>(first);
  if (rank_of() == size_of() - 1) options.local_size += static_cast<PetscInt>(last);
  const ImportedVec copy = copy_to_vec(a, options);
  PetscInt local = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(copy.get(), &local));
  EXPECT_EQ(local, options.local_size);
  expect_natural(copy, count);

  DAPTOR_EXPECT_OK(VecScale(copy.get(), 2.0));
  redistribute(copy.array(), a);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToVec, PaddedSectionsWithTheirPaddingFilled) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_padded_vec(a);
  const DistArray& padded = copy.array();
  EXPECT_EQ(padded.dimensions(), a.dimensions());
  EXPECT_TRUE(padded.buffer().contiguous(Order::c));
  if (padded.local_count() > 0) {
    EXPECT_EQ(memory_of(copy.get()), padded.data());
  }
  for (const Element& e : elements(padded, true))
    EXPECT_EQ(at(padded, e.offset), value_of(e.natural));
  expect_offered("petsc.local-vec", "daptor::petsc::copy_to_padded_vec(a)", a,
                 [&] { return bytes_sent(a, padded, true); });
}

TEST_P(CopyToVec, AndBackWithBlocks) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_vec(a);
  DAPTOR_EXPECT_OK(VecScale(copy.get(), 2.0));
  redistribute(copy.array(), a);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToVec, DividesAsPetscDoes) {
  const DistArray a = GetParam().make();
  const ImportedVec copy = copy_to_vec(a);
  PetscInt block = 0, local = 0;
  DAPTOR_EXPECT_OK(VecGetBlockSize(copy.get(), &block));
  DAPTOR_EXPECT_OK(VecGetLocalSize(copy.get(), &local));
  Vec vec = make_vec(PETSC_DECIDE, static_cast<PetscInt>(count_of(a)), block);
  PetscInt expected = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(vec, &expected));
  EXPECT_EQ(local, expected);
  VecDestroy(&vec);
}

TEST_P(CopyToVec, IsWhatExplainOffers) {
  const DistArray a = GetParam().make();
  const DistArray copy = copy_to_vec(a).array();
  expect_offered("petsc.vec", "daptor::petsc::copy_to_vec(a)", a, [&] {
    return bytes_sent(a, a.ndim() == copy.ndim() ? copy : flatten(copy).on(world));
  });
}

INSTANTIATE_TEST_SUITE_P(Layouts, CopyToVec, ::testing::ValuesIn(any_layouts()), NameOf());

TEST(CopyToVecOptions, OtherTypesAreConvertedWhereAsked) {
  const daptor::DataType type = daptor::DataType::of<float>();
  const DistArray a = daptor::allocate(type, {daptor::cyclic(17, line())}).on(world);
  for (Index i = 0; i < a.owned_count(); ++i)
    static_cast<float*>(a.mutable_data())[i] = static_cast<float>(i * size_of() + rank_of()) / 2;
  CopyOptions options;
  options.convert = true;
  if (type != daptor::DataType::of<PetscScalar>())
    expect_refused_everywhere<NotRepresentable>("petsc.vec.type", [&] { copy_to_vec(a); });
  const ImportedVec copy = copy_to_vec(a, options);
  PetscInt start = 0;
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(copy.get(), &start, nullptr));
  const auto found = values(copy.get());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i], static_cast<double>(start + static_cast<PetscInt>(i)) / 2);
}

TEST(CopyToVecOptions, OverlappingListsAreReadWhereAsked) {
  std::vector<Index> all(11);
  std::iota(all.begin(), all.end(), 0);
  const DistArray a = numbered(owning({daptor::unstructured(11, line(), daptor::IndexList(all))}));
  expect_natural(daptor::petsc::copy_to_vec(a, {PETSC_DECIDE, false, true}), 11);
  if (size_of() == 1) return;
  expect_refused_everywhere<InvalidArgument>("redistribute.overlap", [&] { copy_to_vec(a); });
  const daptor::Assessment verdict = asked("petsc.vec", a);
  EXPECT_EQ(verdict.copy.text, "daptor::petsc::copy_to_vec(a, {PETSC_DECIDE, false, true})");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
  EXPECT_TRUE(verdict.copy.has("read_from_any"));
  EXPECT_NE(verdict.copy.condition().str().find("must be equal"), std::string::npos);
}

/// Each process has its four indices, whose values are right, and copies of one index on each side,
/// whose values are not.
struct StaleCopies {
  Index first = 4 * rank_of(), size = 4 * size_of();
  std::vector<Index> owned{first, first + 1, first + 2, first + 3}, ghosts;

  StaleCopies() {
    if (first > 0) ghosts.push_back(first - 1);
    if (first + 4 < size) ghosts.push_back(first + 4);
  }
  DistArray filled(const daptor::Dimension& dimension) const {
    const DistArray a = daptor::allocate<PetscScalar>({dimension}).on(world);
    daptor::WriteLease lease(a);
    auto* const values = static_cast<PetscScalar*>(lease.data());
    for (std::size_t i = 0; i < owned.size() + ghosts.size(); ++i)
      values[i] = i < owned.size() ? value_of(owned[i]) : PetscScalar(-1);
    return a;
  }
};

TEST(CopyToVecOptions, CopiesOfOthersAreReadOnlyWhereTheyAreEqual) {
  if (size_of() == 1) return;
  const StaleCopies layout;
  std::vector<Index> all = layout.owned;
  all.insert(all.end(), layout.ghosts.begin(), layout.ghosts.end());
  const DistArray open =
      layout.filled(daptor::unstructured(layout.size, line(), daptor::IndexList(all)));
  const std::string text =
      expect_refused_everywhere<NotRepresentable>("petsc.vec.overlap", [&] { import_vec(open); });
  EXPECT_NE(text.find("Or, once all copies of an index are equal"), std::string::npos) << text;
  EXPECT_EQ(text.find("Or copy"), std::string::npos) << text;
  // What the condition says makes the copy right.
  daptor::HaloOptions owners;
  owners.owned = daptor::block(layout.size, line());
  daptor::update_padding(open, owners);
  expect_natural(daptor::petsc::copy_to_vec(open, {PETSC_DECIDE, false, true}), layout.size);
  // Where owners are described, their values are taken whatever the copies hold.
  const DistArray described =
      layout.filled(daptor::owned_then_ghosts(layout.size, line(), layout.owned, layout.ghosts));
  expect_natural(daptor::petsc::copy_to_vec(described), layout.size);
}

/// Neither the verdicts nor the refusal of the copy cost anything in proportion to the size of a
/// dimension, of which a list has few indices.
TEST(CopyToVecOptions, OfFewIndicesOfMany) {
  constexpr Index size = Index{1} << 29;
  const Index first = size / size_of() * rank_of();
  const DistArray a =
      owning({daptor::unstructured(size, line(), daptor::IndexList({first, first + 5}), true),
              daptor::undistributed(2)});
  for (const daptor::Assessment& verdict : daptor::explain(a)) {
    EXPECT_EQ(verdict.copy.text, "") << verdict;
  }
}

/// Ghost cells at the edges of the array count in its size, and so in that of a Vec.
TEST(CopyToVecOptions, TheInteriorAlone) {
  const Index rows = 3 * size_of();
  const auto padding = daptor::BlockPadding::ghosts({1, 1});
  const DistArray a = owning({daptor::block(rows, line(), padding),
                              daptor::block(4, {1, 0}, padding), daptor::undistributed(2)});
  const DistArray inside = numbered(daptor::without_padding(a));
  CopyOptions options;
  EXPECT_EQ(count_of(a), (rows + 2) * 6 * 2);
  const ImportedVec whole = copy_to_vec(a);
  EXPECT_EQ(size_of_vec(whole.get()), count_of(a));
  options.interior = true;
  const ImportedVec copy = copy_to_vec(a, options);
  expect_natural(copy, rows * 4 * 2);
  DAPTOR_EXPECT_OK(VecScale(copy.get(), 2.0));
  redistribute(copy.array(), inside);
  for (const Element& e : elements(inside))
    EXPECT_EQ(at(inside, e.offset), 2.0 * value_of(e.natural));

  DMDACopyOptions grid;
  grid.interior = true;
  const ImportedDMDA field = copy_to_dmda(a, {}, grid);
  PetscInt x = 0, y = 0, width = 0;
  DAPTOR_EXPECT_OK(DMDAGetInfo(field.dm(), nullptr, &x, &y, nullptr, nullptr, nullptr, nullptr,
                               nullptr, &width, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(x, 4);
  EXPECT_EQ(y, rows);
  EXPECT_EQ(width, 1) << "that of the ghost cells";

  expect_refused_everywhere<InvalidArgument>("argument", [&] { copy_to_padded_vec(a, options); });
  if (size_of() == 1) return;
  expect_different("interior", [&] {
    CopyOptions mine;
    mine.interior = rank_of() == 0;
    copy_to_vec(a, mine);
  });
  expect_different("interior", [&] {
    DMDACopyOptions mine;
    mine.interior = rank_of() == 0;
    copy_to_dmda(a, {}, mine);
  });
}

TEST(CopyToVecOptions, TheInteriorAsAVecWhereItIsOneRun) {
  const auto padding = daptor::BlockPadding::ghosts({2, 1});
  const DistArray rows =
      owning({daptor::block(3 * size_of(), line(), padding), daptor::undistributed(2)});
  VecOptions options;
  options.interior = true;
  const ImportedVec x = import_vec(rows, options);
  EXPECT_EQ(size_of_vec(x.get()), 3 * size_of() * 2);
  EXPECT_EQ(memory_of(x.get()), rows.interior_data());
  const ImportedVec with_edges = import_vec(rows);
  EXPECT_EQ(size_of_vec(with_edges.get()), (3 * size_of() + 3) * 2);

  const DistArray plane =
      owning({daptor::block(3 * size_of(), line(), padding), daptor::block(4, {1, 0}, padding)});
  try {
    import_vec(plane, options);
    ADD_FAILURE() << "gaps";
  } catch (const NotRepresentable& error) {
    EXPECT_EQ(error.rule(), "petsc.vec.one-run");
    EXPECT_EQ(error.finding().copy.text, "daptor::petsc::copy_to_vec(daptor::without_padding(a))");
    EXPECT_TRUE(error.finding().copy.has("interior"));
    daptor::test::expect_same_everywhere(error.what());
  }
  expect_refused_everywhere<InvalidArgument>("argument", [&] { import_padded_vec(rows, options); });
  if (size_of() > 1)
    expect_different("interior", [&] {
      VecOptions mine;
      mine.interior = rank_of() == 1;
      import_vec(rows, mine);
    });
}

TEST(CopyToVecOptions, AreNotOfferedWhereTheCopyWouldBeRefused) {
  if (size_of() == 1) return;
  const DistArray a = owning({daptor::unstructured(2, line(), daptor::IndexList({0, 1})),
                              daptor::undistributed(3), daptor::undistributed(2)});
  const daptor::Assessment verdict = asked("petsc.vec", a);
  EXPECT_FALSE(verdict.representable);
  EXPECT_EQ(verdict.copy.text, "");
  EXPECT_FALSE(verdict.reasons.front().copy);
}

TEST(CopyToVecOptions, AreRefusedOnAllRanksTogether) {
  const DistArray a = owning({daptor::block(9, line()), daptor::undistributed(2)});
  const auto with_size = [&](PetscInt local, bool flat = false) {
    CopyOptions options;
    options.local_size = local;
    options.flat = flat;
    return options;
  };
  expect_refused_everywhere<InvalidArgument>("argument", [&] { copy_to_vec(a, with_size(4)); });
  expect_refused_everywhere<InvalidArgument>("argument", [&] { copy_to_vec(a, with_size(-7)); });
  expect_refused_everywhere<InvalidArgument>(
      "argument", [&] { copy_to_vec(a, with_size(rank_of() == size_of() - 1 ? 17 : 1)); });
  if (size_of() > 1) {
    expect_different("local_size",
                     [&] { copy_to_vec(a, with_size(rank_of() == 0 ? 18 : PETSC_DECIDE)); });
    expect_different("flat", [&] { copy_to_vec(a, with_size(-1, rank_of() == 0)); });
  }
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_vec(a.with_memory(nullptr)); });
}

}  // namespace
