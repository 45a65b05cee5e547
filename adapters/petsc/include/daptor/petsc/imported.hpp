// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/comm.hpp"
#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

namespace detail {
class Attachment;
struct Access;
}  // namespace detail

/// A PETSc object (Vec or dense Mat) on a producer's memory. Move-only.
///
/// Holds one reference to the object. The PETSc object itself keeps the description, and so the
/// producer's memory, alive: a reference taken by `PetscObjectReference` may outlive this one. The
/// destructor drops the reference, and may run in any order with other destructors of this process.
/// The last release of a PETSc object is collective; `close()` does it explicitly. After
/// PetscFinalize the destructor leaves PETSc alone and notes this once on stderr.
///
/// No lease covers writes through PETSc: call `array().modified()` on all ranks after them.
template <class Object>
class Imported {
 public:
  /// Holds no object.
  Imported() = default;
  Imported(Imported&& other) noexcept;
  Imported& operator=(Imported&& other) noexcept;
  ~Imported();

  explicit operator bool() const { return object_ != nullptr; }
  /// The PETSc object, which this object owns. Null if it holds none.
  Object get() const& { return object_; }
  /// Not of a temporary, which releases the object at the end of the statement.
  template <class T = Object>
  Object get() && {
    static_assert(daptor::detail::never<T>,
                  "get() of a temporary, which destroys the PETSc object at once: keep the import "
                  "in a variable, auto x = import_...(a), and call x.get()");
    return object_;
  }
  /// The description of the memory on which the object is, on the communicator of the import.
  /// Throws InvalidArgument if this holds no object.
  const DistArray& array() const&;
  DistArray array() && { return static_cast<const Imported&>(*this).array(); }

  /// Puts the memory of another array of the same layout under the object. Process-local, without
  /// communication; logically collective, because cached norms become invalid. If `array` is a copy
  /// of the imported description on other memory (`with_memory`), this takes some tens of
  /// nanoseconds.
  ///
  /// @param array  this process's section, with memory; it is kept alive in place of the previous
  ///   one
  /// @throws InvalidArgument for another layout, for read-only memory under a writable object, and
  ///   for an array without memory; this and all of the following is thrown before anything changes
  /// @throws Stale if another array has been placed on the object, or if the producer's memory is
  ///   no longer what was described
  /// @throws Finalized after PetscFinalize
  void rebind(const Section& array);

  /// Collective over the communicator of the import. Drops the reference; if it is the last one,
  /// PETSc destroys the object, and the producer is released. A second call has no effect. Throws
  /// Finalized after PetscFinalize; Stale if the array is in memory of a device and PETSc has newer
  /// values on the host, which would be lost (daptor/petsc/device.hpp). The destructor cannot tell.
  void close();

 private:
  friend struct detail::Access;
  Imported(Object object, std::shared_ptr<detail::Attachment> attachment, const Comm& comm);
  void require_rebindable(const Section& array) const;
  void require_in_place() const;
  void place(const Section& array);
  void release() noexcept;

  Object object_ = nullptr;
  std::shared_ptr<detail::Attachment> attachment_;
  std::optional<Comm> comm_;
};

extern template class Imported<Vec>;
extern template class Imported<Mat>;

/// A Vec on a producer's memory. Its numbering is the contiguous one: rank after rank, with each
/// rank's owned elements in memory order.
using ImportedVec = Imported<Vec>;
/// A dense Mat on a producer's memory.
using ImportedDense = Imported<Mat>;

}  // namespace daptor::petsc
