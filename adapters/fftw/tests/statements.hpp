// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Transforms between the memory of two libraries' layouts.

#include "fields.hpp"

namespace daptor::fft::test {

inline TransformOptions estimated() {
  TransformOptions options;
  options.planning = Planning::estimate;
  return options;
}

/// Forward and backward over all dimensions, or over those of `along`, against the definition.
/// Nothing around the elements of either array is written.
inline void expect_transform(const Guarded& in, const Guarded& out, std::vector<int> along = {}) {
  const Shape shape = in.array.global_shape();
  const bool real = in.array.type() == float64;
  if (along.empty()) {
    along.resize(shape.size());
    std::iota(along.begin(), along.end(), 0);
  }
  const Whole before = field(shape, real);
  const Whole after = transformed(before, along, real ? along.back() : -1);
  fill(in.array, before);
  TransformOptions options = estimated();
  options.dimensions = along;
  options.scale = Scale::backward;
  Transform transform(in.array, out.array, options);
  transform.forward();
  expect_values(out.array, after);
  if (in.array.owned_data() != out.array.owned_data()) {
    expect_values(in.array, before);
    fill(in.array, Whole(shape));
  }
  transform.backward();
  expect_values(in.array, before);
  EXPECT_TRUE(in.guards_are_whole());
  EXPECT_TRUE(out.guards_are_whole());
}

/// The copy that an error names is one that the library takes, with the same values.
/// @param layout  the layout in the named call
/// @param take    what was refused
template <class Take>
void expect_remedy(const DistArray& refused, const TargetLayout& layout, Take&& take) {
  const Whole values = field(refused.global_shape(), refused.type() == float64);
  fill(refused, values);
  const DistArray copy = redistributed(refused, layout);
  take(copy);
  expect_values(copy, values, 1, 1e-300);
}

}  // namespace daptor::fft::test
