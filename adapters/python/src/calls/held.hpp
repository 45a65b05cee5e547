// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>

#include <pybind11/pybind11.h>

/// \file
/// Python objects that C++ keeps alive. They can be released on any thread, with or without the
/// interpreter's lock (GIL); once the interpreter ends they are left alone.

namespace daptor::python {

namespace py = pybind11;

/// Releases the GIL while it lives. When the interpreter ends, another thread that asks for the GIL
/// is unwound; a destructor that is `noexcept` would turn this into the end of the process.
class Unlocked {
 public:
  Unlocked() : state_(PyEval_SaveThread()) {}
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() noexcept(false) { PyEval_RestoreThread(state_); }

 private:
  PyThreadState* state_;
};

/// For classes whose objects only C++ makes: an object made in Python would be uninitialized
/// memory.
PyObject* refuse_new(PyTypeObject* type, PyObject* arguments, PyObject* named);
inline py::custom_type_setup not_made_by_python() {
  return py::custom_type_setup([](PyHeapTypeObject* type) { type->ht_type.tp_new = refuse_new; });
}

/// Refuses pickling. Without this, pybind11 2.10 ends the process for the older pickle protocols.
template <class Class>
void refuse_pickling(Class& type) {
  const auto refuse = [](const py::object& self, const py::args&) -> py::object {
    throw py::type_error(std::string("a ") + Py_TYPE(self.ptr())->tp_name +
                         " cannot be pickled or copied");
  };
  for (const char* name : {"__reduce__", "__reduce_ex__"}) type.def(name, refuse);
}

/// Whether an object is of this class or a derived one, by its type and not by its `__class__`.
template <class T>
bool is_a(py::handle object) {
  return object && PyObject_TypeCheck(
                       object.ptr(), reinterpret_cast<PyTypeObject*>(py::type::of<T>().ptr())) != 0;
}

/// Whether the object's class is NumPy's class of this name.
bool is_numpy(PyObject* object, const char* name);
/// Whether a class with this name is among the bases of the object's class, or is that class.
bool derives_from(PyObject* object, const char* name);
/// Whether the object is an array of numpy.ma. Its buffer does not have the mask.
bool is_masked(PyObject* object);

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

/// A buffer acquired from its exporter (PEP 3118) and released by the destructor.
class HeldBuffer {
 public:
  HeldBuffer() = default;
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;
  ~HeldBuffer();

  /// Acquires the buffer of `object`, which may be read-only. Returns false, with a Python error
  /// set, if it has none.
  bool take(PyObject* object);
  const Py_buffer& view() const { return view_; }

 private:
  Py_buffer view_ = {};
  bool taken_ = false;
};

/// Keeps a producer's memory alive: holds the acquired buffer and the producer itself.
struct Kept {
  std::shared_ptr<const Held> producer;
  HeldBuffer buffer;
};

}  // namespace daptor::python
