// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "attributes.hpp"
#include "calls/options.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/hdf5.hpp"

namespace daptor::python {
namespace {

using Object = const py::object&;

/// A str, or an object with `__fspath__`.
std::string path_of(Object path) {
  if (PyUnicode_Check(path.ptr()) == 0 && !py::hasattr(path, "__fspath__"))
    throw InvalidArgument("path", type_text(path), "a str or a path");
  return word_of("path", py::module_::import("os").attr("fspath")(path));
}

/// The array of a collective call and, if it is none, the ranks that learn so.
struct GivenArray {
  adapter::FirstFailure failure;
  std::optional<Array> array;

  explicit GivenArray(Object object) {
    failure.attempt([&] { array = array_of("array", object); });
  }
  HeldComm comm() const { return array ? array->comm : communicator_for_failure(failure.get()); }
};

/// A function of the bytes that have been moved, and of all.
hdf5::Progress progress_of(py::handle progress) {
  if (PyCallable_Check(progress.ptr()) == 0)
    throw InvalidArgument("progress", type_text(progress), "a bool, or a function of two numbers");
  // The caller keeps it alive; copies in C++ do not touch its count of references.
  const py::handle function = progress;
  return [function](std::int64_t done, std::int64_t total) {
    const py::gil_scoped_acquire locked;
    try {
      function(done, total);
    } catch (py::error_already_set& error) {
      // Its object is freed while the lock is held.
      std::rethrow_exception(failure_of(error));
    }
  };
}

}  // namespace

template <>
struct OptionValue<hdf5::Chunks> {
  static std::string type() { return "Sequence[int]"; }
  static std::string shown(const hdf5::Chunks&) { return "None"; }
  static hdf5::Chunks read(const char* key, py::handle object) {
    return value_of<std::vector<Index>>(key, object, "extents, or None", true);
  }
};

template <>
struct OptionValue<hdf5::Progress> {
  static std::string type() { return "Any"; }
  static std::string shown(const hdf5::Progress&) { return "None"; }
  static hdf5::Progress read(const char*, py::handle object) { return progress_of(object); }
};

namespace {

void save(const Given& given_options, Object array, Object path, Object name) {
  GivenArray given(array);
  const HeldComm comm = given.comm();
  Call call = python_call(comm, "save", given.failure);
  std::string file, dataset;
  hdf5::SaveOptions options;
  hdf5::Attributes attributes;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options = given_options.read<hdf5::SaveOptions>();
    attributes = attributes_of(given_options["attrs"]);
  });
  const Unlocked unlocked;
  hdf5::save(given.array->array, file, dataset, options, attributes);
}

/// The first array of a dict, for its ranks; None if there is none.
py::object first_array(Object arrays) {
  if (!PyDict_Check(arrays.ptr()) || PyDict_Size(arrays.ptr()) == 0) return py::none();
  return py::reinterpret_borrow<py::object>(py::dict(arrays).begin()->second);
}

void save_all(const Given& given, Object arrays, Object path) {
  GivenArray first(first_array(arrays));
  const HeldComm comm = first.comm();
  Call call = python_call(comm, "hdf5.save_all", first.failure);
  std::string file;
  hdf5::SaveOptions options;
  std::vector<hdf5::NamedArray> named;
  call.check([&] {
    file = path_of(path);
    options = given.read<hdf5::SaveOptions>();
    const hdf5::Attributes attributes = attributes_of(given["attrs"]);
    for (const auto& [name, array] : py::dict(arrays))
      named.push_back({word_of("name", name), array_of("arrays", array).array, attributes});
  });
  const Unlocked unlocked;
  hdf5::save(named, file, options);
}

Index append(const Given& given_options, Object array, Object path, Object name) {
  GivenArray given(array);
  const HeldComm comm = given.comm();
  Call call = python_call(comm, "hdf5.append", given.failure);
  std::string file, dataset;
  hdf5::AppendOptions options;
  hdf5::Attributes attributes;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options = given_options.read<hdf5::AppendOptions>();
    if (options.step < 0 && !given_options["step"].is_none())
      throw InvalidArgument("step", std::to_string(options.step), "a number from 0, or None");
    attributes = attributes_of(given_options["numbers"]);
  });
  const Unlocked unlocked;
  return hdf5::append(given.array->array, file, dataset, options, attributes);
}

void load_into(const Given& given_options, Object array, Object path, Object name) {
  GivenArray given(array);
  const HeldComm comm = given.comm();
  Call call = python_call(comm, "load", given.failure);
  std::string file, dataset;
  hdf5::LoadOptions options;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options = given_options.read<hdf5::LoadOptions>();
  });
  const Unlocked unlocked;
  hdf5::load(given.array->array, file, dataset, options);
}

