// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <mpi.h>

namespace bench {

/// Bytes that a piece of work adds to a process, the largest of all ranks.
struct Growth {
  std::int64_t heap = 0;      ///< handed out by the allocator
  std::int64_t resident = 0;  ///< in resident pages
};

/// Bytes that this process has in use now.
Growth in_use();
/// Collective. Bytes in use now, less `before`; the largest of all ranks.
Growth grown_since(const Growth& before, MPI_Comm comm);

/// Collective. Bytes that `make`'s result occupies while it lives.
template <class Make>
Growth growth(MPI_Comm comm, const Make& make) {
  { const auto warm_up = make(); }
  const Growth before = in_use();
  const auto kept = make();
  return grown_since(before, comm);
}

/// Collective. How far the resident bytes rise above their start while `work` runs.
std::int64_t peak_growth(MPI_Comm comm, const std::function<void()>& work);

std::string bytes_text(std::int64_t bytes);

}  // namespace bench
