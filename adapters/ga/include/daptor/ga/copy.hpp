// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/comm.hpp"
#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"

namespace daptor::ga {

/// A Global Array that Daptor has made. Move-only. The destructor calls GA_Destroy, which is
/// collective: let it go on all ranks together. It does nothing after GA_Terminate, after
/// MPI_Finalize, or where the program has destroyed the array already.
class Array {
 public:
  Array(Array&& other) noexcept;
  Array& operator=(Array&& other) noexcept;
  ~Array();

  /// The handle, for GA's own calls.
  int handle() const&;
  /// Not of a temporary, which destroys the Global Array at the end of the statement.
  template <class T = int>
  int handle() && {
    static_assert(daptor::detail::never<T>,
                  "handle() of a temporary, which destroys the Global Array at once: keep the copy "
                  "in a variable, auto g = copy_to_array(a), and call g.handle()");
    return 0;
  }
  /// The same memory as a described array, as `export_array` gives it; Stale once this is gone.
  const DistArray& array() const&;
  DistArray array() && { return static_cast<const Array&>(*this).array(); }
  /// The processes on which `array()` is described, `communicator(handle())`.
  Comm comm() const;
  /// Leaves the Global Array to the caller, who calls GA_Destroy. Process-local.
  int release() noexcept;

 private:
  friend Array copy_to_array(const DistArray& array);
  struct State;
  explicit Array(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Collective. A copy of an array as a Global Array of the same division: blocks with the same
/// bounds (those without indices are left out, and the first processes have the others in row-major
/// order), or block-cyclic on the same process grid if a dimension is cyclic.
///
/// It has ghost cells, which are filled, if every padded dimension is periodic with one width at
/// all edges of all processes, and if every process has elements and, along each dimension, at
/// least as many indices as that width. Otherwise, and on a group whose processes have other
/// numbers than among all, it has none: GA 5.8 ends the job there. Boundary padding is a part of
/// the array.
///
/// GA stores one number for each block along each dimension on every process, and so does this call
/// while it runs.
/// @param array  on the processes of GA's default group in the same order; it is not changed
/// @throws NotRepresentable on all ranks: for no or more than seven dimensions
///   (`ga.array.dimensions`), a dimension without indices (`ga.array.extent`), types that GA lacks
///   (`ga.array.type`), lists of indices (`ga.array.unstructured`), dealing that begins elsewhere
///   than at process 0 (`ga.array.origin`), uneven blocks beside cyclic ones (`ga.array.mixed`),
///   and cyclic dimensions on a group whose processes have other numbers than among all
///   (`ga.array.group`)
/// @throws InvalidArgument on all ranks (`ga.initialized`, `ga.communicator`); LibraryFailed where
///   GA has no handle left (`library.ga`) or does not get the memory; what redistribute throws
Array copy_to_array(const DistArray& array);

}  // namespace daptor::ga
