// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/shared_index.hpp"

#include <utility>

#include "daptor/builders.hpp"
#include "daptor/one_to_one.hpp"

namespace daptor::adapter {

std::optional<Finding> shared_index(Call& call, const std::function<Dimension()>& list) {
  const DistArray lists =
      call.check([&] { return describe(DataType::of<char>(), nullptr, {list()}).on(call.comm()); });
  return prove_one_to_one(lists).against;
}

void SharedIndex::gather(bool comparable, Index size, std::vector<Index> indices, Words words,
                         Call& call) {
  size_ = size;
  indices_ = std::move(indices);
  words_ = std::move(words);
  comparable_ = call.all(comparable);
}

void SharedIndex::ask(Call& call) {
  if (!comparable_) return;
  const GridPosition place{call.comm().size(), call.comm().rank()};
  here_ = shared_index(call,
                       [&] { return unstructured(size_, place, IndexList(std::move(indices_))); });
  if (here_ && !is_at_fault(*here_, call.comm().rank())) here_.reset();
}

void SharedIndex::tell(Findings& findings) const {
  if (here_)
    findings.error(words_.rule, words_.before + here_->found, words_.expected, words_.remedy);
}

}  // namespace daptor::adapter
