// SPDX-License-Identifier: BSD-3-Clause
// Ghosted Vecs: owned elements followed by ghosts, described and imported on the same memory.

#include <algorithm>

#include "layouts.hpp"

namespace {

using namespace daptor_test;
using daptor::petsc::export_vec;
using daptor::petsc::import_vec;
using daptor::petsc::ImportedVec;
using daptor::petsc::VecExportOptions;
using daptor::petsc::VecOptions;

VecOptions with_ghosts() {
  VecOptions options;
  options.ghosts = true;
  return options;
}

VecExportOptions ghosts_too() {
  VecExportOptions options;
  options.ghosts = true;
  return options;
}

/// The number of nodes that a rank owns: none on every third rank.
Index owned_here(int rank) {
  return rank % 3 == 2 ? 0 : 3 + rank % 2;
}

Index nodes_on_all() {
  Index count = 0;
  for (int r = 0; r < size_of(); ++r) count += owned_here(r);
  return count;
}

/// The nodes of a mesh, in no order of the ranks' memory: nodes belong to the ranks from the last
/// to the first, and the ghosts are the first node of every other rank, by descending rank.
struct Mesh {
  std::vector<Index> owned, ghosts;
  /// Owner and position of each ghost.
  std::vector<std::pair<int, Index>> sources;
};

Index number_of(int rank, Index position) {
  Index before = 0;
  for (int r = size_of() - 1; r > rank; --r) before += owned_here(r);
  return before + position;
}

Mesh mesh() {
  Mesh mesh;
  for (Index i = 0; i < owned_here(rank_of()); ++i) mesh.owned.push_back(number_of(rank_of(), i));
  for (int r = size_of(); r-- > 0;)
    for (Index i = 0; i < std::min<Index>(2, owned_here(r)); ++i)
      if (r != rank_of()) {
        mesh.ghosts.push_back(number_of(r, i));
        mesh.sources.push_back({r, i});
      }
  return mesh;
}

DistArray nodes(Index components = 1, Order order = Order::c) {
  const Mesh m = mesh();
  std::vector<Dimension> dimensions{
      daptor::owned_then_ghosts(nodes_on_all(), line(), m.owned, m.ghosts)};
  if (components > 1)
    dimensions.insert(order == Order::c ? dimensions.end() : dimensions.begin(),
                      daptor::undistributed(components));
  return owning(std::move(dimensions), order);
}

/// The value of a node's component, different for each.
PetscScalar value_of(Index node, Index component) {
  return static_cast<double>(100 * node + component + 1);
}

/// Sets the owned values, and -1 at the ghosts.
void fill(const Section& a, Index components) {
  const Mesh m = mesh();
  PetscScalar* const values = values_of(a);
  Index next = 0;
  for (const Index node : m.owned)
    for (Index c = 0; c < components; ++c) values[next++] = value_of(node, c);
  while (next < a.local_count()) values[next++] = -1.0;
}

void expect_filled(const Section& a, Index components) {
  const Mesh m = mesh();
  const PetscScalar* values = values_of(a);
  for (const auto* list : {&m.owned, &m.ghosts})
    for (const Index node : *list)
      for (Index c = 0; c < components; ++c) ASSERT_EQ(*values++, value_of(node, c)) << node;
}

void update(Vec vec, InsertMode mode, ScatterMode direction) {
  EXPECT_EQ(static_cast<int>(VecGhostUpdateBegin(vec, mode, direction)), 0);
  EXPECT_EQ(static_cast<int>(VecGhostUpdateEnd(vec, mode, direction)), 0);
}

class ImportGhosts : public ::testing::TestWithParam<Index> {};

TEST_P(ImportGhosts, UpdateInTheProducersMemory) {
  const Index components = GetParam();
  for (const Order order : {Order::c, Order::fortran}) {
    const DistArray a = nodes(components, order);
    fill(a, components);
    const ImportedVec x = import_vec(a, with_ghosts());
    expect_on_memory_of(x.get(), a);
    PetscInt size = 0;
    PetscInt block = 0;
    VecGetSize(x.get(), &size);
    VecGetBlockSize(x.get(), &block);
    EXPECT_EQ(size, nodes_on_all() * components);
    EXPECT_EQ(block, components);
    Vec local = nullptr;
    VecGhostGetLocalForm(x.get(), &local);
    VecGetSize(local, &size);
    EXPECT_EQ(size, a.local_count());
    if (a.local_count() > 0) {
      EXPECT_EQ(memory_of(local), a.data());
    }
    VecGhostRestoreLocalForm(x.get(), &local);
    update(x.get(), INSERT_VALUES, SCATTER_FORWARD);
    expect_filled(a, components);
  }
}

// Contributions to ghosts, added at the owner: each rank but the owner contributes one.
TEST_P(ImportGhosts, AddsContributionsToTheOwner) {
  const Index components = GetParam();
  const DistArray a = nodes(components);
  PetscScalar* const values = values_of(a);
  std::fill(values, values + a.local_count(), 1.0);
  const ImportedVec x = import_vec(a, with_ghosts());
  update(x.get(), ADD_VALUES, SCATTER_REVERSE);
  for (Index i = 0; i < a.owned_count(); ++i) {
    const bool shared = i / components < 2;
    EXPECT_EQ(values[i], PetscScalar(shared ? static_cast<double>(size_of()) : 1.0));
  }
}

// The same numbers as after Daptor's own exchange.
TEST_P(ImportGhosts, UpdatesAsHaloExchange) {
  const DistArray ours = nodes(GetParam());
  fill(ours, GetParam());
  daptor::update_padding(ours);
  expect_filled(ours, GetParam());
}

TEST_P(ImportGhosts, ExportAsTheyWere) {
  const DistArray a = nodes(GetParam());
  const ImportedVec x = import_vec(a, with_ghosts());
  EXPECT_TRUE(export_vec(x.get(), ghosts_too()) == a);
  const DistArray owned = export_vec(x.get());
  EXPECT_TRUE(daptor::validate(owned));
  EXPECT_EQ(owned.buffer().state(), a.buffer().state());
  for (int victim = 0; victim < size_of(); ++victim) {
    std::vector<PetscScalar> other(static_cast<std::size_t>(a.local_count()) + 1);
    if (rank_of() == victim) VecPlaceArray(x.get(), other.data());
    const DistArray placed = export_vec(x.get(), ghosts_too());
    EXPECT_TRUE(daptor::validate(placed));
    EXPECT_EQ(placed.dimensions(), a.dimensions());
    if (rank_of() == victim) VecResetArray(x.get());
  }
}

TEST_P(ImportGhosts, RebindsAndFollowsWrites) {
  const Index components = GetParam();
  const DistArray a = nodes(components);
  const DistArray b = nodes(components);
  fill(a, components);
  fill(b, components);
  ImportedVec x = import_vec(a, with_ghosts());
  const DistArray same = a.with_memory(b.mutable_data(), std::make_shared<DistArray>(b));
  x.rebind(same);
  update(x.get(), INSERT_VALUES, SCATTER_FORWARD);
  expect_filled(b, components);
  Vec local = nullptr;
  VecGhostGetLocalForm(x.get(), &local);
  norm_of(local);
  norm_of(x.get());
  {
    daptor::WriteLease lease(same);
    if (rank_of() == 0) std::fill(values_of(b), values_of(b) + b.local_count(), 2.0);
    lease.close();
  }
  expect_states_equal(x.get());
  double sum = 0;
  for (Index i = 0; i < b.local_count(); ++i)
    sum += std::norm(std::complex<double>(PetscRealPart(values_of(b)[i])));
  EXPECT_NEAR(norm_of(local), std::sqrt(sum), 1e-9 * (1 + std::sqrt(sum)));
  VecGhostRestoreLocalForm(x.get(), &local);
}

// The export of a Vec made by PETSc has the same ghosts, in blocks if PETSc was given blocks.
TEST_P(ImportGhosts, ReturnWhatPETScMade) {
  const auto components = static_cast<PetscInt>(GetParam());
  std::vector<PetscInt> ghosts;
  for (int r = 0; r < size_of(); ++r)
    if (r != rank_of()) ghosts.push_back(4 * r + 1);
  const auto count = static_cast<PetscInt>(ghosts.size());
  Vec made = nullptr;
  if (components == 1)
    VecCreateGhost(world, 4, PETSC_DETERMINE, count, ghosts.data(), &made);
  else
    VecCreateGhostBlock(world, components, 4 * components, PETSC_DETERMINE, count, ghosts.data(),
                        &made);
  const DistArray a = export_vec(made, ghosts_too());
  EXPECT_TRUE(daptor::validate(a));
  EXPECT_EQ(a.ndim(), components == 1 ? 1 : 2);
  EXPECT_EQ(a.dimension(0).as<daptor::Unstructured>()->owned, Index{4});
  for (Index i = 0; i < a.local_count(); ++i) values_of(a)[i] = -1.0;
  for (Index i = 0; i < a.owned_count(); ++i)
    values_of(a)[i] = static_cast<double>(100 * rank_of() + i);
  a.modified();
  {
    const ImportedVec x = import_vec(a, with_ghosts());
    EXPECT_EQ(memory_of(x.get()), memory_of(made));
    update(x.get(), INSERT_VALUES, SCATTER_FORWARD);
    EXPECT_TRUE(export_vec(x.get(), ghosts_too()) == a);
  }
  Index next = a.owned_count();
  for (int r = 0; r < size_of(); ++r)
    for (Index c = 0; c < components && r != rank_of(); ++c)
      EXPECT_EQ(values_of(a)[next++], PetscScalar(static_cast<double>(100 * r + components + c)));
  VecDestroy(&made);
}

INSTANTIATE_TEST_SUITE_P(Components, ImportGhosts, ::testing::Values(1, 3));

// The ghosts of single values in a Vec of blocks need not form whole blocks.
TEST(ImportGhostsOfBlocks, AsSingleValues) {
  PetscInt ghost = size_of() > 1 ? (4 * ((rank_of() + 1) % size_of()) + 3) : 0;
  Vec made = nullptr;
  VecCreateGhost(world, 4, PETSC_DETERMINE, size_of() > 1 ? 1 : 0, &ghost, &made);
  VecSetBlockSize(made, 2);
  const DistArray a = export_vec(made, ghosts_too());
  EXPECT_EQ(a.ndim(), 1);
  EXPECT_EQ(a.local_count(), size_of() > 1 ? 5 : 4);
  EXPECT_TRUE(daptor::validate(a));
  VecDestroy(&made);
}

// The owned part alone is a Vec without ghosts, whose lists do not overlap.
TEST(ImportGhostsNumbering, BothNumberings) {
  const DistArray a = nodes(2);
  fill(a, 2);
  const ImportedVec x = import_vec(a);
  expect_on_memory_of(x.get(), a);
  const Mesh m = mesh();
  const auto natural = daptor::petsc::local_to_global(a, daptor::Numbering::natural);
  const auto contiguous = daptor::petsc::local_to_global(a, daptor::Numbering::contiguous);
  const PetscInt* named = nullptr;
  const PetscInt* numbered = nullptr;
  ISLocalToGlobalMappingGetIndices(natural.get(), &named);
  ISLocalToGlobalMappingGetIndices(contiguous.get(), &numbered);
  const auto first = [](int rank) {
    Index before = 0;
    for (int r = 0; r < rank; ++r) before += owned_here(r);
    return before;
  };
  for (std::size_t i = 0; i < m.owned.size() + m.ghosts.size(); ++i) {
    const bool own = i < m.owned.size();
    const Index node = own ? m.owned[i] : m.ghosts[i - m.owned.size()];
    const Index number =
        own ? first(rank_of()) + static_cast<Index>(i)
            : first(m.sources[i - m.owned.size()].first) + m.sources[i - m.owned.size()].second;
    for (std::size_t c = 0; c < 2; ++c) {
      EXPECT_EQ(named[2 * i + c], 2 * node + static_cast<Index>(c));
      EXPECT_EQ(numbered[2 * i + c], 2 * number + static_cast<Index>(c));
    }
  }
  ISLocalToGlobalMappingRestoreIndices(natural.get(), &named);
  ISLocalToGlobalMappingRestoreIndices(contiguous.get(), &numbered);
}

TEST(ImportGhostsRefused, WhereOwnersAreNotNamed) {
  const DistArray block = owning({daptor::block(9 * size_of(), line())});
  expect_refused_everywhere<daptor::NotRepresentable>("petsc.vec.ghosts",
                                                      [&] { import_vec(block, with_ghosts()); });
  const DistArray dealt_list = owning({dealt(29)});
  expect_refused_everywhere<daptor::NotRepresentable>(
      "petsc.vec.ghosts", [&] { import_vec(dealt_list, with_ghosts()); });
  if (size_of() == 1) return;
  for (int victim = 0; victim < size_of(); ++victim) {
    VecOptions options;
    options.ghosts = rank_of() == victim;
    expect_different("ghosts", [&] { import_vec(nodes(), options); });
  }
}

TEST(ImportGhostsRefused, OwnedByTwoAndByNobody) {
  for (int victim = 0; victim < size_of(); ++victim) {
    Mesh m = mesh();
    if (rank_of() == victim) m.ghosts.push_back(nodes_on_all() + 7);
    const DistArray nobodys =
        owning({daptor::owned_then_ghosts(nodes_on_all() + 8, line(), m.owned, m.ghosts)});
    expect_refused_everywhere<daptor::Malformed>("owned.nobody",
                                                 [&] { import_vec(nobodys, with_ghosts()); });
    if (size_of() == 1 || owned_here(victim) == 0) continue;
    m = mesh();
    const int other = victim == 0 ? 1 : 0;
    if (rank_of() == victim) m.owned[0] = number_of(other, 0);
    m.ghosts.clear();
    const DistArray twice =
        owning({daptor::owned_then_ghosts(nodes_on_all(), line(), m.owned, m.ghosts)});
    expect_refused_everywhere<daptor::Malformed>("owned.twice",
                                                 [&] { import_vec(twice, with_ghosts()); });
  }
}

}  // namespace
