// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/batch.hpp"

#include "daptor/adapter/reason.hpp"
#include "exchange/share_memory.hpp"

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
  if (elements_share_memory(array))
    adapter::refuse_argument(wording.rule("strides"),
                             "strides that put several elements on the same memory",
                             "separate memory for each element, because elements are written");
}

void require_apart(const std::vector<DistArray>& arrays, const Wording& wording) {
  for (std::size_t i = 0; i < arrays.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (share_memory(arrays[j], arrays[i]))
        adapter::refuse_argument(wording.rule("memory"),
                                 "two arrays that are written and overlap in memory",
                                 "separate memory for each array of a batch");
}

std::vector<std::byte*> writable(const std::vector<DistArray>& arrays) {
  std::vector<std::byte*> data;
  data.reserve(arrays.size());
  for (const DistArray& array : arrays)
    data.push_back(static_cast<std::byte*>(array.mutable_data()));
  return data;
}

}  // namespace daptor::detail
