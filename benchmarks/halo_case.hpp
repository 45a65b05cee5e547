// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <mpi.h>
#include <daptor/daptor.hpp>

namespace bench {

/// A C-order array that is divided along one dimension and padded there at internal edges.
struct HaloCase {
  std::vector<std::int64_t> owned;  ///< shape per rank, without padding
  std::size_t split = 0;            ///< the divided dimension
  std::int64_t width = 1;
  std::int64_t dof = 1;
  bool single = false;  ///< float instead of double

  std::string text() const;
  /// Number of elements in the dimensions before the split, and in those after it.
  std::int64_t outer() const;
  std::int64_t inner() const;
};

/// The cases that are measured; `quick`: one element type and one dof.
std::vector<HaloCase> halo_cases(bool quick);

/// An array with one rank's section of it in memory.
template <class T>
struct HaloArray {
  HaloArray(const HaloCase& halo, MPI_Comm comm);

  std::int64_t lower = 0, upper = 0;  ///< padding along the split
  std::int64_t extent = 0;            ///< padded extent along the split
  int below = MPI_PROC_NULL, above = MPI_PROC_NULL;
  std::vector<T> memory;
  daptor::DistArray array;
};

/// A hand-written exchange of both faces.
using Exchange = std::function<void()>;
template <class T>
Exchange derived_exchange(HaloArray<T>& array, const HaloCase& halo, MPI_Comm comm);
template <class T>
Exchange packed_exchange(HaloArray<T>& array, const HaloCase& halo, MPI_Comm comm);

}  // namespace bench
