// SPDX-License-Identifier: BSD-3-Clause
#include "calls/call.hpp"

#include <exception>
#include <limits>

#include "daptor/error.hpp"

namespace daptor::python {
namespace {

bool has_special(py::handle object, const char* name) {
  return PyObject_HasAttrString(reinterpret_cast<PyObject*>(Py_TYPE(object.ptr())), name) != 0;
}

/// Refuses an object whose conversion raised an exception.
[[noreturn]] void refuse_raising(const char* key, py::handle object, const char* expected) {
  const py::error_already_set error;
  throw InvalidArgument(
      key, type_text(object) + " that raises " + Py_TYPE(error.value().ptr())->tp_name, expected);
}

class PythonHost final : public CallHost {
 public:
  std::exception_ptr error_for(std::exception_ptr thrown) override {
    const py::gil_scoped_acquire locked;
    return own_error(thrown);
  }
  /// The core may be in a call of ours without the GIL.
  void let_wait(const std::function<void()>& agree) override {
    if (PyGILState_Check() == 0) return agree();
    const Unlocked unlocked;
    agree();
  }
};

}  // namespace

std::string type_text(py::handle object) {
  return std::string("a value of type ") + Py_TYPE(object.ptr())->tp_name;
}

bool flag_of(const char* key, py::handle object) {
  constexpr const char* expected = "True or False";
  if (object.is_none() || !has_special(object, "__bool__"))
    throw InvalidArgument(key, type_text(object), expected);
  const int truth = PyObject_IsTrue(object.ptr());
  if (truth < 0) refuse_raising(key, object, expected);
  return truth == 1;
}

std::string word_of(const char* key, py::handle object) {
  if (!PyUnicode_Check(object.ptr())) throw InvalidArgument(key, type_text(object), "a string");
  const auto bytes = py::reinterpret_steal<py::object>(
      PyUnicode_AsEncodedString(object.ptr(), "utf-8", "backslashreplace"));
  if (!bytes) refuse_raising(key, object, "a string");
  return std::string(PyBytes_AS_STRING(bytes.ptr()),
                     static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
}

std::int64_t integer_of(const char* key, py::handle object, int bits) {
  const std::string expected = "an integer of " + std::to_string(bits) + " bits";
  if (!has_special(object, "__index__")) throw InvalidArgument(key, type_text(object), expected);
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
  if (!number) refuse_raising(key, object, expected.c_str());
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() >> (64 - bits);
  if (overflow != 0 || value > most || value < -most - 1)
    throw InvalidArgument(key, "a number that does not fit in " + std::to_string(bits) + " bits",
                          expected);
  return value;
}

CallHost& python_host() {
  static PythonHost host;
  return host;
}

}  // namespace daptor::python
