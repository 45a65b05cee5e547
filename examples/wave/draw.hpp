// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picture.hpp"
#include "scheme.hpp"

/// Collective. The field, whose owned part is `values`, as part of a picture; complete on rank 0.
Panel panel(const std::string& title, int points, const Box& owned,
            const std::vector<PetscScalar>& values, MPI_Comm comm);

/// Collective. Writes the picture on rank 0, and says there why where it cannot. The same answer on
/// all ranks.
bool draw(const std::string& file, int points, const Box& owned, const std::vector<Panel>& panels,
          MPI_Comm comm);
