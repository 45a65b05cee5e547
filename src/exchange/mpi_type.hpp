// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <vector>

#include <mpi.h>

#include "exchange/region.hpp"

namespace daptor::detail {

/// An MPI datatype, freed with this object.
class MpiType {
 public:
  MpiType(MpiType&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
  MpiType& operator=(MpiType&&) = delete;
  ~MpiType();

  /// A committed datatype of the elements of `regions` in each array; the arrays begin `arrays`
  /// bytes after a message's buffer. Throws LibraryFailed.
  static MpiType of(const std::vector<MemoryRuns>& regions, const std::vector<MPI_Aint>& arrays);
  /// Whether all counts fit in an int, as MPI requires.
  static bool can_hold(const MemoryRuns& runs);

  MPI_Datatype get() const { return type_; }

 private:
  explicit MpiType(MPI_Datatype type) : type_(type) {}
  static MpiType contiguous(Index bytes);
  static MpiType of(const MemoryRuns& runs);
  MpiType repeated(const MemoryRuns::Loop& loop) const;

  MPI_Datatype type_;
};

}  // namespace daptor::detail
