// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Arrays in memory of a debug device.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include <daptor/daptor.hpp>

#include "debug_device.hpp"
#include "world.hpp"

namespace daptor::test {

/// An array in memory that a test crashes when it touches, and its values.
template <class T>
class DeviceArray {
 public:
  DeviceArray(const RegisteredDevice& device, std::vector<Dimension> dimensions,
              Order order = Order::c)
      : device_(device), count_(static_cast<std::size_t>(local_count(dimensions))) {
    data_ = device->template allocate_as<T>(count_);
    array_ = describe(data_, static_cast<Index>(count_), std::move(dimensions), order)
                 .in_space({device->type, world_rank()}, device->stream)
                 .on(MPI_COMM_WORLD);
  }

  const DistArray& array() const { return array_; }
  operator const DistArray&() const { return array_; }

  std::vector<T> values() const {
    std::vector<T> copy(count_);
    if (count_ > 0) device_->run(data_, [&] { std::copy_n(data_, count_, copy.data()); });
    return copy;
  }
  void set(const std::vector<T>& values) {
    if (count_ > 0) device_->run(data_, [&] { std::copy_n(values.data(), count_, data_); });
  }

 private:
  const RegisteredDevice& device_;
  std::size_t count_;
  T* data_;
  DistArray array_;
};

/// Numbers that are on no other rank.
template <class T>
std::vector<T> numbers(std::size_t count) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<T>(1000 * (world_rank() + 1) + static_cast<int>(i));
  return values;
}

}  // namespace daptor::test
