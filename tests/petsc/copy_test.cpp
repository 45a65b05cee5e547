// SPDX-License-Identifier: BSD-3-Clause
// Copies by the general functions and by those of the adapter, compared with PETSc's own.

#include <algorithm>
#include <cmath>
#include <cstring>

#include <petscdmda.h>

#include "daptor/petsc/copy.hpp"
#include "grids.hpp"

namespace {

using namespace daptor_test;
using namespace daptor::petsc;
using daptor::flatten;
using daptor::InvalidArgument;
using daptor::NotRepresentable;
using daptor::redistribute;
using daptor::RedistributionOptions;

#define DAPTOR_EXPECT_OK(call) EXPECT_EQ(static_cast<int>(call), 0) << #call

constexpr auto item_size = static_cast<Index>(sizeof(PetscScalar));

/// A value that no other element has, with all its bits in use.
PetscScalar value_of(Index natural) {
  return std::sqrt(static_cast<double>(natural) + 2.0);
}

/// The values of a Vec on this process.
std::vector<PetscScalar> values(Vec vec) {
  const PetscScalar* data = nullptr;
  PetscInt count = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(vec, &count));
  DAPTOR_EXPECT_OK(VecGetArrayRead(vec, &data));
  std::vector<PetscScalar> list(data, data + count);
  DAPTOR_EXPECT_OK(VecRestoreArrayRead(vec, &data));
  return list;
}

bool same_bits(const std::vector<PetscScalar>& a, const std::vector<PetscScalar>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(PetscScalar)) == 0);
}

void expect_equal(Vec found, Vec expected) {
  EXPECT_TRUE(same_bits(values(found), values(expected)));
}

/// Sets element i of the whole Vec to value_of(i + shift).
void number(Vec vec, Index shift = 0) {
  PetscInt start = 0, stop = 0;
  PetscScalar* data = nullptr;
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(vec, &start, &stop));
  DAPTOR_EXPECT_OK(VecGetArray(vec, &data));
  for (PetscInt i = start; i < stop; ++i) data[i - start] = value_of(i + shift);
  DAPTOR_EXPECT_OK(VecRestoreArray(vec, &data));
}

/// A DMDA made by PETSc.
struct GridOfPetsc {
  const char* name;
  PetscInt sizes[3];  // 0: there is no such dimension
  PetscInt dof = 1;
  PetscInt width = 1;
  bool irregular = false;
  DMBoundaryType boundary = DM_BOUNDARY_NONE;
};

std::ostream& operator<<(std::ostream& out, const GridOfPetsc& grid) {
  return out << grid.name;
}

/// Widths of unequal blocks: each is one point less than that of an even block; the last block has
/// the rest.
std::vector<PetscInt> unequal(PetscInt size, PetscInt processes) {
  std::vector<PetscInt> widths(static_cast<std::size_t>(processes),
                               std::max<PetscInt>(size / processes - 1, 1));
  widths.back() = size - (processes - 1) * widths.front();
  return widths;
}

DM made_by_petsc(const GridOfPetsc& grid) {
  DM dm = nullptr;
  const PetscInt* n = grid.sizes;
  const int ndim = n[2] > 0 ? 3 : n[1] > 0 ? 2 : 1;
  const auto b = grid.boundary;
  std::vector<PetscInt> widths[3];
  PetscInt m[3] = {PETSC_DECIDE, PETSC_DECIDE, PETSC_DECIDE};
  if (grid.irregular) {
    const auto processes = daptor::block_grid(ndim, size_of());
    for (std::size_t k = 0; k < processes.size(); ++k) {
      m[k] = static_cast<PetscInt>(processes[k]);
      widths[k] = unequal(n[k], m[k]);
    }
  }
  const auto l = [&](int k) { return grid.irregular ? widths[k].data() : nullptr; };
  if (ndim == 1)
    DAPTOR_EXPECT_OK(DMDACreate1d(world, b, n[0], grid.dof, grid.width, l(0), &dm));
  else if (ndim == 2)
    DAPTOR_EXPECT_OK(DMDACreate2d(world, b, b, DMDA_STENCIL_BOX, n[0], n[1], m[0], m[1], grid.dof,
                                  grid.width, l(0), l(1), &dm));
  else
    DAPTOR_EXPECT_OK(DMDACreate3d(world, b, b, b, DMDA_STENCIL_BOX, n[0], n[1], n[2], m[0], m[1],
                                  m[2], grid.dof, grid.width, l(0), l(1), l(2), &dm));
  DAPTOR_EXPECT_OK(DMSetUp(dm));
  return dm;
}

