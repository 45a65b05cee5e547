#pragma once

#include <string>
#include <vector>

#include <petsc/private/pcimpl.h>

#include <Teuchos_ParameterList.hpp>

#include "daptor/communicator.hpp"

namespace daptor::solvers::plugin {

namespace detail {
template <class Result, class Items>
Items items_of(Result (*)(PC, Items));
}
/// What PETSc hands to a function that reads options; its versions differ.
using OptionItems = decltype(detail::items_of(_PCOps{}.setfromoptions));

/// An option of the database that stands for one parameter of Trilinos.
struct ParameterOption {
  enum class Kind { integer, real, text, flag };
  const char* name;       ///< without the dash, `pc_muelu_levels`
  const char* parameter;  ///< where it goes: names of sublists and the parameter, joined by `/`
  Kind kind;
  const char* initial;  ///< what Trilinos takes otherwise, for `-help`
  const char* text;     ///< one line for `-help`
};

/// Reads options of the database and lists them for `-help`. Its functions are collective, and
/// throw LibraryFailed with PETSc's text for a value that cannot be read.
class Options {
 public:
  explicit Options(OptionItems items) : items_(items) {}

  void heading(const char* text);
  /// Each returns true where the option was given, and leaves `value` alone otherwise.
  bool text(const char* name, const char* help, std::string& value);
  bool integer(const char* name, const char* help, PetscInt& value);
  bool real(const char* name, const char* help, PetscReal& value);
  bool flag(const char* name, const char* help, bool& value);
  /// Into `list` where it was given.
  void parameter(const ParameterOption& option, Teuchos::ParameterList& list);

 private:
  OptionItems items_;
};

/// `"reuse: type=RP; smoother: params/relaxation: sweeps=2"`: a list of assignments, each to a
/// parameter in sublists. A value is an int, a double, a bool (`true`, `false`) or, otherwise,
/// text. Throws InvalidArgument (`trilinos.parameter`) for what is no assignment.
void assign_parameters(const std::string& assignments, Teuchos::ParameterList& list);

/// Collective. The parameter list in an XML file, which the first rank reads. Throws, on all ranks,
/// InvalidArgument with rule `xml.file` (it cannot be read) or `xml.syntax`.
Teuchos::ParameterList read_xml(const std::string& path, const MpiCommunicator& comm);

}  // namespace daptor::solvers::plugin
