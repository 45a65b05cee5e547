// From every distribution to every other: each element carries its global number.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <daptor/daptor.hpp>

#include "../core/layouts.hpp"
#include "effort.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

using Element = std::int64_t;
constexpr Element canary = -77;
constexpr std::size_t canary_elements = 8;

/// One rank's section, between two canaries.
class Held {
 public:
  Held(const Layout& layout, int rank, Order order) : layout_(layout), rank_(rank) {
    const auto dimensions = layout.dimensions(rank);
    memory_.assign(static_cast<std::size_t>(local_count(dimensions)) + 2 * canary_elements, canary);
    array_ =
        std::make_unique<DistArray>(describe(memory_.data() + canary_elements, dimensions, order));
  }

  const DistArray& array() const { return *array_; }
  /// Visits owned elements with their global numbers, as dealt.
  template <class F>
  void for_each(F&& visit) {
    const auto at = layout_.coordinates(rank_);
    std::vector<const std::vector<Index>*> owned;
    for (std::size_t d = 0; d < layout_.axes.size(); ++d)
      owned.push_back(&layout_.axes[d].owned[static_cast<std::size_t>(at[d])]);
    descend(owned, 0, 0, offset_of_owned(), visit);
  }
  void number() {
    for_each([](Element& element, Element number) { element = number; });
  }
  int wrong() {
    int count = 0;
    for_each([&](Element& element, Element number) { count += element == number ? 0 : 1; });
    return count;
  }
  /// Elements that are neither owned nor, where `padding`, in the section are as they were.
  bool rest_untouched(bool padding) {
    std::vector<Element> before = memory_;
    for_each([](Element& element, Element) { element = canary; });
    if (padding)
      std::fill(memory_.begin() + canary_elements, memory_.end() - canary_elements, canary);
    const bool untouched =
        std::all_of(memory_.begin(), memory_.end(), [](Element e) { return e == canary; });
    memory_ = std::move(before);
    return untouched;
  }

 private:
  Index stride(std::size_t d) const {
    return array_->byte_strides()[d] / static_cast<Index>(sizeof(Element));
  }
  Index offset_of_owned() const {
    Index offset = static_cast<Index>(canary_elements);
    for (std::size_t d = 0; d < layout_.axes.size(); ++d)
      offset += array_->owned_offset()[d] * stride(d);
    return offset;
  }
  template <class F>
  void descend(const std::vector<const std::vector<Index>*>& owned, std::size_t d, Element number,
               Index offset, F& visit) {
    if (d == owned.size()) return visit(memory_[static_cast<std::size_t>(offset)], number);
    for (std::size_t i = 0; i < owned[d]->size(); ++i)
      descend(owned, d + 1, number * layout_.axes[d].size + (*owned[d])[i],
              offset + static_cast<Index>(i) * stride(d), visit);
  }

  Layout layout_;
  int rank_;
  std::vector<Element> memory_;
  std::unique_ptr<DistArray> array_;
};

class Redistribute : public ::testing::Test {
 protected:
  const std::shared_ptr<const MpiCommunicator> comm =
      std::make_shared<const MpiCommunicator>(MPI_COMM_WORLD);
  const int rank = comm->rank();
  const Index ranks = comm->size();

  /// Every way to divide so many indices among so many processes.
  static std::vector<Axis> axes(Index size, Index processes) {
    std::vector<Axis> all{even_axis(size, processes), cyclic_axis(size, processes, 1),
                          cyclic_axis(size, processes, 3, processes - 1),
                          shuffled_axis(size, processes, 3)};
    std::vector<Index> lengths(static_cast<std::size_t>(processes), 0);
    for (Index left = size, p = 0; left > 0; ++p) {
      const Index length = std::min(left, 1 + (p * 5) % 4);
      lengths[static_cast<std::size_t>(p % processes)] += length;
      left -= length;
    }
    all.push_back(block_axis(lengths));
    all.push_back(even_axis(size, processes, BlockPadding({2, 1}, {1, 1})));
    all.push_back(even_axis(size, processes, BlockPadding({1, 2}, {}, true)));
    if (processes == 1) all.push_back(undistributed_axis(size));
    return all;
  }

