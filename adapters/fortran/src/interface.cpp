// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include <fstream>
#include <set>
#include <sstream>
#include <utility>
#include <vector>

#include "options.hpp"
#include "procedures.hpp"

/// Writes most of the module daptor: all procedures whose body is the call of one function in C++.
/// A procedure is a row: its name, the function, and their arguments in one order. Of each row come
/// the procedure and the interface of a C function (daptor.inc), the C function, which lets no
/// exception through (entries.cpp), and the declaration of the function in C++ that it calls
/// (entries.hpp).

namespace daptor::fortran {
template <>
inline constexpr const char* type_name<daptor_array> = "type(abi_array)";
template <>
inline constexpr const char* type_name<daptor_fortran_dimension> = "type(daptor_dimension)";

namespace {

using std::string;

/// A parameter of a function in C++.
struct Parameter {
  string type, name;
  string declaration;  ///< in Fortran
};

/// A dummy argument of a procedure, and what the function gets of it.
struct Dummy {
  std::vector<Parameter> parameters;
  string name;
  string declaration;  ///< a statement
  string actual;       ///< in the call of the function; empty if `before` passes it on
  string before = {};  ///< a statement that comes before the call
};

/// @param type   of the parameter in C++, which is a T
/// @param shape  of the dummy argument
template <class T>
Dummy argument(const string& type, const string& name, const string& declaration,
               const string& actual, const string& shape = "") {
  return {{{type, name, dummy<T>(name)}}, name, declaration + " :: " + name + shape, actual};
}
/// What the function gets of procedures that do not have the argument.
Dummy without(const Dummy& dummy, const string& actual) {
  return {dummy.parameters, "", "", actual};
}
Dummy object(const string& type, const string& name) {
  return argument<Handle>("Handle", name, "class(daptor_" + type + "), intent(in)",
                          name + "%object");
}
Dummy self(const string& type) {
  return object(type, "self");
}
/// A variable that gets an object.
Dummy made(const string& type, const string& name = "self") {
  return argument<Handle&>("Handle&", name, "class(daptor_" + type + "), intent(inout)",
                           name + "%object");
}
/// An array of `type`, passed on with the number of its elements.
template <class T>
Dummy counted(const string& c_type, const string& type, const string& name,
              const string& elements) {
  Dummy list = argument<T>(c_type, name, type + ", intent(in)",
                           elements + ", size(" + name + ", kind=c_int64_t)", "(:)");
  list.parameters.push_back(
      {"std::int64_t", name + "_count", dummy<std::int64_t>(name + "_count")});
  return list;
}
/// One array, or an array of them: what the function gets of both is a list.
Dummy arrays(const string& name, bool several) {
  const Dummy list =
      counted<const Handle*>("const Handle*", "type(daptor_array)", name + "s", name + "s%object");
  if (several) return list;
  return {list.parameters, name, object("array", name).declaration,
          "[" + name + "%object], 1_c_int64_t"};
}
Dummy number(const string& name) {
  return argument<std::int32_t>("std::int32_t", name, "integer, intent(in)", name);
}
Dummy constant(const string& name, const string& value) {
  return without(number(name), value);
}
Dummy constant(const string& name, bool value) {
  return constant(name, value ? string("1") : string("0"));
}
/// An argument that a function of the module passes on.
Dummy passed(const string& type, const string& name, const string& by) {
  return argument<const daptor_fortran_argument&>("const daptor_fortran_argument&", name,
                                                  type + ", target", by + "(" + name + ")");
}
Dummy optional(const string& type, const string& name, const string& by) {
  return passed(type + ", intent(in), optional", name, by);
}
/// An optional argument that other procedures of the function have.
Dummy absent(const string& name) {
  return without(passed("", name, ""), "daptor_argument()");
}
Dummy mask() {
  return argument<Handle>("Handle", "mask", "class(daptor_array), intent(in), optional",
                          "object_of(mask)");
}
/// Arguments that the function gets as an array.
Dummy several(const string& names, const string& declarations, const string& actual) {
  return {argument<const daptor_fortran_argument*>("const daptor_fortran_argument*", "arguments",
                                                   "", "")
              .parameters,
          names, declarations, actual};
}
/// The arguments that write_arguments has written.
Dummy options(const string& of) {
  return several(of + "_ARGUMENTS", "DECLARE_" + of, "GIVEN_" + of);
}
/// Memory of any type and rank, to which the function does not write.
Dummy memory(const string& name, const string& intent = "inout") {
  return argument<const CFI_cdesc_t&>("const CFI_cdesc_t&", name,
                                      "type(*), intent(" + intent + "), target", name, "(..)");
}
/// Numbers that are `otherwise` after a failure.
Dummy result(const string& type, const string& name, const string& otherwise) {
  Dummy numbers = argument<CFI_cdesc_t&>("CFI_cdesc_t&", name, type + ", intent(out)", name, "(:)");
  numbers.before = name + " = " + otherwise;
  return numbers;
}
/// The entry `place` of the list `given`, if the argument is there. Absent ones are not handed on:
/// gfortran 12 reads an absent list where it becomes a contiguous argument.
Dummy list(int place, const string& type, const string& name, const string& by) {
  const bool required = place == 1;
  const string present = required ? "" : "if (present(" + name + ")) ";
  return {{},
          name,
          type + ", intent(in), target, contiguous" + (required ? "" : ", optional") +
              " :: " + name + "(:)",
          "",
          present + "given(" + std::to_string(place) + ") = " + by + "(" + name + ")"};
}

const std::pair<string, string> kinds[] = {{"default", "integer"}, {"long", "integer(c_int64_t)"}};
const std::pair<string, Dummy> communicators[] = {
    {"handle", number("comm")},
    {"f08",
     argument<std::int32_t>("std::int32_t", "comm", "type(MPI_Comm), intent(in)", "comm%mpi_val")}};

void append(string& list, const string& entry, const string& between) {
  if (!entry.empty()) list += (list.empty() ? "" : between) + entry;
}

/// Text of the procedures, which follow all interfaces, and of the functions in C++.
std::ostringstream procedures, declarations, entries;

void write_function(const string& name, const std::vector<Dummy>& dummies) {
  static std::set<string> written;
  if (!written.insert(name).second) return;
  string names, interfaces, parameters;
  for (const Dummy& dummy : dummies)
    for (const Parameter& parameter : dummy.parameters) {
      append(names, parameter.name, ", ");
      append(interfaces, parameter.declaration, "\n  ");
      append(parameters, parameter.type + " " + parameter.name, ", ");
    }
  std::cout << "function c_" << name << "(" << names << ") bind(c, name='daptor_fortran_" << name
            << "') result(code)\n  import\n  " << interfaces
            << "\n  integer(c_int) :: code\nend function\n";
  declarations << "void " << name << "(" << parameters << ");\n";
  entries << "int daptor_fortran_" << name << "(" << parameters << ") {\n  return call([&] { "
          << name << "(" << names << "); });\n}\n";
}

/// Writes one procedure and, if it is the first one that calls it, the function. Of characters only
/// `stat` is known (conclude_unless_text).
void procedure(const string& name, const string& function, const std::vector<Dummy>& dummies) {
  string names, declared, before, actuals, texts;
  for (const Dummy& dummy : dummies) {
    append(names, dummy.name, ", ");
    append(declared, dummy.declaration, "\n    ");
    append(before, dummy.before, "\n    ");
    append(actuals, dummy.actual, ", ");
    if (dummy.declaration.find("type(*)") == 0)
      append(texts, "c_is_text(" + dummy.name + ")", ", ");
  }
  write_function(function, dummies);
  const bool f08 = declared.find("MPI_Comm") != string::npos;
  procedures << (f08 ? "#ifdef DAPTOR_MPI_F08\n" : "") << "  subroutine " << name << "(" << names
             << ", stat, errmsg)\n    " << declared << "\n    ENDING\n\n"
             << (before.empty() ? "" : "    " + before + "\n") << "    call "
             << (texts.empty() ? "daptor_conclude(" : "conclude_unless_text([" + texts + "], ")
             << "&\n      c_" << function << "(" << actuals << "), &\n      stat, errmsg)\n"
             << "  end subroutine " << name << "\n"
             << (f08 ? "#endif\n" : "") << "\n";
}

void layouts() {
  for (const auto& [communicator, comm] : communicators) {
    for (const auto& [kind, integer] : kinds) {
      std::vector<Dummy> dummies = {made("layout"), list(1, integer, "shape", "given_list_" + kind),
                                    comm};
      int place = 1;
      for (const char* name : {"grid", "position", "ghosts", "padding", "boundary"})
        dummies.push_back(list(++place, "integer", name, "given_list_default"));
      dummies.push_back(list(7, "logical", "periodic", "given_logicals"));
      dummies.push_back(list(8, integer, "lower", "given_list_" + kind));
      dummies.push_back(list(9, integer, "upper", "given_list_" + kind));
      dummies.push_back(several("", "type(daptor_argument) :: given(9)", "given"));
      procedure("block_" + communicator + "_" + kind, "layout_block", dummies);
    }
    procedure("create_" + communicator, "layout_create",
              {made("layout"),
               counted<const daptor_fortran_dimension*>("const daptor_fortran_dimension*",
                                                        "type(daptor_dimension)", "dimensions",
                                                        "dimensions"),
               comm});
  }
  procedure("layout_on_process", "layout_on_process",
            {made("layout"), object("layout", "whole"), number("process")});
  for (const auto& [kind, integer] : kinds)
    for (const bool ghosts : {false, true})
      procedure((ghosts ? "local_" : "owned_") + kind, "layout_bounds",
                {self("layout"), constant("ghosts", ghosts), result(integer, "lower", "1"),
                 result(integer, "upper", "0")});
  procedure("process_grid", "layout_grid",
            {self("layout"), result("integer", "grid", "0"), result("integer", "position", "0")});
}

void arrays() {
  const Dummy layout = object("layout", "layout");
  const Dummy section = {argument<daptor_array&>("daptor_array&", "section", "", "").parameters,
                         "struct", "type(abi_array), intent(inout) :: struct", "struct"};
  const Dummy itself = without(memory("component"), "values");
  const Dummy writable = constant("readonly", false);
  procedure("modified_array", "array_modified", {self("array")});
  procedure("describe_array", "array_describe",
            {made("array"), memory("values"), itself, layout, writable});
  procedure("describe_readonly", "array_describe",
            {made("array"), memory("values", "in"), itself, layout, constant("readonly", true)});
  procedure("describe_component", "array_describe",
            {made("array"), memory("cells"), memory("component"), layout, writable});
  procedure("without_padding", "array_without_padding", {self("array"), made("array", "inside")});
  procedure("get_layout", "array_get_layout", {self("array"), made("layout", "layout")});
  procedure("to_abi", "array_to_abi", {self("array"), section});
  for (const auto& [communicator, comm] : communicators)
    procedure("from_abi_" + communicator, "array_from_abi", {made("array"), section, comm});
}

void numbers() {
  const Dummy other = object("array", "other");
  for (std::size_t wanted = 0; wanted < std::size(reductions); ++wanted) {
    const string name = string(reductions[wanted]).substr(string("array%").size());
    Dummy value = passed("class(*), intent(inout)", "value", "given_variable");
    if (name == "any" || name == "all") {
      value = passed("logical, intent(out)", "yes", "daptor_given_logical");
      value.before = "yes = .false.";
    }
    procedure(
        name + "_array", "array_reduce",
        {self("array"), constant("wanted", std::to_string(wanted)),
         name == "dot_product" ? other : without(other, "0_c_int64_t"), value,
         name == "var" ? optional("real(c_double)", "ddof", "daptor_given_real") : absent("ddof"),
         mask()});
  }
  for (const bool greatest : {false, true})
    for (const auto& [kind, integer] : kinds)
      procedure(
          (greatest ? "maxloc_" : "minloc_") + kind, "array_place",
          {self("array"), constant("greatest", greatest), result(integer, "place", "0"), mask()});
  procedure("gather_array", "array_gather",
            {self("array"),
             argument<CFI_cdesc_t&>("CFI_cdesc_t&", "whole", "type(*), intent(inout), target",
                                    "whole", "(..)"),
             optional("integer", "process", "daptor_given_integer"),
             optional("logical", "everywhere", "daptor_given_logical")});
}

void exchanges() {
  const Dummy how = optional("integer", "how", "daptor_given_integer");
  for (const bool several : {false, true}) {
    const string batch = several ? "_batch" : "";
    procedure("create_halo" + batch, "halo_create",
              {made("halo"), arrays("array", several), options("HALO")});
    procedure("rebind_halo" + batch, "halo_rebind", {self("halo"), arrays("array", several)});
    procedure("create_redistribution" + batch, "redistribution_create",
              {made("redistribution"), arrays("source", several), arrays("target", several),
               options("COPY")});
  }
  // A procedure that only begins an exchange has the name of the one that completes it.
  for (const bool whole : {false, true}) {
    const Dummy completes = constant("whole", whole);
    procedure(whole ? "update_halo" : "begin_halo", "halo_begin",
              {self("halo"), constant("accumulate", false), absent("how"), completes});
    procedure(whole ? "accumulate_halo" : "begin_accumulate_halo", "halo_begin",
              {self("halo"), constant("accumulate", true), how, completes});
    for (const bool back : {false, true})
      procedure(string(whole ? "run" : "begin") + (back ? "_back" : "") + "_redistribution",
                "redistribution_begin",
                {self("redistribution"), constant("back", back), options("TRANSFORM"), completes});
  }
  procedure("finish_halo", "halo_end", {self("halo")});
  procedure("finish_redistribution", "redistribution_end", {self("redistribution")});
  procedure("daptor_update_ghosts", "update_ghosts", {object("array", "array"), options("HALO")});
  procedure("redistribute_once", "redistribute_once",
            {object("array", "source"), object("array", "target"), options("COPY_ONCE")});
}

}  // namespace
}  // namespace daptor::fortran

