// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out on one rank, at any allocation, is an error of all ranks.

#include <optional>

#include "exhausted_memory.hpp"

#include "fields.hpp"

namespace daptor::fft::test {
namespace {

using daptor::test::expect_exhaustion_agreed;

// Ranks that are not MPI's own have no redistributions, hence transforms within each process.
TransformOptions within_processes() {
  TransformOptions options;
  options.planning = Planning::estimate;
  options.dimensions = {1};
  return options;
}

TEST(Exhaustion, WhileATransformIsMade) {
  const DistArray in = allocate<Complex>(of_layout(layout::slab(0), {6, 5})).on(world);
  const DistArray out = allocate<Complex>(of_layout(layout::slab(0), {6, 5})).on(world);
  const TransformOptions options = within_processes();
  EXPECT_GT(expect_exhaustion_agreed(
                [&](const Comm& comm) { Transform transform(in.on(comm), out.on(comm), options); }),
            0);
}

TEST(Exhaustion, WhileFftwMpiIsPlanned) {
  const IndexVector shape{6, 5};
  const SlabPair slabs = allocate_slabs<Complex>(shape, world);
  TransformOptions options;
  options.planning = Planning::estimate;
  options.engine = Engine::fftw_mpi;
  options.capacity = slabs.capacity;
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              Transform transform(slabs.input.on(comm), slabs.output.on(comm), options);
            }),
            0);
  EXPECT_GT(
      expect_exhaustion_agreed([&](const Comm& comm) { allocate_slabs<Complex>(shape, comm); }), 0);
}

TEST(Exhaustion, WhileATransformIsBoundToOtherArrays) {
  const DistArray in = allocate<Complex>(of_layout(layout::slab(0), {6, 5})).on(world);
  const DistArray out = allocate<Complex>(of_layout(layout::slab(0), {6, 5})).on(world);
  const DistArray other = allocate<Complex>(of_layout(layout::slab(0), {6, 5})).on(world);
  const TransformOptions options = within_processes();
  EXPECT_GT(expect_exhaustion_agreed([&](const Comm& comm) {
              std::optional<Transform> transform;
              {
                const daptor::test::Exhaustion::Pause pause;
                transform.emplace(in.on(comm), out.on(comm), options);
              }
              transform->rebind(in, other);
            }),
            0);
}

}  // namespace
}  // namespace daptor::fft::test
