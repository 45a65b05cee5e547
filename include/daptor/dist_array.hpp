// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "daptor/comm.hpp"
#include "daptor/detail/refused.hpp"
#include "daptor/flatten.hpp"
#include "daptor/section.hpp"

/// \file
/// The distributed array that collective functions take.

namespace daptor {

/// A distributed array, as this process has it: its Section, and the communicator over whose ranks
/// the sections are divided.
///
/// A cheap value: copies share description, memory and proof. Making one communicates nothing. The
/// first collective call that relies on it proves that the sections of all ranks form one array;
/// later calls find the proof.
/// \code
/// auto a = daptor::describe(u, daptor::block_dimensions({100, 100}, comm)).on(comm);
/// daptor::DistArray x = daptor::petsc::export_vec(vec);  // on the communicator of the Vec
/// daptor::redistribute(a, x);
/// \endcode
///
/// All arrays of a call must be on the same processes in the same order, though not on the same
/// MPI communicator; otherwise it throws InvalidArgument (`collective.comm`) on all ranks of its
/// first array. What is collective on an array is so over all ranks of its communicator: a process
/// outside has no part of the array, and does not call.
class DistArray : public Section {
 public:
  /// An array that is not described yet, on no communicator. Collective calls refuse it, on all
  /// ranks of the communicator that `comm` finds or else on this process alone.
  DistArray() = default;
  /// Process-local.
  /// @param section  of this process; also one that is not described, which the first collective
  ///                 call refuses on all ranks
  /// @param comm     the processes among which the array is divided
  DistArray(Section section, const Comm& comm) : Section(std::move(section)), comm_(comm) {}
  /// A section alone is on no communicator: `describe(u, dimensions).on(comm)`.
  template <class S, std::enable_if_t<std::is_same_v<S, Section>, int> = 0>
  DistArray(const S& section) : Section(section) {
    static_assert(detail::never<S>,
                  "a Section is on no communicator yet: write describe(u, dimensions).on(comm)");
  }

  /// The communicator. That of a default-constructed array is the only one of several ranks over
  /// which this process has made collective calls or, before the first of them, a Comm; if there is
  /// none or more than one, this throws InvalidArgument (`comm`), on this process alone.
  Comm comm() const;
  /// False for a default-constructed array.
  bool has_comm() const { return comm_.has_value(); }

  /// \name As those of Section, on the same communicator
  /// \{
  DistArray with_memory(void* data, std::shared_ptr<const void> owner = nullptr) const {
    return {comm_, Section::with_memory(data, std::move(owner))};
  }
  DistArray with_memory(const void* data, std::shared_ptr<const void> owner = nullptr) const {
    return {comm_, Section::with_memory(data, std::move(owner))};
  }
  DistArray with_memory(std::nullptr_t, std::shared_ptr<const void> owner = nullptr) const {
    return with_memory(static_cast<void*>(nullptr), std::move(owner));
  }
  DistArray as_readonly() const { return {comm_, Section::as_readonly()}; }
  DistArray in_space(MemorySpace space, std::optional<Stream> stream = std::nullopt) const {
    return {comm_, Section::in_space(space, stream)};
  }
  /// \}

 private:
  DistArray(std::optional<Comm> comm, Section section)
      : Section(std::move(section)), comm_(std::move(comm)) {}

  std::optional<Comm> comm_;
};

/// \name flatten and unflatten, on the communicator of the given array
/// \{
inline DistArray flatten(const DistArray& array) {
  return flatten(static_cast<const Section&>(array)).on(array.comm());
}
inline DistArray unflatten(const DistArray& flat, const Section& like) {
  return unflatten(static_cast<const Section&>(flat), like).on(flat.comm());
}
/// \}

}  // namespace daptor
