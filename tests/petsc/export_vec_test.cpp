// SPDX-License-Identifier: BSD-3-Clause
// Descriptions of PETSc vectors: what they say, what they keep alive, and when they are stale.

#include "layouts.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_vec;
using daptor::petsc::export_vec_readonly;
using daptor::petsc::import_vec;
using daptor::petsc::VecExportOptions;

/// A Vec that is destroyed at the end of its scope.
struct OwnVec {
  Vec vec = nullptr;
  ~OwnVec() { VecDestroy(&vec); }
};

OwnVec make_vec(PetscInt local, PetscInt block = 1) {
  OwnVec own;
  VecCreate(world, &own.vec);
  VecSetSizes(own.vec, local * block, PETSC_DETERMINE);
  VecSetBlockSize(own.vec, block);
  VecSetType(own.vec, VECSTANDARD);
  return own;
}

PetscInt local_size_here() {
  return rank_of() % 3 == 1 ? 0 : 3 + rank_of();
}

PetscInt start_here() {
  PetscInt start = 0;
  for (int r = 0; r < rank_of(); ++r) start += r % 3 == 1 ? 0 : 3 + r;
  return start;
}

TEST(ExportVec, IsABlockOfItsMemory) {
  const OwnVec x = make_vec(local_size_here());
  const std::int64_t state = state_of(x.vec);
  const DistArray a = export_vec(x.vec);
  EXPECT_EQ(state_of(x.vec), state);
  EXPECT_EQ(a.data(), memory_of(x.vec));
  EXPECT_EQ(a.ndim(), 1);
  EXPECT_FALSE(a.readonly());
  const auto* block = a.dimension(0).as<daptor::Block>();
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block->owned.start, start_here());
  EXPECT_EQ(block->owned.size(), local_size_here());
  EXPECT_EQ(block->grid, line());
  EXPECT_EQ(a.comm(), daptor::Comm(PETSC_COMM_WORLD));
  daptor::require_consistent(a);
}

TEST(ExportVec, BlockSizeIsAFastestDimension) {
  const OwnVec x = make_vec(local_size_here(), 3);
  const DistArray a = export_vec(x.vec);
  EXPECT_EQ(a.ndim(), 2);
  EXPECT_EQ(a.global_shape()[1], 3);
  EXPECT_EQ(a.owned_shape()[0], local_size_here());
  const Section flat = daptor::flatten(a);
  EXPECT_EQ(flat.ndim(), 1);
  EXPECT_EQ(flat.data(), a.data());
  EXPECT_EQ(flat.dimension(0).as<daptor::Block>()->owned.start, 3 * start_here());
  EXPECT_EQ(flat.buffer().state(), a.buffer().state());
  EXPECT_TRUE(daptor::unflatten(flat, a) == a);
  const auto y = import_vec(a);
  PetscInt block = 0;
  VecGetBlockSize(y.get(), &block);
  EXPECT_EQ(block, 3);
  EXPECT_TRUE(export_vec(y.get()) == a);
}

TEST(ExportVec, SequentialVecIsAnArrayOfOneProcess) {
  OwnVec x;
  VecCreateSeq(PETSC_COMM_SELF, 5 + rank_of(), &x.vec);
  const DistArray a = export_vec(x.vec);
  EXPECT_EQ(a.global_shape()[0], 5 + rank_of());
  EXPECT_EQ(a.grid_count(), 1);
  EXPECT_EQ(a.comm().size(), 1);
  daptor::require_consistent(a);
}

TEST(ExportVec, WritesGoBothWaysAndNormsFollow) {
  const OwnVec x = make_vec(local_size_here());
  VecSet(x.vec, 1.0);
  norm_of(x.vec);
  const DistArray a = export_vec(x.vec);
  {
    daptor::WriteLease lease(a);
    if (rank_of() == size_of() - 1) label(a, 2);
    lease.close();
  }
  expect_states_equal(x.vec);
  EXPECT_NEAR(norm_of(x.vec), std::sqrt(square_sum(a)), 1e-9 * (1 + square_sum(a)));
  VecSet(x.vec, 4.0);
  for (const Element& e : elements(a)) EXPECT_EQ(at(a, e.offset), PetscScalar(4.0));
}

