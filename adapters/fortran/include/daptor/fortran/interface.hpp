// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <iostream>
#include <string>
#include <type_traits>

#include "daptor/fortran/arguments.hpp"

struct CFI_cdesc_t;

/// \file
/// For the program that writes what a Fortran module includes (`daptor_fortran_interface` in
/// CMake): interfaces of C functions and optional arguments of procedures, made of the declarations
/// and options in C++, so that neither is written twice.
/// \code
/// int main() {
///   DAPTOR_FORTRAN_FUNCTION(import_list);
///   daptor::fortran::write_arguments<daptor::toy::ListOptions>("LIST", list_arguments);
/// }
/// \endcode

namespace daptor::fortran {

/// What a type of C is in Fortran; for a module's own types it is specialised.
template <class T>
inline constexpr const char* type_name = nullptr;
template <>
inline constexpr const char* type_name<std::int32_t> = "integer(c_int32_t)";
template <>
inline constexpr const char* type_name<std::int64_t> = "integer(c_int64_t)";
template <>
inline constexpr const char* type_name<double> = "real(c_double)";
template <>
inline constexpr const char* type_name<char> = "character(kind=c_char)";
template <>
inline constexpr const char* type_name<CFI_cdesc_t> = "type(*)";
template <>
inline constexpr const char* type_name<daptor_fortran_argument> = "type(daptor_argument)";

/// A parameter of a C function as a dummy argument: a reference is one variable, or an array of any
/// rank if it is to a descriptor, and a pointer is an array. A pointer to void is an address.
template <class T>
std::string dummy(const std::string& name) {
  using Object = std::remove_pointer_t<std::remove_reference_t<T>>;
  if constexpr (std::is_void_v<std::remove_cv_t<Object>>) {
    return "type(c_ptr), value :: " + name;
  } else {
    static_assert(type_name<std::remove_cv_t<Object>> != nullptr, "Fortran does not know the type");
    const std::string type = type_name<std::remove_cv_t<Object>>;
    const std::string intent = std::is_const_v<Object> ? ", intent(in)" : ", intent(inout)";
    if constexpr (std::is_same_v<std::remove_cv_t<Object>, CFI_cdesc_t>)
      return type + intent + ", target :: " + name + "(..)";
    if constexpr (std::is_reference_v<T>) return type + intent + " :: " + name;
    if constexpr (std::is_pointer_v<T>) return type + intent + " :: " + name + "(*)";
    return type + ", value :: " + name;
  }
}

/// Writes the interface of a function, for use between `interface` and `end interface`.
template <class R, class... T>
void write_function(const std::string& name, R (* /*function*/)(T...)) {
  std::string arguments;
  std::string declarations;
  [[maybe_unused]] int number = 0;
  [[maybe_unused]] const auto add = [&](std::string (*declared)(const std::string&)) {
    const std::string argument = "a" + std::to_string(++number);
    arguments += (number > 1 ? ", " : "") + argument;
    declarations += "  " + declared(argument) + "\n";
  };
  (add(dummy<T>), ...);
  const bool returns = !std::is_void_v<R>;
  const std::string kind = returns ? "function" : "subroutine";
  std::cout << kind << " c_" << name << "(" << arguments << ") bind(c, name='daptor_fortran_"
            << name << "')" << (returns ? " result(a0)" : "") << "\n  import\n"
            << declarations;
  if constexpr (std::is_pointer_v<R>)
    std::cout << "  type(c_ptr) :: a0\n";
  else if constexpr (!std::is_void_v<R>)
    std::cout << "  " << type_name<R> << " :: a0\n";
  std::cout << "end " << kind << "\n";
}

/// The interface of `daptor_fortran_<name>`, which Fortran calls as `c_<name>`. The function is not
/// called, so the program need not be linked to it.
#define DAPTOR_FORTRAN_FUNCTION(name) \
  daptor::fortran::write_function(#name, static_cast<decltype(&daptor_fortran_##name)>(nullptr))

/// The type of an argument, and the function of the module daptor that passes it on.
struct ArgumentType {
  const char* declared;
  const char* given;
};

template <class T>
ArgumentType argument_type(const Argument& row) {
  constexpr ArgumentType logical = {"logical", "daptor_given_logical"};
  constexpr ArgumentType integer = {"integer", "daptor_given_integer"};
  if constexpr (std::is_same_v<T, bool>) return logical;
  if (row.as == As::value) return logical;
  if (row.as == As::small || row.as == As::from_one || row.as == As::from_an_end) return integer;
  if constexpr (std::is_same_v<T, int>) return integer;
  if constexpr (std::is_same_v<T, std::int64_t>) return {"integer(c_int64_t)", "daptor_given_long"};
  if constexpr (std::is_floating_point_v<T> || std::is_same_v<T, std::complex<double>>)
    return {"real(c_double)", "daptor_given_real"};
  if constexpr (std::is_same_v<T, std::string>) return {"character(*)", "daptor_given_text"};
  throw std::logic_error(std::string("write a row for ") + row.option +
                         ", whose type is none of Fortran's arguments");
}

/// Writes three macros: `<PROCEDURE>_ARGUMENTS` for the list of dummy arguments of a procedure,
/// `DECLARE_<PROCEDURE>` for their declarations, `GIVEN_<PROCEDURE>` for the argument of the C
/// function that `options_of` reads, with a comment for each option; and ENDING, the declarations
/// of `stat` and `errmsg`.
template <class Options, std::size_t n>
void write_arguments(const std::string& procedure, const Argument (&rows)[n]) {
  std::string names;
  std::string declarations;
  std::string given;
  Options options;
  for_each_argument(options, rows, [&](const Argument& row, auto&& member) {
    using Member = std::decay_t<decltype(member)>;
    const std::string name = row.in_fortran();
    names += (names.empty() ? "" : ", ") + name;
    if constexpr (!std::is_same_v<Member, std::nullptr_t>) {
      const ArgumentType type = argument_type<Member>(row);
      declarations += (declarations.empty() ? "" : "; ") + std::string(type.declared) +
                      ", intent(in), optional, target :: " + name;
      const bool told = row.text[0] != '\0';
      std::cout << "! " << procedure << ", " << name << ": " << type.declared << (told ? "; " : "")
                << row.text << "\n";
      given += (given.empty() ? "" : ", ") + std::string(type.given) + "(" + name + ")";
    }
  });
  std::cout << "#define ENDING integer, intent(out), optional :: stat; "
               "character(*), intent(inout), optional :: errmsg\n"
            << "#define " << procedure << "_ARGUMENTS " << names << "\n#define DECLARE_"
            << procedure << " " << declarations << "\n#define GIVEN_" << procedure << " [" << given
            << "]\n";
}

}  // namespace daptor::fortran
