// SPDX-License-Identifier: BSD-3-Clause
#include "descriptions/read.hpp"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "arrays/array.hpp"
#include "arrays/buffer_protocol.hpp"
#include "daptor/parse.hpp"
#include "descriptions/capsule.hpp"
#include "devices/dlpack.hpp"
#include "failures/failure.hpp"

namespace daptor::python {
namespace {

/// Deepest nesting that is read. No description needs more than five levels.
constexpr int deepest = 16;

/// Whether the object is a NumPy scalar. It exposes its bytes as a buffer, but is no array.
bool is_numpy_scalar(PyObject* object) {
  return derives_from(object, "numpy.generic");
}

/// The stored text of a str; methods that a subclass overrides are not called.
std::string text_of(PyObject* text) {
  const auto bytes = py::reinterpret_steal<py::object>(
      PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
  if (!bytes) throw py::error_already_set();
  return std::string(PyBytes_AS_STRING(bytes.ptr()),
                     static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr())));
}

/// The stored value of an int; methods that a subclass overrides are not called.
Value integer_value(PyObject* number) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  if (overflow == 0) {
    if (value == -1 && PyErr_Occurred() != nullptr) throw py::error_already_set();
    return Integer{value, true, {}};
  }
  const auto digits = py::reinterpret_steal<py::object>(PyLong_Type.tp_repr(number));
  if (digits) return Integer{0, false, text_of(digits.ptr())};
  PyErr_Clear();  // more digits than Python's limit for conversion to text
  return Integer{0, false, overflow > 0 ? "a very large integer" : "a very small integer"};
}

/// The shared state behind the object if its memory is Daptor's, perhaps through views of views; it
/// knows the native objects on the memory. Null for other memory.
std::shared_ptr<SharedState> known_state(py::object exporter) {
  constexpr int longest_chain = 8;
  for (int i = 0; i < longest_chain && exporter; ++i) {
    if (auto state = state_behind(exporter.ptr())) return state;
    if (auto state = state_behind_tensor(exporter.ptr())) return state;
    if (PyMemoryView_Check(exporter.ptr())) {
      exporter = py::reinterpret_borrow<py::object>(PyMemoryView_GET_BASE(exporter.ptr()));
    } else if (derives_from(exporter.ptr(), "numpy.ndarray")) {
      exporter = exporter.attr("base");
    } else {
      break;
    }
  }
  return nullptr;
}

RawBuffer raw_buffer(const Py_buffer& view) {
  const auto ndim = static_cast<std::size_t>(view.ndim);
  RawBuffer raw;
  raw.format = view.format != nullptr ? view.format : "B";
  raw.itemsize = view.itemsize;
  if (view.shape != nullptr) {
    raw.shape.assign(view.shape, view.shape + ndim);
  } else if (ndim == 1 && view.itemsize > 0) {
    raw.shape = {view.len / view.itemsize};
  }
  raw.has_strides = view.strides != nullptr;
  if (raw.has_strides) raw.byte_strides.assign(view.strides, view.strides + ndim);
  raw.data = view.buf;
  raw.readonly = view.readonly != 0;
  return raw;
}

RawBuffer raw_buffer(const Buffer& buffer) {
  RawBuffer raw;
  raw.format = buffer.type().format();
  raw.itemsize = static_cast<std::int64_t>(buffer.type().itemsize());
  raw.shape = buffer.local_shape();
  raw.has_strides = true;
  raw.byte_strides = buffer.byte_strides();
  raw.data = const_cast<void*>(buffer.data());
  raw.readonly = buffer.readonly();
  raw.space = buffer.space();
  raw.state = buffer.state();
  return raw;
}

bool has_suboffsets(const Py_buffer& view) {
  if (view.suboffsets == nullptr) return false;
  for (int d = 0; d < view.ndim; ++d)
    if (view.suboffsets[d] >= 0) return true;
  return false;
}

/// Turns the object that a producer returned into a tree. Each value is read once.
class Reader {
 public:
  explicit Reader(std::shared_ptr<const Held> producer) : producer_(std::move(producer)) {}

  /// Owner of the array's memory, unless it is Daptor's already.
  std::weak_ptr<const Kept> kept() const { return kept_; }

  Value read(PyObject* object, int depth = 0, const std::string& key = {}) {
    if (depth > deepest) return Foreign{"object that is nested too deeply"};
    if (PyBool_Check(object)) return object == Py_True;
    if (PyLong_Check(object)) return integer_value(object);
    if (PyUnicode_Check(object)) return text_of(object);
    if (PyDict_Check(object)) return read_map(object, depth);
    if (PyTuple_Check(object)) return read_items(object, true, depth);
    if (PyList_Check(object)) return read_items(object, false, depth);
    return read_object(object, key);
  }

 private:
  /// Copies all keys and values before reading any of them, because reading runs foreign code that
  /// may change the dictionary.
  Value read_map(PyObject* dictionary, int depth) {
    std::vector<std::pair<py::object, py::object>> entries;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    for (Py_ssize_t at = 0; PyDict_Next(dictionary, &at, &key, &value) != 0;)
      entries.emplace_back(py::reinterpret_borrow<py::object>(key),
                           py::reinterpret_borrow<py::object>(value));
    Dictionary map;
    for (const auto& [name, item] : entries) {
      const bool text = PyUnicode_Check(name.ptr());
      std::string word =
          text ? text_of(name.ptr()) : std::string("<") + Py_TYPE(name.ptr())->tp_name + '>';
      Value read_value = read(item.ptr(), depth + 1, word);
      map.items.emplace_back(std::move(word), std::move(read_value));
    }
    return map;
  }