class Natural : public ::testing::TestWithParam<GridOfPetsc> {
 protected:
  void SetUp() override {
    dm_ = made_by_petsc(GetParam());
    for (Vec* vec : {&global_, &other_}) DAPTOR_EXPECT_OK(DMCreateGlobalVector(dm_, vec));
    for (Vec* vec : {&natural_, &expected_}) DAPTOR_EXPECT_OK(DMDACreateNaturalVector(dm_, vec));
  }
  void TearDown() override {
    for (Vec* vec : {&global_, &other_, &natural_, &expected_}) VecDestroy(vec);
    DMDestroy(&dm_);
  }

  DM dm_ = nullptr;
  Vec global_ = nullptr, other_ = nullptr, natural_ = nullptr, expected_ = nullptr;
};

TEST_P(Natural, AsDMDAGlobalToNatural) {
  number(global_);
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalBegin(dm_, global_, INSERT_VALUES, expected_));
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalEnd(dm_, global_, INSERT_VALUES, expected_));
  redistribute(export_dmda(dm_, global_), flatten(export_vec(natural_)), world);
  expect_equal(natural_, expected_);
}

TEST_P(Natural, AsDMDANaturalToGlobal) {
  number(natural_);
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalBegin(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalEnd(dm_, natural_, INSERT_VALUES, other_));
  redistribute(flatten(export_vec(natural_)), export_dmda(dm_, global_), world);
  expect_equal(global_, other_);
}

TEST_P(Natural, IntoALocalVectorWithItsGhosts) {
  Vec local = nullptr, expected = nullptr;
  for (Vec* vec : {&local, &expected}) DAPTOR_EXPECT_OK(DMCreateLocalVector(dm_, vec));
  number(natural_);
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalBegin(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMDANaturalToGlobalEnd(dm_, natural_, INSERT_VALUES, other_));
  DAPTOR_EXPECT_OK(DMGlobalToLocalBegin(dm_, other_, INSERT_VALUES, expected));
  DAPTOR_EXPECT_OK(DMGlobalToLocalEnd(dm_, other_, INSERT_VALUES, expected));
  RedistributionOptions padding;
  padding.fill_padding = true;
  redistribute(flatten(export_vec(natural_)), export_dmda(dm_, local), world, padding);
  expect_equal(local, expected);
  for (Vec* vec : {&local, &expected}) VecDestroy(vec);
}

TEST_P(Natural, ByCopyToVecAndBack) {
  number(global_);
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalBegin(dm_, global_, INSERT_VALUES, expected_));
  DAPTOR_EXPECT_OK(DMDAGlobalToNaturalEnd(dm_, global_, INSERT_VALUES, expected_));
  const DistArray array = export_dmda(dm_, global_);
  CopyOptions options;
  DAPTOR_EXPECT_OK(VecGetLocalSize(expected_, &options.local_size));
  const ImportedVec copy = copy_to_vec(array, world, options);
  expect_equal(copy.get(), expected_);
  PetscInt block = 0;
  DAPTOR_EXPECT_OK(VecGetBlockSize(copy.get(), &block));
  EXPECT_EQ(block, GetParam().dof);

  const std::vector<PetscScalar> before = values(global_);
  DAPTOR_EXPECT_OK(VecZeroEntries(global_));
  redistribute(copy.array(), array, world);
  EXPECT_TRUE(same_bits(values(global_), before));
}

