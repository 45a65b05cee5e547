// SPDX-License-Identifier: BSD-3-Clause
// The target fftw.transform: what it says against what a Transform does, and against a count of the
// elements that change their process.

#include "daptor/explain.hpp"

#include <cstdint>
#include <optional>

#include "daptor/fft/adapter/elements.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/simulated.hpp"
#include "fields.hpp"

namespace daptor::fft::test {
namespace {

Assessment verdict_on(const Section& array, const Comm& comm = world) {
  for (const Target& target : registered_targets())
    if (target.name == "fftw.transform") return assess(target, array.on(comm));
  ADD_FAILURE() << "no target fftw.transform";
  return {};
}

Section without_memory(const DataType& type, std::vector<Dimension> dimensions) {
  return daptor::describe(type, nullptr, std::move(dimensions));
}

std::int64_t sum(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, world);
  return value;
}

/// The verdict's numbers must be those of a transform that is made.
void expect_cost(const UseCost& cost, const Section& in, const Section& out) {
  SCOPED_TRACE(cost.name);
  TransformOptions options;
  options.planning = Planning::estimate;
  const Transform transform(in.on(world), out.on(world), options);
  EXPECT_EQ(cost.redistributions, transform.redistributions());
  EXPECT_EQ(cost.bytes_to_move, std::optional<std::int64_t>(sum(transform.bytes_sent())));
  EXPECT_EQ(cost.bytes_to_move,
            std::optional<std::int64_t>(bytes_to_transform(in.on(world), out.on(world), options)));
}

TEST(Explain, SaysWhatTheTransformsSend) {
  int number = 0;
  for (const Shape& shape : {Shape{8, 6, 5}, Shape{3, 4}, Shape{4, 3, 2, 2, 3, 2}})
    for (const Layout& layout : layouts())
      for (const DataType& type :
           {complex128, float64, DataType::of<std::complex<float>>(), DataType::of<float>()}) {
        if (number++ % 5 != 0 && !all_rounds()) continue;
        SCOPED_TRACE(layout.name + ", " + type.name() + ", " + std::to_string(shape.size()) +
                     " dimensions");
        const Guarded in(type, layout, shape);
        const Assessment verdict = verdict_on(in.array);
        EXPECT_TRUE(verdict.representable);
        EXPECT_TRUE(verdict.reasons.empty());
        ASSERT_EQ(verdict.uses.size(), 2U);
        expect_cost(verdict.uses[0], in.array, fitting_output(in.array));
        // What explain calls the layout of the input has no ghosts, which here lie between the
        // others.
        const bool alike = !is_real(type) && layout.name != between_ghosts(1).name;
        if (alike) expect_cost(verdict.uses[1], in.array, in.array);
      }
}

TEST(Explain, ListsThatShareIndicesAreCopiedAsItSays) {
  const Index size = world_size() + 1;
  // Index r + 1 is on ranks r and r + 1.
  const std::vector<Index> mine{world_rank(), world_rank() + 1};
  const DistArray list =
      allocate<Complex>(
          {unstructured(size, {world_size(), world_rank()}, IndexList(mine)), undistributed(4)})
          .on(world);
  const Whole before = field({size, 4}, false);
  fill(list, before);
  const Assessment verdict = verdict_on(list);
  EXPECT_EQ(verdict.representable, world_size() == 1);
  if (world_size() == 1) return;
  ASSERT_FALSE(verdict.reasons.empty());
  EXPECT_EQ(verdict.reasons[0].rule, "redistribute.overlap");
  const DistArray out = allocate<Complex>(of_layout(layout::slab(0), {size, 4})).on(world);
  const std::string text = expect_refused_everywhere<InvalidArgument>(
      "redistribute.overlap", [&] { Transform(list, out); });
  EXPECT_NE(text.find(verdict.copy.text.str()), std::string::npos) << text;
  EXPECT_EQ(verdict.copy.text, "daptor::redistributed(a, daptor::layout::blocks(), {false, true})");
  EXPECT_TRUE(verdict.bytes_to_move.has_value());
  const DistArray copy = redistributed(list, layout::blocks(), {false, true});
  Transform transform(copy, out);
  transform.forward();
  expect_values(out, transformed(before, {0, 1}));
}

/// The dimensions of an array and of its half in the same layout, where the last one is divided.
struct Halved {
  std::string name;
  Dimension whole, half;
};

TEST(Explain, SpectraInTheLayoutOfTheInput) {
  constexpr Index size = 11, half = size / 2 + 1;
  const GridPosition at{world_size(), world_rank()};
  const Index origin = world_size() - 1;
  std::vector<Index> indices, low;
  for (Index i = size - 1 - at.rank; i >= 0; i -= at.size) {
    indices.push_back(i);
    if (i < half) low.push_back(i);
  }
  for (const Halved& each :
       {Halved{"whole", undistributed(size), undistributed(half)},
        {"blocks", block(size, at), block(half, at)},
        {"ghost cells", block(size, at, BlockPadding({1, 1}, {}, true)), block(half, at)},
        {"uneven blocks", uneven(0).dimensions({size})[0], block(half, at)},
        {"dealt", cyclic(size, at, 2, origin), cyclic(half, at, 2, origin)},
        {"a list", unstructured(size, at, IndexList(indices), true),
         unstructured(half, at, IndexList(low), true)}}) {
    SCOPED_TRACE(each.name);
    const bool divided = each.whole.grid().size > 1;
    const auto with = [&](const Dimension& last) {
      const Index rows = 2 * world_size();
      return std::vector<Dimension>{divided ? undistributed(rows) : block(rows, at), last};
    };
    const DistArray in = allocate(float64, with(each.whole)).on(world);
    const Assessment verdict = verdict_on(in);
    ASSERT_EQ(verdict.uses.size(), 2U);
    expect_cost(verdict.uses[1], in, allocate(complex128, with(each.half)));
  }
}

/// The process of each element, by its row-major number. Collective.
std::vector<int> owners(const Section& array) {
  std::size_t count = 1;
  for (const Index size : array.global_shape()) count *= static_cast<std::size_t>(size);
  std::vector<int> owner(count, -1);
  for (const Index number : LocalIndexMap(array).owned_natural())
    owner[static_cast<std::size_t>(number)] = world_rank();
  MPI_Allreduce(MPI_IN_PLACE, owner.data(), static_cast<int>(count), MPI_INT, MPI_MAX, world);
  return owner;
}

std::int64_t bytes_between(const Section& from, const Section& to) {
  const std::vector<int> before = owners(from), after = owners(to);
  EXPECT_EQ(before.size(), after.size());
  std::int64_t moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) moved += before[i] == after[i] ? 0 : 1;
  return moved * static_cast<std::int64_t>(from.type().itemsize());
}

