// SPDX-License-Identifier: BSD-3-Clause
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arguments.hpp"
#include "bindings.hpp"
#include "daptor/fftw.hpp"

namespace daptor::python {
namespace {

/// Python arguments that become TransformOptions.
struct GivenOptions {
  py::object axes, norm, planning, overwrite;

  fft::TransformOptions read(int ndim) const {
    fft::TransformOptions options;
    if (!axes.is_none()) options.dimensions = axes_of(ndim);
    options.scale = scale();
    options.planning = planning_of(word_of("planning", planning));
    options.overwrite = flag_of("overwrite", overwrite);
    return options;
  }

 private:
  /// One number or several; below zero from the last one.
  std::vector<int> axes_of(int ndim) const {
    std::vector<int> numbers;
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
  fft::Scale scale() const {
    if (norm.is_none()) return fft::Scale::none;
    const std::string word = word_of("norm", norm);
    if (word == "backward") return fft::Scale::backward;
    if (word == "forward") return fft::Scale::forward;
    if (word == "ortho") return fft::Scale::both;
    throw InvalidArgument("norm", '"' + word + '"', "\"backward\", \"forward\", \"ortho\" or None");
  }
  static fft::Planning planning_of(const std::string& word) {
    if (word == "estimate") return fft::Planning::estimate;
    if (word == "measure") return fft::Planning::measure;
    if (word == "patient") return fft::Planning::patient;
    throw InvalidArgument("planning", '"' + word + '"', "\"estimate\", \"measure\" or \"patient\"");
  }
};

/// `daptor.fft.Transform`, with the arrays as Python has them.
struct PythonTransform {
  fft::Transform transform;
  Array input, output;

  PythonTransform(fft::Transform made, Array from, Array to)
      : transform(std::move(made)), input(std::move(from)), output(std::move(to)) {}
};

std::unique_ptr<PythonTransform> make_transform(const py::object& input_object,
                                                const py::object& output_object,
                                                const py::object& axes, const py::object& norm,
                                                const py::object& planning,
                                                const py::object& overwrite) {
  const GivenOptions given{axes, norm, planning, overwrite};
  FirstFailure failure;
  std::optional<Array> input, output;
  failure.attempt([&] { input = array_of("input", input_object); });
  const HeldComm comm = input ? input->comm : communicator_for_failure(failure.get());
  Collective call(comm, "fft.Transform", failure);
  fft::TransformOptions options;
  call.same("output", !output_object.is_none());
  call.check([&] {
    options = given.read(input->array.ndim());
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
  const GivenOptions given{axes, py::none(), py::str("measure"), py::bool_(false)};
  DistArray output = fft::fitting_output(input.array, given.read(input.array.ndim()));
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
  Collective call(self.input.comm, "fft.Transform.rebind");
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

void bind_transform(py::module_& module) {
  py::class_<PythonTransform> type(
      module, "Transform",
      R"(The discrete Fourier transform of a distributed array, from any layout to any layout.

input    an Array of float32, float64, complex64 or complex128; its communication padding
         is skipped, boundary padding along a transformed axis refused (fft.boundary)
output   an Array of complex64 or complex128 on the same processes; None: a new one in the layout
         that costs least. For a real input one transformed axis has size // 2 + 1: in a new
         output the last one named, as in numpy.fft.rfftn, in yours the last one that fits
axes     which axes are transformed: one, several, or None for all; the others are batches
norm     "backward" (default), "forward", "ortho": as numpy.fft; None: no direction divides
planning "estimate", "measure" (default) or "patient": how long FFTW searches for a fast plan
overwrite
         forward may leave other values in the input, and backward in the output

Collective over the communicator of the input. Neither array is touched. Raises on all ranks
InvalidArgument for types, sizes and memory that do not fit (fft.type, fft.shape, fft.memory, ...)
and for options that differ between ranks, Malformed if the sections of an array do not form one
array.)");
  refuse_pickling(type);
  type.def(py::init(&make_transform), py::arg("input"), py::arg("output") = py::none(),
           py::kw_only(), py::arg("axes") = py::none(), py::arg("norm") = "backward",
           py::arg("planning") = "measure", py::arg("overwrite") = false)
      .def("forward", unlocked<&fft::Transform::forward>, "Transforms input to output. Collective.")
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