TEST_P(Natural, NormsAreKnownAnew) {
  number(natural_);
  for (int round = 0; round < 2; ++round) {
    DAPTOR_EXPECT_OK(VecScale(natural_, 2.0));
    const double expected = norm_of(natural_);
    redistribute(flatten(export_vec(natural_)), export_dmda(dm_, global_), world);
    EXPECT_NEAR(norm_of(global_), expected, 1e-12 * expected);
    expect_states_equal(global_);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Grids, Natural,
    ::testing::Values(
        GridOfPetsc{"one", {17, 0, 0}}, GridOfPetsc{"one_dof", {19, 0, 0}, 2},
        GridOfPetsc{"one_irregular", {43, 0, 0}, 1, 2, true},
        GridOfPetsc{"one_periodic", {13, 0, 0}, 2, 1, false, DM_BOUNDARY_PERIODIC},
        GridOfPetsc{"two", {11, 7, 0}}, GridOfPetsc{"two_dof", {9, 13, 0}, 2, 2},
        GridOfPetsc{"two_irregular_dof", {14, 11, 0}, 2, 1, true},
        GridOfPetsc{"two_periodic", {10, 9, 0}, 1, 2, false, DM_BOUNDARY_PERIODIC},
        GridOfPetsc{"two_unpadded", {11, 7, 0}, 1, 0}, GridOfPetsc{"three", {5, 7, 9}},
        GridOfPetsc{"three_dof", {7, 4, 5}, 2},
        GridOfPetsc{"three_irregular", {9, 8, 7}, 1, 1, true},
        GridOfPetsc{"three_periodic_irregular_dof", {8, 9, 11}, 2, 1, true, DM_BOUNDARY_PERIODIC}),
    NameOf());

// Vec to Vec.

Vec make_vec(PetscInt local, PetscInt global, PetscInt block) {
  Vec vec = nullptr;
  DAPTOR_EXPECT_OK(VecCreate(world, &vec));
  DAPTOR_EXPECT_OK(VecSetSizes(vec, local, global));
  DAPTOR_EXPECT_OK(VecSetBlockSize(vec, block));
  DAPTOR_EXPECT_OK(VecSetType(vec, VECSTANDARD));
  return vec;
}

PetscInt uneven_size(PetscInt block) {
  return static_cast<PetscInt>(uneven(rank_of()).size()) * block;
}

class Layouts : public ::testing::TestWithParam<PetscInt> {};

TEST_P(Layouts, AsVecScatter) {
  const PetscInt block = GetParam();
  Vec x = make_vec(uneven_size(block), PETSC_DETERMINE, block);
  PetscInt size = 0;
  DAPTOR_EXPECT_OK(VecGetSize(x, &size));
  Vec y = make_vec(PETSC_DECIDE, size, block);
  Vec all_here = make_vec(rank_of() == size_of() - 1 ? size : 0, size, 1);
  for (Vec target : {y, all_here}) {
    Vec expected = nullptr;
    VecScatter scatter = nullptr;
    PetscInt start = 0, stop = 0;
    IS same = nullptr;
    DAPTOR_EXPECT_OK(VecDuplicate(target, &expected));
    DAPTOR_EXPECT_OK(VecGetOwnershipRange(x, &start, &stop));
    DAPTOR_EXPECT_OK(ISCreateStride(world, stop - start, start, 1, &same));
    DAPTOR_EXPECT_OK(VecScatterCreate(x, same, expected, same, &scatter));
    number(x, 5);
    DAPTOR_EXPECT_OK(VecScatterBegin(scatter, x, expected, INSERT_VALUES, SCATTER_FORWARD));
    DAPTOR_EXPECT_OK(VecScatterEnd(scatter, x, expected, INSERT_VALUES, SCATTER_FORWARD));
    redistribute(flatten(export_vec(x)), flatten(export_vec(target)), world);
    expect_equal(target, expected);

    number(target, 99);
    Vec back = nullptr;
    DAPTOR_EXPECT_OK(VecDuplicate(x, &back));
    DAPTOR_EXPECT_OK(VecScatterBegin(scatter, target, back, INSERT_VALUES, SCATTER_REVERSE));
    DAPTOR_EXPECT_OK(VecScatterEnd(scatter, target, back, INSERT_VALUES, SCATTER_REVERSE));
    redistribute(flatten(export_vec(target)), flatten(export_vec(x)), world);
    expect_equal(x, back);
    for (Vec* vec : {&expected, &back}) VecDestroy(vec);
    VecScatterDestroy(&scatter);
    ISDestroy(&same);
  }
  if (block > 1) {  // blocks need not be flattened if both have them
    number(x);
    redistribute(export_vec(x), export_vec(y), world);
    Vec expected = make_vec(PETSC_DECIDE, size, block);
    number(expected);
    expect_equal(y, expected);
    VecDestroy(&expected);
  }
  for (Vec* vec : {&x, &y, &all_here}) VecDestroy(vec);
}

INSTANTIATE_TEST_SUITE_P(BlockSizes, Layouts, ::testing::Values(1, 3));

// copy_to_vec.

DistArray numbered(const DistArray& array) {
  for (const Element& e : elements(array, true)) at(array, e.offset) = -1.0;
  for (const Element& e : elements(array)) at(array, e.offset) = value_of(e.natural);
  return array;
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

Index count_of(const DistArray& array) {
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
                                    memory);
                  }});
  list.push_back(
      {"no_dimensions", [] { return size_of() == 1 ? owning({}) : owning({block(3, line())}); }});
  return list;
}

