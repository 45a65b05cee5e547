// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "daptor/call.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::hdf5::detail {

/// An array as the file has it: without ghosts, and without the boundary padding that stays out.
struct FileView {
  /// On the memory of the array, which a lease must keep open and which must outlive this.
  DistArray array;
  std::vector<Index> shape;  ///< global

  bool empty() const;
};

/// The widths of the boundary padding of a whole array, which processes in its middle do not know.
class Boundary {
 public:
  /// Process-local; settled by the next check.
  /// @param a     proven by an earlier check
  /// @param kept  whether boundary padding counts as part of the array
  Boundary(Call& call, const Section& a, bool kept);
  /// After that check. Process-local.
  /// @param memory  the element of `a` whose local indices are all zero, writable or not
  FileView view(const DistArray& a, const void* memory) const;
  FileView view(const DistArray& a, void* memory) const;

 private:
  struct Widths {
    Agreed<std::int64_t> lower, upper;
  };
  std::vector<Dimension> dimensions_of(const Section& a) const;
  template <class Memory>
  FileView made(const DistArray& a, Memory* memory) const;

  bool kept_;
  std::vector<Widths> widths_;
};

/// Throws if a list has an index that the file has no place for. Process-local.
/// @throws InvalidArgument (`hdf5.indices`)
void require_places(const Section& a);

}  // namespace daptor::hdf5::detail
