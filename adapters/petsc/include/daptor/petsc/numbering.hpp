// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <utility>

#include <petscao.h>
#include <petscis.h>

#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/numbering.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

using daptor::Numbering;

namespace detail {
void destroy(ISLocalToGlobalMapping mapping, unsigned session) noexcept;
void destroy(AO ordering, unsigned session) noexcept;
}  // namespace detail

/// Owns one reference to a PETSc index object. Move-only. The destructor leaves PETSc alone after
/// PetscFinalize; the last release of a PETSc object is collective.
template <class Object>
class IndexHandle {
 public:
  IndexHandle() = default;
  /// Takes over the caller's reference.
  /// @param object   an index object of PETSc
  /// @param session  number of the PETSc session in which it was made
  IndexHandle(Object object, unsigned session) : object_(object), session_(session) {}
  IndexHandle(IndexHandle&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), session_(other.session_) {}
  IndexHandle& operator=(IndexHandle&& other) noexcept {
    if (this != &other) {
      reset();
      object_ = std::exchange(other.object_, nullptr);
      session_ = other.session_;
    }
    return *this;
  }
  ~IndexHandle() { reset(); }

  explicit operator bool() const { return object_ != nullptr; }
  Object get() const& { return object_; }
  /// Not of a temporary, which destroys the object at the end of the statement.
  template <class T = Object>
  Object get() && {
    static_assert(daptor::detail::never<T>,
                  "get() of a temporary, which destroys the PETSc object at once: keep the handle "
                  "in a variable, auto mapping = local_to_global(a, ...), and call mapping.get()");
    return object_;
  }
  /// Drops the reference now. Collective if it is the last one.
  void reset() noexcept {
    if (object_ != nullptr) detail::destroy(std::exchange(object_, nullptr), session_);
  }

 private:
  Object object_ = nullptr;
  unsigned session_ = 0;
};

using LocalToGlobal = IndexHandle<ISLocalToGlobalMapping>;
using NaturalOrdering = IndexHandle<AO>;

/// Collective. Maps every local element of the section, communication padding included, in the
/// section's memory order, to its global number; an element of the padding is mapped to the number
/// that its owner gives it. Costs one PetscInt per local element, and 8 bytes per element while it
/// is made.
///
/// @param array      the array, over MPI; it needs no memory and is not kept
/// @param numbering  which global numbers to use; the same on all ranks
/// @returns a mapping, which belongs to the caller
/// @throws NotRepresentable on all ranks, with rule `petsc.numbering.index-range`, if a number does
///   not fit in a PetscInt, or if an unstructured index is outside [0, size) (natural numbering)
/// @throws Error otherwise like import_vec
LocalToGlobal local_to_global(const DistArray& array, Numbering numbering);

/// Collective. The application ordering between natural (application) and contiguous (PETSc)
/// numbers of the owned elements. It is of the memory-scalable type, so applying it is collective
/// too.
/// @param array  see local_to_global
/// @returns an ordering, which belongs to the caller
/// @throws NotRepresentable on all ranks, with rule `petsc.numbering.permutation`, unless the owned
///   elements have the natural numbers 0, 1, …, each once (unstructured indices may overlap or be
///   incomplete)
/// @throws Error otherwise like local_to_global
NaturalOrdering natural_ordering(const DistArray& array);

}  // namespace daptor::petsc
