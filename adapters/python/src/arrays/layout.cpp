// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/layout.hpp"
#include "daptor/redistribute.hpp"

namespace daptor::python {
namespace {

using Sizes = std::optional<std::vector<Index>>;

/// `daptor.layout.Layout`: a TargetLayout, and the call that made it.
struct Layout {
  TargetLayout target;
  std::string text;
};

Order order_of(const std::string& name) {
  return OptionValue<Order>::read("order", py::str(name));
}

std::string order_text(Order order) {
  return "order='" + std::string(daptor::word_of(order)) + "')";
}

std::string text_of(const std::vector<Index>& values) {
  return py::str(py::tuple(py::cast(values)));
}

std::vector<Index> sizes_of(const Sizes& sizes) {
  return sizes.value_or(std::vector<Index>());
}

std::string text_of(const char* name, const Sizes& sizes) {
  return sizes && !sizes->empty() ? std::string(name) + '=' + text_of(*sizes) + ", "
                                  : std::string();
}

Layout natural() {
  return {layout::natural(), "daptor.layout.natural()"};
}

Layout slab(int dim, const std::string& order_name) {
  const Order order = order_of(order_name);
  return {layout::slab(dim, order),
          "daptor.layout.slab(" + std::to_string(dim) + ", " + order_text(order)};
}

Layout blocks(const Sizes& grid, const std::string& order_name) {
  const Order order = order_of(order_name);
  return {layout::blocks(sizes_of(grid), order),
          "daptor.layout.blocks(" + text_of("grid", grid) + order_text(order)};
}

Layout block_cyclic(const std::vector<Index>& block_sizes, const Sizes& grid, const Sizes& origin,
                    const std::string& order_name) {
  const Order order = order_of(order_name);
  return {layout::block_cyclic(block_sizes, sizes_of(grid), sizes_of(origin), order),
          "daptor.layout.block_cyclic(" + text_of(block_sizes) + ", " + text_of("grid", grid) +
              text_of("origin", origin) + order_text(order)};
}

Layout on_process(int rank, const std::string& order_name) {
  const Order order = order_of(order_name);
  return {layout::on_process(rank, order),
          "daptor.layout.on_process(" + std::to_string(rank) + ", " + order_text(order)};
}

/// An error in the layout is the same on all ranks and is thrown at once. A rank that lacks the
/// memory returns an array with a defect, which the first collective call throws on all ranks.
Array like_array(const Array& self, const Layout& layout) {
  const Unlocked unlocked;
  DistArray made = like(self.array, layout.target);
  try {
    made.defect().raise();
  } catch (const LibraryFailed&) {
  }
  return {std::move(made), self.comm};
}

Array redistributed_array(const Given& given, const Array& self, const py::object& target) {
  Call call = python_call(self.comm, "Array.redistributed");
  RedistributionOptions options;
  DistArray copy = call.check([&] {
    if (!is_a<Layout>(target))
      throw InvalidArgument("layout", type_text(target), "a layout of daptor.layout");
    const Layout layout = py::cast<Layout>(target);
    options = given.read<RedistributionOptions>();
    const Unlocked unlocked;
    DistArray made = like(self.array, layout.target);
    made.defect().raise();
    return made;
  });
  const Unlocked unlocked;
  redistribute(self.array, copy, options);
  return {std::move(copy), self.comm};
}

void bind_makers(py::module_& module) {
  module.def("_natural", natural);
  // With pybind11's conversions a number that is no integer would be cut off.
  const auto integers = py::arg().noconvert();
  module.def("_slab", slab, integers, py::arg());
  module.def("_blocks", blocks, integers, py::arg());
  module.def("_block_cyclic", block_cyclic, integers, integers, integers, py::arg());
  module.def("_on_process", on_process, integers, py::arg());
}

}  // namespace

void bind_layout(py::module_& module) {
  auto layout =
      py::class_<Layout>(
          module, "Layout", not_made_by_python(),
          R"(How an array of any shape is divided over the ranks of its communicator, and which
dimension varies fastest in memory. Made by the functions of daptor.layout; immutable.)")
          .def("__repr__", [](const Layout& self) { return self.text; })
          .def(
              "__eq__", [](const Layout& a, const Layout& b) { return a.text == b.text; },
              py::is_operator())
          .def("__hash__", [](const Layout& self) { return py::hash(py::str(self.text)); });
  refuse_pickling(layout);
  bind_makers(module);
  py::class_<Array> array(module.attr("Array"));
  array.def("like", like_array, py::arg("layout"),
            R"(Zeros in another layout, of this array's global shape and type. Process-local.

layout  one of daptor.layout, the same on all ranks

The memory of the new array is freed with the last Array, view or native object on it. No element is
copied.

Raises InvalidArgument for a layout that does not fit the shape or the number of ranks, the same on
all ranks. If a rank lacks the memory, the first collective call with the array raises LibraryFailed
on all ranks.)");
  const auto keywords = Keywords().of<RedistributionOptions>(
      {"fill_padding", "convert", "buffer_bytes", "through_host", "within_node"});
  define(array, "redistributed", keywords, redistributed_array, py::arg("layout"),
         R"(A copy of the array in another layout: like() and redistribute(). Collective.

layout  one of daptor.layout, the same on all ranks
{options}

The way back is daptor.redistribute(copy, a). Raises the errors of like() and redistribute() on all
ranks.)");
}

}  // namespace daptor::python