TEST(ExportVec, LeasesLeaveReadersStatesAlone) {
  const OwnVec x = make_vec(4);
  const DistArray a = export_vec(x.vec);
  const std::int64_t state = state_of(x.vec);
  {
    const daptor::ReadLease lease(a);
    EXPECT_EQ(lease.data(), a.data());
  }
  EXPECT_EQ(state_of(x.vec), state);
}

TEST(ExportVec, KeepsTheVecAlive) {
  std::optional<DistArray> a;
  Vec seen = nullptr;
  {
    const OwnVec x = make_vec(4);
    VecSet(x.vec, 2.0);
    a = export_vec(x.vec);
    seen = x.vec;
    EXPECT_EQ(references(x.vec), 2);
  }
  EXPECT_EQ(references(seen), 1);
  for (const Element& e : elements(*a)) EXPECT_EQ(at(*a, e.offset), PetscScalar(2.0));
  const auto y = import_vec(*a);
  a.reset();
  EXPECT_EQ(references(seen), 1);
  EXPECT_NEAR(norm_of(y.get()), 2.0 * std::sqrt(4.0 * size_of()), 1e-12);
}

TEST(ExportVec, ExportsOfOneVecShareTheirState) {
  const OwnVec x = make_vec(4);
  const DistArray a = export_vec(x.vec);
  const DistArray b = export_vec_readonly(x.vec);
  EXPECT_EQ(a.buffer().state(), b.buffer().state());
  EXPECT_EQ(references(x.vec), 2);
  EXPECT_TRUE(b.readonly());
  EXPECT_THROW(b.mutable_data(), daptor::InvalidArgument);
  EXPECT_THROW(daptor::WriteLease{b}, daptor::InvalidArgument);
}

TEST(ExportVec, IsStaleWhilePlaced) {
  const OwnVec x = make_vec(4);
  const DistArray a = export_vec(x.vec);
  std::vector<PetscScalar> other(4, 1.0);
  VecPlaceArray(x.vec, other.data());
  EXPECT_THROW(daptor::ReadLease{a}, daptor::Stale);
  EXPECT_THROW(daptor::WriteLease{a}, daptor::Stale);
  expect_refused_everywhere<daptor::Stale>("stale", [&] { import_vec(a); });
  // A new export describes the other memory.
  const DistArray placed = export_vec(x.vec);
  EXPECT_EQ(placed.data(), other.data());
  EXPECT_NE(placed.buffer().state(), a.buffer().state());
  VecResetArray(x.vec);
  EXPECT_THROW(daptor::ReadLease{placed}, daptor::Stale);
  const daptor::ReadLease lease(a);
  EXPECT_EQ(lease.data(), memory_of(x.vec));
}

TEST(ExportVec, IsStaleAfterReplacement) {
  const OwnVec x = make_vec(4);
  const DistArray a = export_vec(x.vec);
  PetscScalar* fresh = nullptr;
  PetscMalloc(4 * sizeof(PetscScalar), &fresh);
  VecReplaceArray(x.vec, fresh);
  EXPECT_THROW(daptor::ReadLease{a}, daptor::Stale);
}

TEST(ExportVec, StaleOnOneRankIsSaidOnAll) {
  const OwnVec x = make_vec(4);
  const DistArray a = export_vec(x.vec);
  std::vector<PetscScalar> other(4, 1.0);
  for (int victim = 0; victim < size_of(); ++victim) {
    if (rank_of() == victim) VecPlaceArray(x.vec, other.data());
    expect_refused_everywhere<daptor::Stale>("stale", [&] { import_vec(a); });
    if (rank_of() == victim) VecResetArray(x.vec);
  }
}

TEST(ExportVec, RefusesWhatIsNoVecYet) {
  EXPECT_THROW(export_vec(nullptr), daptor::InvalidArgument);
  OwnVec x;
  VecCreate(world, &x.vec);
  EXPECT_THROW(export_vec(x.vec), daptor::InvalidArgument);
}

