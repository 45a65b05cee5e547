#pragma once

#include <memory>

#include <pybind11/pybind11.h>

/// \file
/// Python objects that C++ keeps alive: they are let go on any thread, with or without the
/// interpreter's lock (GIL), and left alone once the interpreter ends.

namespace daptor::python {

namespace py = pybind11;

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
