// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include <set>
#include <sstream>
#include <vector>

#include "options.hpp"
#include "procedures.hpp"

/// Writes the arguments, the interfaces and most procedures of the module daptor: all whose body is
/// the call of one C function. A procedure is a row: its name, the function, and its arguments in
/// the order of both.

namespace daptor::fortran {
template <>
inline constexpr const char* type_name<daptor_array> = "type(abi_array)";
template <>
inline constexpr const char* type_name<daptor_fortran_dimension> = "type(daptor_dimension)";

namespace {

using std::string;

/// A dummy argument of a procedure, and what the C function gets of it.
struct Dummy {
  string name;         ///< empty for what the C function alone gets
  string declaration;  ///< a statement
  string actual;       ///< in the call of the C function; empty if `before` passes it on
  string before = {};  ///< a statement that comes before the call
};

Dummy object(const string& type, const string& name, const string& intent = "in") {
  return {name, "class(daptor_" + type + "), intent(" + intent + ") :: " + name, name + "%object"};
}
Dummy self(const string& type) {
  return object(type, "self");
}
/// The variable that gets an object.
Dummy made(const string& type) {
  return object(type, "self", "inout");
}
/// One array, or an array of them: what C functions get of both is a list.
Dummy arrays(const string& name, bool several) {
  if (!several)
    return {name, object("array", name).declaration, "[" + name + "%object], 1_c_int64_t"};
  return {name, "type(daptor_array), intent(in) :: " + name + "(:)",
          name + "%object, size(" + name + ", kind=c_int64_t)"};
}
Dummy constant(const string& value) {
  return {"", "", value};
}
Dummy number(const string& name) {
  return {name, "integer, intent(in) :: " + name, name};
}
/// An optional argument, passed on by a function of the module.
Dummy optional(const string& type, const string& name, const string& given) {
  return {name, type + ", intent(in), optional, target :: " + name, given + "(" + name + ")"};
}
Dummy mask() {
  return {"mask", "class(daptor_array), intent(in), optional :: mask", "object_of(mask)"};
}
/// The arguments that write_arguments has written.
Dummy options(const string& procedure) {
  return {procedure + "_ARGUMENTS", "DECLARE_" + procedure, "GIVEN_" + procedure};
}
/// Memory of any type and rank.
Dummy memory(const string& name, const string& intent = "inout") {
  return {name, "type(*), intent(" + intent + "), target :: " + name + "(..)", name};
}
/// Numbers that are `otherwise` after a failure.
Dummy result(const string& type, const string& name, const string& otherwise) {
  return {name, type + ", intent(out) :: " + name + "(:)", name, name + " = " + otherwise};
}

/// The entry `place` of the list `given`, if the argument is there. Absent ones are not handed on:
/// gfortran 12 reads an absent list where it becomes a contiguous argument.
Dummy list(int place, const string& type, const string& name, const string& given) {
  const bool required = place == 1;
  return {name,
          type + ", intent(in), target, contiguous" + (required ? "" : ", optional") +
              " :: " + name + "(:)",
          "",
          (required ? "" : "if (present(" + name + ")) ") + "given(" + std::to_string(place) +
              ") = " + given + "(" + name + ")"};
}

struct IntegerKind {
  string name, type;
};
const IntegerKind kinds[] = {{"default", "integer"}, {"long", "integer(c_int64_t)"}};

struct Communicator {
  string name;
  Dummy dummy;
};
const Communicator communicators[] = {
    {"handle", {"comm", "integer, intent(in) :: comm", "comm"}},
    {"f08", {"comm", "type(MPI_Comm), intent(in) :: comm", "comm%mpi_val"}}};

void append(string& list, const string& entry, const string& between) {
  if (!entry.empty()) list += (list.empty() ? "" : between) + entry;
}

/// Text of the procedures, which follow all interfaces.
std::ostringstream procedures;

/// Writes one procedure. Of characters only `stat` is known (conclude_unless_text).
void write_procedure(const string& name, const string& function,
                     const std::vector<Dummy>& dummies) {
  string names, declarations, before, actuals, texts;
  for (const Dummy& dummy : dummies) {
    append(names, dummy.name, ", ");
    append(declarations, dummy.declaration, "\n    ");
    append(before, dummy.before, "\n    ");
    append(actuals, dummy.actual, ", ");
    if (dummy.declaration.find("type(*)") == 0)
      append(texts, "c_is_text(" + dummy.name + ")", ", ");
  }
  const bool f08 = declarations.find("MPI_Comm") != string::npos;
  procedures << (f08 ? "#ifdef DAPTOR_MPI_F08\n" : "") << "  subroutine " << name << "(" << names
             << ", stat, errmsg)\n    " << declarations << "\n    ENDING\n\n"
             << (before.empty() ? "" : "    " + before + "\n") << "    call "
             << (texts.empty() ? "daptor_conclude(" : "conclude_unless_text([" + texts + "], ")
             << "&\n      c_" << function << "(" << actuals << "), &\n      stat, errmsg)\n"
             << "  end subroutine " << name << "\n"
             << (f08 ? "#endif\n" : "") << "\n";
}

/// The name of a C function, whose interface is written when a procedure first calls it.
template <class F>
string called(const string& name, F* function) {
  static std::set<string> written;
  if (written.insert(name).second) write_function(name, function);
  return name;
}
#define CALLS(name) called(#name, static_cast<decltype(&daptor_fortran_##name)>(nullptr))

void layouts() {
  for (const Communicator& on : communicators) {
    for (const IntegerKind& kind : kinds) {
      const string long_list = "given_list_" + kind.name;
      write_procedure("block_" + on.name + "_" + kind.name, CALLS(layout_block),
                      {made("layout"),
                       list(1, kind.type, "shape", long_list),
                       on.dummy,
                       list(2, "integer", "grid", "given_list_default"),
                       list(3, "integer", "position", "given_list_default"),
                       list(4, "integer", "ghosts", "given_list_default"),
                       list(5, "integer", "padding", "given_list_default"),
                       list(6, "integer", "boundary", "given_list_default"),
                       list(7, "logical", "periodic", "given_logicals"),
                       list(8, kind.type, "lower", long_list),
                       list(9, kind.type, "upper", long_list),
                       {"", "type(daptor_argument) :: given(9)", "given"}});
    }
    write_procedure("create_" + on.name, CALLS(layout_create),
                    {made("layout"),
                     {"dimensions", "type(daptor_dimension), intent(in) :: dimensions(:)",
                      "dimensions, size(dimensions, kind=c_int64_t)"},
                     on.dummy});
  }
  write_procedure("layout_on_process", CALLS(layout_on_process),
                  {made("layout"),
                   {"whole", "type(daptor_layout), intent(in) :: whole", "whole%object"},
                   number("process")});
  for (const bool ghosts : {false, true})
    for (const IntegerKind& kind : kinds)
      write_procedure((ghosts ? "local_" : "owned_") + kind.name, CALLS(layout_bounds),
                      {self("layout"), constant(ghosts ? "1" : "0"),
                       result(kind.type, "lower", "1"), result(kind.type, "upper", "0")});
  write_procedure(
      "process_grid", CALLS(layout_grid),
      {self("layout"), result("integer", "grid", "0"), result("integer", "position", "0")});
}

void arrays() {
  const Dummy layout = object("layout", "layout");
  const Dummy abi = {"struct", "type(abi_array), intent(inout) :: struct", "struct"};
  write_procedure("modified_array", CALLS(modified), {self("array")});
  write_procedure("describe_array", CALLS(describe),
                  {made("array"), memory("values"), constant("values"), layout, constant("0")});
  write_procedure(
      "describe_readonly", CALLS(describe),
      {made("array"), memory("values", "in"), constant("values"), layout, constant("1")});
  write_procedure("describe_component", CALLS(describe),
                  {made("array"), memory("cells"), memory("component"), layout, constant("0")});
  write_procedure("without_padding", CALLS(without_padding),
                  {self("array"), object("array", "inside", "inout")});
  write_procedure(
      "get_layout", CALLS(array_layout),
      {self("array"), {"layout", "type(daptor_layout), intent(inout) :: layout", "layout%object"}});
  write_procedure("to_abi", CALLS(to_abi), {self("array"), abi});
  for (const Communicator& on : communicators)
    write_procedure("from_abi_" + on.name, CALLS(from_abi), {made("array"), abi, on.dummy});
}

void numbers() {
  const Dummy absent = constant("daptor_argument()");
  for (std::size_t wanted = 0; wanted < std::size(reductions); ++wanted) {
    const string name = string(reductions[wanted]).substr(string("array%").size());
    const bool question = name == "any" || name == "all";
    write_procedure(
        name + "_array", CALLS(reduce),
        {self("array"), constant(std::to_string(wanted)),
         name == "dot_product" ? object("array", "other") : constant("0_c_int64_t"),
         question
             ? Dummy{"yes", "logical, intent(out), target :: yes", "daptor_given_logical(yes)",
                     "yes = .false."}
             : Dummy{"value", "class(*), intent(inout), target :: value", "given_variable(value)"},
         name == "var" ? optional("real(c_double)", "ddof", "daptor_given_real") : absent, mask()});
  }
  for (const bool greatest : {false, true})
    for (const IntegerKind& kind : kinds)
      write_procedure(
          (greatest ? "maxloc_" : "minloc_") + kind.name, CALLS(place),
          {self("array"), constant(greatest ? "1" : "0"), result(kind.type, "place", "0"), mask()});
  write_procedure(
      "gather_array", CALLS(gather),
      {self("array"), memory("whole"), optional("integer", "process", "daptor_given_integer"),
       optional("logical", "everywhere", "daptor_given_logical")});
}

void exchanges() {
  const Dummy how = optional("integer", "how", "daptor_given_integer");
  const Dummy absent = constant("daptor_argument()");
  for (const bool several : {false, true}) {
    const string batch = several ? "_batch" : "";
    const string s = several ? "s" : "";
    write_procedure("create_halo" + batch, CALLS(halo_create),
                    {made("halo"), arrays("array" + s, several), options("HALO")});
    write_procedure("rebind_halo" + batch, CALLS(halo_rebind),
                    {self("halo"), arrays("array" + s, several)});
    write_procedure("create_redistribution" + batch, CALLS(redistribution_create),
                    {made("redistribution"), arrays("source" + s, several),
                     arrays("target" + s, several), options("COPY")});
  }
  // A procedure that only begins an exchange has the name of the one that completes it.
  for (const bool whole : {false, true}) {
    const Dummy completes = constant(whole ? "1" : "0");
    write_procedure(whole ? "update_halo" : "begin_halo", CALLS(halo_begin),
                    {self("halo"), constant("0"), absent, completes});
    write_procedure(whole ? "accumulate_halo" : "begin_accumulate_halo", CALLS(halo_begin),
                    {self("halo"), constant("1"), how, completes});
    for (const bool back : {false, true})
      write_procedure(
          string(whole ? "run" : "begin") + (back ? "_back" : "") + "_redistribution",
          CALLS(redistribution_begin),
          {self("redistribution"), constant(back ? "1" : "0"), options("TRANSFORM"), completes});
  }
  write_procedure("finish_halo", CALLS(halo_end), {self("halo")});
  write_procedure("finish_redistribution", CALLS(redistribution_end), {self("redistribution")});
  write_procedure("daptor_update_ghosts", CALLS(update_ghosts),
                  {object("array", "array"), options("HALO")});
  write_procedure("redistribute_once", CALLS(redistribute),
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
}
