// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include <Teuchos_RCP.hpp>
#include <Tpetra_Map_fwd.hpp>

#include "daptor/dist_array.hpp"
#include "daptor/tpetra/scalar.hpp"

namespace daptor::tpetra {

class MapRecord;

namespace detail {
/// Whether Kokkos is running, so that Tpetra objects can be made and destroyed.
bool kokkos_running() noexcept;
/// Keeps a native object that can no longer be destroyed until the process ends, and reports that
/// once.
void keep_forever(std::shared_ptr<void> native) noexcept;
/// Where in an array's memory a native object is, and the Map made for it.
struct Binding {
  Teuchos::RCP<const Tpetra::Map<>> map;
  MapRecord* record = nullptr;  ///< lives as long as the Map
  std::shared_ptr<void> views;  ///< Kokkos' dual view, kept from one `rebind` to the next
  Index byte_offset = 0;        ///< from the first byte of the section
  Index rows = 0;
  Index columns = 1;
  Index stride = 0;  ///< number of elements from one column to the next
};
/// Before the object lets go of the array's memory: with vectors on a device, has Tpetra move there
/// what was written on the host.
template <class Native>
void end_writes(Native& native) noexcept;
/// Moves `native` from the memory of `current` to that of `next`; if it throws, nothing has
/// changed.
template <class Native>
void rebind(Native& native, Binding& binding, const Section& current, const Section& next);
}  // namespace detail

/// A Tpetra object on an array's own memory. `Native` is `Tpetra::MultiVector<Scalar>` or
/// `Tpetra::Vector<Scalar>`, and is const if the array was imported for reading only.
///
/// Owns one reference to the native object. That object, its Map, and everything made on the Map
/// (columns and sub-vectors, which may outlive the object) keep the array's memory alive. A
/// `Teuchos::ArrayRCP` or a Kokkos view taken of the object does not keep it alive, so it is valid
/// only as long as one of those lives. With vectors on a device, the array's memory is their side
/// there; what was written on the host is moved to it when the object is rebound or closed.
/// Move-only. The destructor does not communicate; after
/// `Kokkos::finalize` it leaves the native object alone.
///
/// Example: an array of 2 columns x 10 rows, with the rows divided over two ranks:
/// \code
/// auto a =
///     daptor::allocate<double>({daptor::undistributed(2), daptor::block(10, {2, rank})}).on(comm);
/// auto X = daptor::tpetra::import_multivector<double>(a);
/// X.get()->getNumVectors();   // 2 on both
/// X.get()->getLocalLength();  // 5 on both
/// \endcode
template <class Native>
class Imported {
 public:
  using native_type = Native;
  using scalar_type = typename detail::ScalarOf<Native>::type;

  /// Holds no object.
  Imported() = default;
  Imported(Teuchos::RCP<Native> native, detail::Binding binding, DistArray array)
      : native_(std::move(native)), binding_(std::move(binding)), array_(std::move(array)) {}
  Imported(Imported&& other) noexcept
      : native_(std::move(other.native_)),
        binding_(std::move(other.binding_)),
        array_(std::move(other.array_)) {}
  Imported& operator=(Imported&& other) noexcept {
    if (this == &other) return *this;
    release();
    native_ = std::move(other.native_);
    binding_ = std::move(other.binding_);
    array_ = std::move(other.array_);
    return *this;
  }
  ~Imported() { release(); }

  explicit operator bool() const { return !native_.is_null(); }
  /// The native object, which stays the same during the life of this object, also after `rebind`.
  /// Null if this holds none, as after `close`.
  const Teuchos::RCP<Native>& get() const& { return native_; }
  /// Of a temporary: it keeps the object and its memory alive by itself.
  Teuchos::RCP<Native> get() && { return native_; }
  /// The array on whose memory the object is. If this holds no object, it is an empty array, each
  /// use of which throws InvalidArgument (`array.empty`).
  const DistArray& array() const& { return array_; }
  DistArray array() && { return array_; }

  /// Puts the memory of `array`, which must have the same layout, under the native object: `get()`
  /// returns the same object, whose values are now those of `array`. Columns and copies taken
  /// before still refer to the earlier memory, and keep it alive.
  ///
  /// Process-local (except with TPETRA_DEBUG set, where Tpetra itself communicates). If it throws,
  /// no object has changed.
  /// @param array  this process's section, with memory; it is kept alive in place of the previous
  ///               one
  /// @throws InvalidArgument for another layout or element type; NotRepresentable
  ///   (`tpetra.readonly`, `tpetra.memory`, `tpetra.alignment`) for memory that the object cannot
  ///   have; Stale; Finalized
  void rebind(const Section& array) {
    if constexpr (has_scalar<scalar_type>) {
      array_.defect().raise();
      detail::rebind<Native>(*native_, binding_, array_, array);
      array_ = array.on(array_.comm());
    }
  }

  /// Releases the native object and the array: the producer's memory is free as soon as no other
  /// object refers to it. Process-local. A second call has no effect; after `Kokkos::finalize` this
  /// leaves the native object alone, as the destructor does.
  void close() noexcept {
    release();
    array_ = DistArray();
  }

 private:
  void release() noexcept {
    if (native_.is_null()) return;
    if (!detail::kokkos_running())
      detail::keep_forever(
          std::make_shared<std::pair<Teuchos::RCP<Native>, detail::Binding>>(native_, binding_));
    else if constexpr (has_scalar<scalar_type>)
      detail::end_writes<Native>(*native_);
    native_ = Teuchos::null;
    binding_.map = Teuchos::null;
  }

  Teuchos::RCP<Native> native_;
  detail::Binding binding_;
  DistArray array_;
};

template <class Scalar>
using ImportedMultiVector = Imported<Tpetra::MultiVector<Scalar>>;
template <class Scalar>
using ImportedVector = Imported<Tpetra::Vector<Scalar>>;
template <class Scalar>
using ImportedConstMultiVector = Imported<const Tpetra::MultiVector<Scalar>>;
template <class Scalar>
using ImportedConstVector = Imported<const Tpetra::Vector<Scalar>>;

}  // namespace daptor::tpetra
