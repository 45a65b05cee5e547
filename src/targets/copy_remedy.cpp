// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/copy_remedy.hpp"

namespace daptor::adapter {
namespace {

Suggestion copy_to(const Section& array, const char* layout, const std::string& call,
                   const std::string& said) {
  const std::string cpp = "daptor::redistributed(a, daptor::layout::" + call;
  const std::string python = "a.redistributed(daptor.layout." + call;
  const std::string fortran = "call daptor_redistribute(a, b", to = "), with b in " + said;
  Suggestion copy =
      suggest_copy(array, "redistributed", terms::call(cpp + ")", python + ")", fortran + to),
                   terms::call(cpp + ", {false, true})", python + ", read_from_any=True)",
                               fortran + ", read_from_any=.true." + to));
  copy.options.insert(copy.options.begin(), {"layout", layout});
  return copy;
}

}  // namespace

int shared_dimension(const Section& array) {
  for (int d = 0; d < array.ndim(); ++d)
    if (leaves_open_who_owns(array.dimension(d)) && array.dimension(d).grid().size > 1) return d;
  return -1;
}

Suggestion suggest_copy(const Section& array, const char* function, const Terms& plain,
                        const Terms& shared) {
  if (!may_share_indices(array)) return {function, {}, plain};
  return {function, {{"read_from_any", "true"}}, shared};
}

Suggestion copy_to_blocks(const Section& array) {
  return copy_to(array, "blocks", "blocks()", "blocks");
}

Suggestion copy_to_slabs(const Section& array) {
  return copy_to(array, "slab", "slab(0)", "slabs");
}

}  // namespace daptor::adapter
