// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <numeric>
#include <string>
#include <vector>

#include <mpi.h>

#include "daptor/builders.hpp"
#include "daptor/fft.hpp"
#include "daptor/layout.hpp"
#include "daptor/local_index_map.hpp"
#include "daptor/redistribute.hpp"
#include "daptor/validate.hpp"
#include "everywhere.hpp"

namespace daptor::fft::test {

using daptor::test::expect_different;
using daptor::test::expect_refused;
using daptor::test::expect_refused_everywhere;
using daptor::test::Faults;
using daptor::test::line;
using daptor::test::world_rank;
using daptor::test::world_size;
using Complex = std::complex<double>;
using Shape = std::vector<Index>;
using Ints = std::vector<int>;

inline const MPI_Comm world = MPI_COMM_WORLD;
inline const DataType complex128 = DataType::of<Complex>();
inline const DataType float64 = DataType::of<double>();

inline DistArray of_layout(const TargetLayout& layout, const Shape& shape,
                           const DataType& type = complex128) {
  return allocate(type, layout.dimensions(shape, world_rank(), world_size()), layout.order)
      .on(world);
}

/// The box of this rank in a layout, in row-major order.
inline Box box_in(const TargetLayout& layout, const Shape& shape) {
  return box(of_layout(layout, shape));
}

}  // namespace daptor::fft::test
