// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <initializer_list>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <pybind11/complex.h>

#include "calls/arguments.hpp"
#include "calls/signatures.hpp"
#include "daptor/fields.hpp"
#include "daptor/index_vector.hpp"

/// \file
/// The keywords of compiled functions, made of the `fields` of option structs. A keyword is read in
/// the body of a call's check, where an invalid value on one rank is told on all.

namespace daptor::python {

/// How Python writes options of type T: the type and a value in signatures, and `read`, which
/// throws InvalidArgument. An adapter specializes it for a type of its own.
template <class T, class = void>
struct OptionValue {
  // What Python does not pass, or in a form of which the function makes this value.
  static std::string type() { return "Any"; }
  static std::string shown(const T&) { return "None"; }
};

/// A specialization may have `text()`, what the option means where Python has it in a form of its
/// own.
template <class Value, class = void>
struct HasText : std::false_type {};
template <class Value>
struct HasText<Value, std::void_t<decltype(Value::text())>> : std::true_type {};

template <class T, class = void>
struct HasOptionValue : std::false_type {};
template <class T>
struct HasOptionValue<T, std::void_t<decltype(OptionValue<T>::read("", py::handle()))>>
    : std::true_type {};

template <>
struct OptionValue<bool> {
  static std::string type() { return "bool"; }
  static std::string shown(bool value) { return value ? "True" : "False"; }
  static bool read(const char* key, py::handle object) { return flag_of(key, object); }
};

template <class T>
struct OptionValue<T, std::enable_if_t<std::is_integral_v<T>>> {
  static std::string type() { return "int"; }
  static std::string shown(T value) { return std::to_string(value); }
  static T read(const char* key, py::handle object) {
    return static_cast<T>(integer_of(key, object, 8 * static_cast<int>(sizeof(T))));
  }
};

template <>
struct OptionValue<std::complex<double>> {
  static std::string type() { return "complex"; }
  static std::string shown(const std::complex<double>& value) {
    std::ostringstream out;
    out << value.real();
    return out.str();
  }
  static std::complex<double> read(const char* key, py::handle object) {
    return value_of<std::complex<double>>(key, object, "a number", true);
  }
};

template <>
struct OptionValue<std::string> {
  static std::string type() { return "str"; }
  static std::string shown(const std::string& value) { return '\'' + value + '\''; }
  static std::string read(const char* key, py::handle object) { return word_of(key, object); }
};

/// `"box" or "star"`; with None for what stands for an option that is not given.
std::string listed(const std::vector<std::string_view>& words, bool or_none);

/// An enumerator whose word is "none" is None.
template <class T>
struct OptionValue<T, std::enable_if_t<std::is_enum_v<T>>> {
  static std::string type() { return enumerator_of<T>("none") ? "Optional[str]" : "str"; }
  static std::string shown(T value) {
    const std::string name(daptor::word_of(value));
    return name == "none" ? "None" : '\'' + name + '\'';
  }
  static T read(const char* key, py::handle object) {
    return read(key, object, enumerator_of<T>("none"));
  }
  /// @param missing  what None stands for, which has no word in Python
  static T read(const char* key, py::handle object, std::optional<T> missing) {
    if (missing && object.is_none()) return *missing;
    std::vector<std::string_view> names;
    for (const auto& each : words(T{}))
      if (each.value != missing) names.push_back(each.name);
    const std::string expected = listed(names, missing.has_value());
    if (PyUnicode_Check(object.ptr()) == 0) throw InvalidArgument(key, type_text(object), expected);
    const std::string name = word_of(key, object);
    const std::optional<T> value = enumerator_of<T>(name);
    if (!value || value == missing) throw InvalidArgument(key, '"' + name + '"', expected);
    return *value;
  }
};

/// The integers of a sequence.
std::vector<Index> integers_of(const char* key, py::handle object);

template <class T>
struct OptionValue<
    T, std::enable_if_t<std::is_same_v<T, IndexVector> || std::is_same_v<T, std::vector<Index>>>> {
  static std::string type() { return "Sequence[int]"; }
  static std::string shown(const T&) { return "()"; }
  static T read(const char* key, py::handle object) { return integers_of(key, object); }
};

template <>
struct OptionValue<IndexRange> {
  static std::string type() { return "Tuple[int, int]"; }
  static IndexRange read(const char* key, py::handle object);
};

template <class T>
struct OptionValue<std::optional<T>, std::enable_if_t<HasOptionValue<T>::value>> {
  static std::string type() { return OptionValue<T>::type(); }
  static std::string shown(const std::optional<T>&) { return "None"; }
  static std::optional<T> read(const char* key, py::handle object) {
    return OptionValue<T>::read(key, object);
  }
};

/// Keywords of a function: members of option structs, and single ones.
class Keywords {
 public:
  /// All members of `Options`.
  /// @param without   the names of those that the function does not take
  /// @param renamed   names of members, and of their keywords where these have others
  /// @param defaults  those of the function
  template <class Options>
  Keywords& of(std::initializer_list<std::string_view> without = {},
               const std::map<std::string_view, const char*>& renamed = {},
               const Options& defaults = {}) {
    for_each_field(defaults, [&](const auto& field, const auto& value) {
      using T = std::decay_t<decltype(value)>;
      using Value = OptionValue<T>;
      for (const std::string_view name : without)
        if (name == field.name) return;
      std::string text = field.text;
      if constexpr (HasText<Value>::value)
        text = Value::text();
      else if constexpr (std::is_enum_v<T>)
        text += words_text(field.optional ? std::optional(value) : enumerator_of<T>("none"));
      const auto other = renamed.find(field.name);
      add(other == renamed.end() ? field.name : other->second, Value::type(),
          field.optional ? "None" : Value::shown(value), text, field.name);
    });
    return *this;
  }
  /// A keyword that is no member of a struct.
  /// @param type, missing  its type and its default, as Python writes them
  Keywords& with(const char* name, const char* type, const char* missing, const char* text) {
    add(name, type, missing, text, "");
    return *this;
  }

