// SPDX-License-Identifier: BSD-3-Clause
#include "exchange/redistribution/outline.hpp"

#include <algorithm>
#include <limits>

#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"

namespace daptor::detail {
namespace {

std::vector<Index> words_of(const Outline& outline) {
  std::vector<Index> words{static_cast<Index>(outline.type.kind()),
                           static_cast<Index>(outline.type.itemsize()),
                           static_cast<Index>(outline.type.byte_order()), outline.arrays};
  words.insert(words.end(), outline.shape.begin(), outline.shape.end());
  for (const char letter : outline.dist_types) words.push_back(letter);
  return words;
}

Outline outline_from(const std::vector<Index>& words) {
  constexpr std::size_t fixed = 4;
  Outline outline;
  outline.type = DataType(static_cast<Kind>(words[0]), static_cast<std::size_t>(words[1]),
                          static_cast<ByteOrder>(words[2]));
  outline.arrays = words[3];
  const std::size_t ndim = (words.size() - fixed) / 2;
  for (std::size_t d = 0; d < ndim; ++d) {
    outline.shape.push_back(words[fixed + d]);
    outline.dist_types.push_back(static_cast<char>(words[fixed + ndim + d]));
  }
  return outline;
}

}  // namespace

std::optional<Index> Outline::elements() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  Index product = 1;
  for (const Index n : shape) {
    if (product > std::numeric_limits<Index>::max() / n) return std::nullopt;
    product *= n;
  }
  return product;
}

Outline outline_of(const Section& array, Index arrays) {
  Outline outline{array.global_shape(), "", array.type(), arrays};
  for (const Dimension& dimension : array.dimensions())
    outline.dist_types.push_back(dimension.dist_type());
  return outline;
}

Outline shared_outline(const Outline* own, Call& call) {
  std::int64_t root =
      own != nullptr ? call.comm().rank() : std::numeric_limits<std::int64_t>::max();
  call.comm()->allreduce(&root, 1, Reduction::min);
  if (root == std::numeric_limits<std::int64_t>::max())
    adapter::refuse_argument("redistribute.comm", "no process with arrays",
                             "at least one process with sources and one with targets");
  auto words = call.check([&] { return own != nullptr ? words_of(*own) : std::vector<Index>(); });
  auto size = static_cast<std::int64_t>(words.size());
  call.comm()->broadcast(&size, sizeof size, static_cast<int>(root));
  call.check([&] { words.resize(static_cast<std::size_t>(size)); });
  call.comm()->broadcast(words.data(), words.size() * sizeof(Index), static_cast<int>(root));
  return call.check([&] { return outline_from(words); });
}

}  // namespace daptor::detail
