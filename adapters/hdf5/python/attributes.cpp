// SPDX-License-Identifier: BSD-3-Clause
#include "attributes.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "calls/arguments.hpp"

namespace daptor::python {
namespace {

constexpr const char* expected =
    "a number of 64 bits, a bool, a str, or a list or array of one dimension of such values";

bool is_bool(py::handle object) {
  return PyBool_Check(object.ptr()) || is_numpy(object.ptr(), "bool_") ||
         is_numpy(object.ptr(), "bool");
}

bool is_integer(py::handle object) {
  return is_bool(object) || PyIndex_Check(object.ptr()) != 0;
}

bool is_array(py::handle object) {
  return is_numpy(object.ptr(), "ndarray");
}

/// NumPy would drop the imaginary part.
bool is_complex(py::handle object) {
  if (PyComplex_Check(object.ptr())) return true;
  return py::hasattr(object, "dtype") &&
         py::cast<std::string>(py::str(object.attr("dtype").attr("kind"))) == "c";
}

/// One attribute of a dictionary, by whose name errors tell it.
class Value {
 public:
  Value(const std::string& name, py::handle object)
      : key_("attrs['" + name + "']"), object_(object) {}

  hdf5::Attribute attribute() const {
    if (is_array(object_) && dimensions() > 1)
      refuse("an array of " + std::to_string(dimensions()) + " dimensions");
    const bool list = PyList_Check(object_.ptr()) || PyTuple_Check(object_.ptr()) ||
                      (is_array(object_) && dimensions() == 1);
    if (list) return list_of(py::list(py::reinterpret_borrow<py::object>(object_)));
    if (PyUnicode_Check(object_.ptr())) return word_of(key_.c_str(), object_);
    if (is_integer(object_)) return integer(object_);
    return number(object_);
  }

 private:
  int dimensions() const { return py::cast<int>(object_.attr("ndim")); }
  [[noreturn]] void refuse(const std::string& found) const {
    throw InvalidArgument(key_, found, expected);
  }
  std::int64_t integer(py::handle object) const {
    if (is_bool(object)) return PyObject_IsTrue(object.ptr());
    return integer_of(key_.c_str(), object);
  }
  double number(py::handle object) const {
    if (is_complex(object)) refuse("a complex number");
    return value_of<double>(key_.c_str(), object, expected, true);
  }
  hdf5::Attribute list_of(const py::list& items) const {
    if (all(items, [](py::handle item) { return is_integer(item); }))
      return each<std::int64_t>(items, [&](py::handle item) { return integer(item); });
    if (all(items, [](py::handle item) { return PyUnicode_Check(item.ptr()) != 0; }))
      return each<std::string>(items, [&](py::handle item) { return word_of(key_.c_str(), item); });
    return each<double>(items, [&](py::handle item) { return number(item); });
  }
  template <class F>
  static bool all(const py::list& items, F&& test) {
    for (const py::handle item : items)
      if (!test(item)) return false;
    return true;
  }
  template <class T, class F>
  static std::vector<T> each(const py::list& items, F&& convert) {
    std::vector<T> values;
    for (const py::handle item : items) values.push_back(convert(item));
    return values;
  }

  std::string key_;
  py::handle object_;
};

}  // namespace

hdf5::Attributes attributes_of(const py::object& attrs) {
  hdf5::Attributes attributes;
  if (attrs.is_none()) return attributes;
  if (!PyDict_Check(attrs.ptr()))
    throw InvalidArgument("attrs", type_text(attrs), "a dict of names and values, or None");
  for (const auto& [name, value] : py::reinterpret_borrow<py::dict>(attrs)) {
    const std::string text = word_of("attrs", name);
    attributes[text] = Value(text, value).attribute();
  }
  return attributes;
}

}  // namespace daptor::python
