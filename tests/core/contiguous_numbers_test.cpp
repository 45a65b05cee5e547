// SPDX-License-Identifier: BSD-3-Clause
// The contiguous numbers of all local elements, on simulated ranks.

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "counting_communicator.hpp"
#include "daptor/simulated.hpp"
#include "effort.hpp"
#include "global_map_checks.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

const BlockPadding ring{{1, 1}, {}, true};

/// A dimension that is whole on each process, which is its own neighbour.
Axis padded_whole(Index size) {
  Axis axis = undistributed_axis(size);
  axis.periodic = true;
  axis.make = [size](GridPosition) {
    return Dimension(size, Undistributed{{}, {1, 2}, true}, true);
  };
  return axis;
}

/// Blocks, some of which are empty.
Axis uneven_axis(Index processes, BlockPadding padding) {
  std::vector<Index> lengths;
  for (Index i = 0; i < processes; ++i) lengths.push_back((i * 5 + 2) % 4);
  return block_axis(lengths, padding);
}

/// Padded arrays and lists with ghosts, in one to three dimensions.
std::vector<Layout> padded_layouts(Index processes, const std::vector<Index>& seats) {
  const BlockPadding paddings[] = {
      {}, {{2, 1}, {}, false}, {{1, 1}, {1, 1}, false}, ring, {{4, 5}, {}, true}};
  std::vector<Layout> all;
  const auto add = [&](std::vector<Axis> axes) { all.push_back({std::move(axes), seats}); };
  for (const BlockPadding& padding : paddings) {
    add({even_axis(4 * processes, processes, padding)});
    add({even_axis(1, 1), even_axis(4 * processes + 1, processes, padding)});
    for (Index a = 1; a <= processes; ++a) {
      if (processes % a != 0) continue;
      const Index b = processes / a;
      add({even_axis(3 * a, a, ring), even_axis(4 * b + 1, b, padding)});
      add({even_axis(3 * a, a, padding), undistributed_axis(2), uneven_axis(b, ring)});
      add({ghosted_axis(5 * a, a, 3), even_axis(3 * b, b, padding)});
      add({cyclic_axis(2 * a + 1, a, 1), padded_whole(3), even_axis(3 * b, b, padding)});
    }
  }
  add({uneven_axis(processes, ring)});
  add({ghosted_axis(7 * processes, processes, 5)});
  add({mixed_axis(3, processes, 6), padded_whole(2)});
  add({shuffled_axis(3 * processes, processes, 7), padded_whole(2)});
  add({even_axis(0, processes, ring)});
  return all;
}

TEST(ContiguousNumbersOfIndexMap, AreThoseOfTheOwners) {
  for (const int ranks : {1, 2, 3, 4, 6}) {
    std::vector<Index> seats(static_cast<std::size_t>(ranks));
    std::iota(seats.begin(), seats.end(), Index{0});
    std::vector<Index> shuffled = seats;
    std::mt19937 random(5);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const std::vector<Index> backwards(seats.rbegin(), seats.rend());
    for (const auto& order : {std::vector<Index>{}, backwards, shuffled}) {
      const auto layouts = padded_layouts(ranks, order);
      run_simulated(ranks, [&](const Comm& comm) {
        for (std::size_t i = 0; i < layouts.size(); ++i) {
          // Each order of ranks begins at another layout.
          if (!tried(static_cast<std::int64_t>(i + order.size() % 3), 3)) continue;
          SCOPED_TRACE(std::to_string(ranks) + " ranks, layout " + std::to_string(i));
          const GlobalIndexMap map(layouts[i].array(comm.rank()).on(comm));
          check_contiguous(map, layouts[i]);
        }
      });
    }
  }
}

TEST(ContiguousNumbersOfIndexMap, OfManyRanks) {
  std::vector<Index> backwards;
  for (Index i = 70; i-- > 0;) backwards.push_back(i);
  const std::vector<Layout> layouts{{{even_axis(20, 7, ring), even_axis(20, 10, ring)}, {}},
                                    {{even_axis(20, 7, ring), even_axis(20, 10, ring)}, backwards},
                                    {{ghosted_axis(140, 70, 8)}, {}},
                                    {{mixed_axis(140, 70, 8)}, backwards}};
  run_simulated(70, [&](const Comm& comm) {
    for (const Layout& layout : layouts)
      check_contiguous(GlobalIndexMap(layout.array(comm.rank()).on(comm)), layout);
  });
}

