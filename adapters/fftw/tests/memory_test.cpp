// SPDX-License-Identifier: BSD-3-Clause
// Which memory a transform takes, by what the heap holds; mallinfo2 does not see a sanitizer's.

#include "allocated_bytes.hpp"
#include "fields.hpp"

#ifndef DAPTOR_ADDRESS_SANITIZED

namespace daptor::fft::test {
namespace {

using daptor::test::allocated_bytes;

/// Bytes by which the heap is larger after `make`, which returns what it has made.
template <class Make>
std::int64_t growth(Make&& make) {
  const std::size_t before = allocated_bytes();
  const auto kept = make();
  return static_cast<std::int64_t>(allocated_bytes() - before);
}

TEST(Memory, ATransformHoldsWhatItSays) {
  // 2 MB on all ranks together, far more than plans and tables.
  const Shape shape{32, 64, 64};
  TransformOptions options;
  options.planning = Planning::estimate;
  for (const bool overwrite : {false, true}) {
    options.overwrite = overwrite;
    const DistArray in = allocate<Complex>(of_layout(layout::slab(0), shape)).on(world);
    const DistArray out = fitting_output(in, options);
    { const Transform first(in, out, options); }  // what is kept for good
    std::int64_t stated = 0;
    std::int64_t buffers = 0;
    const std::int64_t held = growth([&] {
      auto transform = std::make_unique<Transform>(in, out, options);
      stated = transform->work_bytes();
      return transform;
    });
    // Redistributions have packing buffers of a quarter of the section, and the same for the other
    // direction once it was used.
    buffers = in.local_count() * 16 / 2 + (1 << 19);
    EXPECT_GE(held, stated);
    EXPECT_LE(held, stated + buffers);
    if (overwrite) {
      EXPECT_EQ(stated, 0);
    }
  }
}

TEST(Memory, ATransformMadeBeforeAllocatesNoSection) {
  const Shape shape{32, 64, 64};
  const Guarded in(complex128, padded(), shape);
  TransformOptions options;
  options.planning = Planning::estimate;
  Transform transform(in.array, in.array, options);
  transform.forward();
  transform.backward();
  const std::size_t before = allocated_bytes();
  transform.forward();
  transform.backward();
  EXPECT_LE(allocated_bytes(), before + 100000);
}

TEST(Memory, PlanningTouchesNeitherArray) {
  const Shape shape{6, 5, 4};
  const Whole before = field(shape, false);
  for (const Planning planning : {Planning::estimate, Planning::measure, Planning::patient}) {
    const Guarded in(complex128, padded(), shape);
    const Guarded out(complex128, slabs(1), shape);
    fill(in.array, before);
    fill(out.array, before);
    TransformOptions options;
    options.planning = planning;
    const Transform apart(in.array, out.array, options);
    const Transform in_place(in.array, in.array, options);
    expect_values(in.array, before, 1, 1e-300);
    expect_values(out.array, before, 1, 1e-300);
    EXPECT_TRUE(in.guards_are_whole());
  }
}

}  // namespace
}  // namespace daptor::fft::test

#endif
