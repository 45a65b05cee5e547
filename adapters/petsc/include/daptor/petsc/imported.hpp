// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <optional>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/petsc/config.hpp"

namespace daptor::petsc {

namespace detail {
class Attachment;
struct Access;
}  // namespace detail

/// A PETSc object (Vec or dense Mat) on a producer's memory. Move-only.
///
/// Holds one reference of the object. The PETSc object itself keeps the description, hence the
/// producer's memory, alive: a reference taken by `PetscObjectReference` may outlive this one. The
/// destructor drops the reference and may run in any order with other destructors of this process;
/// the last release of a PETSc object is collective, and `close()` does it explicitly. After
/// PetscFinalize the destructor leaves PETSc alone and notes it once on stderr.
///
/// No lease covers writes through PETSc: call `array().modified()` on all ranks after them.
template <class Object>
class Imported {
 public:
  /// Holds nothing.
  Imported() = default;
  Imported(Imported&& other) noexcept;
  Imported& operator=(Imported&& other) noexcept;
  ~Imported();

  explicit operator bool() const { return object_ != nullptr; }
  /// The PETSc object, owned by this one. Null where it holds nothing.
  Object get() const { return object_; }
  /// The description whose memory the object lies on. Throws InvalidArgument where it holds
  /// nothing.
  const DistArray& array() const;

  /// Puts the memory of another array of the same layout under the object. Process-local, no
  /// communication; logically collective, as cached norms are void afterwards. Takes some ten
  /// nanoseconds where `array` is a copy of the imported description on other memory
  /// (`with_memory`).
  ///
  /// @param array  this process's section, with memory; it is kept alive in place of the one before
  /// @throws InvalidArgument before anything changes, as all of the following, for another layout,
  ///   for read-only memory under a writable object and for an array without memory
  /// @throws Stale if another array has been placed on the object, or the producer's memory is no
  ///   longer what was described
  /// @throws Finalized after PetscFinalize
  void rebind(const DistArray& array);

  /// Collective over the communicator of the import. Drops the reference; where it is the last one,
  /// PETSc destroys the object and the producer is let go. Does nothing the second time. Throws
  /// Finalized after PetscFinalize.
  void close();

 private:
  friend struct detail::Access;
  Imported(Object object, std::shared_ptr<detail::Attachment> attachment, const Comm& comm);
  void require_rebindable(const DistArray& array) const;
  void require_in_place() const;
  void place(const DistArray& array);
  void release() noexcept;

  Object object_ = nullptr;
  std::shared_ptr<detail::Attachment> attachment_;
  std::optional<Comm> comm_;
};

extern template class Imported<Vec>;
extern template class Imported<Mat>;

/// A Vec on a producer's memory. Its numbering is the contiguous one: rank after rank, each rank's
/// owned elements in memory order.
using ImportedVec = Imported<Vec>;
/// A dense Mat on a producer's memory.
using ImportedDense = Imported<Mat>;

}  // namespace daptor::petsc