TEST(ContiguousNumbersOfIndexMap, TheExampleOfTheDocumentation) {
  run_simulated(2, [](const Comm& comm) {
    const Layout layout{{even_axis(2, 1), even_axis(4, 2, {{1, 1}, {}, false})}, {}};
    const GlobalIndexMap map(layout.array(comm.rank()).on(comm));
    EXPECT_EQ(map.local_contiguous(), comm.rank() == 0 ? (std::vector<Index>{0, 1, 4, 2, 3, 6})
                                                       : (std::vector<Index>{1, 4, 5, 3, 6, 7}));
  });
}

/// What the ranks do to number the elements of a layout.
Traffic traffic_of_numbers(const Comm& comm, const Layout& layout) {
  const CountingCommunicator counting(comm);
  const GlobalIndexMap map(layout.array(comm.rank()).on(counting));
  counting.traffic = {};
  map.local_contiguous();
  return counting.traffic;
}

TEST(ContiguousNumbersOfIndexMap, TakeFewCalls) {
  run_simulated(6, [](const Comm& comm) {
    for (const Layout& layout : {Layout{{even_axis(9, 2), cyclic_axis(20, 3, 2)}, {}},
                                 Layout{{even_axis(9, 2, ring), uneven_axis(3, ring)}, {}}}) {
      const Traffic regular = traffic_of_numbers(comm, layout);
      EXPECT_EQ(regular.calls(), 1);
      EXPECT_EQ(regular.allreduces, 1);
    }
    // An agreement and a sum of the offsets, one message to the keeper of the position, two
    // exchanges with an agreement before, between and after them, and a last one.
    const Traffic any_order = traffic_of_numbers(
        comm, {{even_axis(9, 2, ring), uneven_axis(3, ring)}, {5, 4, 3, 2, 1, 0}});
    EXPECT_EQ(any_order.sendrecvs, 1);
    EXPECT_EQ(any_order.exchanges, 2);
    EXPECT_EQ(any_order.allreduces, 2 + 3 + 1);
    EXPECT_EQ(any_order.calls(), 9);
    // Without padding nobody is asked.
    EXPECT_EQ(traffic_of_numbers(comm, {{even_axis(9, 6)}, {5, 4, 3, 2, 1, 0}}).calls(), 3);
    EXPECT_EQ(traffic_of_numbers(comm, {{shuffled_axis(20, 6, 1)}, {}}).calls(), 3);
  });
}

TEST(ContiguousNumbersOfIndexMap, DifferentOrdersOnTheRanks) {
  run_simulated(3, [](const Comm& comm) {
    const Order order = comm.rank() == 2 ? Order::fortran : Order::c;
    for (const Layout& layout :
         {Layout{{even_axis(9, 3, ring)}, {}}, Layout{{ghosted_axis(9, 3, 1)}, {}}}) {
      const GlobalIndexMap map(layout.array(comm.rank()).on(comm));
      EXPECT_EQ(expect_rule(comm, "collective.different", [&] { map.local_contiguous(order); }), 2);
    }
  });
}

TEST(ContiguousNumbersOfIndexMap, OfListsWithoutOneOwner) {
  run_simulated(4, [](const Comm& comm) {
    const auto expect_refused = [&](const std::string& rule, const std::vector<Dimension>& all) {
      const GlobalIndexMap map(describe(DataType::of<float>(), nullptr, all).on(comm));
      expect_rule(comm, rule, [&] { map.local_contiguous(); });
    };
    const Index r = comm.rank();
    std::vector<Index> owned{2 * r, 2 * r + 1};
    expect_refused("owned.nobody", {owned_then_ghosts(8, {4, r}, owned, std::vector<Index>{17})});
    if (r == 2) owned.push_back(0);
    expect_refused("owned.twice", {owned_then_ghosts(8, {4, r}, owned, std::vector<Index>())});
    // Two processes at the same grid rank, of which one has another list.
    const std::vector<Index> list =
        r == 3 ? std::vector<Index>{3, 2} : std::vector<Index>{2 * (r % 2), 2 * (r % 2) + 1};
    expect_refused("U12",
                   {block(4, {2, r / 2}, ring), unstructured(4, {2, r % 2}, IndexList(list))});
  });
}

}  // namespace
