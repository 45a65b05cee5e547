// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscviewer.h>

namespace daptor::solvers::plugin {

/// Collective. Each line of `text` on a viewer of text; what the first process has counts.
void write_lines(PetscViewer viewer, const std::string& text);

}  // namespace daptor::solvers::plugin
