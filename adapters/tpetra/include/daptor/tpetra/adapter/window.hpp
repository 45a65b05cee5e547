// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>

#include "daptor/tpetra/adapter/native.hpp"
#include "daptor/types.hpp"

/// \file
/// For adapters that join Tpetra with another library: an operator's vectors on foreign memory.

namespace daptor::tpetra {

/// MultiVectors of one column on one of an operator's Maps, each on the memory of a vector of
/// another library. A Krylov method uses the same few vectors again and again, so the MultiVectors
/// are kept. They hold only a pointer and the Map, so they stay valid for whichever vector has that
/// memory later. Process-local.
///
/// They are not imports, which would make a new Map: Tpetra compares Maps by pointer first, and
/// otherwise by communication.
template <class Scalar>
class Window {
 public:
  using MultiVector = Tpetra::MultiVector<Scalar>;

  Window(Teuchos::RCP<const Tpetra::Map<>> map, Index local_count)
      : map_(std::move(map)), local_count_(local_count) {}

  const Teuchos::RCP<const Tpetra::Map<>>& map() const { return map_; }
  Index local_count() const { return local_count_; }

  /// Valid until `place` is called with other memory.
  const MultiVector& place(const Scalar* data) { return at(data); }
  MultiVector& place(Scalar* data) { return at(data); }

 private:
  static constexpr unsigned slot_bits = 6;
  struct Slot {
    const Scalar* data = nullptr;
    Teuchos::RCP<MultiVector> vector;
  };

  MultiVector& at(const Scalar* data) {
    constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U;
    Slot& slot = slots_[reinterpret_cast<std::uintptr_t>(data) / 64 * spread >> (64 - slot_bits)];
    if (slot.vector.is_null() || slot.data != data) {
      slot.vector = Teuchos::rcp(
          new MultiVector(map_, dual_view<Scalar>(Layout{local_count_, 1, local_count_, data})));
      slot.data = data;
    }
    return *slot.vector;
  }

  Teuchos::RCP<const Tpetra::Map<>> map_;
  Index local_count_;
  std::array<Slot, std::size_t{1} << slot_bits> slots_;
};

}  // namespace daptor::tpetra
