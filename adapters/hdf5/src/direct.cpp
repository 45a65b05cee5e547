// SPDX-License-Identifier: BSD-3-Clause
#include "direct.hpp"

#include <string>

#include "daptor/error.hpp"

namespace daptor::hdf5::detail {

Direct direct_of(const FileView& view) {
  Direct direct;
  for (const Dimension& dimension : view.array.dimensions()) {
    const std::optional<IndexRange> owned = dimension.interior();
    if (!owned) return {};
    direct.file.start.push_back(owned->start);
    direct.file.count.push_back(owned->size());
  }
  direct.memory = memory_region(view.array.local_shape(), view.array.byte_strides(),
                                view.array.type().itemsize());
  return direct;
}

std::int64_t memory_limit(std::int64_t option) {
  if (option < 0)
    throw InvalidArgument("memory_bytes", std::to_string(option), "0 or a number of bytes");
  return option == 0 ? std::int64_t{128} << 20 : option;
}

}  // namespace daptor::hdf5::detail
