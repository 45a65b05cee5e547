// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include <petscmat.h>
#include <petscvec.h>

#include "daptor/adapter/fingerprint.hpp"
#include "daptor/adapter/json_line.hpp"
#include "daptor/comm.hpp"

/// \file
/// Fingerprints of PETSc's objects, as traces have them. Their numbers are those of NaturalOrder.

namespace daptor::petsc::plugin::doctor {

/// Collective over `comm`, that of the object: the fingerprint on rank 0, nothing on the others;
/// `nullopt` also of an object that cannot be read on some rank, of a type with other memory than
/// the host's, or not assembled.
/// \{
std::optional<adapter::JsonLine> print_of(const Comm& comm, Vec vec);
std::optional<adapter::JsonLine> print_of(const Comm& comm, Mat mat);
/// \}

/// Norms of `b - A x` and of `b`; NaN if an element is no number.
struct ResidualNorms {
  double residual = 0, right_hand_side = 0;
};
/// The same for a matrix of type AIJ, without a change of any of the three. They have been used in
/// a solve before.
std::optional<ResidualNorms> residual_of(const Comm& comm, Mat a, Vec x, Vec b);

}  // namespace daptor::petsc::plugin::doctor
