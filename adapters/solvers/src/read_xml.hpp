// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <Teuchos_ParameterList.hpp>

#include "daptor/call.hpp"

namespace daptor::solvers {

/// Collective. Reads a parameter list from an XML file, which only the first rank opens. Throws, on
/// all ranks, InvalidArgument with rule `xml.file` (the file cannot be read, is not a regular file,
/// or has more than 16 MiB) or `xml.syntax`.
Teuchos::ParameterList read_xml(const std::string& path, Call& call);

/// Collective. The parameters with those of the file that their `xml parameter file` names, which
/// override them, as MueLu has it. Errors as `read_xml`.
Teuchos::ParameterList with_named_file(Teuchos::ParameterList parameters, Call& call);

}  // namespace daptor::solvers
