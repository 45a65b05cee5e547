// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include <petscviewer.h>

namespace daptor::solvers::plugin {

/// Collective. Writes each line of `text` to a viewer of text. The text of the first process
/// counts.
void write_lines(PetscViewer viewer, const std::string& text);

}  // namespace daptor::solvers::plugin
