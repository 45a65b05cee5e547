// SPDX-License-Identifier: BSD-3-Clause
#include "stages.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "daptor/adapter/undefined_memory.hpp"
#include "daptor/builders.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::hdf5::detail {
namespace {

std::vector<Index> counted_from(IndexRange range) {
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(range.size()));
  for (Index i = range.start; i < range.stop; ++i) indices.push_back(i);
  return indices;
}

DistArray allocated(const DataType& type, std::vector<Dimension> dimensions, const Comm& comm) {
  const Section section = adapter::allocate_undefined(type, std::move(dimensions));
  section.defect().raise();
  return section.on(comm);
}

/// Copies elements between strided memory of the same shape.
struct StridedCopy {
  const std::vector<Index>& shape;
  const std::vector<Index>& from_strides;
  const std::vector<Index>& to_strides;
  std::size_t itemsize;

  void run(std::size_t d, const char* from, char* to) const {
    if (d == shape.size()) {
      std::memcpy(to, from, itemsize);
      return;
    }
    for (Index i = 0; i < shape[d]; ++i)
      run(d + 1, from + i * from_strides[d], to + i * to_strides[d]);
  }
};

}  // namespace

Slab make_slab(const Stages& stages, Index number, const std::vector<Index>& shape,
               const DataType& type, const Comm& comm) {
  FileRegion file{std::vector<Index>(shape.size(), 0), shape};
  std::vector<Dimension> dimensions;
  for (int d = 0; d < static_cast<int>(shape.size()); ++d) {
    const auto at = static_cast<std::size_t>(d);
    if (d != stages.dimension) {
      dimensions.push_back(undistributed(shape[at]));
      continue;
    }
    const GridPosition grid{comm.size(), comm.rank()};
    const IndexRange mine = stages.part(number, grid);
    file.start[at] = mine.start;
    file.count[at] = mine.size();
    dimensions.push_back(stages.count == 1
                             ? block(shape[at], grid, mine)
                             : unstructured(shape[at], grid, IndexList(counted_from(mine)), true));
  }
  DistArray array = allocated(type, std::move(dimensions), comm);
  auto memory = memory_region(array.local_shape(), array.byte_strides(), type.itemsize());
  return {std::move(array), std::move(file), std::move(*memory)};
}

Part::Part(const DistArray& view, const Stages& stages, Index number)
    : view_(view), dimension_(stages.dimension) {
  const IndexRange stage = stages.stage(number);
  std::vector<Index> globals;
  LocalDimensionMap(view.dimension(dimension_)).for_each_run([&](const IndexRun& run) {
    const IndexRange all{run.global_start, run.global_start + run.count};
    const IndexRange mine = intersect(all, stage);
    for (Index global = mine.start; global < mine.stop; ++global) {
      globals.push_back(global);
      positions_.push_back(run.local_start + (global - run.global_start));
    }
  });
  std::vector<Dimension> dimensions = view.dimensions();
  Dimension& divided = dimensions[static_cast<std::size_t>(dimension_)];
  divided = unstructured(divided.global_size(), divided.grid(), IndexList(std::move(globals)));
  array_ = allocated(view.type(), std::move(dimensions), view.comm());
  // The way back copies ghosts between owned elements too, which it must not change.
  if (array_.owned_apart()) copy(view_, array_, array_.mutable_data());
}

void Part::copy_to_view() const {
  copy(array_, view_, view_.mutable_data());
}

void Part::copy(const Section& source, const Section& target, void* memory) const {
  if (array_.local_count() == 0) return;
  const auto divided = static_cast<std::size_t>(dimension_);
  std::vector<Index> row = array_.local_shape();
  row[divided] = 1;
  const StridedCopy elements{row, source.byte_strides(), target.byte_strides(),
                             array_.type().itemsize()};
  const Index from_step = source.byte_strides()[divided], to_step = target.byte_strides()[divided];
  const bool to_view = &target == &view_;
  const auto* from = static_cast<const char*>(source.data());
  auto* to = static_cast<char*>(memory);
  for (std::size_t i = 0; i < positions_.size(); ++i) {
    const Index here = static_cast<Index>(i), there = positions_[i];
    elements.run(0, from + (to_view ? here : there) * from_step,
                 to + (to_view ? there : here) * to_step);
  }
}

}  // namespace daptor::hdf5::detail
