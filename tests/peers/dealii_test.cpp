// SPDX-License-Identifier: BSD-3-Clause
// deal.II's vectors and matrices as arrays, and the examples of the adapter, whose results are
// compared with deal.II's own. One file, because deal.II's headers are most of what it takes.
#include <gtest/gtest.h>

#include <deal.II/base/multithread_info.h>
#include <deal.II/lac/dynamic_sparsity_pattern.h>
#include <deal.II/lac/petsc_block_vector.h>
#include <deal.II/lac/trilinos_parallel_block_vector.h>

#include <daptor/dealii.hpp>
#include <daptor/dealii/petsc.hpp>
#include <daptor/dealii/preconditioner.hpp>
#include <daptor/dealii/trilinos.hpp>

#include <Tpetra_CrsMatrix.hpp>

#include <memory>
#include <numeric>
#include <vector>

#include "daptor/builders.hpp"
#include "daptor/csr_product.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/lease.hpp"
#include "daptor/petsc.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/validate.hpp"
#include "everywhere.hpp"

#define main poisson_main
#include "dealii/examples/poisson.cpp"  // NOLINT(bugprone-suspicious-include)
#undef main
#define main matrix_free_main
#include "dealii/examples/matrix_free.cpp"  // NOLINT(bugprone-suspicious-include)
#undef main
#define main elasticity_main
#include "dealii/examples/elasticity.cpp"  // NOLINT(bugprone-suspicious-include)
#undef main

namespace daptor::dealii::test {
namespace {

using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::world_rank;
using daptor::test::world_size;
using ::dealii::IndexSet;
using ::dealii::VectorOperation;
template <class Number>
using Distributed = ::dealii::LinearAlgebra::distributed::Vector<Number>;
namespace trilinos = ::dealii::TrilinosWrappers;
namespace petsc_wrappers = ::dealii::PETScWrappers;

const MPI_Comm world = MPI_COMM_WORLD;
constexpr unsigned int each = 5;

/// PETSc wants a deal.II of one thread.
class OneThread final : public testing::Environment {
  void SetUp() override { ::dealii::MultithreadInfo::set_thread_limit(1); }
};
const testing::Environment* const one_thread = testing::AddGlobalTestEnvironment(new OneThread);

/// 5 elements on each process but the last of several, which has none.
struct Layout {
  const int owners = std::max(1, world_size() - 1);
  const unsigned int size = each * static_cast<unsigned int>(owners);
  IndexSet owned{size}, both{size}, upper{size};