  std::vector<std::vector<Index>> seats() const {
    std::vector<Index> reversed;
    for (Index seat = ranks; seat-- > 0;) reversed.push_back(seat);
    return {{}, reversed};
  }

  void check(const Layout& from, const Layout& to, Order order = Order::c,
             std::int64_t buffer = 0) {
    Held source(from, rank, Order::c);
    Held target(to, rank, order);
    source.number();
    RedistributionOptions options;
    options.buffer_bytes = buffer;
    Redistribution move({source.array()}, {target.array()}, comm, options);
    move.run();
    EXPECT_EQ(target.wrong(), 0);
    EXPECT_TRUE(target.rest_untouched(false));
    EXPECT_EQ(source.wrong(), 0);
  }
};

TEST_F(Redistribute, LinesOfEveryDistribution) {
  for (const Index size : {0, 1, 7, 23})
    for (const Axis& from : axes(size, ranks))
      for (const Axis& to : axes(size, ranks))
        for (const auto& order : seats()) check({{from}, {}}, {{to}, order});
}

TEST_F(Redistribute, PlanesOfEveryDistribution) {
  std::vector<std::pair<Index, Index>> grids;
  for (Index a = 1; a <= ranks; ++a)
    if (ranks % a == 0) grids.emplace_back(a, ranks / a);
  int turn = 0;
  for (const auto& [a, b] : grids)
    for (const auto& [c, d] : grids)
      for (const Axis& rows : axes(9, a))
        for (const Axis& columns : axes(11, d)) {
          ++turn;
          const auto others = axes(9, c);
          const auto some = axes(11, b);
          const Layout from{{rows, some[static_cast<std::size_t>(turn) % some.size()]}, {}};
          const Layout to{{others[static_cast<std::size_t>(turn / 3) % others.size()], columns},
                          turn % 4 == 0 ? seats()[1] : std::vector<Index>{}};
          check(from, to, turn % 2 == 0 ? Order::c : Order::fortran, turn % 5 == 0 ? 1 : 0);
        }
}

/// Larger than the buffers, so that chunks follow each other.
TEST_F(Redistribute, InManyChunks) {
  const Layout rows{{even_axis(240, ranks), undistributed_axis(300)}, {}};
  const Layout columns{{undistributed_axis(240), cyclic_axis(300, ranks, 7)}, {}};
  Held source(rows, rank, Order::c);
  Held target(columns, rank, Order::fortran);
  source.number();
  RedistributionOptions options;
  options.buffer_bytes = 1;  // the least: 64 KiB
  Redistribution move({source.array()}, {target.array()}, comm, options);
  EXPECT_LE(move.buffer_bytes(), 64 * 1024 + 128 * 1024);
  for (int round = 0; round < 3; ++round) move.run();
  EXPECT_EQ(target.wrong(), 0);
  EXPECT_TRUE(target.rest_untouched(false));
  EXPECT_EQ(move.bytes_received() + move.bytes_copied(),
            target.array().owned_count() * static_cast<Index>(sizeof(Element)));
}

TEST_F(Redistribute, PaddingOfTheTargetToo) {
  const Layout from{{cyclic_axis(24, ranks, 2)}, {}};
  const Layout to{{even_axis(24, ranks, BlockPadding({2, 1}, {}, true))}, {}};
  Held source(from, rank, Order::c);
  Held target(to, rank, Order::c);
  source.number();
  RedistributionOptions options;
  options.fill_padding = true;
  Redistribution({source.array()}, {target.array()}, comm, options).run();
  const LocalIndexMap map(target.array());
  const auto section = view<const Element, 1>(target.array());
  for (Index i = 0; i < section.extent(0); ++i) EXPECT_EQ(section(i), map.global_of({i})[0]);
  EXPECT_TRUE(target.rest_untouched(true));
}

}  // namespace
