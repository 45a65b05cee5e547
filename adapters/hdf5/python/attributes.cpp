// SPDX-License-Identifier: BSD-3-Clause
#include "attributes.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "arguments.hpp"

namespace daptor::python {
namespace {

constexpr const char* expected = "a number of 64 bits, a str, or a list of such numbers";

bool is_integer(py::handle object) {
  return PyIndex_Check(object.ptr()) != 0;
}

std::int64_t integer_in(py::handle object) {
  return integer_of("attrs", object);
}

double number_in(py::handle object) {
  return value_of<double>("attrs", object, expected, true);
}

/// Whether it is an array of one dimension or more, which NumPy's lists are.
bool is_list(py::handle object) {
  return PyList_Check(object.ptr()) || PyTuple_Check(object.ptr()) ||
         (is_numpy(object.ptr(), "ndarray") && py::cast<int>(object.attr("ndim")) == 1);
}

hdf5::Attribute list_of(const py::list& items) {
  bool integers = true;
  for (const py::handle item : items) integers = integers && is_integer(item);
  if (integers) {
    std::vector<std::int64_t> numbers;
    for (const py::handle item : items) numbers.push_back(integer_in(item));
    return numbers;
  }
  std::vector<double> numbers;
  for (const py::handle item : items) numbers.push_back(number_in(item));
  return numbers;
}

hdf5::Attribute attribute_of(py::handle object) {
  if (PyUnicode_Check(object.ptr())) return word_of("attrs", object);
  if (is_list(object)) return list_of(py::list(py::reinterpret_borrow<py::object>(object)));
  // bool, and NumPy's, among them.
  if (PyBool_Check(object.ptr())) return std::int64_t{object.ptr() == Py_True ? 1 : 0};
  if (is_integer(object)) return integer_in(object);
  return number_in(object);
}

}  // namespace

hdf5::Attributes attributes_of(const py::object& attrs) {
  hdf5::Attributes attributes;
  if (attrs.is_none()) return attributes;
  if (!PyDict_Check(attrs.ptr()))
    throw InvalidArgument("attrs", type_text(attrs), "a dict of names and values, or None");
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(attrs))
    attributes[word_of("attrs", name)] = attribute_of(value);
  return attributes;
}

}  // namespace daptor::python
