// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/index_list.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "daptor/error.hpp"

namespace daptor {

IndexList::IndexList(IndexVector indices) {
  auto list = std::make_shared<const std::vector<Index>>(std::move(indices));
  data_ = list->data();
  count_ = static_cast<Index>(list->size());
  owner_ = std::move(list);
}

IndexList::IndexList(std::shared_ptr<const void> owner, const Index* indices, Index count)
    : owner_(std::move(owner)), data_(indices), count_(count) {
  if (count < 0)
    defect_ = Defect(InvalidArgument("count", std::to_string(count), "0 or more"));
  else if (indices == nullptr && count > 0)
    defect_ =
        Defect(InvalidArgument("indices", "a null pointer to " + std::to_string(count) + " indices",
                               "a pointer to the first index"));
  if (defect_) count_ = 0;
}

std::vector<Index> IndexList::at(const std::vector<Index>& positions) const {
  std::vector<Index> chosen;
  chosen.reserve(positions.size());
  for (const Index position : positions) chosen.push_back(data_[position]);
  return chosen;
}

bool operator==(const IndexList& a, const IndexList& b) {
  return a.count_ == b.count_ && (a.data_ == b.data_ || std::equal(a.begin(), a.end(), b.begin()));
}

}  // namespace daptor
