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
namespace {

/// One number or several; below zero from the last one.
std::vector<int> axes_of(const py::object& axes, int ndim) {
  std::vector<int> numbers;
  if (axes.is_none()) return numbers;
  const auto add = [&](py::handle one) {
    const auto axis = static_cast<int>(integer_of("axes", one, 32));
    numbers.push_back(axis < 0 ? axis + ndim : axis);
  };
  if (PyIndex_Check(axes.ptr())) {
    add(axes);
    return numbers;
  }
  if (!PyTuple_Check(axes.ptr()) && !PyList_Check(axes.ptr()))
    throw InvalidArgument("axes", type_text(axes), "None, an axis, or a list of axes");
  for (const py::handle one : axes) add(one);
  if (numbers.empty()) throw InvalidArgument("axes", "no axis", "one axis or more, or None");
  return numbers;
}

/// `norm`, as NumPy has it: None is what is not divided at all.
fft::Scale scale_of(const Given& given) {
  if (!given.passed("norm")) return fft::Scale::backward;
  const py::object norm = given["norm"];
  if (norm.is_none()) return fft::Scale::none;
  return OptionValue<fft::Scale>::read("norm", norm, fft::Scale::none);
}

fft::TransformOptions options_of(const Given& given, int ndim) {
  auto options = given.read<fft::TransformOptions>();
  options.dimensions = axes_of(given["axes"], ndim);
  options.scale = scale_of(given);
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

Array fitting_output(const py::object& object, const py::object& axes) {
  const Array& input = array_of("input", object);
  fft::TransformOptions options;
  options.dimensions = axes_of(axes, input.array.ndim());
  DistArray output = fft::fitting_output(input.array, options);
  output.defect().raise();
  return {std::move(output), input.comm};
}

template <void (fft::Transform::*call)()>
void unlocked(PythonTransform& self) {
  const Unlocked released;
  (self.transform.*call)();
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
  return Keywords()
      .with("axes", "Union[None, int, Sequence[int]]", "None",
            "which axes are transformed: one, several, or None for all; the others are batches")
      .with("norm", "Optional[str]", "'backward'",
            "\"backward\", \"forward\", \"ortho\": as numpy.fft; None: no direction divides")
      .of<fft::TransformOptions>({"dimensions", "scale", "engine", "capacity"});
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
  type.def("forward", unlocked<&fft::Transform::forward>, "Transforms input to output. Collective.")
      .def("backward", unlocked<&fft::Transform::backward>,
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
  module.def("fitting_output", fitting_output, py::arg("input"), py::kw_only(), py::arg("axes"));
}

}  // namespace daptor::python
