// SPDX-License-Identifier: BSD-3-Clause
// A fault on one rank while a GlobalIndexMap is made and queried, and its effect on the others.

#include <gtest/gtest.h>

#include <memory>

#include "daptor/global_index_map.hpp"
#include "global_map_checks.hpp"
#include "simulated_faults.hpp"

namespace {

using namespace daptor;
using namespace daptor::test;

TEST(GlobalIndexMapErrors, AFaultOnOneRankIsEverybodysError) {
  const Layout irregular{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {}};
  const Layout permuted{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {5, 1, 3, 2, 4, 0}};
  const Layout listed{{shuffled_axis(20, 5, 3)}, {}};
  for (const Layout& layout : {irregular, permuted, listed})
    SimulatedFaults::expect_agreed(static_cast<int>(layout.processes()), [&](const Comm& comm) {
      return FaultyCall{[&] { GlobalIndexMap map(layout.array(comm.rank()).on(comm)); }};
    });
}

TEST(GlobalIndexMapErrors, AFaultInACollectiveQueryIsEverybodysErrorAndPasses) {
  const Layout permuted{{block_axis({3, 0, 1}), cyclic_axis(9, 2, 2, 1)}, {5, 1, 3, 2, 4, 0}};
  const Layout listed{{ghosted_axis(20, 5, 3)}, {}};
  for (const Layout& layout : {permuted, listed})
    SimulatedFaults::expect_agreed(static_cast<int>(layout.processes()), [&](const Comm& comm) {
      const auto map = std::make_shared<const GlobalIndexMap>(layout.array(comm.rank()).on(comm));
      const auto query = [map, &layout] {
        map->ranks_at({map->coordinates()});
        map->contiguous_offset();
        map->local_contiguous();
        if (layout.axes.size() == 1) map->owners_of_unstructured(0, {1, 2, 3});
      };
      return FaultyCall{query, [map, &layout, &comm] { check_map(*map, layout, comm.rank()); }};
    });
}

}  // namespace
