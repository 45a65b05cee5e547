// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/complex_view.hpp"

#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "daptor/adapter/order.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/error.hpp"
#include "daptor/fft/adapter/elements.hpp"

namespace daptor::fft {
namespace {

[[noreturn]] void refuse_pairs(const Terms& found, int d = -1) {
  throw InvalidArgument(Report({adapter::reason(
      "fft.pairs", d, found,
      "pairs of real numbers that lie side by side, in a last dimension of size 2 or in the "
      "dimension that varies fastest",
      "Describe the array with the pairs as a last, undistributed dimension of size 2.")}));
}

Index half(Index value, int d) {
  if (value % 2 != 0)
    refuse_pairs(
        "a section that begins or ends with one number of a pair, at " + std::to_string(value), d);
  return value / 2;
}

/// The dimension with unit stride; of several with one index each, the last.
int fastest(const Section& a) {
  const auto item = static_cast<Index>(a.type().itemsize());
  for (int d = a.ndim() - 1; d >= 0; --d)
    if (a.local_shape()[static_cast<std::size_t>(d)] > 1 &&
        a.byte_strides()[static_cast<std::size_t>(d)] == item)
      return d;
  return -1;
}

Dimension halved(const Dimension& dimension, int d) {
  const Index size = half(dimension.global_size(), d);
  if (dimension.communication_padding().total() != 0 || dimension.boundary_padding().total() != 0)
    refuse_pairs("padding in the dimension of the pairs", d);
  if (dimension.as<Undistributed>() != nullptr) return undistributed(size);
  const auto owned = adapter::owned_range(dimension);
  if (!owned) refuse_pairs("indices that are no range", d);
  return block(size, dimension.grid(), {half(owned->start, d), half(owned->stop, d)});
}

Section paired(const Section& a) {
  const DataType type = complex_of(a.type());
  const auto item = static_cast<Index>(a.type().itemsize());
  std::vector<Dimension> dimensions = a.dimensions();
  std::vector<Index> strides = a.byte_strides();
  if (a.ndim() == 0) refuse_pairs("an array without dimensions");
  const Dimension& last = dimensions.back();
  if (a.ndim() > 1 && last.global_size() == 2 && last.local_extent() == 2 &&
      last.grid().size == 1 && last.as<Unstructured>() == nullptr &&
      (strides.back() == item || a.local_count() == 0)) {
    dimensions.pop_back();
    strides.pop_back();
  } else {
    // A section without elements has no strides that tell.
    int d = fastest(a);
    if (d < 0 && a.local_count() == 0) d = a.ndim() - 1;
    if (d < 0) refuse_pairs("no dimension whose elements lie side by side");
    for (int other = 0; other < a.ndim(); ++other) {
      Index& stride = strides[static_cast<std::size_t>(other)];
      if (other == d)
        stride = 2 * item;
      else if (stride % (2 * item) != 0 && a.local_shape()[static_cast<std::size_t>(other)] > 1)
        refuse_pairs("a stride of " + std::to_string(stride) + " bytes", other);
    }
    dimensions[static_cast<std::size_t>(d)] = halved(dimensions[static_cast<std::size_t>(d)], d);
  }
  std::vector<Index> shape;
  shape.reserve(dimensions.size());
  for (const Dimension& dimension : dimensions) shape.push_back(dimension.local_extent());
  // The flag goes with the pointer: Buffer has one kind of pointer.
  Buffer buffer(type, std::move(shape), std::move(strides), const_cast<void*>(a.data()),
                a.readonly(), a.buffer().state(), a.buffer().space());
  return Section(a.version(), std::move(buffer), std::move(dimensions));
}

}  // namespace

Section complex_view(const Section& a) {
  if (!a.described() || is_complex(a.type())) return a;
  return deferred(
      [&] {
        if (!is_real(a.type())) refuse_pairs("elements of " + a.type().name());
        return paired(a);
      },
      [](Defect defect) { return Section(std::move(defect)); });
}

DistArray complex_view(const DistArray& a) {
  return {complex_view(static_cast<const Section&>(a)), a.comm()};
}

}  // namespace daptor::fft
