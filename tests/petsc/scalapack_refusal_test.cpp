// SPDX-License-Identifier: BSD-3-Clause
// Arrays that no Mat of type scalapack can be, and PETScs without it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "everywhere.hpp"
#include "form_rows.hpp"
#include "scalapack_mats.hpp"

namespace daptor_test::blocks {
namespace {

using daptor::petsc::export_dense;
using daptor::petsc::import_scalapack;

#if DAPTOR_TEST_MATSCALAPACK

constexpr auto item = static_cast<Index>(sizeof(PetscScalar));

/// One rank's section is another than the others'.
void refuse(const std::string& rule, const DistArray& right,
            const std::function<DistArray()>& wrong) {
  for (int victim = 0; victim < size_of(); ++victim) {
    const DistArray mine = rank_of() == victim ? wrong() : right;
    expect_refused_everywhere(rule, [&] { import_scalapack(mine); });
  }
}

TEST(ImportScalapack, RefusesWhatItsFormDoes) {
  daptor::test::expect_matrix_form<PetscScalar>(
      "petsc.scalapack", [](const DistArray& a) { import_scalapack(a); }, false);
}

TEST(ImportScalapack, RefusesAnOwnedPartThatIsNotAligned) {
  // One row of padding before the owned row, which half an element more keeps apart.
  auto memory = std::make_shared<std::vector<PetscScalar>>(100);
  const auto padded = [&](Index gap) {
    return daptor::describe(daptor::DataType::of<PetscScalar>(), memory->data(),
                            {padded_block(size_of(), {1, 0}, true), daptor::undistributed(16)},
                            std::vector<Index>{16 * item + gap, item})
        .on(world);
  };
  const DistArray right = padded(0);
  EXPECT_TRUE(import_scalapack(right));
  refuse("petsc.scalapack.alignment", right, [&] { return padded(4); });
}

TEST(ImportScalapack, RefusesWhatNoMatCanBe) {
  const auto expect = [](const std::string& rule, const DistArray& array) {
    expect_refused_everywhere(rule, [&] { import_scalapack(array); });
  };
  const GridPosition one{1, 0};
  for (const Index size : {1, 3, 5, 7, 9, 17}) {
    const DistArray array = owning({cyclic(size, line(), 1), cyclic(16, one, 3)}, Order::fortran);
    if (fits(size)) {
      EXPECT_TRUE(import_scalapack(array));
    } else {
      expect("petsc.scalapack.sizes", array);
    }
  }
  if (size_of() == 1) return;
  expect("petsc.scalapack.origin",
         owning({cyclic(16, line(), 2, size_of() - 1), cyclic(16, one, 3)}, Order::fortran));
  const GridPosition turned{size_of(), (rank_of() + 1) % size_of()};
  expect("petsc.scalapack.rank-order",
         owning({cyclic(16, turned, 2), cyclic(16, one, 3)}, Order::fortran));
}

TEST(ImportScalapack, AFaultOnOneRankIsEverybodys) {
  const Tiles tiles(16, 23, size_of());
  // No options of an import that failed are left: PETSc chooses the grid.
  const auto no_options_left = [] {
    const OwnedMat mat = native({16, 23});
    EXPECT_EQ(export_dense(mat.get()).dimension(0).grid().size, default_grid()[0]);
  };
  daptor::test::Faults().expect_agreed([&] { import_scalapack(tiles.array); }, no_options_left);
}

TEST(ImportScalapack, IsExplained) {
  const auto verdict = [](const DistArray& array) {
    for (const daptor::Assessment& each : daptor::explain(array))
      if (each.target == "petsc.scalapack") return each;
    ADD_FAILURE() << "no target petsc.scalapack";
    return daptor::Assessment{};
  };
  const Tiles tiles(16, 23, 1);
  EXPECT_TRUE(verdict(tiles.array).representable);
  const daptor::Assessment readonly = verdict(tiles.array.as_readonly());
  ASSERT_EQ(readonly.reasons.size(), 1u);
  EXPECT_EQ(readonly.reasons[0].copy, readonly.copy);
  const daptor::Assessment rows =
      verdict(owning({daptor::block(23, line()), daptor::undistributed(16)}));
  EXPECT_FALSE(rows.representable);
  EXPECT_NE(rows.copy.text.str().find("block_cyclic({64, 64})"), std::string::npos);
  EXPECT_TRUE(rows.bytes_to_move.has_value());
  // What the call does.
  const DistArray copy =
      daptor::redistributed(owning({daptor::block(23, line()), daptor::undistributed(16)}),
                            daptor::layout::block_cyclic({64, 64}));
  EXPECT_TRUE(import_scalapack(copy));
  if (size_of() == 1) return;
  const GridPosition turned{size_of(), (rank_of() + 1) % size_of()};
  EXPECT_EQ(verdict(owning({cyclic(16, turned, 2), daptor::undistributed(16)}, Order::fortran))
                .reasons.front()
                .rule,
            "petsc.scalapack.rank-order");
}

#else

TEST(ImportScalapack, IsMissingInThisPetsc) {
  const DistArray array = owning({cyclic(16, line(), 2), daptor::undistributed(3)}, Order::fortran);
  expect_refused_everywhere("petsc.scalapack.missing", [&] { import_scalapack(array); });
}

#endif

}  // namespace
}  // namespace daptor_test::blocks
