// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

/// \file
/// Python objects that C++ keeps alive: they are let go on any thread, with or without the
/// interpreter's lock (GIL), and left alone once the interpreter ends.

namespace daptor::python {

namespace py = pybind11;

/// Lets go of the GIL as long as it lives. The end of the interpreter ends other threads where they
/// want it back, by unwinding, which a destructor that promises not to throw would turn into the
/// end of the process.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() noexcept(false) { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// For classes whose objects only C++ makes: pybind11 would show memory that nothing has filled.
PyObject* refuse_new(PyTypeObject* type, PyObject* arguments, PyObject* named);
inline py::custom_type_setup not_made_by_python() {
  return py::custom_type_setup([](PyHeapTypeObject* type) { type->ht_type.tp_new = refuse_new; });
}

/// Without it pybind11 2.10 ends the process for the older forms of pickling.
template <class Class>
void refuse_pickling(Class& type) {
  type.def("__reduce_ex__", [](const py::object& self, int) -> py::object {
    throw py::type_error(std::string("a ") + Py_TYPE(self.ptr())->tp_name +
                         " cannot be pickled or copied");
  });
}

/// Objects of exactly this class or of one derived from it, whatever they say of themselves.
template <class T>
bool is_a(py::handle object) {
  return object && PyObject_TypeCheck(
                       object.ptr(), reinterpret_cast<PyTypeObject*>(py::type::of<T>().ptr())) != 0;
}

/// One reference to a Python object. The constructor needs the GIL, the destructor takes it.
class Held {
 public:
  explicit Held(PyObject* object) : object_(object) { Py_XINCREF(object); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held();

  PyObject* get() const { return object_; }

 private:
  PyObject* object_;
};

/// A buffer taken from its exporter (PEP 3118), given back when this goes.
class HeldBuffer {
 public:
  HeldBuffer() = default;
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;
  ~HeldBuffer();

  /// Takes the buffer of `object`, read-only ones too. False with a Python error where it has none.
  bool take(PyObject* object);
  const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_ = {};
  bool taken_ = false;
};

/// What keeps a producer's memory: the buffer that was taken, and the producer itself.
struct Kept {
  std::shared_ptr<const Held> producer;
  HeldBuffer buffer;
};

}  // namespace daptor::python
