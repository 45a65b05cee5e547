// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "picture.hpp"
#include "scheme.hpp"

/// Collective. The field as a part of a picture; `values` are its owned part. Complete on rank 0.
Panel panel(const std::string& title, int points, const Box& owned,
            const std::vector<PetscScalar>& values, MPI_Comm comm);

/// Collective. Writes the picture on rank 0, and prints the reason there if that fails. Returns the
/// same answer on all ranks.
bool draw(const std::string& file, int points, const Box& owned, const std::vector<Panel>& panels,
          MPI_Comm comm);
