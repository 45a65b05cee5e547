// SPDX-License-Identifier: BSD-3-Clause
#include "calls/held.hpp"

#include <cstring>
#include <string>

namespace daptor::python {
namespace {

/// Whether this thread can still acquire the GIL: once the interpreter ends, only the thread that
/// ends it can.
bool has_interpreter() {
  if (Py_IsInitialized() == 0) return false;
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsFinalizing() == 0 || PyGILState_Check() == 1;
#else
  return _Py_IsFinalizing() == 0 || PyGILState_Check() == 1;
#endif
}

/// Runs `release` with the GIL and preserves a Python error that is set. Once the interpreter ends,
/// `release` is not run: the memory is freed with the process.
template <class F>
void with_interpreter(F&& release) noexcept {
  if (!has_interpreter()) return;
  const PyGILState_STATE gil = PyGILState_Ensure();
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  std::forward<F>(release)();
  PyErr_Restore(type, value, trace);
  PyGILState_Release(gil);
}

}  // namespace

PyObject* refuse_new(PyTypeObject* type, PyObject*, PyObject*) {
  PyErr_Format(PyExc_TypeError, "%s: no constructor", type->tp_name);
  return nullptr;
}

Held::~Held() {
  if (object_ != nullptr) with_interpreter([&] { Py_DECREF(object_); });
}

HeldBuffer::~HeldBuffer() {
  if (taken_) with_interpreter([&] { PyBuffer_Release(&view_); });
}

bool HeldBuffer::take(PyObject* object) {
  taken_ = PyObject_GetBuffer(object, &view_, PyBUF_FULL_RO) == 0;
  return taken_;
}

bool is_numpy(PyObject* object, const char* name) {
  return std::string("numpy.") + name == Py_TYPE(object)->tp_name;
}

bool derives_from(PyObject* object, const char* name) {
  PyObject* const bases = Py_TYPE(object)->tp_mro;
  if (bases == nullptr) return false;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(bases); ++i) {
    auto* const base = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(bases, i));
    if (std::strcmp(name, base->tp_name) == 0) return true;
  }
  return false;
}

bool is_masked(PyObject* object) {
  return !is_numpy(object, "ndarray") && derives_from(object, "numpy.ndarray") &&
         derives_from(object, "MaskedArray");
}

}  // namespace daptor::python