TEST(Explain, BytesAreTheElementsThatChangeTheirProcess) {
  const Shape shape{9, 8, 7};
  for (const bool real : {false, true})
    for (const int whole : {0, 1}) {
      // Dimension 2 is whole too, so it is halved before its redistribution.
      SCOPED_TRACE(slabs(whole).name + (real ? ", real" : ""));
      const DistArray in =
          allocate(real ? float64 : complex128, slabs(whole).dimensions(shape)).on(world);
      const DistArray fitting = fitting_output(in);
      const DistArray before =
          allocate(complex128, slabs(whole).dimensions(fitting.global_shape())).on(world);
      const Assessment verdict = verdict_on(in);
      ASSERT_EQ(verdict.uses.size(), 2U);
      const std::int64_t bytes = bytes_between(before, fitting);
      EXPECT_EQ(bytes > 0, world_size() > 1);
      EXPECT_EQ(verdict.uses[0].redistributions, world_size() > 1 ? 1 : 0);
      EXPECT_EQ(verdict.uses[0].bytes_to_move, std::optional<std::int64_t>(bytes));
      // There and back again.
      EXPECT_EQ(verdict.uses[1].redistributions, world_size() > 1 ? 2 : 0);
      EXPECT_EQ(verdict.uses[1].bytes_to_move, std::optional<std::int64_t>(2 * bytes));
    }
}

TEST(Explain, ALineIsGathered) {
  for (const Layout& layout : {slabs(0), reversed(), dealt()}) {
    SCOPED_TRACE(layout.name);
    const Section in = without_memory(complex128, layout.dimensions({30}));
    std::vector<Dimension> on_first{
        block(30, {world_size(), world_rank()},
              world_rank() == 0 ? IndexRange{0, 30} : IndexRange{30, 30})};
    const Assessment verdict = verdict_on(in);
    ASSERT_EQ(verdict.uses.size(), 2U);
    EXPECT_EQ(verdict.uses[0].bytes_to_move,
              std::optional<std::int64_t>(
                  bytes_between(in, without_memory(complex128, std::move(on_first)))));
  }
}

TEST(Explain, SimulatedRanksHearTheSame) {
  const Shape shape{9, 8, 7};
  for (const bool real : {false, true})
    for (const TargetLayout& layout : {layout::slab(0), layout::blocks()}) {
      const DataType& type = real ? float64 : complex128;
      const Assessment expected = verdict_on(without_memory(type, of_layout(layout, shape)));
      run_simulated(world_size(), [&](const Comm& comm) {
        const Assessment verdict = verdict_on(
            without_memory(type, layout.dimensions(shape, comm.rank(), comm.size())), comm);
        ASSERT_EQ(verdict.uses.size(), expected.uses.size());
        for (std::size_t i = 0; i < verdict.uses.size(); ++i) {
          EXPECT_EQ(verdict.uses[i].redistributions, expected.uses[i].redistributions);
          EXPECT_EQ(verdict.uses[i].bytes_to_move, expected.uses[i].bytes_to_move);
        }
      });
    }
}