  Value read_items(PyObject* sequence, bool tuple, int depth) {
    std::vector<py::object> items;
    const Py_ssize_t size = tuple ? PyTuple_GET_SIZE(sequence) : PyList_GET_SIZE(sequence);
    for (Py_ssize_t i = 0; i < size; ++i)
      items.push_back(py::reinterpret_borrow<py::object>(tuple ? PyTuple_GET_ITEM(sequence, i)
                                                               : PyList_GET_ITEM(sequence, i)));
    Sequence result;
    result.tuple = tuple;
    for (const py::object& item : items) result.items.push_back(read(item.ptr(), depth + 1));
    return result;
  }

  /// An array with one element also has `__index__`; under a key that wants a buffer it is read as
  /// a buffer.
  Value read_object(PyObject* object, const std::string& key) {
    if (is_numpy(object, "bool_") || is_numpy(object, "bool")) {
      const int truth = PyObject_IsTrue(object);
      if (truth < 0) throw py::error_already_set();
      return truth == 1;
    }
    if (const Buffer* const memory = device_memory_behind(object))
      return key == "buffer" ? Value(raw_buffer(*memory)) : Value(Foreign{memory->space().kind()});
    const bool buffer_asked = key == "buffer" || key == "indices";
    if (!buffer_asked && PyIndex_Check(object)) {
      const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(object));
      if (number) return integer_value(number.ptr());
      if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw py::error_already_set();
      PyErr_Clear();
    }
    const bool scalar = is_numpy_scalar(object);
    if (PyObject_CheckBuffer(object) != 0 && !scalar) return read_buffer(object, key);
    return Foreign{Py_TYPE(object)->tp_name};
  }

  Value read_buffer(PyObject* object, const std::string& key) {
    if (is_masked(object)) return Foreign{"numpy.ma.MaskedArray"};
    const std::string type = Py_TYPE(object)->tp_name;
    auto kept = std::make_shared<Kept>();
    if (key == "buffer") kept->producer = producer_;
    if (!kept->buffer.take(object)) {
      const py::error_already_set error;
      if (!error.matches(PyExc_Exception)) throw error;
      return Foreign{type + ", whose buffer cannot be acquired (" + describe(error) + ')'};
    }
    const Py_buffer& view = kept->buffer.view();
    if (has_suboffsets(view))
      return Foreign{type + ", whose rows are stored separately (suboffsets)"};
    RawBuffer raw = raw_buffer(view);
    raw.state = known_state(py::reinterpret_borrow<py::object>(object));
    if (raw.state) return raw;
    if (key == "buffer") kept_ = kept;
    raw.state = plain_memory(std::move(kept));
    return raw;
  }

  std::shared_ptr<const Held> producer_;
  std::weak_ptr<const Kept> kept_;
};

/// The failure of a producer that is none.
Reading undescribed(py::handle object) {
  const std::string found = std::string("a value of type ") + Py_TYPE(object.ptr())->tp_name +
                            ", which has no method __distarray__";
  const std::string remedy = remedy_for(object);
  return {Submission::failed(found + ". " + remedy),
          std::make_exception_ptr(
              ProducerFailed(error_finding(rule_producer, -1, "", found,
                                           "an object with __distarray__, its "
                                           "dictionary, a daptor.Array or a capsule",
                                           remedy))),
          {}};
}

/// The object's own description. Throws what foreign code throws.
Reading reading_of(py::handle object) {
  if (const Array* const array = array_behind(object.ptr()))
    return {array->array, nullptr, array->kept};
  if (is_array_capsule(object)) {
    OpenedCapsule opened = open_capsule(object);
    return {std::move(opened.array), nullptr, {}, std::move(opened.take_over)};
  }
  py::object description = py::reinterpret_borrow<py::object>(object);
  const auto method =
      py::reinterpret_steal<py::object>(PyObject_GetAttrString(object.ptr(), "__distarray__"));
  if (method) {
    description = method();
  } else {
    if (PyErr_ExceptionMatches(PyExc_AttributeError) == 0) throw py::error_already_set();
    PyErr_Clear();
    if (!PyDict_Check(object.ptr())) return undescribed(object);
  }
  Reader reader(std::make_shared<Held>(object.ptr()));
  Value value = reader.read(description.ptr());
  return {std::move(value), nullptr, reader.kept()};
}

}  // namespace

std::string remedy_for(py::handle object) {
  if (std::strcmp("CsrArrays", Py_TYPE(object.ptr())->tp_name) == 0)
    return "Pass its arrays one by one: values, columns and offsets. daptor.multiply and to_petsc "
           "check that they make a matrix.";
  return "Describe this rank's section, a NumPy array or another buffer, by "
         "daptor.block(section, comm).";
}

Reading read(py::handle object) {
  clear_cause();
  try {
    return reading_of(object);
  } catch (const py::error_already_set& error) {
    const std::string description = describe(error);
    return {Submission::failed(description), failure_of(error, description), {}};
  } catch (const Error& error) {
    return {Submission::failed(error.what()), std::current_exception(), {}};
  } catch (const std::exception& error) {
    return {Submission::failed(error.what()), std::current_exception(), {}};
  }
}

Section Reading::array() const {
  if (failure) std::rethrow_exception(failure);
  if (submission.array() != nullptr) return *submission.array();
  if (submission.failure())
    throw ProducerFailed(error_finding(rule_producer, -1, "", *submission.failure(), ""));
  return parse_or_throw(submission.description());
}

Section Reading::array_on(const Comm& comm) const {
  if (failure || submission.array() != nullptr || submission.failure()) return array();
  return parse_or_throw(placed_on(comm, submission.description()));
}

}  // namespace daptor::python