  bool has(py::handle name) const { return find(name) != nullptr; }
  /// The member that a keyword of the function sets; empty if it is none of a struct.
  std::string_view member(py::handle name) const { return find(name)->member; }
  /// `padded: bool = False, flat: bool = False`
  std::string signature() const;
  /// A paragraph with a line or more for each.
  std::string text() const;

 private:
  struct Keyword {
    std::string name, type, missing, text, member;
  };

  void add(const char* name, std::string type, std::string missing, std::string text,
           const char* member);
  const Keyword* find(py::handle name) const;

  /// `: "box" (all of it) or "star" (all except corners and edges)`
  template <class Enum>
  static std::string words_text(std::optional<Enum> none) {
    std::string text;
    for (const auto& each : words(Enum{})) {
      text += (text.empty() ? ": " : "; ") +
              (each.value == none ? "None" : '"' + std::string(each.name) + '"');
      if (!each.text.empty()) text += ": " + std::string(each.text);
    }
    return text;
  }

  std::vector<Keyword> list_;
};

/// The keywords that a caller has passed.
class Given {
 public:
  /// Throws TypeError for one that the function does not have.
  Given(const char* function, const Keywords& known, const py::kwargs& given);

  /// None if it was not passed.
  py::object operator[](const char* name) const;
  /// A truth value that is false if it was not passed.
  bool flag(const char* name) const {
    const py::object value = (*this)[name];
    return !passed(name) ? false : flag_of(name, value);
  }
  bool passed(const char* name) const { return given_.contains(name); }

  /// The options that were passed, and the defaults of others. Throws InvalidArgument.
  template <class Options>
  Options read(Options options = {}) const {
    for (const auto& [name, value] : given_)
      for_each_field(options, [&, key = name, object = value](const auto& field, auto& member) {
        if (known_.member(key) == field.name)
          read_one(PyUnicode_AsUTF8(key.ptr()), field, object, member);
      });
    return options;
  }

 private:
  template <class Field, class T>
  static void read_one(const char* key, const Field& field, py::handle object, T& member) {
    if (field.optional && object.is_none()) return;
    if constexpr (std::is_enum_v<T> && !HasText<OptionValue<T>>::value) {
      if (field.optional) {
        member = OptionValue<T>::read(key, object, std::optional<T>(member));
        return;
      }
    }
    if constexpr (HasOptionValue<T>::value) member = OptionValue<T>::read(key, object);
  }

  const Keywords& known_;
  const py::kwargs& given_;
};

/// `call`, which takes what was passed by keyword as its first argument, for pybind11.
/// @param name  as messages write it; must outlive the function
template <class R, class... Arguments>
auto with_keywords(const char* name, const Keywords& keywords,
                   R (*call)(const Given&, Arguments...)) {
  return [=](Arguments... arguments, const py::kwargs& given) -> R {
    return call(Given(name, keywords, given), std::forward<Arguments>(arguments)...);
  };
}

/// Adds a function with keywords to a module or class.
template <class Scope, class R, class... Arguments, class... Extra>
void define(Scope& scope, const char* name, const Keywords& keywords,
            R (*call)(const Given&, Arguments...), const Extra&... extra) {
  scope.def(name, with_keywords(name, keywords, call), extra...);
  sign(scope.attr(name), keywords.signature(), keywords.text());
}

/// Adds a constructor with keywords to a class.
template <class Class, class R, class... Arguments, class... Extra>
void define_init(Class& type, const Keywords& keywords, R (*call)(const Given&, Arguments...),
                 const Extra&... extra) {
  type.def(py::init(with_keywords("__init__", keywords, call)), extra...);
  sign(type.attr("__init__"), keywords.signature(), keywords.text());
}

}  // namespace daptor::python
