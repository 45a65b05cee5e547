// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/report.hpp"

namespace daptor::detail {

/// What one all-reduce tells every rank about all of them.
struct Survey {
  bool described = true;  ///< every rank has an array
  bool clean = true;      ///< no rank has a finding of its own
  bool uniform = true;    ///< all arrays agree in what must be the same everywhere
  bool row_major = true;  ///< ranks sit on the grid in row-major order
  bool even = true;  ///< blocks even, cyclic dimensions dealt from process 0, no list to compare
  bool unpadded = true;  ///< no rank has padding; known where blocks are even
  bool proven = false;   ///< all ranks bring the same proof from an earlier walk

  /// Every rank knows by arithmetic who owns what.
  bool regular() const { return row_major && even; }
};

/// Collective: one all-reduce. `array` is null on a rank that has none; `clean` says that this rank
/// has found nothing of its own; `serial` is the number of the proof that it has kept, or 0. Throws
/// the failure of the lowest rank where any brings one.
Survey survey(const DistArray* array, bool clean, const Comm& comm, std::exception_ptr failure,
              std::int64_t serial = 0);

/// Collective. Adds to `report` what this rank's array has otherwise than that of the lowest rank
/// with one (T08, T14, T16, D05, D10, D15, D25, P06, C06, U10). Ranks may disagree about
/// everything. Throws on all ranks where one fails.
void differences(const DistArray* array, const Comm& comm, Report& report);

/// Process-local. The grid has as many processes as the communicator (D14).
Report check_process_count(const DistArray& array, const Comm& comm);

/// The row-major number of this process's grid coordinates, or -1 where 64 bits do not hold it.
Index seat_number(const std::vector<Dimension>& dimensions);

/// True where this process's part of the dimension is the one that an even block, or a cyclic
/// distribution dealt from process 0, gives it.
bool regular_part(const Dimension& dimension);

}  // namespace daptor::detail
