// SPDX-License-Identifier: BSD-3-Clause
#include "arrays/place.hpp"

#include <algorithm>
#include <string>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::python {
namespace {

py::slice to_slice(IndexRange range) {
  return py::slice(py::int_(range.start), py::int_(range.stop), py::none());
}

/// The number of elements of the interior, which Python's integers always hold.
py::object element_count(const Array& self) {
  py::object product = py::int_(1);
  for (const Index extent : interior_extents(self)) product = product * py::int_(extent);
  return product;
}

/// The indices that this process owns along a dimension.
IndexRange owned_range(const Dimension& dimension, int d) {
  if (dimension.as<Undistributed>() != nullptr) return {0, dimension.global_size()};
  if (const auto* const block = dimension.as<daptor::Block>()) return block->owned;
  adapter::refuse_argument("argument",
                           "dimension " + std::to_string(d) + ", whose indices on a rank are " +
                               (dimension.dist_type() == 'u' ? "a list" : "blocks dealt in turn"),
                           "dimensions in blocks, or not divided",
                           "Write: whole[numpy.ix_(*a.global_indices)]");
}

TupleOf<py::slice> owned_global_slices(const Array& self) {
  TupleOf<py::slice> result(static_cast<std::size_t>(self.array.ndim()));
  for (std::size_t d = 0; d < result.size(); ++d)
    result[d] = to_slice(owned_range(self.array.dimensions()[d], static_cast<int>(d)));
  return result;
}

/// The range of the interior's indices along a dimension in blocks or that is not divided.
IndexRange interior_range(const Array& self, std::size_t d, IndexRange inside) {
  const Index edge = edges_of(self)[d].lower, extent = interior_extents(self)[d];
  return {std::clamp<Index>(inside.start - edge, 0, extent),
          std::clamp<Index>(inside.stop - edge, 0, extent)};
}

TupleOf<py::slice> global_slices(const Array& self) {
  const auto& dimensions = self.array.dimensions();
  py::tuple result(dimensions.size());
  for (std::size_t d = 0; d < dimensions.size(); ++d) {
    owned_range(dimensions[d], static_cast<int>(d));
    result[d] = to_slice(interior_range(self, d, dimensions[d].interior().value_or(IndexRange{})));
  }
  return result;
}

py::object indices_along(const Array& self, std::size_t d) {
  const Dimension& dimension = self.array.dimensions()[d];
  if (const auto* const list = dimension.as<Unstructured>()) {
    const IndexList owned = owned_indices(*list);
    return numpy_of({owned.begin(), owned.end()});
  }
  const Index first = dimension.owned_offset() +
                      std::min(dimension.boundary_padding().lower, dimension.owned_count());
  return global_indices_along(dimension, first, first + self.array.interior_shape()[d],
                              edges_of(self)[d].lower);
}

py::tuple global_indices(const Array& self) {
  py::tuple result(self.array.dimensions().size());
  for (std::size_t d = 0; d < result.size(); ++d) result[d] = indices_along(self, d);
  return result;
}

/// For each dimension what this rank holds of the interior: the pair (start, stop) or, if it is
/// divided by lists or dealt in turn, an array of indices.
py::tuple held_along(const Array& self) {
  py::tuple result(self.array.dimensions().size());
  for (std::size_t d = 0; d < result.size(); ++d) {
    const auto inside = self.array.dimensions()[d].interior();
    if (!inside) {
      result[d] = indices_along(self, d);
      continue;
    }
    const IndexRange range = interior_range(self, d, *inside);
    result[d] = py::make_tuple(range.start, range.stop);
  }
  return result;
}

/// What selects a part of the section along each dimension: a slice, or an array of positions where
/// ghosts lie between owned elements.
py::tuple picks(const Array& self, bool boundary) {
  py::tuple result(static_cast<std::size_t>(self.array.ndim()));
  for (std::size_t d = 0; d < result.size(); ++d) {
    const Dimension& dimension = self.array.dimensions()[d];
    const OwnedPart owned = dimension.owned_part();
    if (owned.apart()) {
      const IndexList positions = owned.positions();
      result[d] = numpy_of({positions.begin(), positions.end()});
      continue;
    }
    const Padding edge = boundary ? Padding() : dimension.boundary_padding();
    const Index lower = std::min(edge.lower, owned.count());
    const Index start = owned.first() + lower;
    result[d] = to_slice({start, start + std::max<Index>(0, owned.count() - lower - edge.upper)});
  }
  return result;
}

py::tuple owned_picks(const Array& self) {
  return picks(self, true);
}

py::tuple interior_picks(const Array& self) {
  return picks(self, false);
}

/// The same as one index of NumPy. It pairs several arrays of positions, instead of taking all
/// their combinations, unless they are an open mesh.
py::tuple index_of(const Array& self, const py::tuple& picks) {
  py::list positions;
  int lists = 0;
  const py::object arange = py::module_::import("numpy").attr("arange");
  for (std::size_t d = 0; d < picks.size(); ++d) {
    const py::object pick = picks[d];
    const bool slice = PySlice_Check(pick.ptr()) != 0;
    if (!slice) ++lists;
    positions.append(slice ? arange(self.array.local_shape()[d])[pick] : pick);
  }
  if (lists < 2) return picks;
  return py::module_::import("numpy").attr("ix_")(*positions);
}

py::tuple owned_slices(const Array& self) {
  return index_of(self, owned_picks(self));
}

py::tuple interior_slices(const Array& self) {
  return index_of(self, interior_picks(self));
}

/// The elements of the section that these slices select, as a view of NumPy unless there is an
/// array of positions. The ellipsis makes it one for arrays without dimensions too.
py::object part_of(const py::object& self, const py::tuple& slices) {
  const py::object section = py::module_::import("numpy").attr("asarray")(self);
  return section[slices + py::make_tuple(py::ellipsis())];
}

/// The part of the section that these slices select, as a view.
py::object view_of(const py::object& self, py::tuple (*slices)(const Array&), const char* name) {
  const auto& array = py::cast<const Array&>(self);
  if (array.array.owned_apart()) {
    const std::string part = std::string("numpy.asarray(a)[a.") + name + "]";
    adapter::refuse_argument("owned.apart", "owned elements with ghosts between them",
                             "owned elements at consecutive positions of the list",
                             "Write: " + part + ", a copy; to set them: " + part + " = x");
  }
  return part_of(self, slices(array));
}

}  // namespace