TEST(ExportVec, RefusesOtherTypes) {
  const OwnVec x = make_vec(4);
  OwnVec nest;
  Vec parts[] = {x.vec, x.vec};
  VecCreateNest(world, 2, nullptr, parts, &nest.vec);
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.vec.kind",
                                                      [&] { export_vec(nest.vec); });
}

// This PETSc is built for no device: the Vec only claims to be on one.
TEST(ExportVec, RefusesDeviceMemory) {
  for (const char* type : {"cuda", "seqkokkos", "viennacl"}) {
    const OwnVec x = make_vec(4);
    PetscObjectChangeTypeName(reinterpret_cast<PetscObject>(x.vec), type);
    expect_refused_everywhere<daptor::NotRepresentable>("petsc.vec.device",
                                                        [&] { export_vec(x.vec); });
  }
}

/// The export of an import's result: on all ranks the same description, of one array.
void expect_one_array(const DistArray& exported) {
  const daptor::Report report = daptor::validate(exported);
  EXPECT_TRUE(report) << report;
}

/// Blocks with one copy below each internal edge, as for a one-sided stencil.
Dimension one_sided(Index global_size) {
  return padded_block(global_size, {1, 0}, false);
}

/// The same, with one process that owns nothing.
Dimension one_sided_without(int empty) {
  const auto start_of = [&](int r) { return Index{4} * (r > empty ? r - 1 : r); };
  const daptor::IndexRange owned{start_of(rank_of()), start_of(rank_of() + 1)};
  daptor::BlockPadding widths;
  if (owned.start > 0 && !owned.empty()) widths.communication = {1, 0};
  return daptor::block(start_of(size_of()), line(), owned, widths);
}

/// Blocks numbered from the last rank to the first: the middle one is at the place of its rank.
Dimension reversed(Index global_size) {
  return daptor::block(global_size, {size_of(), size_of() - 1 - rank_of()});
}

std::vector<Layout> imported_layouts() {
  std::vector<Layout> list = vec_layouts();
  list.push_back({"one_sided", [] { return owning({one_sided(5 * size_of())}); }});
  list.push_back({"one_sided_rows", [] {
                    return owning({one_sided(5 * size_of()), daptor::undistributed(2)});
                  }});
  list.push_back({"reversed_ranks", [] { return owning({reversed(5 * size_of())}); }});
  for (int empty = 0; empty < size_of(); ++empty)
    list.push_back({"one_sided_without_" + std::to_string(empty),
                    [empty] { return owning({one_sided_without(empty)}); }});
  return list;
}

class ExportImportedVec : public ::testing::TestWithParam<Layout> {};

TEST_P(ExportImportedVec, IsOneArrayOfAllRanks) {
  const DistArray a = GetParam().make();
  const auto x = import_vec(a);
  const DistArray exported = export_vec(x.get());
  expect_one_array(exported);
  const auto again = import_vec(exported);
  expect_on_memory_of(again.get(), a);
  EXPECT_TRUE(export_vec(again.get()) == exported);
}

