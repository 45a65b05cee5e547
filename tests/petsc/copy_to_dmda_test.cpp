// SPDX-License-Identifier: BSD-3-Clause
// Copies of any array as a DMDA's global or local vector, and back.

#include <numeric>

#include <petscdmda.h>

#include "copies.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::InvalidArgument;
using daptor::NotRepresentable;
using daptor::redistribute;

/// Arrays of one shape with several distributions.
std::vector<Layout> grid_layouts() {
  using namespace daptor;
  std::vector<Layout> list;
  const Index n = 4 * size_of();
  list.push_back({"cyclic_line", [n] { return owning({cyclic(n, line(), 3)}); }});
  list.push_back({"unstructured_line", [n] { return owning({dealt(n)}); }});
  list.push_back({"periodic_line", [n] { return owning({padded_block(n, {1, 0}, true)}); }});
  list.push_back({"block_cyclic_plane", [n] {
                    return owning({cyclic(n, line(), 2), cyclic(9, {1, 0}, 3)}, Order::fortran);
                  }});
  list.push_back({"plane_of_components", [n] {
                    return owning({cyclic(n, line()), block(7, {1, 0}), undistributed(2)});
                  }});
  list.push_back({"columns_divided", [n] { return owning({block(7, {1, 0}), block(n, line())}); }});
  list.push_back({"padded_plane", [] { return make_grid({"two", 2, 2, {false, true}, 1, true}); }});
  list.push_back({"fortran_cube", [] {
                    return make_grid({"three", 3, 1, {}, 1, true, Order::fortran});
                  }});
  list.push_back({"periodic_cube_of_components", [] {
                    return make_grid({"three", 3, 1, {true, false, true}, 2});
                  }});
  return list;
}

class CopyToDMDA : public ::testing::TestWithParam<Layout> {
 protected:
  /// In natural ordering, each element of `global` is its own number.
  static void expect_natural_of(DM dm, Vec global) {
    Vec natural = nullptr;
    DAPTOR_EXPECT_OK(DMDACreateNaturalVector(dm, &natural));
    DAPTOR_EXPECT_OK(DMDAGlobalToNaturalBegin(dm, global, INSERT_VALUES, natural));
    DAPTOR_EXPECT_OK(DMDAGlobalToNaturalEnd(dm, global, INSERT_VALUES, natural));
    Vec expected = nullptr;
    DAPTOR_EXPECT_OK(VecDuplicate(natural, &expected));
    number(expected);
    expect_equal(natural, expected);
    for (Vec* vec : {&natural, &expected}) VecDestroy(vec);
  }
};

TEST_P(CopyToDMDA, GlobalVector) {
  const DistArray a = numbered(GetParam().make());
  for (const int width : {0, 1}) {
    DMDAOptions options;
    options.stencil_width = width;
    DMDACopyOptions copy;
    copy.vector = DMDAVector::global;
    const ImportedDMDA made = copy_to_dmda(a, options, copy);
    expect_natural_of(made.dm(), made.global());
    expect_on_memory_of(made.global(), made.array());
  }
}

