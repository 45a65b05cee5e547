// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/batch.hpp"
#include "daptor/adapter/reason.hpp"

namespace daptor::detail {

void require_one_layout(const std::vector<DistArray>& arrays, const Wording& wording) {
  for (const DistArray& array : arrays)
    if (!array.same_layout(arrays.front()))
      adapter::refuse_argument(wording.rule("layout"), "arrays of different layouts",
                               "one layout for all arrays of a batch",
                               std::string("Make a ") + wording.object + " for each layout.");
}

void require_like(const std::vector<DistArray>& arrays, const std::vector<DistArray>& before,
                  const Wording& wording) {
  if (arrays.size() != before.size())
    adapter::refuse_argument(wording.rule("batch"), std::to_string(arrays.size()) + " arrays",
                             "as many arrays as before, " + std::to_string(before.size()));
  for (const DistArray& array : arrays)
    if (!array.same_layout(before.front()))
      adapter::refuse_argument(
          wording.rule("layout"), "an array of a different layout",
          std::string("the layout that the ") + wording.object + " was made for",
          std::string("Make a ") + wording.object + " for the new layout.");
}

void require_host(const DistArray& array, const Wording& wording) {
  if (!array.buffer().space().host())
    adapter::refuse_argument(
        wording.rule("device"),
        "memory on a device of type " + std::to_string(array.buffer().space().device_type),
        "memory that the host can reach", "Bring the array to the host in the producer.");
}

void require_target(const DistArray& array, const Wording& wording) {
  require_host(array, wording);
  if (array.local_count() == 0) return;
  for (std::size_t d = 0; d < array.local_shape().size(); ++d)
    if (array.local_shape()[d] > 1 && array.byte_strides()[d] == 0)
      adapter::refuse_argument(wording.rule("strides"),
                               "a stride of 0 in dimension " + std::to_string(d),
                               "separate memory for each element, because elements are written");
}

std::vector<std::byte*> writable(const std::vector<DistArray>& arrays) {
  std::vector<std::byte*> data;
  data.reserve(arrays.size());
  for (const DistArray& array : arrays)
    data.push_back(static_cast<std::byte*>(array.mutable_data()));
  return data;
}

}  // namespace daptor::detail
