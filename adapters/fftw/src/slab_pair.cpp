// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fft/slab_pair.hpp"

#include <memory>
#include <string>
#include <utility>

#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/fft/real_and_spectrum.hpp"
#include "slab_sizes.hpp"

namespace daptor::fft {
namespace {

void require_allocatable(const DataType& type, const std::vector<Index>& shape, bool transposed) {
  if (!is_real(type) && !is_complex(type))
    adapter::refuse_argument("fft.type", "elements of " + type.name(),
                             "float32, float64, complex64 or complex128",
                             "Convert the elements to one of these types.");
  if (shape.size() < 2 || !adapter::product(shape) || *adapter::product(shape) < 1)
    adapter::refuse_argument("fft.shape", std::to_string(shape.size()) + " dimensions",
                             "two or more, with elements",
                             "Use " + names::transform + " without FFTW-MPI.");
  if (is_real(type) && transposed)
    adapter::refuse_argument("fft.engine", "real numbers to a transposed output",
                             "complex numbers, or an output that is not transposed",
                             "Use " + names::transform + " without FFTW-MPI.");
}

std::vector<Dimension> slab_dimensions(const std::vector<Index>& shape, std::size_t divided,
                                       IndexRange owned, const Comm& comm) {
  std::vector<Dimension> dimensions;
  for (std::size_t d = 0; d < shape.size(); ++d)
    dimensions.push_back(d == divided ? block(shape[d], {comm.size(), comm.rank()}, owned)
                                      : undistributed(shape[d]));
  return dimensions;
}

/// Dimension 1 varies slower than dimension 0.
std::vector<Index> transposed_strides(const std::vector<Dimension>& dimensions, Index item) {
  std::vector<Index> strides(dimensions.size(), item);
  for (std::size_t d = dimensions.size() - 1; d-- > 2;)
    strides[d] = strides[d + 1] * dimensions[d + 1].local_extent();
  strides[0] = dimensions.size() > 2 ? strides[2] * dimensions[2].local_extent() : item;
  strides[1] = strides[0] * dimensions[0].local_extent();
  return strides;
}

SlabPair make_pair_of_slabs(const DataType& type, const std::vector<Index>& shape, const Comm& comm,
                            bool transposed) {
  const bool real = is_real(type);
  const DataType complex = complex_of(type);
  std::vector<Index> spectrum = shape;
  if (real) spectrum.back() = shape.back() / 2 + 1;
  const detail::SlabSizes sizes = detail::slab_sizes(spectrum, comm);
  const Section memory = allocate(complex, {undistributed(sizes.room)});
  memory.defect().raise();
  const auto owner = std::make_shared<Section>(memory);
  void* const data = memory.mutable_data();
  const std::vector<Dimension> rows = slab_dimensions(shape, 0, sizes.rows, comm);
  Section input, output;
  if (real) {
    RealAndSpectrum both = real_and_spectrum(type, data, 2 * sizes.room, rows, owner);
    input = std::move(both.real);
    output = std::move(both.spectrum);
  } else {
    input = describe(type, data, rows, Order::c, false, owner);
    const std::vector<Dimension> columns = slab_dimensions(shape, 1, sizes.columns, comm);
    output = input;
    if (transposed) {
      std::vector<Index> extents;
      extents.reserve(columns.size());
      for (const Dimension& dimension : columns) extents.push_back(dimension.local_extent());
      Buffer buffer(type, std::move(extents),
                    transposed_strides(columns, static_cast<Index>(complex.itemsize())), data,
                    false, input.buffer().state());
      output = Section(input.version(), std::move(buffer), columns);
    }
  }
  input.defect().raise();
  output.defect().raise();
  return {input.on(comm), output.on(comm), sizes.room};
}

}  // namespace

SlabPair allocate_slabs(const DataType& type, const IndexVector& shape, const Comm& comm,
                        bool transposed) {
  Call call(comm, "fft::allocate_slabs");
  return call.check([&] {
    require_allocatable(type, shape, transposed);
    call.same("type", type.name());
    call.same("shape", adapter::shape_text(shape));
    call.same("transposed", transposed);
    return make_pair_of_slabs(type, shape, comm, transposed);
  });
}

}  // namespace daptor::fft
