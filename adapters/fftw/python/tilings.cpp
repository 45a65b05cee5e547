// SPDX-License-Identifier: BSD-3-Clause
#include <optional>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/fft.hpp"

namespace daptor::python {
namespace {

py::tuple box_of(const py::object& object) {
  const fft::Box box = fft::box(array_of("array", object).array);
  return py::make_tuple(box.shape, box.lower, box.upper, box.strides, box.order(), box.packed());
}

/// The array of a collective call. Where the argument of this rank is none, the others are told on
/// the only communicator that Daptor knows.
Array array_of_all(const py::object& object, const char* name) {
  adapter::FirstFailure failure;
  std::optional<Array> array;
  failure.attempt([&] { array = array_of("array", object); });
  const HeldComm comm = array ? array->comm : communicator_for_failure(failure.get());
  Call call = python_call(comm, name, failure);
  call.check([] {});
  return *array;
}

py::tuple tile_of(const py::object& object) {
  const Array array = array_of_all(object, "fft.tile");
  const fft::Tile tile = [&] {
    const Unlocked unlocked;
    return fft::tile(array.array);
  }();
  return py::make_tuple(tile.dimensions, tile.sizes, tile.lower, tile.upper);
}

py::tuple slab_of(const py::object& object, const py::object& division) {
  adapter::FirstFailure failure;
  std::optional<Array> array;
  fft::Division way = fft::Division::even;
  failure.attempt([&] { array = array_of("array", object); });
  const HeldComm comm = array ? array->comm : communicator_for_failure(failure.get());
  Call call = python_call(comm, "fft.slab", failure);
  call.check([&] { way = OptionValue<fft::Division>::read("division", division); });
  const fft::Slab slab = [&] {
    const Unlocked unlocked;
    return fft::slab(array->array, way);
  }();
  return py::make_tuple(slab.dimension, slab.start, slab.count, slab.row_pitch);
}

Array complex_view(const py::object& object) {
  const Array& array = array_of("array", object);
  DistArray view = fft::complex_view(array.array);
  view.defect().raise();
  return {std::move(view), array.comm, array.kept};
}

}  // namespace

void bind_tilings(py::module_& module) {
  module.def("box", box_of, py::arg("array"));
  module.def("tile", tile_of, py::arg("array"));
  module.def("slab", slab_of, py::arg("array"), py::kw_only(), py::arg("division"));
  module.def("complex_view", complex_view, py::arg("array"));
}

}  // namespace daptor::python
