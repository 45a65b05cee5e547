// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "daptor/error.hpp"
#include "daptor/fields.hpp"
#include "daptor/index_vector.hpp"

/// \file
/// For authors of Fortran modules over Daptor: optional arguments of a procedure, which are the
/// members of an option struct (`fields`). daptor/fortran/interface.hpp writes their declarations
/// for the module, and `options_of` reads what the procedure was given.

extern "C" {

/// An optional argument as it was given: a `type(daptor_argument)`, which daptor_given_logical and
/// its like return.
struct daptor_fortran_argument {
  std::int32_t type;   ///< a daptor::fortran::Type
  std::int64_t count;  ///< number of elements, or of characters
  const void* values;
};
}

namespace daptor::fortran {

/// Types of arguments, as the module daptor numbers them. Logicals are of the default kind.
enum class Type : std::int32_t {
  absent,
  int32,
  int64,
  real32,
  real64,
  complex32,
  complex64,
  logical,
  text
};

/// What a Fortran argument is to an option.
enum class As {
  itself,       ///< the same
  negated,      ///< a logical: the option is false where the argument is true
  value,        ///< a logical: where it is true, the option, an enumerator, is Argument::value
  small,        ///< a default integer, for an option of 64 bits
  from_one,     ///< a default integer that counts from 1 what the option counts from 0
  from_an_end,  ///< the same, or from -1 downwards from the end; 0 is refused
  nothing,      ///< the procedure does not have this option
  own           ///< no option: an argument of the procedure's own among them
};

/// A row of a procedure's table.
struct Argument {
  const char* option;  ///< as `fields` names it
  As as = As::itself;
  const char* name = nullptr;  ///< in Fortran, where it has another name there
  int value = 0;
  const char* text = "";  ///< what the option means, where its field says so

  constexpr const char* in_fortran() const { return name != nullptr ? name : option; }
};

namespace detail {

template <class Field>
constexpr auto text_of(const Field& field, int /*preferred*/) -> decltype(field.text) {
  return field.text;
}
template <class Field>
constexpr const char* text_of(const Field& /*field*/, long /*otherwise*/) {
  return "";
}

}  // namespace detail

/// Calls `visit(argument, member)` for each optional argument of a procedure, in its order: the
/// rows of the table, and then the options that have no row, as they are. A row that is no option
/// is visited with nullptr.
/// \code
/// constexpr Argument rows[] = {{"sync", As::negated, "no_sync"}, {"progress", As::nothing}};
/// \endcode
template <class Options, std::size_t n, class Visit>
void for_each_argument(Options& options, const Argument (&rows)[n], Visit&& visit) {
  const auto visit_fields = [&](auto&& each) {
    std::apply([&](const auto&... field) { (each(field, options.*field.member), ...); },
               fields(options));
  };
  for (const Argument& row : rows) {
    bool found = row.as == As::own;
    if (found) visit(row, nullptr);
    visit_fields([&](const auto& field, auto& member) {
      if (row.as == As::own || std::string_view(field.name) != row.option) return;
      found = true;
      Argument told = row;
      told.text = detail::text_of(field, 0);
      if (row.as != As::nothing) visit(told, member);
    });
    if (!found) throw std::logic_error(std::string("no option has the name ") + row.option);
  }
  visit_fields([&](const auto& field, auto& member) {
    for (const Argument& row : rows)
      if (row.as != As::own && std::string_view(field.name) == row.option) return;
    visit(Argument{field.name, As::itself, nullptr, 0, detail::text_of(field, 0)}, member);
  });
}

namespace detail {

template <class T, class As>
T element(const daptor_fortran_argument& given, std::int64_t at) {
  return static_cast<T>(static_cast<const As*>(given.values)[at]);
}

template <class T>
T number(const daptor_fortran_argument& given, std::int64_t at = 0) {
  switch (static_cast<Type>(given.type)) {
    case Type::int64:
      return element<T, std::int64_t>(given, at);
    case Type::real32:
      return element<T, float>(given, at);
    case Type::real64:
      return element<T, double>(given, at);
    default:
      return element<T, std::int32_t>(given, at);
  }
}

inline std::int64_t counted(std::int64_t number, const Argument& row) {
  if (row.as == As::from_an_end && number == 0)
    throw InvalidArgument(row.in_fortran(), "0",
                          std::string("a ") + row.option + " from 1, or from -1 downwards");
  if (row.as == As::from_one || (row.as == As::from_an_end && number > 0)) return number - 1;
  return number;
}

template <class T>
void set(T& option, const Argument& row, const daptor_fortran_argument& given) {
  if constexpr (std::is_same_v<T, bool>) {
    option = (number<std::int64_t>(given) != 0) != (row.as == As::negated);
  } else if constexpr (std::is_enum_v<T>) {
    if (number<std::int64_t>(given) != 0) option = static_cast<T>(row.value);
  } else if constexpr (std::is_integral_v<T>) {
    option = static_cast<T>(counted(number<std::int64_t>(given), row));
  } else if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::complex<double>>) {
    option = T(number<double>(given));
  } else if constexpr (std::is_same_v<T, std::string>) {
    option.assign(static_cast<const char*>(given.values), static_cast<std::size_t>(given.count));
    option.erase(option.find_last_not_of(' ') + 1);
  } else {
    throw std::logic_error(std::string("no argument of Fortran becomes ") + row.option);
  }
}

}  // namespace detail

/// Whether the argument is there.
inline bool present(const daptor_fortran_argument& argument) {
  return static_cast<Type>(argument.type) != Type::absent;
}

/// An argument of rank 1, as numbers. Process-local.
inline std::vector<Index> numbers_of(const daptor_fortran_argument& given) {
  std::vector<Index> list(static_cast<std::size_t>(given.count));
  for (std::size_t i = 0; i < list.size(); ++i)
    list[i] = detail::number<Index>(given, static_cast<std::int64_t>(i));
  return list;
}

/// The options of a call. Process-local.
/// @param given  the procedure's optional arguments, without those of its own (As::own)
/// @param rows   its table
/// @throws InvalidArgument for a number that the table does not allow
template <class Options, std::size_t n>
Options options_of(const daptor_fortran_argument* given, const Argument (&rows)[n]) {
  Options options;
  for_each_argument(options, rows, [&](const Argument& row, auto&& member) {
    if constexpr (!std::is_same_v<std::decay_t<decltype(member)>, std::nullptr_t>) {
      if (present(*given)) detail::set(member, row, *given);
      ++given;
    }
  });
  return options;
}

}  // namespace daptor::fortran
