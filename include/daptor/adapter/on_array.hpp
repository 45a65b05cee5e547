// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "daptor/detail/refused.hpp"
#include "daptor/dist_array.hpp"

/// \file
/// For authors of adapters: what an import returns where the library counts no references.

namespace daptor::adapter {

/// A native object on the memory of an array. Move-only. Owns the object, and keeps the array's
/// memory alive: it must live as long as the library uses the object. The destructor does not
/// communicate.
///
/// \code
/// using List = adapter::OnArray<toy_list*, toy_list_free>;
/// \endcode
/// @tparam Handle   a pointer
/// @tparam destroy  destroys the object, which does not own the memory; throws nothing
template <class Handle, auto destroy>
class OnArray {
 public:
  /// Holds no object.
  OnArray() = default;
  /// Takes over an object that does not own its memory, which is `array`'s.
  OnArray(Handle object, DistArray array) : array_(std::move(array)), object_(object) {}

  explicit operator bool() const { return object_ != nullptr; }
  /// The object, which this owns. Null if it holds none.
  Handle get() const& { return object_.get(); }
  /// Not of a temporary, which destroys the object at the end of the statement.
  template <class T = Handle>
  Handle get() && {
    static_assert(daptor::detail::never<T>,
                  "get() of a temporary, which destroys the object at once: keep the import in a "
                  "variable, auto x = import_...(a), and call x.get()");
    return nullptr;
  }
  /// The array on whose memory the object is. Not described if this holds no object.
  const DistArray& array() const& { return array_; }
  DistArray array() && { return array_; }
  /// The library has written to the memory: tells the array's producer and all views. Logically
  /// collective: call it on all ranks after what writes.
  void modified() const { array_.modified(); }

 protected:
  void set_array(DistArray array) { array_ = std::move(array); }

 private:
  struct Destroy {
    void operator()(Handle object) const noexcept { destroy(object); }
  };
  // The object is destroyed first.
  DistArray array_;
  std::unique_ptr<std::remove_pointer_t<Handle>, Destroy> object_;
};

}  // namespace daptor::adapter
