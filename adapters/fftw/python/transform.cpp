// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "bindings.hpp"
#include "calls/options.hpp"
#include "daptor/fftw.hpp"

namespace daptor::python {

/// One number or several, as the axes of a function of NumPy.
template <>
struct OptionValue<std::vector<int>> {
  static std::string type() { return "Union[int, Sequence[int]]"; }
  static std::string shown(const std::vector<int>&) { return "None"; }
  static std::vector<int> read(const char* key, py::handle object) {
    if (PyIndex_Check(object.ptr())) return {OptionValue<int>::read(key, object)};
    if (!PyTuple_Check(object.ptr()) && !PyList_Check(object.ptr()))
      throw InvalidArgument(key, type_text(object), "None, an axis, or a list of axes");
    std::vector<int> axes;
    for (const py::handle one : object) axes.push_back(OptionValue<int>::read(key, one));
    if (axes.empty()) throw InvalidArgument(key, "no axis", "one axis or more, or None");
    return axes;
  }
};

namespace {

/// As numpy.fft has them.
fft::TransformOptions defaults() {
  fft::TransformOptions options;
  options.scale = fft::Scale::backward;
  return options;
}

fft::TransformOptions options_of(const Given& given, int ndim) {
  auto options = given.read(defaults());
  for (int& axis : options.dimensions)
    if (axis < 0) axis += ndim;
  return options;
}

/// `daptor.fft.Transform`, with the arrays as Python has them.
struct PythonTransform {
  fft::Transform transform;
  Array input, output;

  PythonTransform(fft::Transform made, Array from, Array to)
      : transform(std::move(made)), input(std::move(from)), output(std::move(to)) {}
};

std::unique_ptr<PythonTransform> make_transform(const Given& given, const py::object& input_object,
                                                const py::object& output_object) {
  adapter::FirstFailure failure;
  std::optional<Array> input, output;
  failure.attempt([&] { input = array_of("input", input_object); });
  const HeldComm comm = input ? input->comm : communicator_for_failure(failure.get());
  Call call = python_call(comm, "fft.Transform", failure);
  fft::TransformOptions options;
  call.same("output", !output_object.is_none());
  call.check([&] {
    options = options_of(given, input->array.ndim());
    if (!output_object.is_none()) output = array_of("output", output_object);
  });
  auto transform = [&] {
    const Unlocked unlocked;
    return fft::Transform(
        input->array, output ? output->array : fft::fitting_output(input->array, options), options);
  }();
  if (!output) output = Array{transform.output(), comm};
  return std::make_unique<PythonTransform>(std::move(transform), *input, *output);
}

Array fitting_output(const Given& given, const py::object& object) {
  const Array& input = array_of("input", object);
  DistArray output = fft::fitting_output(input.array, options_of(given, input.array.ndim()));
  output.defect().raise();
  return {std::move(output), input.comm};
}

void rebind(PythonTransform& self, const py::object& input_object,
            const py::object& output_object) {
  Call call = python_call(self.input.comm, "fft.Transform.rebind");
  std::optional<Array> input, output;
  call.check([&] {
    input = array_of("input", input_object);
    output = array_of("output", output_object);
  });
  {
    const Unlocked released;
    self.transform.rebind(input->array, output->array);
  }
  self.input = *input;
  self.output = *output;
}

int axis_of(const PythonTransform& self, const py::object& axis) {
  const auto number = static_cast<int>(integer_of("axis", axis, 32));
  const int ndim = self.output.array.ndim();
  if (number < -ndim || number >= ndim)
    throw InvalidArgument("axis", std::to_string(number),
                          "an axis of an array of " + std::to_string(ndim) + " dimensions");
  return number < 0 ? number + ndim : number;
}

}  // namespace

Keywords transform_keywords() {
  return Keywords().of<fft::TransformOptions>(
      {"engine", "capacity"}, {{"dimensions", "axes"}, {"scale", "norm"}}, defaults());
}

void bind_transform(py::module_& module) {
  py::class_<PythonTransform> type(
      module, "Transform",
      "The discrete Fourier transform of a distributed array, from any layout to any layout.");
  refuse_pickling(type);
  define_init(type, transform_keywords(), make_transform, py::arg("input"),
              py::arg("output") = py::none(),
              R"(Collective over the communicator of the input. Neither array is touched.

input    an Array of float32, float64, complex64 or complex128; its communication padding
         is skipped, boundary padding along a transformed axis refused (fft.boundary)
output   an Array of complex64 or complex128 on the same processes; None: a new one in the layout
         that costs least. For a real input one transformed axis has size // 2 + 1: in a new
         output the last one named, as in numpy.fft.rfftn, in yours the last one that fits
{options}

Raises on all ranks
InvalidArgument for types, sizes and memory that do not fit (fft.type, fft.shape, fft.memory, ...)
and for options that differ between ranks, Malformed if the sections of an array do not form one
array.)");
  type.def(
          "forward", [](PythonTransform& self) { self.transform.forward(); },
          py::call_guard<Unlocked>(), "Transforms input to output. Collective.")
      .def(
          "backward", [](PythonTransform& self) { self.transform.backward(); },
          py::call_guard<Unlocked>(),
          "Transforms output to input, which must be writable. Collective.")
      .def("rebind", rebind, py::arg("input"), py::arg("output"),
           "From now on transforms other arrays of the same layouts. Collective.")
      .def(
          "frequencies",
          [](const PythonTransform& self, const py::object& axis) {
            return self.transform.frequencies(axis_of(self, axis));
          },
          py::arg("axis"),
          "The whole-number frequencies of this rank's part of the output. Process-local.")
      .def_property_readonly(
          "input", [](const PythonTransform& self) { return self.input; },
          "The Array that forward() transforms and backward() writes.")
      .def_property_readonly(
          "output", [](const PythonTransform& self) { return self.output; },
          "The Array that forward() writes: the one that was given, or a new one in the layout of "
          "fitting_output().")
      .def_property_readonly(
          "redistributions",
          [](const PythonTransform& self) { return self.transform.redistributions(); },
          "Number of redistributions in one direction; the same on all ranks.")
      .def_property_readonly(
          "bytes_sent", [](const PythonTransform& self) { return self.transform.bytes_sent(); },
          "Bytes that this rank sends in one direction.")
      .def_property_readonly(
          "work_bytes", [](const PythonTransform& self) { return self.transform.work_bytes(); },
          "Bytes of memory besides input and output.");
  define(module, "fitting_output",
         Keywords().of<fft::TransformOptions>(
             {"engine", "capacity", "scale", "planning", "overwrite"}, {{"dimensions", "axes"}}),
         fitting_output, py::arg("input"), "{options}");
}

}  // namespace daptor::python
