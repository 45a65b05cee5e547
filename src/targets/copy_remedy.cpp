// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/copy_remedy.hpp"

namespace daptor::adapter {
namespace {

Suggestion copy_to(const Section& array, const char* layout, const std::string& call) {
  const std::string begin = "daptor::redistributed(a, daptor::layout::" + call;
  Suggestion copy = suggest_copy(array, "redistributed", begin + ")", begin + ", {false, true})");
  copy.options.insert(copy.options.begin(), {"layout", layout});
  return copy;
}

}  // namespace

int shared_dimension(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d)
    if (leaves_open_who_owns(array.dimension(d)) && array.dimension(d).grid().size > 1) return d;
  return -1;
}

Suggestion suggest_copy(const Section& array, const char* function, const std::string& cpp,
                        const std::string& shared) {
  if (!may_share_indices(array)) return {function, {}, cpp};
  return {function, {{"read_from_any", "true"}}, shared};
}

Suggestion copy_to_blocks(const Section& array) {
  return copy_to(array, "blocks", "blocks()");
}

Suggestion copy_to_slabs(const Section& array) {
  return copy_to(array, "slab", "slab(0)");
}

}  // namespace daptor::adapter