TEST_P(ExportImportedVec, SaysTheSameOnOtherMemory) {
  const DistArray a = GetParam().make();
  const auto x = import_vec(a);
  const DistArray before = export_vec(x.get());
  for (int victim = 0; victim < size_of(); ++victim) {
    std::vector<PetscScalar> other(static_cast<std::size_t>(a.owned_count()) + 1);
    if (rank_of() == victim) VecPlaceArray(x.get(), other.data());
    const DistArray placed = export_vec(x.get());
    expect_one_array(placed);
    EXPECT_EQ(placed.dimensions(), before.dimensions());
    if (a.owned_count() > 0) {
      EXPECT_EQ(placed.data() == other.data(), rank_of() == victim);
    }
    if (rank_of() == victim) VecResetArray(x.get());
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ExportImportedVec, ::testing::ValuesIn(imported_layouts()),
                         NameOf());

TEST(ExportImportedVec, IsOnTheCommunicatorOfTheArray) {
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(world, &comm);
  {
    const DistArray a = owning({daptor::block(4 * size_of(), line())}).on(comm);
    const auto x = import_vec(a);
    EXPECT_EQ(x.array().comm(), a.comm());
    EXPECT_EQ(export_vec(x.get()).comm(), a.comm());
    std::vector<PetscScalar> other(4);
    if (rank_of() == 0) VecPlaceArray(x.get(), other.data());
    EXPECT_EQ(export_vec(x.get()).comm(), a.comm());
    if (rank_of() == 0) VecResetArray(x.get());
  }
  MPI_Comm_free(&comm);
}

TEST(ExportImportedVec, OfAPaddedSectionIsOnOneProcess) {
  const auto x = daptor::petsc::import_padded_vec(owning({one_sided(5 * size_of())}));
  EXPECT_EQ(x.array().comm().size(), size_of());
  const DistArray exported = export_vec(x.get());
  EXPECT_EQ(exported.comm().size(), 1);
  expect_one_array(exported);
}

TEST(ExportImportedVec, FollowsANewBlockSize) {
  const DistArray a = owning({daptor::block(4 * size_of(), line())});
  const auto x = import_vec(a);
  VecSetBlockSize(x.get(), 2);
  const DistArray exported = export_vec(x.get());
  expect_one_array(exported);
  EXPECT_EQ(exported.ndim(), 2);
  EXPECT_EQ(exported.data(), a.data());
}

TEST(ExportVecGhosts, AreUnstructured) {
  // Each rank owns four elements and has the first element of every other rank as a ghost.
  std::vector<PetscInt> ghosts;
  for (int r = 0; r < size_of(); ++r)
    if (r != rank_of()) ghosts.push_back(4 * r);
  OwnVec x;
  VecCreateGhost(world, 4, PETSC_DETERMINE, static_cast<PetscInt>(ghosts.size()), ghosts.data(),
                 &x.vec);
  for (PetscInt i = 4 * rank_of(); i < 4 * rank_of() + 4; ++i)
    VecSetValue(x.vec, i, static_cast<double>(i + 1), INSERT_VALUES);
  VecAssemblyBegin(x.vec);
  VecAssemblyEnd(x.vec);
  VecGhostUpdateBegin(x.vec, INSERT_VALUES, SCATTER_FORWARD);
  VecGhostUpdateEnd(x.vec, INSERT_VALUES, SCATTER_FORWARD);

  VecExportOptions options;
  options.ghosts = true;
  const DistArray a = export_vec(x.vec, options);
  EXPECT_EQ(a.data(), memory_of(x.vec));
  EXPECT_EQ(a.local_count(), 4 + size_of() - 1);
  EXPECT_EQ(a.global_shape()[0], 4 * size_of());
  const auto* list = a.dimension(0).as<daptor::Unstructured>();
  ASSERT_NE(list, nullptr);
  EXPECT_FALSE(list->one_to_one);
  EXPECT_EQ(list->owned, Index{4});
  expect_one_array(a);
  for (const Element& e : elements(a, true))
    EXPECT_EQ(at(a, e.offset), PetscScalar(static_cast<double>(e.natural + 1)));
  // The owned part alone is a block on the same memory.
  const DistArray owned = export_vec(x.vec);
  EXPECT_EQ(owned.local_count(), 4);
  EXPECT_EQ(owned.buffer().state(), a.buffer().state());

  Vec local = nullptr;
  VecGhostGetLocalForm(x.vec, &local);
  const double before = norm_of(local);
  {
    daptor::WriteLease lease(a);
    for (const Element& e : elements(a, true)) at(a, e.offset) *= 2.0;
    lease.close();
  }
  EXPECT_NEAR(norm_of(local), 2 * before, 1e-9 * before);
  VecGhostRestoreLocalForm(x.vec, &local);
}

TEST(ExportVecGhosts, AreRefusedWhereThereAreNone) {
  const OwnVec x = make_vec(4);
  VecExportOptions options;
  options.ghosts = true;
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.vec.ghosts",
                                                      [&] { export_vec(x.vec, options); });
}

}  // namespace
