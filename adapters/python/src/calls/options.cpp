// SPDX-License-Identifier: BSD-3-Clause
#include "calls/options.hpp"

#include <algorithm>

namespace daptor::python {
namespace {

constexpr std::size_t line_width = 96;  // with the indentation of a function in Python
constexpr std::size_t widest_name = 16;

/// The text in lines; those after the first one begin with `indent` spaces.
/// @param at  where the first line begins
std::string wrapped(const std::string& text, std::size_t indent, std::size_t at) {
  std::istringstream words(text);
  std::string result, word;
  std::size_t column = at;
  while (words >> word) {
    if (column > at && column + 1 + word.size() > line_width) {
      result += '\n' + std::string(indent, ' ') + word;
      at = indent;
      column = indent + word.size();
    } else {
      if (!result.empty()) result += ' ';
      result += word;
      column += word.size() + (column > at ? 1 : 0);
    }
  }
  return result;
}

}  // namespace

std::string listed(const std::vector<std::string_view>& words, bool or_none) {
  std::string text = or_none ? "None" : "";
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!text.empty()) text += i + 1 == words.size() ? " or " : ", ";
    text += '"' + std::string(words[i]) + '"';
  }
  return text;
}

std::vector<Index> integers_of(const char* key, py::handle object) {
  const auto items = py::reinterpret_steal<py::object>(PySequence_List(object.ptr()));
  if (!items || PyUnicode_Check(object.ptr()) != 0) {
    PyErr_Clear();
    throw InvalidArgument(key, type_text(object), "a sequence of integers");
  }
  std::vector<Index> result;
  for (const py::handle item : items) result.push_back(integer_of(key, item));
  return result;
}

IndexRange OptionValue<IndexRange>::read(const char* key, py::handle object) {
  constexpr const char* expected = "None, or the pair (start, stop)";
  if (PySequence_Check(object.ptr()) == 0 || py::len(object) != 2)
    throw InvalidArgument(key, type_text(object), expected);
  return {integer_of(key, object[py::int_(0)]), integer_of(key, object[py::int_(1)])};
}

void Keywords::add(const char* name, std::string type, std::string missing, std::string text,
                   const char* member) {
  const bool has_none = type == "Any" || type.find("None") != std::string::npos ||
                        type.compare(0, 9, "Optional[") == 0;
  if (missing == "None" && !has_none) type = "Optional[" + type + "]";
  list_.push_back({name, std::move(type), std::move(missing), std::move(text), member});
}

const Keywords::Keyword* Keywords::find(py::handle name) const {
  for (const Keyword& each : list_)
    if (PyUnicode_CompareWithASCIIString(name.ptr(), each.name.c_str()) == 0) return &each;
  return nullptr;
}

std::string Keywords::signature() const {
  std::string text;
  for (const Keyword& each : list_)
    text += (text.empty() ? "" : ", ") + each.name + ": " + each.type + " = " + each.missing;
  return text;
}

std::string Keywords::text() const {
  std::size_t width = 0;
  for (const Keyword& each : list_) width = std::max(width, each.name.size());
  width = std::min(width, widest_name) + 2;
  std::string lines;
  for (const Keyword& each : list_) {
    if (each.text.empty()) continue;
    if (!lines.empty()) lines += '\n';
    lines += each.name;
    lines += each.name.size() + 2 <= width ? std::string(width - each.name.size(), ' ')
                                           : '\n' + std::string(width, ' ');
    lines += wrapped(each.text, width, width);
  }
  return lines;
}

Given::Given(const char* function, const Keywords& known, const py::kwargs& given)
    : known_(known), given_(given) {
  for (const auto& item : given)
    if (!known.has(item.first))
      throw py::type_error(std::string(function) + "() got an unexpected keyword argument '" +
                           py::cast<std::string>(item.first) + '\'');
}

py::object Given::operator[](const char* name) const {
  return passed(name) ? py::object(given_[name]) : py::none();
}

}  // namespace daptor::python