int main() {
  using namespace daptor;
  using namespace daptor::fortran;
  write_arguments<HaloOptions>("HALO", halo_arguments);
  write_arguments<RedistributionOptions>("COPY", copy_arguments);
  write_arguments<RedistributionOptions>("COPY_ONCE", copy_once_arguments);
  write_arguments<Transform>("TRANSFORM", transform_arguments);
  write_arguments<ValidateOptions>("VALIDATE", validate_arguments);
  std::cout << "interface\n";
  DAPTOR_FORTRAN_FUNCTION(keep_list);
  DAPTOR_FORTRAN_FUNCTION(layout_ndim);
  DAPTOR_FORTRAN_FUNCTION(is_text);
  DAPTOR_FORTRAN_FUNCTION(validate);
  DAPTOR_FORTRAN_FUNCTION(free);
  DAPTOR_FORTRAN_FUNCTION(share);
  DAPTOR_FORTRAN_FUNCTION(message_length);
  DAPTOR_FORTRAN_FUNCTION(message);
  DAPTOR_FORTRAN_FUNCTION(stop);
  layouts();
  daptor::fortran::arrays();
  numbers();
  exchanges();
  std::cout << "end interface\n\ncontains\n\n" << procedures.str();
  std::ofstream("entries.hpp") << "#pragma once\n#include \"procedures.hpp\"\n\n"
                               << "namespace daptor::fortran {\n"
                               << declarations.str() << "}\n";
  std::ofstream("entries.cpp") << "#include \"entries.hpp\"\n\nnamespace daptor::fortran {\n"
                               << "extern \"C\" {\n"
                               << entries.str() << "}\n}\n";
}
