// SPDX-License-Identifier: BSD-3-Clause
#include "option_line.hpp"

#include <sstream>

#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"

namespace daptor::solvers {
namespace {

std::string value_of(const std::string& name, const Teuchos::ParameterEntry& entry) {
  if (entry.isType<std::string>()) return '"' + Teuchos::getValue<std::string>(entry) + '"';
  if (entry.isType<bool>()) return Teuchos::getValue<bool>(entry) ? "true" : "false";
  std::ostringstream text;
  text.precision(17);
  if (entry.isType<int>()) {
    text << Teuchos::getValue<int>(entry);
  } else if (entry.isType<double>()) {
    text << Teuchos::getValue<double>(entry);
  } else {
    adapter::refuse_argument(
        "stratimikos.parameter", "'" + name + "' of type " + entry.getAny(false).typeName(),
        "a string, int, double or bool", "Write its value as on PETSc's command line.");
  }
  return text.str();
}

}  // namespace

Teuchos::RCP<const Teuchos::ParameterList> valid_option_parameters() {
  const auto list = Teuchos::parameterList("PETSc");
  list->set(options_parameter, std::string(),
            "Options as on PETSc's command line: \"-pc_type gamg -pc_gamg_threshold 0.02\"");
  list->sublist(options_sublist, false, "More options, named without their dash")
      .disableRecursiveValidation();
  return list;
}

std::string option_line(const Teuchos::ParameterList& parameters) {
  std::string line;
  if (parameters.isParameter(options_parameter))
    line = parameters.get<std::string>(options_parameter);
  if (!parameters.isSublist(options_sublist)) return line;
  const Teuchos::ParameterList& options = parameters.sublist(options_sublist);
  for (auto entry = options.begin(); entry != options.end(); ++entry) {
    const std::string& name = options.name(entry);
    line += " -" + name + ' ' + value_of(name, options.entry(entry));
  }
  return line;
}

}  // namespace daptor::solvers