// What explain() says about copies is true of them.

daptor::Assessment asked(const std::string& target, const DistArray& a) {
  for (const daptor::Assessment& each : daptor::explain(a, world))
    if (each.target == target) return each;
  ADD_FAILURE() << "no target " << target;
  return {};
}

std::int64_t bytes_sent(const DistArray& from, const DistArray& to, bool padding = false) {
  RedistributionOptions options;
  options.fill_padding = padding;
  std::int64_t bytes = daptor::Redistribution(from, to, world, options).bytes_sent();
  MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_INT64_T, MPI_SUM, world);
  return bytes;
}

/// The refusal names the call, and explain() the bytes that it copies; neither does if the array
/// can be held.
void expect_offered(const std::string& target, const std::string& call, const DistArray& a,
                    const std::function<std::int64_t()>& bytes) {
  const daptor::Assessment verdict = asked(target, a);
  if (verdict.representable) {
    EXPECT_EQ(verdict.copy_call, "");
    EXPECT_FALSE(verdict.bytes_to_move.has_value());
    return;
  }
  EXPECT_EQ(verdict.copy_call, call);
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(bytes()));
  const std::string& remedy = verdict.reasons.front().remedy;
  EXPECT_NE(remedy.find(" Or copy: daptor::petsc::"), std::string::npos) << remedy;
}

class CopyToVec : public ::testing::TestWithParam<Layout> {};

TEST_P(CopyToVec, HoldsEachElementAtItsNumber) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_vec(a, world);
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
  const ImportedVec copy = copy_to_vec(a, world, options);
  PetscInt local = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(copy.get(), &local));
  EXPECT_EQ(local, options.local_size);
  expect_natural(copy, count);

  DAPTOR_EXPECT_OK(VecScale(copy.get(), 2.0));
  redistribute(copy.array(), a, world);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToVec, PaddedSectionsWithTheirPaddingFilled) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_padded_vec(a, world);
  const DistArray& padded = copy.array();
  EXPECT_EQ(padded.dimensions(), a.dimensions());
  EXPECT_TRUE(padded.buffer().contiguous(Order::c));
  if (padded.local_count() > 0) {
    EXPECT_EQ(memory_of(copy.get()), padded.data());
  }
  for (const Element& e : elements(padded, true))
    EXPECT_EQ(at(padded, e.offset), value_of(e.natural));
  expect_offered("petsc.local-vec", "daptor::petsc::copy_to_padded_vec(a, comm)", a,
                 [&] { return bytes_sent(a, padded, true); });
}

TEST_P(CopyToVec, AndBackWithBlocks) {
  const DistArray a = numbered(GetParam().make());
  const ImportedVec copy = copy_to_vec(a, world);
  DAPTOR_EXPECT_OK(VecScale(copy.get(), 2.0));
  redistribute(copy.array(), a, world);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToVec, DividesAsPetscDoes) {
  const DistArray a = GetParam().make();
  const ImportedVec copy = copy_to_vec(a, world);
  PetscInt block = 0, local = 0;
  DAPTOR_EXPECT_OK(VecGetBlockSize(copy.get(), &block));
  DAPTOR_EXPECT_OK(VecGetLocalSize(copy.get(), &local));
  Vec vec = make_vec(PETSC_DECIDE, static_cast<PetscInt>(count_of(a)), block);
  PetscInt expected = 0;
  DAPTOR_EXPECT_OK(VecGetLocalSize(vec, &expected));
  EXPECT_EQ(local, expected);
  VecDestroy(&vec);
}