Edges edges_of(const Array& array) {
  return array.edges ? *array.edges : edges_in(array.array.dimensions());
}

std::vector<Index> interior_extents(const Array& array) {
  return adapter::interior_shape(array.array, edges_of(array));
}

py::object numpy_of(const std::vector<Index>& values) {
  py::object array = py::module_::import("numpy").attr("empty")(values.size(), "int64");
  std::copy(values.begin(), values.end(),
            static_cast<std::int64_t*>(py::buffer(array).request(true).ptr));
  return array;
}

py::object global_indices_along(const Dimension& dimension, Index first, Index last, Index edge) {
  const LocalDimensionMap map(dimension);
  std::vector<Index> indices;
  indices.reserve(static_cast<std::size_t>(std::max<Index>(0, last - first)));
  for (Index local = first; local < last; ++local) indices.push_back(map.global_of(local) - edge);
  return numpy_of(indices);
}

void bind_place(ArrayClass& type) {
  const auto property = [&](const char* name, const auto& getter, const char* doc) {
    type.def_property_readonly(name, getter, doc);
  };
  property(
      "shape", [](const Array& self) { return tuple_of(interior_extents(self)); },
      "Global extents of the interior: the elements of all ranks, without padding of either kind.");
  property(
      "padded_shape", [](const Array& self) { return tuple_of(self.array.global_shape()); },
      "Global extents with boundary padding, which are the sizes of the protocol.");
  property("size", element_count, "Number of elements of the interior of all ranks.");
  property(
      "local_shape", [](const Array& self) { return tuple_of(self.array.local_shape()); },
      "Extents of this rank's section, including all padding.");
  property(
      "owned_shape", [](const Array& self) { return tuple_of(self.array.owned_shape()); },
      "Extents of what this rank owns: the section without communication padding.");
  property("owned_slices", owned_slices, R"(Slices of the section that select its owned part.

An array of positions in place of a slice where ghosts lie between owned elements of a list (an open
mesh of them, as of numpy.ix_, if that is so in several dimensions): the selection is then a copy,
and numpy.asarray(a)[a.owned_slices] = x sets the elements.)");
  property(
      "interior_shape", [](const Array& self) { return tuple_of(self.array.interior_shape()); },
      "Extents of the section without padding of either kind: what a stencil code loops over.");
  property("interior_slices", interior_slices,
           "The same without boundary padding: what selects the interior.");
  property("_owned_picks", owned_picks, "");
  property("_interior_picks", interior_picks, "");
  property("global_slices", global_slices,
           R"(Where this rank's interior is in the whole array: slices in the indices of `shape`.

whole[a.global_slices] are the elements of a.interior. Process-local. Raises InvalidArgument if a
dimension is divided by lists, or dealt in turn: a.global_indices says it for those too.)");
  property("owned_global_slices", owned_global_slices,
           R"(Where this rank's owned part is: slices in the indices of `padded_shape`.

padded[a.owned_global_slices] are the elements of a.owned. Process-local. Errors as for
global_slices.)");
  property("_held", held_along, "");
  property("global_indices", global_indices,
           R"(The indices of this rank's interior along each dimension, in local order.

A tuple of int64 arrays of NumPy, in the indices of `shape`, for any distribution:
whole[numpy.ix_(*a.global_indices)] are the elements of a.interior. Those of a list without owners
may also be on other ranks. Process-local.)");
  property(
      "_interior",
      [](const py::object& self) {
        return part_of(self, interior_slices(py::cast<const Array&>(self)));
      },
      "");
  property(
      "interior",
      [](const py::object& self) { return view_of(self, interior_slices, "interior_slices"); },
      R"(This rank's elements without padding of either kind: a NumPy array on the same memory.

numpy.asarray(a)[a.interior_slices], and read-only if the array is. A write is seen by native objects
as one through numpy.asarray(a) is: within `with a.write()`, or after a.modified(). Process-local.
Raises BufferError as numpy.asarray(a), and InvalidArgument (owned.apart) if ghosts lie between owned
elements: numpy.asarray(a)[a.interior_slices] is a copy of them then.)");
  property(
      "owned", [](const py::object& self) { return view_of(self, owned_slices, "owned_slices"); },
      "The same with boundary padding, without communication padding: what this rank owns.");
}

}  // namespace daptor::python