TEST(Explain, TakesNoMemoryForTheElements) {
  // 2^51 elements, of which no process could allocate its share.
  constexpr Index n = Index{1} << 17;
  const Assessment blocks = verdict_on(without_memory(complex128, slabs(0).dimensions({n, n, n})));
  ASSERT_EQ(blocks.uses.size(), 2U);
  EXPECT_EQ(blocks.uses[0].redistributions, world_size() > 1 ? 1 : 0);
  EXPECT_EQ(blocks.uses[0].bytes_to_move.value_or(0) > 0, world_size() > 1);
  if (world_size() == 1) return;
  // Each index of a dealt dimension is planned by itself.
  const Index rows = Index{1} << 40;
  const GridPosition at{world_size(), world_rank()};
  const Assessment dealt =
      verdict_on(without_memory(complex128, {cyclic(rows, at), undistributed(2)}));
  EXPECT_TRUE(dealt.representable);
  ASSERT_EQ(dealt.uses.size(), 2U);
  EXPECT_EQ(dealt.uses[0].redistributions, 1);
  EXPECT_FALSE(dealt.uses[0].bytes_to_move.has_value());
}

/// The target must refuse with the finding with which a Transform refuses.
template <class Expected = InvalidArgument>
void expect_reason(const std::string& rule, const Section& in, const Section& out) {
  SCOPED_TRACE(rule);
  const Assessment verdict = verdict_on(in);
  EXPECT_FALSE(verdict.representable);
  EXPECT_TRUE(verdict.uses.empty());
  ASSERT_FALSE(verdict.reasons.empty());
  const Finding& reason = verdict.reasons[0];
  EXPECT_EQ(reason.rule, rule);
  try {
    const Transform transform(in.on(world), out.on(world));
    ADD_FAILURE() << "not refused";
  } catch (const Expected& refusal) {
    EXPECT_EQ(reason.found, refusal.finding().found);
    EXPECT_EQ(reason.expected, refusal.finding().expected);
    EXPECT_EQ(advice(reason), advice(refusal.finding()));
    EXPECT_EQ(reason.ranks, refusal.finding().ranks);
    EXPECT_EQ(reason.dimension, refusal.finding().dimension);
  }
}
void expect_reason(const std::string& rule, const Section& in) {
  expect_reason(rule, in, fitting_output(in.on(world)));
}

TEST(Explain, RefusesWhatTransformsRefuse) {
  const auto made = [](const DataType& type, const Shape& shape) {
    return allocate(type, of_layout(layout::slab(0), shape));
  };
  expect_reason("fft.type", made(DataType::of<int>(), {6, 4}));
  expect_reason("fft.shape", made(float64, {4, 0}));
  expect_reason("fft.dimensions", made(complex128, Shape(13, 1)));
  EXPECT_TRUE(verdict_on(made(complex128, {4, 0})).representable);
  EXPECT_TRUE(verdict_on(made(complex128, {6, 4}).as_readonly()).representable)
      << "the input of `forward` is only read";
}

TEST(Explain, RefusesStridesAndOffersACopy) {
  std::vector<std::byte> memory(4096);
  const auto item = static_cast<Index>(sizeof(Complex));
  const Shape shape{2 * world_size(), 4};
  const auto dimensions = of_layout(layout::slab(0), shape);
  const Section in =
      daptor::describe(complex128, memory.data(), 200, dimensions, {4 * (item + 4), item + 4});
  expect_reason("fft.strides", in);
  const Assessment verdict = verdict_on(in);
  EXPECT_NE(verdict.copy.text.str().find("daptor::redistributed"), std::string::npos);
  const Section copy = without_memory(complex128, of_layout(layout::blocks(), shape));
  EXPECT_EQ(verdict.bytes_to_move, std::optional<std::int64_t>(bytes_between(in, copy)));
  EXPECT_EQ(verdict_on(allocate(DataType::of<int>(), dimensions)).copy.text, "")
      << "a copy has the same type";
}

TEST(Explain, RefusesListsWithoutOneOwner) {
  if (world_size() == 1) return;
  const GridPosition at{world_size(), world_rank()};
  // Index 0 is on all processes.
  const Section shared = allocate(
      complex128, {unstructured(1 + at.size, at, IndexList({0, 1 + at.rank})), undistributed(3)});
  expect_reason("redistribute.overlap", shared,
                allocate(complex128, of_layout(layout::slab(0), shared.global_shape())));
  // Ghosts after the owned indices have an owner.
  const Index mine = at.rank, next = (at.rank + 1) % at.size;
  EXPECT_TRUE(verdict_on(without_memory(complex128,
                                        {owned_then_ghosts(at.size, at, IndexList({mine, next}), 1),
                                         undistributed(3)}))
                  .representable);
}

TEST(Explain, RefusesSectionsThatAreNoArray) {
  if (world_size() == 1) return;
  const Index rank = world_rank() == 1 ? 0 : world_rank();
  const Section in =
      allocate(complex128, {block(2 * world_size(), {world_size(), rank}), undistributed(4)});
  expect_reason<Malformed>("D19", in,
                           allocate(complex128, of_layout(layout::slab(0), in.global_shape())));
}

}  // namespace
}  // namespace daptor::fft::test
