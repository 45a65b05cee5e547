// SPDX-License-Identifier: BSD-3-Clause
#include <utility>
#include <vector>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/scalapack/matrix.hpp"
#include "matrix_reasons.hpp"

namespace daptor::scalapack {

Section transposed(const Section& array) {
  if (!array.described()) return array;
  if (array.ndim() != 2) {
    adapter::Reasons reasons;
    adapter::matrix_dimensions_reason(detail::matrix_form(), array, reasons);
    if (reasons.empty())
      reasons.push_back(adapter::reason("scalapack.matrix.dimensions", "one dimension",
                                        "two dimensions", "Import the vector as it is."));
    return Section(Defect(NotRepresentable(Report(std::move(reasons)))));
  }
  const auto swapped = [](const auto& list) {
    return std::decay_t<decltype(list)>{list[1], list[0]};
  };
  // The flag goes with the pointer: Buffer has one kind of pointer.
  Buffer buffer(array.type(), swapped(array.local_shape()), swapped(array.byte_strides()),
                const_cast<void*>(array.data()), array.readonly(), array.buffer().state(),
                array.buffer().space());
  return Section(array.version(), std::move(buffer), swapped(array.dimensions()));
}

DistArray transposed(const DistArray& array) {
  if (!array.described()) return array;
  return {transposed(static_cast<const Section&>(array)), array.comm()};
}

}  // namespace daptor::scalapack
