// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>

#include <mpi.h>

#include "daptor/dist_array.hpp"
#include "ends.hpp"

namespace daptor::ga::detail {

/// An exported array of GA, on this process.
struct Exported {
  Life life;
  /// The same on all ranks of the array, and unique on each.
  std::int64_t serial = 0;
  /// Not described on a process on which the array is not.
  DistArray array = DistArray();
  /// The communicator of the array, if it was made for it.
  MPI_Comm made = MPI_COMM_NULL;
};

/// The exports that are alive. All of it is process-local; an array is exported, and ends, on all
/// of its processes together.
/// \{
std::int64_t next_serial();
void keep_export(Exported exported);
std::optional<Exported> find_export(int handle);
std::optional<Exported> find_export_by_serial(std::int64_t serial);
/// The export that a section is of: the one that it is a copy or a view of; else one with its
/// memory and layout; else one with its memory. The first one of several, as an array and another
/// one over its memory (GA_Overlay) are.
std::optional<Exported> find_export_of(const Section& array);
void forget_export(int handle) noexcept;
/// For an export that has failed on all ranks: forgets it where it was kept, and releases it.
void discard_export(Exported exported);
void forget_exports() noexcept;
/// \}

}  // namespace daptor::ga::detail