INSTANTIATE_TEST_SUITE_P(Layouts, CopyToVec, ::testing::ValuesIn(any_layouts()), NameOf());

TEST(CopyToVecOptions, OtherTypesAreConvertedWhereAsked) {
  const daptor::DataType type = daptor::DataType::of<float>();
  const DistArray a = daptor::allocate(type, {daptor::cyclic(17, line())});
  for (Index i = 0; i < a.owned_count(); ++i)
    static_cast<float*>(a.mutable_data())[i] = static_cast<float>(i * size_of() + rank_of()) / 2;
  CopyOptions options;
  options.convert = true;
  if (type != daptor::DataType::of<PetscScalar>())
    expect_refused_everywhere<NotRepresentable>("petsc.vec.scalar-type",
                                                [&] { copy_to_vec(a, world); });
  const ImportedVec copy = copy_to_vec(a, world, options);
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
  expect_natural(daptor::petsc::copy_to_vec(a, world, {PETSC_DECIDE, false, true}), 11);
  if (size_of() == 1) return;
  expect_refused_everywhere<InvalidArgument>("redistribute.overlap",
                                             [&] { copy_to_vec(a, world); });
  const daptor::Assessment verdict = asked("petsc.vec", a);
  EXPECT_EQ(verdict.copy_call, "daptor::petsc::copy_to_vec(a, comm, {PETSC_DECIDE, false, true})");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
}

TEST(CopyToDMDAOptions, OverlappingListsAreReadWhereAsked) {
  std::vector<Index> all(static_cast<std::size_t>(2 * size_of()));
  std::iota(all.begin(), all.end(), 0);
  const DistArray a =
      numbered(owning({daptor::unstructured(2 * size_of(), line(), daptor::IndexList(all))}));
  const ImportedDMDA made =
      daptor::petsc::copy_to_dmda(a, world, {}, {daptor::petsc::DMDAVector::local, {}, true});
  for (const Element& e : elements(made.array()))
    EXPECT_EQ(at(made.array(), e.offset), value_of(e.natural));
  if (size_of() == 1) return;
  expect_refused_everywhere<InvalidArgument>("redistribute.overlap",
                                             [&] { copy_to_dmda(a, world); });
  for (const char* target : {"petsc.dmda", "petsc.dmda-local"}) {
    const daptor::Assessment verdict = asked(target, a);
    EXPECT_EQ(verdict.copy_call,
              "daptor::petsc::copy_to_dmda(a, comm, {}, {daptor::petsc::DMDAVector::local, {}, "
              "true})");
    EXPECT_TRUE(verdict.bytes_to_move.has_value());
    EXPECT_NE(verdict.reasons.front().remedy.find(verdict.copy_call), std::string::npos);
  }
}

TEST(CopyToVecOptions, AreNotOfferedWhereTheCopyWouldBeRefused) {
  if (size_of() == 1) return;
  const DistArray a = owning({daptor::unstructured(2, line(), daptor::IndexList({0, 1})),
                              daptor::undistributed(3), daptor::undistributed(2)});
  const daptor::Assessment verdict = asked("petsc.vec", a);
  EXPECT_FALSE(verdict.representable);
  EXPECT_EQ(verdict.copy_call, "");
  EXPECT_EQ(verdict.reasons.front().remedy.find("Or copy"), std::string::npos);
}

/// The columns of an array whose rows are contiguous.
TEST(CopyToDense, IsWhatExplainOffers) {
  const MPI_Comm comm = world;
  const Index rows = 3 * size_of() + 1;
  const DistArray a = numbered(owning({daptor::block(rows, line()), daptor::undistributed(3)}));
  const auto made = daptor::petsc::import_dense(
      daptor::redistributed(a, daptor::layout::slab(0, daptor::Order::fortran), comm), comm);
  const daptor::Assessment verdict = asked("petsc.dense", a);
  EXPECT_EQ(verdict.copy_call,
            "daptor::petsc::import_dense(daptor::redistributed(a, daptor::layout::slab(0, "
            "daptor::Order::fortran), comm), comm)");
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(bytes_sent(a, made.array())));
  PetscInt start = 0, stop = 0, columns = 0;
  DAPTOR_EXPECT_OK(MatGetOwnershipRange(made.get(), &start, &stop));
  DAPTOR_EXPECT_OK(MatGetSize(made.get(), nullptr, &columns));
  EXPECT_EQ(columns, 3);
  for (PetscInt i = start; i < stop; ++i)
    for (PetscInt j = 0; j < columns; ++j) {
      PetscScalar found = 0;
      DAPTOR_EXPECT_OK(MatGetValues(made.get(), 1, &i, 1, &j, &found));
      EXPECT_EQ(found, value_of(Index{3} * i + j));
    }
}

