#include "held.hpp"

namespace daptor::python {
namespace {

/// Runs `release` with the GIL, and leaves an error that is set as it is. Does nothing once the
/// interpreter ends: the process's memory goes with it.
template <class F>
void with_interpreter(F&& release) noexcept {
  if (Py_IsInitialized() == 0) return;
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

}  // namespace daptor::python
