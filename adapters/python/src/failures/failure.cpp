// SPDX-License-Identifier: BSD-3-Clause
#include "failures/failure.hpp"

#include <map>
#include <thread>

namespace daptor::python {
namespace {

/// An exception of foreign code during a call on this thread.
struct Cause {
  PyObject* exception = nullptr;  // owned
  /// The text of the finding about it. An error with another finding comes from another rank.
  std::string found;
};

/// The causes of all threads. The modules of the package share them, since the one module that
/// turns errors into exceptions is not always the one that met the cause. Needs the GIL.
std::map<std::thread::id, Cause>& causes() {
  return py::get_or_create_shared_data<std::map<std::thread::id, Cause>>("daptor_causes");
}

/// The classes of daptor._errors, in the order of ErrorKind, which begins with 1.
constexpr const char* class_names[] = {"Malformed",      "Unsupported",    "NotRepresentable",
                                       "ProducerFailed", "LibraryFailed",  "Finalized",
                                       "Stale",          "InvalidArgument"};

py::object error_class_named(const char* name) {
  return py::module_::import("daptor._errors").attr(name);
}

/// The text on one line, safe to print on a terminal: control characters (also U+0080 to U+009F)
/// are written as `\\xNN`.
std::string harmless(const std::string& text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string line;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool second_page =
        byte == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    if (byte == '\n') {
      line += ' ';
    } else if (byte < 0x20 || byte == 0x7f || second_page) {
      const auto code = second_page ? static_cast<unsigned char>(text[++i]) : byte;
      line += "\\x";
      line += digits[code >> 4U];
      line += digits[code & 0xfU];
    } else {
      line += text[i];
    }
  }
  return line;
}

/// `str(object)` on one line, truncated. Foreign code may raise in it.
std::string text_of(py::handle object) {
  constexpr std::size_t longest = 300;
  const auto text = py::reinterpret_steal<py::object>(PyObject_Str(object.ptr()));
  const char* const bytes = text ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
  if (bytes == nullptr) {
    PyErr_Clear();
    return "(no text)";
  }
  std::string line(bytes);
  if (line.size() > longest) line = line.substr(0, longest) + "...";
  return harmless(line);
}

/// " (grid.py:12 in f)", the innermost frame; empty where there is none.
std::string place_of(py::handle trace) {
  if (!trace || trace.is_none()) return {};
  auto* innermost = reinterpret_cast<PyTracebackObject*>(trace.ptr());
  while (innermost->tb_next != nullptr) innermost = innermost->tb_next;
  const auto code = py::reinterpret_steal<py::object>(
      reinterpret_cast<PyObject*>(PyFrame_GetCode(innermost->tb_frame)));
  const auto file = py::cast<std::string>(code.attr("co_filename"));
  const auto slash = file.find_last_of('/');
  const auto function = py::cast<std::string>(code.attr("co_name"));
  const int line =
      PyCode_Addr2Line(reinterpret_cast<PyCodeObject*>(code.ptr()), innermost->tb_lasti);
  return harmless(" (" + (slash == std::string::npos ? file : file.substr(slash + 1)) + ':' +
                  std::to_string(line) + " in " + function + ')');
}

std::string described(const py::object& exception, const py::object& trace) {
  std::string text = harmless(Py_TYPE(exception.ptr())->tp_name);
  const std::string words = text_of(exception);
  if (!words.empty()) text += ": " + words;
  try {
    text += place_of(trace);
  } catch (const std::exception&) {
    PyErr_Clear();
  }
  return text;
}

/// The Daptor error that this Python exception stands for; null for any other exception.
std::exception_ptr as_daptor_error(const py::error_already_set& error) {
  try {
    if (!error.matches(error_class_named("Error"))) return nullptr;
    for (int code = 1; code <= static_cast<int>(ErrorKind::invalid_argument); ++code) {
      const auto kind = static_cast<ErrorKind>(code);
      if (!error.matches(error_class(kind))) continue;
      const auto report = py::cast<Report>(error.value().attr("report"));
      if (report.findings().empty()) return nullptr;
      throw_error(kind, report);
    }
  } catch (const Error&) {
    return std::current_exception();
  } catch (const std::exception&) {
    PyErr_Clear();  // the producer made this error itself, without a report
  }
  return nullptr;
}

/// Makes this exception the cause of the next error on this thread whose finding says `found`.
void set_cause(const py::error_already_set& error, const std::string& found) {
  clear_cause();
  if (!PyExceptionInstance_Check(error.value().ptr())) return;
  if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
  causes()[std::this_thread::get_id()] = {error.value().inc_ref().ptr(), found};
}

}  // namespace

py::object error_class(ErrorKind kind) {
  return error_class_named(class_names[static_cast<int>(kind) - 1]);
}

std::string describe(const py::error_already_set& error) {
  return described(error.value(), error.trace());
}

std::string describe(const py::object& exception) {
  return described(exception,
                   py::reinterpret_steal<py::object>(PyException_GetTraceback(exception.ptr())));
}

std::exception_ptr failure_of(const py::error_already_set& error) {
  return failure_of(error, describe(error));
}

std::exception_ptr failure_of(const py::error_already_set& error, const std::string& description) {
  std::exception_ptr failure = as_daptor_error(error);
  if (!failure)
    failure = std::make_exception_ptr(
        ProducerFailed(error_finding(rule_producer, -1, "", description, "")));
  try {
    std::rethrow_exception(failure);
  } catch (const Error& ours) {
    set_cause(error, ours.finding().found.str());
  }
  return failure;
}

std::exception_ptr own_error(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const py::error_already_set& error) {
    return failure_of(error);
  } catch (...) {
    return thrown;
  }
}

PyObject* take_cause(const std::string& found) {
  const auto at = causes().find(std::this_thread::get_id());
  if (at == causes().end()) return nullptr;
  PyObject* const exception = at->second.exception;
  const bool same = at->second.found == found;
  causes().erase(at);
  if (same) return exception;
  Py_DECREF(exception);
  return nullptr;
}

void clear_cause() {
  Py_XDECREF(take_cause(std::string()));
}

}  // namespace daptor::python