TEST(CopyToVecOptions, AreRefusedOnAllRanksTogether) {
  const DistArray a = owning({daptor::block(9, line()), daptor::undistributed(2)});
  const auto with_size = [&](PetscInt local, bool flat = false) {
    CopyOptions options;
    options.local_size = local;
    options.flat = flat;
    return options;
  };
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_vec(a, world, with_size(4)); });
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_vec(a, world, with_size(-7)); });
  expect_refused_everywhere<InvalidArgument>(
      "argument", [&] { copy_to_vec(a, world, with_size(rank_of() == size_of() - 1 ? 17 : 1)); });
  if (size_of() > 1) {
    expect_refused_everywhere<InvalidArgument>(
        "argument", [&] { copy_to_vec(a, world, with_size(rank_of() == 0 ? 18 : PETSC_DECIDE)); });
    expect_refused_everywhere<InvalidArgument>(
        "argument", [&] { copy_to_vec(a, world, with_size(-1, rank_of() == 0)); });
  }
  expect_refused_everywhere<InvalidArgument>(
      "argument", [&] { copy_to_vec(daptor::describe(a.type(), nullptr, a.dimensions()), world); });
}

TEST_P(CopyToVec, IsWhatExplainOffers) {
  const DistArray a = GetParam().make();
  const DistArray copy = copy_to_vec(a, world).array();
  expect_offered("petsc.vec", "daptor::petsc::copy_to_vec(a, comm)", a,
                 [&] { return bytes_sent(a, a.ndim() == copy.ndim() ? copy : flatten(copy)); });
}

// Ownership.

TEST(CopyOwnership, TheVecKeepsTheMemory) {
  Vec kept = nullptr;
  {
    const DistArray a = numbered(owning({daptor::cyclic(29, line())}));
    const ImportedVec copy = copy_to_vec(a, world);
    kept = copy.get();
    DAPTOR_EXPECT_OK(PetscObjectReference(reinterpret_cast<PetscObject>(kept)));
  }
  number(kept, 3);
  PetscInt start = 0, stop = 0;
  DAPTOR_EXPECT_OK(VecGetOwnershipRange(kept, &start, &stop));
  const auto found = values(kept);
  for (PetscInt i = start; i < stop; ++i)
    EXPECT_EQ(found[static_cast<std::size_t>(i - start)], value_of(i + 3));
  VecDestroy(&kept);
}

TEST(CopyOwnership, ADescriptionKeepsTheMemory) {
  const DistArray a = numbered(owning({daptor::cyclic(29, line())}));
  DistArray description = a;
  {
    ImportedVec copy = copy_to_vec(a, world);
    description = copy.array();
    EXPECT_EQ(description.buffer().state()->view_count(), 1u);
    copy.close();
  }
  EXPECT_EQ(description.buffer().state()->view_count(), 0u);
  for (const Element& e : elements(description))
    EXPECT_EQ(at(description, e.offset), value_of(e.natural));
}

TEST(CopyOwnership, ADMDAsVectorKeepsTheMemory) {
  Vec kept = nullptr;
  {
    DMDAOptions options;
    options.stencil_width = 1;
    const DistArray a =
        numbered(owning({daptor::cyclic(4 * size_of(), line()), daptor::cyclic(6, {1, 0})}));
    const ImportedDMDA copy = copy_to_dmda(a, world, options);
    kept = copy.local();
    DAPTOR_EXPECT_OK(PetscObjectReference(reinterpret_cast<PetscObject>(kept)));
  }
  EXPECT_GT(norm_of(kept), 0);
  DAPTOR_EXPECT_OK(VecSet(kept, 1.0));
  VecDestroy(&kept);
}