  Layout() {
    const unsigned int first = each * static_cast<unsigned int>(world_rank());
    if (world_rank() < owners) owned.add_range(first, first + each);
    both.add_indices(owned);
    if (world_rank() < owners && first > 0) both.add_index(first - 2);
    upper.add_indices(owned);
    if (first + each < size) upper.add_range(first + each, first + each + 2);
    both.add_indices(upper);
    if (world_rank() == owners) both.add_index(1);
  }
};

template <class Vector>
void number(Vector& v, const IndexSet& owned) {
  for (const auto i : owned) v(i) = 10.0 + static_cast<double>(i);
  v.compress(VectorOperation::insert);
}

template <class Number>
std::vector<Number> memory(const Distributed<Number>& v) {
  return {v.begin(), v.begin() + v.locally_owned_size() + v.get_partitioner()->n_ghost_indices()};
}

template <class Number>
class DistributedVector : public testing::Test {};
using Numbers = testing::Types<double, float>;
TYPED_TEST_SUITE(DistributedVector, Numbers);

TYPED_TEST(DistributedVector, GhostStateFollowsTheArray) {
  const Layout layout;
  Distributed<TypeParam> v(layout.owned, layout.both, world);
  for (const auto i : layout.owned) v(i) = TypeParam(10 + i);
  const DistArray a = describe(v);
  EXPECT_EQ(a.data(), v.begin());
  EXPECT_TRUE(validate(a)) << validate(a);
  EXPECT_FALSE(v.has_ghost_elements());

  HaloExchange halo(a);
  halo.update();
  EXPECT_TRUE(v.has_ghost_elements());
  EXPECT_TRUE(check_ghosts(v)) << check_ghosts(v);
  const auto found = memory(v);
  v.zero_out_ghost_values();
  v.update_ghost_values();
  EXPECT_EQ(found, memory(v));

  a.modified();
  EXPECT_FALSE(v.has_ghost_elements());
  for (unsigned int g = 0; g < v.get_partitioner()->n_ghost_indices(); ++g)
    EXPECT_EQ(v.local_element(v.locally_owned_size() + g), 0);

  Distributed<TypeParam> expected(v);
  for (const auto i : layout.both) v(i) += 1, expected(i) += 1;
  halo.accumulate(Combine::sum);
  expected.compress(VectorOperation::add);
  EXPECT_EQ(memory(v), memory(expected));
  EXPECT_FALSE(v.has_ghost_elements());
}

TYPED_TEST(DistributedVector, WithoutGhostsIsABlock) {
  const Layout layout;
  Distributed<TypeParam> v(layout.owned, world);
  const DistArray a = describe(v);
  EXPECT_EQ(a.dimension(0).dist_type(), 'b');
  const auto x = tpetra::import_vector<double>(allocate<double>(a.dimensions()).on(world));
  EXPECT_EQ(x.get()->getLocalLength(), v.locally_owned_size());
  EXPECT_TRUE(describe(std::as_const(v)).readonly());
  Faults().expect_agreed([&] { describe(v); });
  // Ghosts on one process are known on all.
  IndexSet relevant(layout.owned);
  if (world_size() > 2 && world_rank() == 0) relevant.add_index(each);
  Distributed<TypeParam> one(layout.owned, relevant, world);
  EXPECT_EQ(describe(one).dimension(0).dist_type(), world_size() > 2 ? 'u' : 'b');
  update_padding(describe(one));
}

TEST(Vector, PetscWorksInItsMemory) {
  const Layout layout;
  Distributed<double> v(layout.owned, layout.both, world);
  number(v, layout.owned);
  v.update_ghost_values();
  const DistArray a = describe(v);
  const auto x = petsc::import_vec(a);
  const PetscScalar* memory = nullptr;
  VecGetArrayRead(x.get(), &memory);
  if (a.owned_count() > 0) {
    EXPECT_EQ(memory, v.begin());
  }
  VecRestoreArrayRead(x.get(), &memory);
  VecScale(x.get(), 2.0);
  a.modified();
  EXPECT_FALSE(v.has_ghost_elements()) << "their values were those before";
  for (const auto i : layout.owned) EXPECT_EQ(v(i), 2 * (10.0 + i));
}

TEST(Vector, KeptAliveOrStale) {
  const Layout layout;
  auto shared = std::make_shared<Distributed<double>>(layout.owned, world);
  const std::weak_ptr<Distributed<double>> watched = shared;
  {
    const DistArray a = describe(shared);
    shared.reset();
    EXPECT_FALSE(watched.expired());
  }
  EXPECT_TRUE(watched.expired());
  for (int victim = 0; victim < layout.owners; ++victim) {
    Distributed<double> v(layout.owned, world), other(layout.owned, world);
    const DistArray a = describe(v);
    if (world_rank() == victim) v.swap(other);
    expect_refused_everywhere<Stale>(
        "stale", [&] { petsc::import_vec(a); }, victim);
  }
  // A smaller layout stays at the same address.
  Distributed<double> v(layout.owned, world);
  const DistArray a = describe(v);
  IndexSet shifted(layout.size - 1);
  for (const auto i : layout.owned)
    if (i > 0) shifted.add_index(i - 1);
  v.reinit(shifted, world);
  expect_refused_everywhere<Stale>("stale", [&] { petsc::import_vec(a); });
}

TEST(Vector, Blocks) {
  const Layout layout;
  ::dealii::LinearAlgebra::distributed::BlockVector<double> v(2);
  v.block(0).reinit(layout.owned, layout.both, world);
  v.block(1).reinit(layout.owned, world);
  v.collect_sizes();
  const std::vector<DistArray> blocks = describe(v);
  ASSERT_EQ(blocks.size(), 2U);
  update_padding(blocks[0]);
  EXPECT_TRUE(v.has_ghost_elements());
  EXPECT_EQ(blocks[1].data(), v.block(1).begin());
  const trilinos::MPI::BlockVector t({layout.owned, layout.owned}, world);
  EXPECT_TRUE(describe(t).at(1).readonly());
  petsc_wrappers::MPI::BlockVector p({layout.owned, layout.owned}, world);
  EXPECT_EQ(describe(p).at(1).owned_count(), layout.owned.n_elements());
}

TEST(Petsc, GhostsAreFilled) {
  const Layout layout;
  IndexSet ghosts(layout.both);
  ghosts.subtract_set(layout.owned);
  petsc_wrappers::MPI::Vector plain(layout.owned, world), v(layout.owned, ghosts, world);
  number(plain, layout.owned);
  v = plain;
  const DistArray a = describe(v);
  daptor::redistribute(describe(plain), a);
  update_padding(a);
  for (const auto i : layout.both) EXPECT_EQ(v(i), 10.0 + i);
  EXPECT_TRUE(describe(std::as_const(v)).readonly());
}

TEST(Trilinos, Vectors) {
  const Layout layout;
  trilinos::MPI::Vector plain(layout.owned, world), v(layout.owned, layout.upper, world);
  number(plain, layout.owned);
  const DistArray a = describe(v);
  EXPECT_EQ(describe(plain).dimension(0).dist_type(), 'b');
  Faults().expect_agreed([&] { describe(plain); });
  daptor::redistribute(describe(plain), a);
  update_padding(a);
  for (const auto i : layout.upper) EXPECT_EQ(v(i), 10.0 + i);
  // deal.II puts ghosts with lower indices before the owned elements.
  trilinos::MPI::Vector lower(layout.owned, layout.both, world);
  const DistArray b = describe(lower);
  EXPECT_EQ(b.data(), lower.trilinos_vector().Values());
  EXPECT_EQ(b.owned_count(), static_cast<Index>(layout.owned.n_elements()));
  daptor::redistribute(describe(plain), b);
  update_padding(b);
  for (const auto i : layout.both) EXPECT_EQ(lower(i), 10.0 + i);
}

/// A tridiagonal matrix.
void make_matrix(const Layout& layout, trilinos::SparseMatrix& matrix) {
  ::dealii::DynamicSparsityPattern pattern(layout.size, layout.size, layout.owned);
  for (const auto i : layout.owned)
    for (const auto j : {i, i == 0 ? i : i - 1, std::min(i + 1, layout.size - 1)})
      pattern.add(i, j);
  matrix.reinit(layout.owned, layout.owned, pattern, world);
  for (const auto i : layout.owned)
    for (auto entry = pattern.begin(i); entry != pattern.end(i); ++entry)
      matrix.set(i, entry->column(), 1.0 + i + 0.25 * entry->column());
  matrix.compress(VectorOperation::insert);
}

TEST(Trilinos, MatrixRows) {
  const Layout layout;
  trilinos::SparseMatrix matrix;
  make_matrix(layout, matrix);
  Distributed<double> x(layout.owned, world), y(layout.owned, world), expected(layout.owned, world);
  number(x, layout.owned);
  const CsrArrays rows = describe(matrix);
  if (rows.values.owned_count() > 0) {
    EXPECT_EQ(rows.values.data(), matrix.trilinos_matrix()[0]);
  }
  multiply(rows, describe(x), describe(y));
  matrix.vmult(expected, x);
  expected -= y;
  EXPECT_LT(expected.linfty_norm(), 1e-12);
  Faults().expect_agreed([&] { describe(matrix); });
}

/// Adds 1 to each element, and keeps where it has done so.
class Recording final : public Tpetra::Operator<double> {
 public:
  explicit Recording(Teuchos::RCP<const Tpetra::Map<>> map) : map_(std::move(map)) {}
  Teuchos::RCP<const Tpetra::Map<>> getDomainMap() const override { return map_; }
  Teuchos::RCP<const Tpetra::Map<>> getRangeMap() const override { return map_; }
  void apply(const Tpetra::MultiVector<double>& x, Tpetra::MultiVector<double>& y,
             Teuchos::ETransp /*mode*/, double /*alpha*/, double /*beta*/) const override {
    from = x.getData(0).get();
    to = y.getData(0).get();
    y.putScalar(1.0);
    y.update(1.0, x, 1.0);
  }
  mutable const double *from = nullptr, *to = nullptr;

