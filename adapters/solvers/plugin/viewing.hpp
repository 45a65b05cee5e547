// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include <petscviewer.h>

namespace daptor::solvers::plugin {

/// Collective. Writes each line of `text` to a viewer of text. The text of the first process
/// counts.
void write_lines(PetscViewer viewer, const std::string& text);

/// Process-local. Notes each sentence, once in a program and on its first process alone.
void say_once(const std::vector<std::string>& sentences);

}  // namespace daptor::solvers::plugin