// copy_to_dmda.

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
  /// In natural ordering, each element of `vector` is its own number.
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
    const ImportedDMDA made = copy_to_dmda(a, world, options, copy);
    expect_natural_of(made.dm(), made.global());
    expect_on_memory_of(made.global(), made.array());
  }
}

TEST_P(CopyToDMDA, LocalVectorWithItsGhosts) {
  const DistArray a = numbered(GetParam().make());
  for (const int width : {0, 1, 2}) {
    DMDAOptions options;
    options.stencil_width = width;
    const ImportedDMDA made = copy_to_dmda(a, world, options);
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
  const ImportedDMDA made = copy_to_dmda(a, world);
  DAPTOR_EXPECT_OK(VecScale(made.local(), 2.0));
  redistribute(made.array(), a, world);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), 2.0 * value_of(e.natural));
}

TEST_P(CopyToDMDA, IsWhatExplainOffers) {
  const DistArray a = GetParam().make();
  const ImportedDMDA local = copy_to_dmda(a, world);
  const ImportedDMDA global =
      daptor::petsc::copy_to_dmda(a, world, {}, {daptor::petsc::DMDAVector::global});
  expect_offered("petsc.dmda-local", "daptor::petsc::copy_to_dmda(a, comm)", a,
                 [&] { return bytes_sent(a, local.array(), true); });
  const bool padded = greatest(a.local_count() - a.owned_count()) > 0;
  expect_offered("petsc.dmda",
                 padded ? "daptor::petsc::copy_to_dmda(a, comm, {}, "
                          "{daptor::petsc::DMDAVector::global})"
                        : "daptor::petsc::copy_to_dmda(a, comm)",
                 a, [&] { return bytes_sent(a, global.array()); });
}

INSTANTIATE_TEST_SUITE_P(Layouts, CopyToDMDA, ::testing::ValuesIn(grid_layouts()), NameOf());

TEST(CopyToDMDAOptions, TheGridCanBeChosen) {
  const DistArray a = numbered(owning({daptor::cyclic(40, line()), daptor::cyclic(3, {1, 0})}));
  DMDACopyOptions copy;
  copy.grid = {size_of(), 1};
  const ImportedDMDA made = copy_to_dmda(a, world, {}, copy);
  PetscInt m = 0, n = 0;
  DAPTOR_EXPECT_OK(DMDAGetInfo(made.dm(), nullptr, nullptr, nullptr, nullptr, &m, &n, nullptr,
                               nullptr, nullptr, nullptr, nullptr, nullptr, nullptr));
  EXPECT_EQ(m, 1);
  EXPECT_EQ(n, size_of());
}

TEST(CopyToDMDAOptions, AreRefusedOnAllRanksTogether) {
  const auto line_of = [](Index n) { return owning({daptor::cyclic(n, line())}); };
  expect_refused_everywhere<NotRepresentable>("petsc.dmda.empty-rank",
                                              [&] { copy_to_dmda(line_of(size_of() - 1), world); });
  DMDAOptions wide;
  wide.stencil_width = 5;
  if (size_of() > 1)
    expect_refused_everywhere<NotRepresentable>(
        "petsc.dmda.local-width", [&] { copy_to_dmda(line_of(4 * size_of()), world, wide); });
  DMDACopyOptions copy;
  copy.grid = {size_of() + 1};
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_dmda(line_of(40), world, {}, copy); });
  copy.grid = {1, size_of()};
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_dmda(line_of(40), world, {}, copy); });
  wide.stencil_width = -1;
  expect_refused_everywhere<InvalidArgument>("argument",
                                             [&] { copy_to_dmda(line_of(40), world, wide); });
  expect_refused_everywhere<NotRepresentable>("petsc.dmda.dimensions", [&] {
    copy_to_dmda(owning({daptor::block(2 * size_of(), line()), daptor::block(2, {1, 0}),
                         daptor::block(2, {1, 0}), daptor::block(2, {1, 0})}),
                 world);
  });
  if (size_of() > 1) {
    wide.stencil_width = rank_of() == 0 ? 1 : 2;
    expect_refused_everywhere<InvalidArgument>("argument",
                                               [&] { copy_to_dmda(line_of(40), world, wide); });
  }
}

}  // namespace
