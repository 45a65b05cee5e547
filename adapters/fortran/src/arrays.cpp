// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"

namespace daptor::fortran {
std::shared_ptr<const Array> first_of(const Handle* arrays, std::int64_t count) {
  if (count < 1) refuse_empty(ObjectKind<Array>::name);
  return array_of(arrays[0]);
}

std::vector<DistArray> all_of(const Handle* arrays, std::int64_t count) {
  std::vector<DistArray> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(array_of(arrays[i])->array);
  return result;
}

}  // namespace daptor::fortran