TEST_P(CopyToDMDA, LocalVectorWithItsGhosts) {
  const DistArray a = numbered(GetParam().make());
  for (const int width : {0, 1, 2}) {
    DMDAOptions options;
    options.stencil_width = width;
    const ImportedDMDA made = copy_to_dmda(a, options);
    EXPECT_EQ(memory_of(made.local()), made.array().data());
    PetscInt found_width = 0;
    DAPTOR_EXPECT_OK(DMDAGetInfo(made.dm(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                 nullptr, nullptr, &found_width, nullptr, nullptr, nullptr,
                                 nullptr));
    if (width > 0) {
      EXPECT_EQ(found_width, width);
    }
    Vec natural = nullptr, global = nullptr, expected = nullptr;
    DAPTOR_EXPECT_OK(DMDACreateNaturalVector(made.dm(), &natural));
    DAPTOR_EXPECT_OK(DMCreateGlobalVector(made.dm(), &global));
    DAPTOR_EXPECT_OK(DMCreateLocalVector(made.dm(), &expected));
    number(natural);
    DAPTOR_EXPECT_OK(DMDANaturalToGlobalBegin(made.dm(), natural, INSERT_VALUES, global));
    DAPTOR_EXPECT_OK(DMDANaturalToGlobalEnd(made.dm(), natural, INSERT_VALUES, global));
    DAPTOR_EXPECT_OK(DMGlobalToLocalBegin(made.dm(), global, INSERT_VALUES, expected));
    DAPTOR_EXPECT_OK(DMGlobalToLocalEnd(made.dm(), global, INSERT_VALUES, expected));
    expect_equal(made.local(), expected);
    for (Vec* vec : {&natural, &global, &expected}) VecDestroy(vec);
  }
}

TEST_P(CopyToDMDA, AndBack) {
  const DistArray a = numbered(GetParam().make());
  const ImportedDMDA made = copy_to_dmda(a);
  DAPTOR_EXPECT_OK(VecScale(made.local(), 2.0));
  redistribute(made.array(), a);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToDMDA, IsWhatExplainOffers) {
  const DistArray a = GetParam().make();
  const ImportedDMDA local = copy_to_dmda(a);
  const ImportedDMDA global =
      daptor::petsc::copy_to_dmda(a, {}, {daptor::petsc::DMDAVector::global});
  expect_offered("petsc.dmda-local", "daptor::petsc::copy_to_dmda(a)", a,
                 [&] { return bytes_sent(a, local.array(), true); });
  const bool padded = greatest(a.local_count() - a.owned_count()) > 0;
  expect_offered("petsc.dmda",
                 padded ? "daptor::petsc::copy_to_dmda(a, {}, "
                          "{daptor::petsc::DMDAVector::global})"
                        : "daptor::petsc::copy_to_dmda(a)",
                 a, [&] { return bytes_sent(a, global.array()); });
}

INSTANTIATE_TEST_SUITE_P(Layouts, CopyToDMDA, ::testing::ValuesIn(grid_layouts()), NameOf());

TEST(CopyToDMDAOptions, TheGridCanBeChosen) {
  const DistArray a = numbered(owning({daptor::cyclic(40, line()), daptor::cyclic(3, {1, 0})}));
  DMDACopyOptions copy;
  copy.grid = {size_of(), 1};
  const ImportedDMDA made = copy_to_dmda(a, {}, copy);
  PetscInt m = 0, n = 0;
  DAPTOR_EXPECT_OK(DMDAGetInfo(made.dm(), nullptr, nullptr, nullptr, nullptr, &m, &n, nullptr,
                               nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(m, 1);
  EXPECT_EQ(n, size_of());
}

TEST(CopyToDMDAOptions, OverlappingListsAreReadWhereAsked) {
  std::vector<Index> all(static_cast<std::size_t>(2 * size_of()));
  std::iota(all.begin(), all.end(), 0);
  const DistArray a =
      numbered(owning({daptor::unstructured(2 * size_of(), line(), daptor::IndexList(all))}));
  const ImportedDMDA made =
      daptor::petsc::copy_to_dmda(a, {}, {daptor::petsc::DMDAVector::local, {}, true});
  for (const Element& e : elements(made.array()))
    EXPECT_EQ(at(made.array(), e.offset), value_of(e.natural));
  if (size_of() == 1) return;
  expect_refused_everywhere<InvalidArgument>("redistribute.overlap", [&] { copy_to_dmda(a); });
  for (const char* target : {"petsc.dmda", "petsc.dmda-local"}) {
    const daptor::Assessment verdict = asked(target, a);
    EXPECT_EQ(verdict.copy.text,
              "daptor::petsc::copy_to_dmda(a, {}, {daptor::petsc::DMDAVector::local, {}, "
              "true})");
    EXPECT_TRUE(verdict.bytes_to_move.has_value());
    EXPECT_EQ(verdict.reasons.front().copy, verdict.copy);
  }
}

TEST(CopyToDMDAOptions, AreRefusedOnAllRanksTogether) {
  const auto line_of = [](Index n) { return owning({daptor::cyclic(n, line())}); };
  expect_refused_everywhere<NotRepresentable>("petsc.dmda.empty-rank",
                                              [&] { copy_to_dmda(line_of(size_of() - 1)); });
  DMDAOptions wide;
  wide.stencil_width = 5;
  if (size_of() > 1)
    expect_refused_everywhere<NotRepresentable>(
        "petsc.dmda.local-width", [&] { copy_to_dmda(line_of(4 * size_of()), wide); });
  DMDACopyOptions copy;
  copy.grid = {size_of() + 1};
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_dmda(line_of(40), {}, copy); });
  copy.grid = {1, size_of()};
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_dmda(line_of(40), {}, copy); });
  wide.stencil_width = -1;
  expect_refused_everywhere<InvalidArgument>("argument", [&] { copy_to_dmda(line_of(40), wide); });
  expect_refused_everywhere<NotRepresentable>("petsc.dmda.dimensions", [&] {
    copy_to_dmda(owning({daptor::block(2 * size_of(), line()), daptor::block(2, {1, 0}),
                         daptor::block(2, {1, 0}), daptor::block(2, {1, 0})}));
  });
  if (size_of() > 1) {
    wide.stencil_width = rank_of() == 0 ? 1 : 2;
    expect_different("stencil_width", [&] { copy_to_dmda(line_of(40), wide); });
    copy.grid = rank_of() == 0 ? std::vector<Index>() : std::vector<Index>{size_of()};
    expect_different("grid", [&] { copy_to_dmda(line_of(40), {}, copy); });
  }
}

}  // namespace
