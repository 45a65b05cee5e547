// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/memory.hpp"

#include "daptor/error.hpp"

namespace daptor::adapter {

std::size_t number_size(const DataType& type) {
  return type.kind() == Kind::complex ? type.itemsize() / 2 : type.itemsize();
}

const void* first_owned(const Section& array) {
  const auto* data = static_cast<const char*>(array.data());
  if (data == nullptr || array.owned_count() == 0) return data;
  for (int d = 0; d < array.ndim(); ++d)
    data += array.dimension(d).owned_offset() * array.byte_strides()[static_cast<std::size_t>(d)];
  return data;
}

void require_same_memory(const Section& array) {
  SharedState& state = *array.buffer().state();
  if (state.plain()) return;
  Producer& producer = state.producer();
  // The pointer is only compared; nothing is written through it.
  void* const described = const_cast<void*>(array.data());
  const bool same = producer.begin_access(Access::read, described) == described;
  producer.end_access(Access::read);
  if (!same)
    throw Stale("memory at a different address than the description says",
                "Export the array again.");
}

void require_memory(const Section& array) {
  if (!array.buffer().has_memory())
    throw InvalidArgument("array", "a description without memory",
                          "an array with memory (Section::with_memory)");
  require_same_memory(array);
}

}  // namespace daptor::adapter
