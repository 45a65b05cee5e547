// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "daptor/fortran/arguments.hpp"

struct CFI_cdesc_t;

/// \file
/// For the program that writes what a Fortran module includes (`daptor_fortran_interface` in
/// CMake): optional arguments of procedures, made of options in C++; and all procedures whose body
/// is the call of one function in C++. Such a procedure is a row: its name, the function, and their
/// arguments in one order. Of the row come the procedure and the interface of a C function, the C
/// function (entries.cpp), which lets no exception through (`call`), and the declaration of the
/// function in C++ (entries.hpp), in daptor::fortran.
/// \code
/// int main() {
///   using namespace daptor::fortran;
///   write_arguments<daptor::toy::ListOptions>("LIST", list_arguments);
///   procedure("import_list", "import_list", {array(), options("LIST")});
///   write_module();
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

/// A parameter of a function in C++.
struct Parameter {
  std::string type, name;
  std::string declaration;  ///< in Fortran
};

/// A dummy argument of a procedure, and what the function gets of it.
struct Dummy {
  std::vector<Parameter> parameters;
  std::string name;
  std::string declaration;  ///< a statement
  std::string actual;       ///< in the call of the function; empty if `before` passes it on
  std::string before = {};  ///< a statement that comes before the call
};

/// @param type   of the parameter in C++, which is a T
/// @param shape  of the dummy argument
template <class T>
Dummy argument(const std::string& type, const std::string& name, const std::string& declaration,
               const std::string& actual, const std::string& shape = "") {
  return {{{type, name, dummy<T>(name)}}, name, declaration + " :: " + name + shape, actual};
}
/// What the function gets of procedures that do not have the argument.
inline Dummy without(const Dummy& dummy, const std::string& actual) {
  return {dummy.parameters, "", "", actual};
}
inline Dummy number(const std::string& name) {
  return argument<std::int32_t>("std::int32_t", name, "integer, intent(in)", name);
}
inline Dummy constant(const std::string& name, bool value) {
  return without(number(name), value ? "1" : "0");
}
/// An argument that a function of the module passes on.
inline Dummy passed(const std::string& type, const std::string& name, const std::string& by) {
  return argument<const daptor_fortran_argument&>("const daptor_fortran_argument&", name,
                                                  type + ", target", by + "(" + name + ")");
}
inline Dummy optional(const std::string& type, const std::string& name, const std::string& by) {
  return passed(type + ", intent(in), optional", name, by);
}
/// An optional argument that the function writes; 0 after a failure.
inline Dummy written(const std::string& type, const std::string& name, const std::string& by) {
  Dummy number = passed(type + ", intent(out), optional", name, by);
  number.before = "if (present(" + name + ")) " + name + " = 0";
  return number;
}
/// An optional argument that other procedures of the function have.
inline Dummy absent(const std::string& name) {
  return without(passed("", name, ""), "daptor_argument()");
}
/// Arguments that the function gets as an array.
inline Dummy several(const std::string& names, const std::string& declarations,
                     const std::string& actual) {
  return {argument<const daptor_fortran_argument*>("const daptor_fortran_argument*", "arguments",
                                                   "", "")
              .parameters,
          names, declarations, actual};
}
/// The arguments that write_arguments has written.
inline Dummy options(const std::string& of) {
  return several(of + "_ARGUMENTS", "DECLARE_" + of, "GIVEN_" + of);
}
/// The array of a procedure.
inline Dummy array() {
  return argument<std::int64_t>("Handle", "array", "class(daptor_array), intent(in)",
                                "array%handle()");
}
/// Text, without blanks at its end.
inline Dummy text(const std::string& name) {
  return argument<const char*>("const char*", name, "character(*), intent(in)",
                               "trim(" + name + ")//c_null_char");
}

inline void append(std::string& list, const std::string& entry, const std::string& between) {
  if (!entry.empty()) list += (list.empty() ? "" : between) + entry;
}

/// What write_module writes.
inline std::ostringstream interfaces, procedures, declarations, entries;

/// The C function `daptor_fortran_<name>`, which Fortran calls as `c_<name>`, for a function in
/// C++. Has no effect if it is written.
inline void write_function(const std::string& name, const std::vector<Dummy>& dummies) {
  static std::set<std::string> written;
  if (!written.insert(name).second) return;
  std::string names, declared, parameters;
  for (const Dummy& dummy : dummies)
    for (const Parameter& parameter : dummy.parameters) {
      append(names, parameter.name, ", ");
      append(declared, parameter.declaration, "\n  ");
      append(parameters, parameter.type + " " + parameter.name, ", ");
    }
  interfaces << "function c_" << name << "(" << names << ") bind(c, name='daptor_fortran_" << name
             << "') result(code)\n  import\n  " << declared
             << "\n  integer(c_int) :: code\nend function\n";
  declarations << "void " << name << "(" << parameters << ");\n";
  entries << "int daptor_fortran_" << name << "(" << parameters << ") {\n  return call([&] { "
          << name << "(" << names << "); });\n}\n";
}

/// One procedure, which calls `daptor_fortran_<function>`. Where memory of any type may be
/// characters, the module daptor has conclude_unless_text.
inline void procedure(const std::string& name, const std::string& function,
                      const std::vector<Dummy>& dummies) {
  std::string names, declared, before, actuals, texts;
  for (const Dummy& dummy : dummies) {
    append(names, dummy.name, ", ");
    append(declared, dummy.declaration, "\n    ");
    append(before, dummy.before, "\n    ");
    append(actuals, dummy.actual, ", ");
    if (dummy.declaration.find("type(*)") == 0)
      append(texts, "c_is_text(" + dummy.name + ")", ", ");
  }
  append(names, "stat, errmsg", ", ");
  write_function(function, dummies);
  const bool f08 = declared.find("MPI_Comm") != std::string::npos;
  procedures << (f08 ? "#ifdef DAPTOR_MPI_F08\n" : "") << "  subroutine " << name << "(" << names
             << ")\n    " << declared << "\n    ENDING\n\n"
             << (before.empty() ? "" : "    " + before + "\n") << "    call "
             << (texts.empty() ? "daptor_conclude(" : "conclude_unless_text([" + texts + "], ")
             << "&\n      c_" << function << "(" << actuals << "), &\n      stat, errmsg)\n"
             << "  end subroutine " << name << "\n"
             << (f08 ? "#endif\n" : "") << "\n";
}

/// Writes the interfaces and, after `contains`, the procedures; and entries.hpp and entries.cpp in
/// the working directory.
/// @param header  declares types of the module that functions in C++ get
inline void write_module(const std::string& header = "daptor/fortran/arguments.hpp") {
  std::cout << "interface\n"
            << interfaces.str() << "end interface\n\ncontains\n\n"
            << procedures.str();
  // Procedures of a type name their variable self, and functions what it is.
  std::ofstream("entries.hpp")
      << "// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)\n"
      << "#pragma once\n#include \"daptor/fortran.hpp\"\n#include \"" << header
      << "\"\n\nnamespace daptor::fortran {\n"
      << declarations.str()
      << "}\n// NOLINTEND(readability-inconsistent-declaration-parameter-name)\n";
  std::ofstream("entries.cpp")
      << "#include \"entries.hpp\"\n\nnamespace daptor::fortran {\nextern \"C\" {\n"
      << entries.str() << "}\n}\n";
}

}  // namespace daptor::fortran
