// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Teuchos_ParameterList.hpp>

namespace daptor::solvers {

constexpr const char* options_parameter = "Options";
constexpr const char* options_sublist = "PETSc Options";

/// The parameters of the factory, with their defaults and documentation.
Teuchos::RCP<const Teuchos::ParameterList> valid_option_parameters();

/// The options of a list as one line. Throws InvalidArgument (`stratimikos.parameter`).
std::string option_line(const Teuchos::ParameterList& parameters);

}  // namespace daptor::solvers
