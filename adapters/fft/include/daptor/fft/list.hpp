// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "daptor/comm.hpp"
#include "daptor/dist_array.hpp"
#include "daptor/fft/box.hpp"

namespace daptor::fft {

/// Collective over `comm`. Describes any tiling as a one-dimensional unstructured array: an element
/// has its number in row-major order of the grid. `redistribute` copies between it and an array of
/// the grid's shape, for instance one in blocks. Takes eight bytes for each element.
/// @param type, data, length, owner  see `describe`
/// @param box   this process's, packed (`fft.gaps`)
/// @param comm  the processes that have the boxes
/// @returns the array, on `comm`
/// @throws InvalidArgument on all ranks, like `describe`
DistArray describe_as_list(const DataType& type, void* data, Index length, const Box& box,
                           const Comm& comm, std::shared_ptr<const void> owner = nullptr);
template <class T>
DistArray describe_as_list(T* data, Index length, const Box& box, const Comm& comm,
                           std::shared_ptr<const void> owner = nullptr) {
  return describe_as_list(DataType::of<T>(), data, length, box, comm, std::move(owner));
}

}  // namespace daptor::fft
