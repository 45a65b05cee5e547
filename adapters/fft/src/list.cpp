// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/list.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "coverage.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/fft/tiling.hpp"

namespace daptor::fft {
namespace {

/// Row-major numbers in the grid of the elements of a packed box, in the order of its memory.
std::vector<Index> numbers_in_memory_order(const Box& box) {
  if (box.empty()) return {};
  std::vector<Index> steps(box.shape.size(), 1);
  for (std::size_t d = steps.size() - 1; d-- > 0;) steps[d] = steps[d + 1] * box.shape[d + 1];
  std::vector<Index> numbers;
  numbers.reserve(static_cast<std::size_t>(box.count()));
  Index first = 0;
  for (std::size_t d = 0; d < steps.size(); ++d) first += box.lower[d] * steps[d];
  numbers.push_back(first);
  const std::vector<Index> extents = box.extents();
  for (const int dimension : box.order()) {
    const auto d = static_cast<std::size_t>(dimension);
    const std::size_t faster = numbers.size();
    for (Index i = 1; i < extents[d]; ++i)
      for (std::size_t k = 0; k < faster; ++k) numbers.push_back(numbers[k] + i * steps[d]);
  }
  return numbers;
}

}  // namespace

DistArray describe_as_list(const DataType& type, void* data, Index length, const Box& box,
                           const Comm& comm, std::shared_ptr<const void> owner) {
  Call call(comm, "fft::describe_as_list");
  require_tiling(box, comm);
  return call.check([&] {
    detail::require_strides(box);
    if (!box.packed())
      adapter::refuse_argument("fft.gaps", "strides " + adapter::tuple_text(box.strides),
                               "the elements of the process without gaps",
                               "Leave the strides out, or use a tiling that is a product.");
    std::vector<Dimension> dimensions{unstructured(*adapter::product(box.shape),
                                                   {comm.size(), comm.rank()},
                                                   IndexList(numbers_in_memory_order(box)), true)};
    Section array = data == nullptr && !box.empty()
                        ? daptor::describe(type, nullptr, std::move(dimensions))
                        : daptor::describe(type, data, length, std::move(dimensions),
                                           std::vector<Index>{static_cast<Index>(type.itemsize())},
                                           false, std::move(owner));
    array.defect().raise();
    return array.on(comm);
  });
}

}  // namespace daptor::fft
