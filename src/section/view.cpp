// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/view.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"

namespace daptor::detail {
namespace {

void require_type(const DataType& found, const DataType& asked) {
  if (found == asked) return;
  if (found == DataType(asked.kind(), asked.itemsize(), found.byte_order()))
    adapter::refuse_argument(
        "view.byte-order", "elements of type " + found.name(), "the byte order of this machine",
        "Swap the bytes in the producer, or read the elements through data().");
  adapter::refuse_argument("view.type", "elements of type " + found.name(), asked.name(),
                           "Ask for the element type that type() of the array names.");
}

void require_aligned(const Section& array, std::size_t alignment) {
  if (array.local_count() == 0) return;
  if (adapter::bytes_past(array.data(), alignment) != 0)
    adapter::refuse_argument(
        "view.alignment", "a first element at a misaligned address",
        "an address that is a multiple of " + std::to_string(alignment) + " bytes",
        "Align the memory in the producer.");
  for (std::size_t d = 0; d < array.byte_strides().size(); ++d) {
    const Index stride = array.byte_strides()[d];
    if (array.local_shape()[d] > 1 && stride % static_cast<Index>(alignment) != 0)
      adapter::refuse_argument(
          "view.alignment",
          "a stride of " + std::to_string(stride) + " bytes in " + terms::dimension(d),
          "strides that are multiples of " + std::to_string(alignment) + " bytes",
          "Align the elements in the producer.");
  }
}

}  // namespace

void require_viewable(const Section& array, int ndim, const DataType& type, std::size_t alignment,
                      bool writable) {
  if (array.ndim() != ndim)
    adapter::refuse_argument("view.rank", std::to_string(array.ndim()) + " dimensions",
                             std::to_string(ndim),
                             "Ask for a view with as many dimensions as the array has.");
  require_type(array.type(), type);
  adapter::require_host("view.device", array);
  if (!array.buffer().has_memory())
    adapter::refuse_argument("view.memory", "a description without memory", "an array with memory",
                             "Give it memory with with_memory().");
  if (writable && array.readonly())
    adapter::refuse_argument("view.readonly", "a writable view of a read-only array",
                             "a view of const elements", "Ask for view<const T, Rank>.");
  require_aligned(array, alignment);
}

}  // namespace daptor::detail