/// What load() makes no array of, the same on all ranks.
void require_loadable(const hdf5::Dataset& found, const std::string& name, bool step, int ranks) {
  if (!found.type)
    adapter::refuse_argument("hdf5.type",
                             "the dataset '" + name + "', whose elements are " + found.elements,
                             "numbers or bools", "Read it with h5py.");
  const bool single = found.shape.empty() || (step && found.shape.size() == 1);
  if (single && ranks > 1)
    adapter::refuse_argument(
        "hdf5.shape",
        (step ? "a step of the dataset '" : "the dataset '") + name +
            "', which is one number without dimensions",
        "a dataset that can be divided among " + std::to_string(ranks) + " ranks",
        "Load it on one rank (MPI.COMM_SELF), or read it with h5py.");
}

/// @param loading  None, or whether load() asks for a step
py::tuple inspect(Object path, Object name, Object comm, Object loading) {
  adapter::FirstFailure failure;
  std::optional<HeldComm> held;
  failure.attempt([&] { held = communicator_of(comm); });
  const HeldComm told = held ? *held : communicator_for_failure(failure.get());
  Call call = python_call(told, "hdf5.inspect", failure);
  std::string file, dataset;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
  });
  const hdf5::Dataset found = [&] {
    const Unlocked unlocked;
    return hdf5::inspect(file, dataset, **held);
  }();
  if (!loading.is_none())
    require_loadable(found, dataset, py::cast<bool>(loading), (**held).size());
  py::object type = py::none();
  if (found.type) type = py::str(found.type->typestr());
  return py::make_tuple(py::tuple(py::cast(found.shape)), type, found.attributes, found.of_steps,
                        found.elements, found.left_out);
}

std::vector<double> numbers_of(const char* key, Object numbers) {
  return value_of<std::vector<double>>(key, numbers, "numbers", true);
}

std::string write_xdmf(Object path, Object names, Object comm, Object spacing, Object origin,
                       Object cells) {
  adapter::FirstFailure failure;
  std::optional<HeldComm> held;
  failure.attempt([&] { held = communicator_of(comm); });
  const HeldComm told = held ? *held : communicator_for_failure(failure.get());
  Call call = python_call(told, "hdf5.write_xdmf", failure);
  std::string file;
  std::vector<std::string> datasets;
  hdf5::XdmfGrid grid;
  call.check([&] {
    file = path_of(path);
    datasets = PyUnicode_Check(names.ptr())
                   ? std::vector<std::string>{word_of("names", names)}
                   : value_of<std::vector<std::string>>("names", names, "a str, or a list of them");
    grid.spacing = numbers_of("spacing", spacing);
    if (!origin.is_none()) grid.origin = numbers_of("origin", origin);
    grid.cells = flag_of("cells", cells);
  });
  const Unlocked unlocked;
  return hdf5::write_xdmf(file, datasets, grid, **held);
}

}  // namespace
}  // namespace daptor::python

PYBIND11_MODULE(_hdf5, module) {
  using namespace daptor::python;
  module.doc() = "The compiled part of daptor.hdf5.";
  const auto core = py::module_::import("daptor._daptor");  // the class Array
  const char* const attributes =
      "attributes of the dataset, by their names: numbers, bools, texts, and lists of them";
  const auto keywords =
      Keywords().with("attrs", "Any", "None", attributes).of<daptor::hdf5::SaveOptions>();
  define(module, "save", keywords, save, py::arg("array"), py::arg("path"), py::arg("name"),
         "{options}");
  define(module, "save_all", keywords, save_all, py::arg("arrays"), py::arg("path"), "{options}");
  define(module, "append",
         Keywords()
             .with("numbers", "Any", "None",
                   "numbers that belong to the step, such as its time, by their names")
             .of<daptor::hdf5::AppendOptions>(),
         append, py::arg("array"), py::arg("path"), py::arg("name"), "{options}");
  define(module, "load_into", Keywords().of<daptor::hdf5::LoadOptions>(), load_into,
         py::arg("array"), py::arg("path"), py::arg("name"), "{options}");
  module.def("write_xdmf", write_xdmf, py::arg("path"), py::arg("names"), py::arg("comm"),
             py::kw_only(), py::arg("spacing"), py::arg("origin"), py::arg("cells"));
  module.def("inspect", inspect, py::arg("path"), py::arg("name"), py::arg("comm"),
             py::arg("loading") = py::none());
  finish_signatures(module);
}