 private:
  Teuchos::RCP<const Tpetra::Map<>> map_;
};

TEST(Preconditioner, WorksInTheVectorsMemory) {
  const Layout layout;
  Distributed<double> src(layout.owned, world), dst(layout.owned, layout.both, world);
  number(src, layout.owned);
  dst.update_ghost_values();
  const auto map = tpetra::import_map(describe(src));
  const auto recording = Teuchos::rcp(new Recording(map));
  const Preconditioner P(recording);
  P.vmult(dst, src);
  for (const auto i : layout.owned) EXPECT_EQ(dst(i), 11.0 + i);
  EXPECT_FALSE(dst.has_ghost_elements());
  if (layout.owned.n_elements() > 0) {
    EXPECT_EQ(recording->from, src.begin());
    EXPECT_EQ(recording->to, dst.begin());
  }
  expect_refused_everywhere<InvalidArgument>("dealii.preconditioner.transpose",
                                             [&] { P.Tvmult(dst, src); });
  Faults().expect_agreed([&] { Preconditioner<double>(recording).vmult(dst, src); });
}

/// Where the elements of a vector are.
const double* elements_of(const trilinos::MPI::Vector& v) {
  return v.begin();
}
const double* elements_of(const petsc_wrappers::MPI::Vector& v) {
  const double* elements = nullptr;
  VecGetArrayRead(v, &elements);
  const double* const found = elements;
  VecRestoreArrayRead(v, &elements);
  return found;
}

template <class Vector>
class Wrapped : public testing::Test {};
using Wrappers = testing::Types<trilinos::MPI::Vector, petsc_wrappers::MPI::Vector>;
TYPED_TEST_SUITE(Wrapped, Wrappers);

TYPED_TEST(Wrapped, PreconditionerWorksInItsMemory) {
  const Layout layout;
  TypeParam src(layout.owned, world), dst(layout.owned, world);
  number(src, layout.owned);
  const auto recording = Teuchos::rcp(new Recording(tpetra::import_map(describe(src))));
  const Preconditioner P(recording);
  for (int i = 0; i < 2; ++i) {
    const double before = dst.l2_norm();  // which PETSc keeps until the vector changes
    P.vmult(dst, src);
    EXPECT_NE(dst.l2_norm(), i == 0 ? before : 0.0);
  }
  for (const auto i : layout.owned) EXPECT_EQ(dst(i), 11.0 + i);
  if (layout.owned.n_elements() > 0) {
    EXPECT_EQ(recording->from, elements_of(src));
    EXPECT_EQ(recording->to, elements_of(dst));
  }
  Faults().expect_agreed([&] { Preconditioner<double>(recording).vmult(dst, src); });
  expect_refused_everywhere<InvalidArgument>("dealii.preconditioner.vector",
                                             [&] { P.vmult(src, src); });
  IndexSet ghosts(layout.both);
  ghosts.subtract_set(layout.owned);
  if (world_size() > 1) {
    TypeParam ghosted(layout.owned, ghosts, world);
    expect_refused_everywhere<InvalidArgument>("dealii.preconditioner.vector",
                                               [&] { P.vmult(dst, ghosted); });
  }
}

TEST(Preconditioner, RefusesOtherVectorsOnAllRanks) {
  const Layout layout;
  Distributed<double> v(layout.owned, world);
  const Preconditioner P(Teuchos::rcp(new Recording(tpetra::import_map(describe(v)))));
  expect_refused_everywhere<InvalidArgument>("dealii.preconditioner.vector",
                                             [&] { P.vmult(v, v); });
  // One element less on process 0, one more on process 1.
  const unsigned int size = layout.owners > 1 ? layout.size : layout.size - 1;
  IndexSet others(size);
  if (world_rank() == 0) others.add_range(0, each - 1);
  if (world_rank() == 1 && layout.owners > 1) others.add_range(each - 1, 2 * each);
  if (world_rank() > 1) others.add_indices(layout.owned);
  Distributed<double> fits(layout.owned, world), other(others, world);
  expect_refused_everywhere<InvalidArgument>(
      "dealii.preconditioner.vector", [&] { P.vmult(fits, other); }, 0);
  expect_refused_everywhere<InvalidArgument>(
      "dealii.preconditioner.vector", [&] { P.vmult(other, fits); }, 0);
}

TEST(Examples, AreLikeDealII) {
  EXPECT_TRUE(poisson::run(3));
  EXPECT_TRUE(matrix_free::run(3));
  EXPECT_TRUE(elasticity::run(2, 0));
}

TEST(Examples, WhatMueLuKnowsSavesSteps) {
  const auto steps = elasticity::steps_by_options(2);
  EXPECT_LT(steps[1], steps[0]);
  EXPECT_LT(4 * steps[2], 3 * steps[1]);
}

}  // namespace
}  // namespace daptor::dealii::test
