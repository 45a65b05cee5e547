// SPDX-License-Identifier: BSD-3-Clause
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arguments.hpp"
#include "attributes.hpp"
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

/// None, or extents of chunks.
hdf5::Chunks chunks_of(Object chunks) {
  if (chunks.is_none()) return {};
  return value_of<std::vector<Index>>("chunks", chunks, "extents, or None", true);
}

/// None, or a function of the bytes that have been moved, and of all.
hdf5::Progress progress_of(Object progress) {
  if (progress.is_none()) return {};
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

/// Options of the same name in a dict, by the functions above.
hdf5::SaveOptions save_options(const py::dict& given) {
  hdf5::SaveOptions options;
  const auto at = [&](const char* name) { return py::object(given[name]); };
  options.overwrite = flag_of("overwrite", at("overwrite"));
  options.boundary = flag_of("boundary", at("boundary"));
  options.read_from_any = flag_of("read_from_any", at("read_from_any"));
  options.sync = flag_of("sync", at("sync"));
  options.memory_bytes = integer_of("memory_bytes", at("memory_bytes"));
  options.numbering = numbering_of(at("numbering"));
  options.chunks = chunks_of(at("chunks"));
  options.deflate = value_of<int>("deflate", at("deflate"), "a level from 0 to 9");
  options.progress = progress_of(at("progress"));
  return options;
}

void save(Object array, Object path, Object name, Object attrs, const py::kwargs& given_options) {
  GivenArray given(array);
  Collective call(given.comm(), "save", given.failure);
  std::string file, dataset;
  hdf5::SaveOptions options;
  hdf5::Attributes attributes;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    options = save_options(given_options);
    attributes = attributes_of(attrs);
  });
  const Unlocked unlocked;
  hdf5::save(given.array->array, file, dataset, options, attributes);
}

/// The first array of a dict, for its ranks; None if there is none.
py::object first_array(Object arrays) {
  if (!PyDict_Check(arrays.ptr()) || PyDict_Size(arrays.ptr()) == 0) return py::none();
  return py::reinterpret_borrow<py::object>(py::dict(arrays).begin()->second);
}

void save_all(Object arrays, Object path, Object attrs, const py::kwargs& given_options) {
  GivenArray first(first_array(arrays));
  Collective call(first.comm(), "hdf5.save_all", first.failure);
  std::string file;
  hdf5::SaveOptions options;
  std::vector<hdf5::NamedArray> named;
  call.check([&] {
    file = path_of(path);
    options = save_options(given_options);
    const hdf5::Attributes attributes = attributes_of(attrs);
    for (const auto& [name, array] : py::dict(arrays))
      named.push_back({word_of("name", name), array_of("arrays", array).array, attributes});
  });
  const Unlocked unlocked;
  hdf5::save(named, file, options);
}

Index append(Object array, Object path, Object name, Object numbers, Object step, Object steps,
             Object deflate, Object boundary, Object read_from_any, Object sync,
             Object memory_bytes, Object numbering, Object progress) {
  GivenArray given(array);
  Collective call(given.comm(), "hdf5.append", given.failure);
  std::string file, dataset;
  hdf5::AppendOptions options;
  hdf5::Attributes attributes;
  call.check([&] {
    file = path_of(path);
    dataset = word_of("name", name);
    if (!step.is_none()) {
      options.step = integer_of("step", step);
      if (options.step < 0)
        throw InvalidArgument("step", std::to_string(options.step), "a number from 0, or None");
    }
    options.steps = integer_of("steps", steps);
    options.deflate = value_of<int>("deflate", deflate, "a level from 0 to 9");
    options.boundary = flag_of("boundary", boundary);
    options.read_from_any = flag_of("read_from_any", read_from_any);
    options.sync = flag_of("sync", sync);
    options.memory_bytes = integer_of("memory_bytes", memory_bytes);
    options.numbering = numbering_of(numbering);
    options.progress = progress_of(progress);
    attributes = attributes_of(numbers);
  });
  const Unlocked unlocked;
  return hdf5::append(given.array->array, file, dataset, options, attributes);
}

void load_into(Object array, Object path, Object name, Object boundary, Object ghosts,
               Object convert, Object memory_bytes, Object numbering, Object step,
               Object progress) {
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
    if (!step.is_none()) options.step = integer_of("step", step);
    options.progress = progress_of(progress);
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
  FirstFailure failure;
  std::optional<HeldComm> held;
  failure.attempt([&] { held = communicator_of(comm); });
  Collective call(held ? *held : communicator_for_failure(failure.get()), "hdf5.inspect", failure);
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
  FirstFailure failure;
  std::optional<HeldComm> held;
  failure.attempt([&] { held = communicator_of(comm); });
  Collective call(held ? *held : communicator_for_failure(failure.get()), "hdf5.write_xdmf",
                  failure);
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
  module.def("save", save, py::arg("array"), py::arg("path"), py::arg("name"), py::kw_only(),
             py::arg("attrs"));
  module.def("save_all", save_all, py::arg("arrays"), py::arg("path"), py::kw_only(),
             py::arg("attrs"));
  module.def("append", append, py::arg("array"), py::arg("path"), py::arg("name"), py::kw_only(),
             py::arg("numbers"), py::arg("step"), py::arg("steps"), py::arg("deflate"),
             py::arg("boundary"), py::arg("read_from_any"), py::arg("sync"),
             py::arg("memory_bytes"), py::arg("numbering"), py::arg("progress"));
  module.def("load_into", load_into, py::arg("array"), py::arg("path"), py::arg("name"),
             py::kw_only(), py::arg("boundary"), py::arg("ghosts"), py::arg("convert"),
             py::arg("memory_bytes"), py::arg("numbering"), py::arg("step"), py::arg("progress"));
  module.def("write_xdmf", write_xdmf, py::arg("path"), py::arg("names"), py::arg("comm"),
             py::kw_only(), py::arg("spacing"), py::arg("origin"), py::arg("cells"));
  module.def("inspect", inspect, py::arg("path"), py::arg("name"), py::arg("comm"),
             py::arg("loading") = py::none());
}
