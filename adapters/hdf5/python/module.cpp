// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <string>
#include <utility>

#include <pybind11/stl.h>

#include "arguments.hpp"
#include "attributes.hpp"
#include "daptor/hdf5.hpp"

namespace daptor::python {
namespace {

using Object = const py::object&;

/// A str, or an object with `__fspath__`.
std::string path_of(Object path) {
  return word_of("path", py::module_::import("os").attr("fspath")(path));
}

std::string numbering_of(Object numbering) {
  return numbering.is_none() ? std::string() : word_of("numbering", numbering);
}

/// The array of a collective call and, if it is none, the ranks that learn so.
struct GivenArray {
  FirstFailure failure;
  std::optional<Array> array;

  explicit GivenArray(Object object) {
    failure.attempt([&] { array = array_of("array", object); });
  }
  HeldComm comm() const { return array ? array->comm : communicator_for_failure(failure.get()); }
};

void save(Object array, Object path, Object name, Object attrs, Object overwrite, Object boundary,
          Object read_from_any, Object sync, Object memory_bytes, Object numbering) {
  GivenArray given(array);
  Collective call(given.comm(), "save", given.failure);
  std::string file, dataset;
  hdf5::SaveOptions options;
  hdf5::Attributes attributes;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options.overwrite = flag_of("overwrite", overwrite);
    options.boundary = flag_of("boundary", boundary);
    options.read_from_any = flag_of("read_from_any", read_from_any);
    options.sync = flag_of("sync", sync);
    options.memory_bytes = integer_of("memory_bytes", memory_bytes);
    options.numbering = numbering_of(numbering);
    attributes = attributes_of(attrs);
  });
  const Unlocked unlocked;
  hdf5::save(given.array->array, file, dataset, options, attributes);
}

void load_into(Object array, Object path, Object name, Object boundary, Object ghosts,
               Object convert, Object memory_bytes, Object numbering) {
  GivenArray given(array);
  Collective call(given.comm(), "load", given.failure);
  std::string file, dataset;
  hdf5::LoadOptions options;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options.boundary = flag_of("boundary", boundary);
    options.ghosts = flag_of("ghosts", ghosts);
    options.convert = flag_of("convert", convert);
    options.memory_bytes = integer_of("memory_bytes", memory_bytes);
    options.numbering = numbering_of(numbering);
  });
  const Unlocked unlocked;
  hdf5::load(given.array->array, file, dataset, options);
}

py::tuple inspect(Object path, Object name, Object comm) {
  FirstFailure failure;
  std::optional<HeldComm> held;
  failure.attempt([&] { held = communicator_of(comm); });
  Collective call(held ? *held : communicator_for_failure(failure.get()), "inspect", failure);
  std::string file, dataset;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
  });
  const hdf5::Dataset found = [&] {
    const Unlocked unlocked;
    return hdf5::inspect(file, dataset, **held);
  }();
  py::object type = py::none();
  if (found.type) type = py::str(found.type->typestr());
  return py::make_tuple(py::tuple(py::cast(found.shape)), type, found.attributes);
}

}  // namespace
}  // namespace daptor::python

PYBIND11_MODULE(_hdf5, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor.hdf5.";
  const auto core = py::module_::import("daptor._daptor");  // the class Array
  module.def("save", save, py::arg("array"), py::arg("path"), py::arg("name"), py::kw_only(),
             py::arg("attrs"), py::arg("overwrite"), py::arg("boundary"), py::arg("read_from_any"),
             py::arg("sync"), py::arg("memory_bytes"), py::arg("numbering"));
  module.def("load_into", load_into, py::arg("array"), py::arg("path"), py::arg("name"),
             py::kw_only(), py::arg("boundary"), py::arg("ghosts"), py::arg("convert"),
             py::arg("memory_bytes"), py::arg("numbering"));
  module.def("inspect", inspect, py::arg("path"), py::arg("name"), py::arg("comm"));
}
