// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include <utility>
#include <vector>

#include "options.hpp"
#include "procedures.hpp"

/// Writes most of the module daptor.

namespace daptor::fortran {
template <>
inline constexpr const char* type_name<daptor_array> = "type(abi_array)";
template <>
inline constexpr const char* type_name<daptor_fortran_dimension> = "type(daptor_dimension)";

namespace {

using std::string;

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
Dummy mask() {
  return argument<Handle>("Handle", "mask", "class(daptor_array), intent(in), optional",
                          "object_of(mask)");
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
  write_function("array_validate",
                 {self("array"), options("VALIDATE"), constant("must_conform", false),
                  argument<std::int32_t&>("std::int32_t&", "conforms", "", "")});
  write_function(
      "array_stale_padding",
      {self("array"), options("HALO"), argument<std::int32_t&>("std::int32_t&", "stale", "", "")});
  procedure("without_padding", "array_without_padding", {self("array"), made("array", "inside")});
  procedure("get_layout", "array_get_layout", {self("array"), made("layout", "layout")});
  procedure("to_abi", "array_to_abi", {self("array"), section});
  for (const auto& [communicator, comm] : communicators)
    procedure("from_abi_" + communicator, "array_from_abi", {made("array"), section, comm});
}

void numbers() {
  const Dummy other = object("array", "other");
  for (const string name :
       {"sum", "mean", "var", "minval", "maxval", "dot_product", "norm2", "count", "any", "all"}) {
    Dummy value = passed("class(*), intent(inout)", "value", "given_variable");
    if (name == "any" || name == "all") {
      value = passed("logical, intent(out)", "yes", "daptor_given_logical");
      value.before = "yes = .false.";
    }
    procedure(
        name + "_array", "array_reduce",
        {self("array"), without(text("wanted"), "'" + name + "'//c_null_char"),
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
  procedure("daptor_redistribute", "redistribute_once",
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
  DAPTOR_FORTRAN_FUNCTION(free);
  DAPTOR_FORTRAN_FUNCTION(share);
  DAPTOR_FORTRAN_FUNCTION(message_length);
  DAPTOR_FORTRAN_FUNCTION(message);
  DAPTOR_FORTRAN_FUNCTION(stop);
  std::cout << "end interface\n";
  layouts();
  daptor::fortran::arrays();
  numbers();
  exchanges();
  write_module("procedures.hpp");
}
