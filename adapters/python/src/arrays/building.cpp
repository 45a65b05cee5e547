// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arrays/array.hpp"
#include "arrays/place.hpp"
#include "bindings.hpp"
#include "calls/arguments.hpp"
#include "daptor/block_dimensions.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/detail/block_padding.hpp"
#include "descriptions/importing.hpp"
#include "descriptions/write.hpp"

namespace daptor::python {
namespace {

using Indices = std::vector<Index>;
using Widths = std::vector<std::pair<Index, Index>>;
/// The owned range along each dimension; `nullopt` for a dimension that is divided evenly.
using Bounds = std::vector<std::optional<std::pair<Index, Index>>>;

/// The dimensions of one section, without a defect. Unlike their dictionaries, they include the
/// padding that the builder was asked for (Block::asked).
struct Dimensions {
  std::vector<Dimension> list;
};

Dimensions sound(std::vector<Dimension> list) {
  describe(DataType::of<char>(), nullptr, list).defect().raise();
  return {std::move(list)};
}

std::vector<Padding> paddings(const Widths& widths) {
  std::vector<Padding> result;
  result.reserve(widths.size());
  for (const auto& [lower, upper] : widths) result.push_back({lower, upper});
  return result;
}

void replace_undivided(std::vector<Dimension>& list, const std::vector<bool>& undivided) {
  for (std::size_t d = 0; d < undivided.size(); ++d)
    if (undivided[d]) list[d] = undistributed(list[d].global_size());
}

/// Dimensions that are divided evenly, except those with explicit bounds and those that are not
/// divided.
Dimensions block_dimensions_of(const Indices& shape, const py::object& comm, const Indices& grid,
                               const std::vector<bool>& undivided, const Widths& padding,
                               const Widths& boundary, const std::vector<bool>& periodic,
                               const Indices& ghosts, const Bounds& bounds) {
  const HeldComm held = communicator_of(comm);
  const ProcessGrid on = process_grid(static_cast<int>(shape.size()), *held, grid, periodic);
  const BlockOptions options{{}, paddings(padding), paddings(boundary), on.periodic, ghosts};
  Dimensions even = sound(daptor::detail::even_blocks(shape, on, options));
  const bool padded = !padding.empty() || !boundary.empty() || !ghosts.empty();
  std::vector<Dimension> list = std::move(even.list);
  for (std::size_t d = 0; d < bounds.size(); ++d) {
    if (!bounds[d]) continue;
    const IndexRange owned{bounds[d]->first, bounds[d]->second};
    const GridPosition position = list[d].grid();
    list[d] = padded || on.periodic[d]
                  ? block(shape[d], position, owned, daptor::detail::padding_of(options, d))
                  : block(shape[d], position, owned);
  }
  replace_undivided(list, undivided);
  return sound(std::move(list));
}

Dimensions cyclic_dimensions_of(const Indices& shape, const py::object& comm, const Indices& grid,
                                const std::vector<bool>& undivided, const Indices& block_size,
                                const Indices& origin) {
  const HeldComm held = communicator_of(comm);
  const ProcessGrid on = process_grid(static_cast<int>(shape.size()), *held, grid);
  std::vector<Dimension> list;
  for (std::size_t d = 0; d < shape.size(); ++d)
    list.push_back(cyclic(shape[d], {on.sizes[d], on.position[d]}, block_size[d], origin[d]));
  replace_undivided(list, undivided);
  return sound(std::move(list));
}

TupleOf<Index> local_shape(const Dimensions& self) {
  std::vector<Index> extents;
  for (const Dimension& dimension : self.list) extents.push_back(dimension.local_extent());
  return tuple_of(extents);
}

/// Extents without padding of any kind.
TupleOf<Index> interior_shape(const Dimensions& self) {
  std::vector<Index> extents;
  for (const Dimension& dimension : self.list)
    extents.push_back(dimension.interior().value_or(IndexRange{}).size());
  return tuple_of(extents);
}

/// The slices of the section without boundary padding, and the global indices of these elements
/// along each dimension, in those of the interior. Copies have the indices of their owners.
py::tuple unbounded(const Dimensions& self) {
  const Edges edges = edges_in(self.list);
  py::tuple slices(self.list.size()), indices(self.list.size());
  for (std::size_t d = 0; d < self.list.size(); ++d) {
    const Padding boundary = self.list[d].boundary_padding();
    const Index stop = std::max(boundary.lower, self.list[d].local_extent() - boundary.upper);
    slices[d] = py::slice(py::int_(boundary.lower), py::int_(stop), py::none());
    indices[d] = global_indices_along(self.list[d], boundary.lower, stop, edges[d].lower);
  }
  return py::make_tuple(slices, indices);
}

/// The array that was read, with the hints of the builder that described it.
Section with_hints(Section array, const std::optional<Dimensions>& built) {
  if (!built || array.dimensions() != built->list || !array.warnings().findings().empty())
    return array;
  return Section(array.version(), array.buffer(), built->list);
}

/// The section as described. If its buffer has another shape, the error carries the builder's
/// advice.
Section section_of(const Reading& reading, const std::optional<Dimensions>& built,
                   const std::string& advice) {
  try {
    return with_hints(reading.array(), built);
  } catch (const Malformed& error) {
    if (advice.empty() || error.finding().key != "buffer") throw;
    std::vector<Finding> findings = error.report().findings();
    for (Finding& finding : findings)
      if (finding.key == "buffer") finding.remedy = advice;
    throw Malformed(Report(std::move(findings)));
  }
}

/// Collective. Imports a section that a builder of this package describes. Its attribute `built` is
/// its _Dimensions or None, and `advice` says what to do if the buffer has another shape.
Array import_section(const py::object& section, const py::object& comm_object) {
  HeldComm comm = communicator_of(comm_object);
  const Reading reading = read(section);
  std::optional<Dimensions> built;
  std::string advice;
  if (!reading.failure) {
    const py::object dimensions = section.attr("built");
    if (!dimensions.is_none()) built = py::cast<Dimensions>(dimensions);
    advice = py::cast<std::string>(section.attr("advice"));
  }
  const Unlocked unlocked;
  Call call(*comm, "import_");
  Section array = call.check([&] { return section_of(reading, built, advice); });
  return imported(call, std::move(array), std::move(comm), reading);
}

}  // namespace

void bind_building(py::module_& module) {
  py::class_<Dimensions>(module, "_Dimensions", not_made_by_python(),
                         "The dimensions of one rank's section of an array that is built.")
      .def_property_readonly("dictionaries",
                             [](const Dimensions& self) { return write_dimensions(self.list); })
      .def_property_readonly("local_shape", local_shape)
      .def_property_readonly("interior_shape", interior_shape)
      .def_property_readonly("unbounded", unbounded);
  py::class_<Array> array(module.attr("Array"));
  array.def("_dimensions", [](const Array& self) { return Dimensions{self.array.dimensions()}; });
  module.def("_block_dimensions", block_dimensions_of);
  module.def("_cyclic_dimensions", cyclic_dimensions_of);
  module.def("_import_section", import_section);
}

}  // namespace daptor::python
