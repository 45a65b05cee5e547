// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/sundials/nvector.hpp"

#include <nvector/nvector_parallel.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "daptor/explain.hpp"
#include "daptor/redistribute.hpp"
#include "support.hpp"

namespace daptor::sundials::test {
namespace {

/// Ghosts that SUNDIALS must not read.
void fill(const Section& array, double owned) {
  auto* const all = static_cast<double*>(array.mutable_data());
  std::fill(all, all + array.local_count(), std::numeric_limits<double>::quiet_NaN());
  if (array.owned_count() == 0) return;
  auto* const first = static_cast<double*>(const_cast<void*>(array.owned_data()));
  std::fill(first, first + array.owned_count(), owned);
}

/// An array whose owned elements are one run.
void expect_held(std::vector<Dimension> dimensions, Order order = Order::c) {
  const Context context;
  const DistArray a = allocate<double>(std::move(dimensions), order).on(world);
  fill(a, 2.0);
  const ImportedNVector v = import_nvector(a, context);
  ASSERT_TRUE(v);
  EXPECT_EQ(N_VGetVectorID(v.get()), SUNDIALS_NVEC_PARALLEL);
  EXPECT_EQ(N_VGetLocalLength_Parallel(v.get()), a.owned_count());
  if (a.owned_count() > 0) {
    EXPECT_EQ(N_VGetArrayPointer(v.get()), a.owned_data());
  }
  Index count = a.owned_count();
  MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_INT64_T, MPI_SUM, world);
  EXPECT_EQ(N_VGetLength(v.get()), count);
  EXPECT_EQ(communicator_in(v.get()), world);
  EXPECT_EQ(N_VDotProd(v.get(), v.get()), 4.0 * static_cast<double>(count));
  N_VConst(3.0, v.get());
  const auto* const all = static_cast<const double*>(a.data());
  const auto changed = std::count(all, all + a.local_count(), 3.0);
  EXPECT_EQ(changed, a.owned_count());
  const auto ghosts = std::count_if(all, all + a.local_count(), [](double x) { return x != x; });
  EXPECT_EQ(changed + ghosts, a.local_count());
}

TEST(Import, RowsWithAnEmptyRank) {
  expect_held(rows());
}
TEST(Import, FortranOrder) {
  expect_held({undistributed(3), block(2 * world_size(), line())}, Order::fortran);
}
TEST(Import, CommunicationPaddingOfTheSlowestDimension) {
  expect_held({block(4 * world_size(), line(), BlockPadding({2, 1}, {}, true)), undistributed(3)});
}
TEST(Import, BoundaryPaddingIsOwned) {
  expect_held({block(4 * world_size(), line(), BlockPadding::ghosts({1, 1}))});
}
TEST(Import, CyclicElements) {
  expect_held({cyclic(5 * world_size() + 1, line(), 2)});
}
TEST(Import, ListsWithGhosts) {
  const Index n = 2 * world_size(), first = 2 * world_rank();
  expect_held({owned_then_ghosts(n, line(), {first + 1, first}, {(first + 2) % n})});
}
TEST(Import, ListsThatAreProvenToHaveOneOwner) {
  const Index first = 2 * world_rank();
  expect_held(
      {unstructured(2 * world_size(), line(), IndexList(std::vector<Index>{first + 1, first}))});
}

TEST(Import, KeepsTheMemoryAliveAndNoLonger) {
  std::weak_ptr<const void> watched;
  {
    auto context = std::make_unique<Context>();
    ImportedNVector moved;
    {
      const auto owner = std::make_shared<std::vector<double>>(4, 1.0);
      watched = owner;
      const DistArray a =
          describe(owner->data(), {block(4 * world_size(), line())}, Order::c, owner).on(world);
      ImportedNVector v = import_nvector(a, *context);
      moved = std::move(v);
      EXPECT_FALSE(v);
    }
    EXPECT_FALSE(watched.expired());
    EXPECT_EQ(N_VL1Norm(moved.get()), 4.0 * world_size());
    context.reset();  // before the N_Vector
  }
  EXPECT_TRUE(watched.expired());
}

TEST(Import, ClonesOutliveTheArray) {
  const Context context;
  OwnedNVector clone;
  {
    const DistArray a = allocate<double>({block(3 * world_size(), line())}).on(world);
    const ImportedNVector v = import_nvector(a, context);
    clone.reset(N_VClone(v.get()));
    EXPECT_NE(N_VGetArrayPointer(clone.get()), a.data());
  }
  N_VConst(1.0, clone.get());
  EXPECT_EQ(N_VL1Norm(clone.get()), 3.0 * world_size());
}

TEST(Import, TellsOtherViewsOfWrites) {
  const Context context;
  const DistArray a = allocate<double>(rows()).on(world);
  CountingView other(a);
  const ImportedNVector v = import_nvector(a, context);
  N_VConst(1.0, v.get());
  EXPECT_EQ(other.count, 0);
  v.modified();
  EXPECT_EQ(other.count, 1);
}

TEST(Refuses, WhatTheFormAsks) {
  const Context context;
  expect_form<double>("sundials.nvector", [&](const DistArray& a) { import_nvector(a, context); });
  expect_form<double>(
      "sundials.nvector", [&](const DistArray& a) { import_strided_nvector(a, context); },
      {".order"}, adapter::Form::Layout::strided);
}

TEST(Refuses, PaddingBetweenElements) {
  const Context context;
  const DistArray a = allocate<double>(padded_columns()).on(world);
  const std::string text = expect_refused_everywhere<NotRepresentable>(
      "sundials.nvector.one-run", [&] { import_nvector(a, context); }, 0);
  EXPECT_NE(text.find("daptor::redistributed(a, daptor::layout::blocks())"), std::string::npos)
      << text;
  // The suggested copy can be held.
  EXPECT_TRUE(import_nvector(redistributed(a, layout::blocks()), context));
}

TEST(Refuses, WhatIsMissingOnOneRank) {
  const Context context;
  for (const auto import : {import_nvector, import_strided_nvector})
    for (int victim = 0; victim < world_size(); ++victim) {
      const bool here = world_rank() == victim;
      const auto refused = [&](const std::string& rule, const DistArray& a, SUNContext with) {
        expect_refused_everywhere<InvalidArgument>(
            rule, [&] { import(a, with); }, victim);
      };
      const DistArray a = allocate<double>({block(4 * world_size(), line())}).on(world);
      refused("sundials.nvector.context", a, here ? SUNContext() : context);
      refused("argument", here ? a.with_memory(nullptr) : a, context);
      refused("array.empty", here ? Section().on(world) : a, context);
    }
}

TEST(Faults, AreThrownOnAllRanks) {
  const Context context;
  const DistArray a = allocate<double>(rows()).on(world);
  fill(a, 2.0);
  Faults().expect_agreed([&] { import_nvector(a, context); },
                         [&] { EXPECT_EQ(a.buffer().state()->view_count(), 0u); });
  const Index first = 2 * world_rank();
  const DistArray list =
      allocate<double>({unstructured(2 * world_size(), line(), IndexList({first + 1, first}))})
          .on(world);
  Faults().expect_agreed([&] { import_nvector(list, context); });
}

/// Any strides, with memory between the elements that must not change.
void expect_strided(const DistArray& a, std::vector<double>& memory) {
  ASSERT_TRUE(a.described()) << a.defect().report();
  const Context context;
  std::fill(memory.begin(), memory.end(), std::numeric_limits<double>::quiet_NaN());
  const ImportedNVector v = import_strided_nvector(a, context);
  EXPECT_EQ(N_VGetVectorID(v.get()), SUNDIALS_NVEC_CUSTOM);
  EXPECT_EQ(communicator_in(v.get()), world);
  N_VConst(2.0, v.get());
  const auto written = [&] { return std::count(memory.begin(), memory.end(), 2.0); };
  EXPECT_EQ(written(), a.owned_count());
  const auto count = static_cast<double>(N_VGetLength(v.get()));
  EXPECT_EQ(N_VL1Norm(v.get()), 2.0 * count);
  const OwnedNVector clone(N_VClone(v.get()));
  EXPECT_TRUE(export_nvector(clone.get()).same_layout(a));
  N_VScale(3.0, v.get(), clone.get());
  EXPECT_EQ(N_VL1Norm(clone.get()), 6.0 * count);
  EXPECT_EQ(N_VDotProd(clone.get(), v.get()), 12.0 * count);
  EXPECT_EQ(written(), a.owned_count());
  const auto gaps = std::count_if(memory.begin(), memory.end(), [](double x) { return x != x; });
  EXPECT_EQ(gaps + written(), static_cast<std::ptrdiff_t>(memory.size()));
}

TEST(ImportStrided, AnyStrides) {
  std::vector<double> memory(60);
  const std::vector<Dimension> line_of_four{block(4 * world_size(), line())};
  expect_strided(describe(memory.data(), line_of_four, std::vector<Index>{40}).on(world), memory);
  expect_strided(describe(memory.data() + 59, line_of_four, std::vector<Index>{-24}).on(world),
                 memory);
  const std::vector<Dimension> matrix{block(4 * world_size(), line()), undistributed(3)};
  for (const auto& strides : {std::vector<Index>{24, 8}, {8, 32}, {80, 16}, {16, 160}})
    expect_strided(describe(memory.data(), matrix, strides).on(world), memory);
  expect_strided(describe(memory.data() + 20, matrix, std::vector<Index>{24, -16}).on(world),
                 memory);
}

TEST(ImportStrided, PaddingAndEmptyRanks) {
  for (const Order order : {Order::c, Order::fortran}) {
    std::vector<double> memory(static_cast<std::size_t>(local_count(padded_columns())));
    expect_strided(describe(memory, padded_columns(), order).on(world), memory);
    memory.resize(static_cast<std::size_t>(local_count(rows())));
    expect_strided(describe(memory, rows(), order).on(world), memory);
  }
  std::vector<double> memory(3);
  const Index n = 2 * world_size(), first = 2 * world_rank();
  expect_strided(
      describe(memory, {owned_then_ghosts(n, line(), {first + 1, first}, {(first + 2) % n})})
          .on(world),
      memory);
}

/// Operations that ask about signs and zeros give what those of SUNDIALS' own kind give.
TEST(ImportStrided, OperationsOnZerosAreThoseOfSundials) {
  const Context context;
  const auto make = [&](int shift) {
    const DistArray a = allocate<double>({block(25 * world_size(), line())}).on(world);
    for (int i = 0; i < 25; ++i) static_cast<double*>(a.mutable_data())[i] = (i / shift) % 5 - 2;
    return a;
  };
  const DistArray first = make(1), second = make(5);
  std::vector<std::vector<double>> results;
  for (const auto import : {import_nvector, import_strided_nvector}) {
    const ImportedNVector x = import(first, context), y = import(second, context);
    const OwnedNVector kept(N_VClone(x.get()));
    const N_Vector z = kept.get();
    std::vector<double>& result = results.emplace_back();
    const auto keep = [&](double value) {
      result.push_back(value);
      result.insert(result.end(), N_VGetArrayPointer(z), N_VGetArrayPointer(z) + 25);
    };
    N_VConst(7.0, z);
    keep(N_VConstrMask(y.get(), x.get(), z));
    keep(N_VInvTest(x.get(), z));
    keep(N_VMinQuotient(x.get(), y.get()));
    N_VCompare(1.0, x.get(), z);
    keep(N_VMin(x.get()));
    keep(N_VWrmsNormMask(x.get(), x.get(), y.get()));
    N_VConst(1.0, z);
    keep(N_VConstrMask(z, z, z));
    keep(N_VInvTest(z, z));
    N_VConst(0.0, z);
    keep(N_VMinQuotient(x.get(), z));
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(ImportStrided, OffersAPointerOnlyToOneRun) {
  const Context context;
  const DistArray run = allocate<double>({block(2 * world_size(), line())}).on(world);
  const auto whole = import_strided_nvector(run, context);
  EXPECT_EQ(N_VGetArrayPointer(whole.get()), run.data());
  const DistArray padded = allocate<double>(padded_columns()).on(world);
  const auto inside = import_strided_nvector(padded, context);
  EXPECT_EQ(inside.get()->ops->nvgetarraypointer, nullptr);
  if (world_size() == 1) return;
  // A gap on one rank is one for all of them.
  std::vector<double> memory(8);
  const DistArray gap = describe(memory.data(), {block(4 * world_size(), line())},
                                 std::vector<Index>{world_rank() == 0 ? 16 : 8})
                            .on(world);
  const auto apart = import_strided_nvector(gap, context);
  EXPECT_EQ(apart.get()->ops->nvgetarraypointer, nullptr);
}

TEST(ImportStrided, ClonesOutliveTheArrayAndTheirExportsOutliveThem) {
  const Context context;
  std::weak_ptr<SharedState> watched;
  DistArray exported;
  {
    OwnedNVector clone;
    {
      const DistArray a = allocate<double>(padded_columns()).on(world);
      watched = a.buffer().state();
      const ImportedNVector v = import_strided_nvector(a, context);
      clone.reset(N_VClone(v.get()));
    }
    EXPECT_TRUE(watched.expired());
    N_VConst(1.0, clone.get());
    EXPECT_EQ(N_VL1Norm(clone.get()), 8.0 * world_size());
    exported = export_nvector(clone.get());
  }
  const auto u = owned_view<const double, 2>(exported);
  EXPECT_EQ(u(1, 3), 1.0);
}

TEST(ImportStrided, FaultsAreThrownOnAllRanks) {
  const Context context;
  const DistArray a = allocate<double>(padded_columns()).on(world);
  Faults().expect_agreed([&] { import_strided_nvector(a, context); });
  EXPECT_EQ(a.buffer().state().use_count(), 1);
}

Assessment verdict(const DistArray& a, const std::string& target = "sundials.nvector") {
  for (const Assessment& each : explain(a))
    if (each.target == target) return each;
  ADD_FAILURE() << "explain does not know the target";
  return {};
}

TEST(Explain, KnowsWhatCanBeHeldAndWhatACopyMoves) {
  EXPECT_TRUE(verdict(allocate<double>(rows()).on(world)).representable);
  const Assessment padded = verdict(allocate<double>(padded_columns()).on(world));
  EXPECT_FALSE(padded.representable);
  EXPECT_EQ(padded.copy.text, "daptor::redistributed(a, daptor::layout::blocks())");
  EXPECT_TRUE(padded.bytes_to_move.has_value());
  EXPECT_TRUE(verdict(allocate<double>(padded_columns()).on(world), "sundials.strided-nvector")
                  .representable);
  const Assessment floats = verdict(allocate<float>(rows()).on(world));
  EXPECT_FALSE(floats.representable);
  EXPECT_FALSE(floats.copy);
}

TEST(Explain, JudgesOrdersTogether) {
  if (world_size() == 1) return;
  const Order order = world_rank() == 0 ? Order::fortran : Order::c;
  const Assessment found = verdict(
      allocate<double>({block(2 * world_size(), line()), undistributed(3)}, order).on(world));
  EXPECT_FALSE(found.representable);
  EXPECT_EQ(found.reasons.at(0).rule, "sundials.nvector.order");
}

}  // namespace
}  // namespace daptor::sundials::test
