// SPDX-License-Identifier: BSD-3-Clause
#include "../validation/set_up_calls.hpp"
#include "daptor/petsc.hpp"

namespace daptor::test {
namespace {

TEST(SetUpCalls, OfImportVec) {
  const Arrays<PetscScalar> arrays;
  expect_rows("import_vec",
              {{"even", arrays.even(), {2, 0}, {2, 0}},
               {"padded", arrays.padded(), {3, 2}, {2, 0}},
               {"uneven", arrays.uneven(), {3, 2}, {2, 0}},
               {"any order", arrays.any_order(), {5, 0}, {2, 0}},
               {"cyclic", arrays.cyclic_from_rank_1(), {3, 2}, {2, 0}},
               {"listed", arrays.listed(), {3, 0}, {3, 0}}},
              [](const Section& array) { petsc::import_vec(array.on(PETSC_COMM_WORLD)).close(); });
}

TEST(SetUpCalls, OfImportPaddedVec) {
  const Arrays<PetscScalar> arrays;
  expect_rows(
      "import_padded_vec",
      {{"even", arrays.even(), {3, 0}, {3, 0}},
       {"padded", arrays.padded(), {4, 2}, {3, 0}},
       {"uneven", arrays.uneven(), {4, 2}, {3, 0}},
       {"any order", arrays.any_order(), {6, 0}, {3, 0}},
       {"cyclic", arrays.cyclic_from_rank_1(), {4, 2}, {3, 0}},
       {"listed", arrays.listed(), {3, 0}, {3, 0}}},
      [](const Section& array) { petsc::import_padded_vec(array.on(PETSC_COMM_WORLD)).close(); });
}

TEST(SetUpCalls, OfImportDmda) {
  const Arrays<PetscScalar> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  petsc::DMDAOptions options;
  options.allow_reorder = true;
  expect_rows("import_dmda",
              {{"even", arrays.even(), {6, 0}, {6, 0}},
               {"padded", arrays.padded(), {7, 2}, {6, 0}},
               {"uneven", arrays.uneven(), {8, 2 + line}, {6, 0}},
               {"any order", arrays.any_order(), {11, any_order}, {7, 0}}},
              [&](const Section& array) {
                petsc::import_dmda(array.on(PETSC_COMM_WORLD), options).close();
              });
}

TEST(SetUpCalls, OfLocalToGlobal) {
  const Arrays<PetscScalar> arrays;
  const int line = steps_along_line();
  const int any_order = steps_in_any_order();
  expect_rows("local_to_global",
              {{"even", arrays.even(), {3, 0}, {3, 0}},
               {"padded", arrays.padded(), {4, 2}, {3, 0}},
               {"uneven", arrays.uneven(), {5, 2 + line}, {3, 0}},
               {"any order", arrays.any_order(), {14, any_order + 1}, {10, 1}},
               {"cyclic", arrays.cyclic_from_rank_1(), {4, 2}, {3, 0}},
               {"listed", arrays.listed(), {5, 0}, {5, 0}}},
              [](const Section& array) {
                petsc::local_to_global(array.on(PETSC_COMM_WORLD), petsc::Numbering::contiguous);
              });
}

}  // namespace
}  // namespace daptor::test
