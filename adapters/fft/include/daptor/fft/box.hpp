// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <vector>

#include "daptor/section.hpp"

namespace daptor::fft {

/// The part of a global grid that one process owns: two corners, and how its elements lie in
/// memory. What oneMKL, cuFFTMp and hipFFT take for a custom division, and heFFTe as `box3d`.
///
/// All vectors have one entry for each dimension, in the order of the array's dimensions. Indices
/// are global and begin at 0; padding is not part of a box.
///
/// Example: a 4 x 6 array of which this process owns rows 2 and 3, in row-major order with a ghost
/// cell on each side of a row. `lower` is (2, 0), `upper` is (4, 6), and `strides` is (8, 1).
struct Box {
  std::vector<Index> shape;  ///< of the whole grid
  std::vector<Index> lower;  ///< first index of the process
  /// One past its last index, as in cuFFTMp and hipFFT; heFFTe's upper corner is one less (`high`).
  std::vector<Index> upper;
  /// From one index to the next, in elements. If it is empty, the box is packed in row-major order.
  std::vector<Index> strides;

  int ndim() const { return static_cast<int>(shape.size()); }
  /// Numbers of indices: `upper` - `lower`.
  std::vector<Index> extents() const;
  /// Number of elements. 0 if it does not fit in 64 bits, which no box in memory has.
  Index count() const;
  bool empty() const { return count() == 0; }
  /// The upper corner, which belongs to the box: heFFTe's `high`. One less than the lower corner
  /// where the box is empty.
  std::vector<Index> high() const;
  /// Dimensions from the one that varies fastest in memory to the slowest: heFFTe's `order`.
  /// Dimensions of one index, which have no place of their own, are where row-major order has them.
  std::vector<int> order() const;
  /// Whether the elements follow each other without gaps, in any order of the dimensions.
  bool packed() const;

  friend bool operator==(const Box& a, const Box& b);
  friend bool operator!=(const Box& a, const Box& b) { return !(a == b); }
};

std::ostream& operator<<(std::ostream& out, const Box& box);

/// The box that a process owns of an array. Its first element is at `a.owned_data()`.
/// Process-local: without communication, for what this process can see of the array by itself.
/// @param a  this process's section, in blocks or undistributed; it needs no memory
/// @throws NotRepresentable, on this process, if its indices are no range (`fft.division`: cyclic
///   dimensions with several blocks, lists of indices), or strides are no multiples of the element
///   size (`fft.strides`)
/// @throws Error the defect of an array that is not described
Box box(const Section& a);

}  // namespace daptor::fft
