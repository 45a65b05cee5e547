// SPDX-License-Identifier: BSD-3-Clause
#include "file_view.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"

namespace daptor::hdf5::detail {
namespace {

/// A dimension without padding, and without the boundary padding of these widths.
struct WithoutPadding {
  const Dimension& dimension;
  Padding boundary;

  Index size() const { return dimension.global_size() - boundary.total(); }

  Dimension operator()(const Undistributed&) const { return undistributed(size()); }
  Dimension operator()(const Block& block) const {
    const auto moved = [&](Index bound) {
      return std::clamp<Index>(bound - boundary.lower, 0, size());
    };
    Block bare;
    bare.grid = block.grid;
    bare.owned = {moved(block.owned.start), moved(block.owned.stop)};
    return {size(), bare};
  }
  Dimension operator()(const Cyclic& cyclic) const { return {size(), cyclic}; }
  /// Where ghosts lie between owned elements, they remain.
  Dimension operator()(const Unstructured& list) const {
    if (!list.owned || list.owned->apart()) return {size(), list};
    Unstructured owned = list;
    owned.indices = owned_indices(list);
    owned.owned = list.owned->count();
    return {size(), owned};
  }
};

/// The local index along a dimension that comes first in the view.
Index first_local(const Dimension& dimension, bool with_boundary) {
  if (dimension.owned_part().apart()) return 0;
  const Index boundary = with_boundary ? 0 : dimension.boundary_padding().lower;
  return dimension.owned_offset() + std::min(boundary, dimension.owned_count());
}

const void* moved(const void* data, Index bytes) {
  return data == nullptr ? data : static_cast<const char*>(data) + bytes;
}
void* moved(void* data, Index bytes) {
  return data == nullptr ? data : static_cast<char*>(data) + bytes;
}

}  // namespace

bool FileView::empty() const {
  return std::find(shape.begin(), shape.end(), 0) != shape.end();
}

Boundary::Boundary(Call& call, const Section& a, bool kept) : kept_(kept) {
  for (int d = 0; d < a.ndim(); ++d) {
    const Padding here = kept ? Padding() : a.dimension(d).boundary_padding();
    widths_.push_back({call.greatest(here.lower), call.greatest(here.upper)});
  }
}

std::vector<Dimension> Boundary::dimensions_of(const Section& a) const {
  std::vector<Dimension> dimensions;
  for (int d = 0; d < a.ndim(); ++d) {
    const Widths& widths = widths_[static_cast<std::size_t>(d)];
    const Dimension& dimension = a.dimension(d);
    dimensions.push_back(std::visit(WithoutPadding{dimension, {widths.lower, widths.upper}},
                                    dimension.distribution()));
  }
  return dimensions;
}

template <class Memory>
FileView Boundary::made(const DistArray& a, Memory* memory) const {
  const std::vector<Index>& strides = a.byte_strides();
  Index bytes = 0;
  for (std::size_t d = 0; d < strides.size(); ++d)
    bytes += first_local(a.dimensions()[d], kept_) * strides[d];
  Section section = describe(a.type(), nullptr, dimensions_of(a), strides);
  section.defect().raise();
  FileView view{section.with_memory(moved(memory, bytes)).on(a.comm()), section.global_shape()};
  return view;
}

FileView Boundary::view(const DistArray& a, const void* memory) const {
  return made(a, memory);
}
FileView Boundary::view(const DistArray& a, void* memory) const {
  return made(a, memory);
}

void require_places(const Section& a) {
  for (int d = 0; d < a.ndim(); ++d) {
    const Dimension& dimension = a.dimension(d);
    const auto* list = dimension.as<Unstructured>();
    if (list == nullptr) continue;
    const IndexRange places{0, dimension.global_size()};
    const IndexList owned = owned_indices(*list);
    const Index* const outside = std::find_if(owned.begin(), owned.end(),
                                              [&](Index index) { return !places.contains(index); });
    if (outside != owned.end())
      adapter::refuse_argument(
          "hdf5.indices", "index " + terms::index(*outside, d) + " in " + terms::dimension(d),
          "indices in " + terms::range(places, d), "Number the elements from 0 without gaps.");
  }
}

}  // namespace daptor::hdf5::detail
