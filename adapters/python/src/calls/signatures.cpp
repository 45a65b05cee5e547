// SPDX-License-Identifier: BSD-3-Clause
#include "calls/signatures.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace daptor::python {
namespace {

/// The function of Python's C interface behind what pybind11 has made, or null.
PyMethodDef* method_of(py::handle object) {
  PyObject* const function = py::detail::get_function(object).ptr();
  if (function == nullptr || !PyCFunction_Check(function)) return nullptr;
  return reinterpret_cast<PyCFunctionObject*>(function)->m_ml;
}

/// As pybind11 replaces a docstring, which it frees with the function.
void set_text(PyMethodDef& method, const std::string& text) {
  std::free(const_cast<char*>(method.ml_doc));
  method.ml_doc = ::strdup(text.c_str());
}

void replace_once(std::string& text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  if (at != std::string::npos) text.replace(at, what.size(), by);
}

/// `f(a, b=1)` of `f(a: int, b: Optional[int] = 1) -> Tuple[int, int]`.
std::string without_types(const std::string& typed) {
  std::string text;
  int depth = 0;
  bool in_type = false, in_string = false;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const char c = typed[i];
    if (c == '\'') in_string = !in_string;
    if (!in_string) {
      if (c == '(' || c == '[' || c == '{') ++depth;
      if (c == ')' || c == ']' || c == '}') --depth;
      if (depth == 1 && c == ':') in_type = true;
      if (in_type && depth == 1 && typed.compare(i, 3, " = ") == 0) {
        in_type = false;
        text += '=';
        i += 2;
        continue;
      }
      if (in_type && ((depth == 1 && c == ',') || depth == 0)) in_type = false;
    }
    if (!in_type) text += c;
    if (depth == 0 && c == ')') break;
  }
  return text;
}

/// Python's own form of a docstring with a signature.
void finish(const std::string& name, py::handle object, const py::dict& typed) {
  PyMethodDef* const method = method_of(object);
  if (method == nullptr || method->ml_doc == nullptr) return;
  const std::string text = method->ml_doc;
  const std::string line = text.substr(0, text.find('\n'));
  // Python's own functions, such as `__new__`, say no type of a result.
  if (line.find(") -> ") == std::string::npos) return;
  typed[py::str(name)] = line;
  const auto rest = text.find_first_not_of('\n', line.size());
  set_text(*method, without_types(line) + "\n--\n\n" +
                        (rest == std::string::npos ? std::string() : text.substr(rest)));
}

}  // namespace

void sign(py::handle function, const std::string& keywords, const std::string& options) {
  PyMethodDef& method = *method_of(function);
  std::string text = method.ml_doc;
  const bool after_star = text.find("*, ") < text.find("**kwargs");
  replace_once(text, "**kwargs", (after_star ? "" : "*, ") + keywords);
  replace_once(text, "{options}", options);
  set_text(method, text);
}

void retype(py::handle function, const std::string& typed) {
  PyMethodDef& method = *method_of(function);
  const std::string text = method.ml_doc;
  set_text(method, method.ml_name + typed + text.substr(std::min(text.size(), text.find('\n'))));
}

void finish_signatures(py::module_& module) {
  const py::dict typed;
  const std::string home = py::cast<std::string>(module.attr("__name__"));
  for (const auto& [key, object] : py::dict(module.attr("__dict__"))) {
    const auto name = py::cast<std::string>(key);
    finish(name, object, typed);
    if (!py::isinstance<py::type>(object) ||
        py::cast<std::string>(object.attr("__module__")) != home)
      continue;
    for (const auto& [member_key, member] : py::dict(object.attr("__dict__")))
      finish(name + '.' + py::cast<std::string>(member_key),
             py::isinstance<py::staticmethod>(member)
                 ? member.attr("__func__")
                 : py::object(py::reinterpret_borrow<py::object>(member)),
             typed);
  }
  module.attr("_typed") = typed;
}

}  // namespace daptor::python
