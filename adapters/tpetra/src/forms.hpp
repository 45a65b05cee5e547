// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "daptor/adapter/form.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/native.hpp"

/// \file
/// What Maps and vectors ask of an array. Process-local.

namespace daptor::tpetra {

/// What an import asks for.
struct Request {
  MapOptions map;
  /// Whether a vector is made, or only its Map.
  bool vector = false;
  /// Whether a leading undistributed dimension gives columns.
  bool columns = false;
  /// Whether the vector is for reading only.
  bool reading = false;
  /// Element type of the vector; `nullopt` for that of the array.
  std::optional<DataType> scalar = std::nullopt;
};

/// The first dimension that numbers rows: 1 if the dimension before it gives columns.
inline int first_row_dimension(const Section& array, bool columns) {
  return columns && array.ndim() > 1 && array.dimension(0).as<Undistributed>() != nullptr ? 1 : 0;
}

const adapter::Form& form_of(const Request& request);
/// @param request  must outlive the result
adapter::Asked asked_by(const Request& request);
/// What vectors ask of memory, whatever lies where in it: for other memory of the same layout.
const adapter::Form& memory_form();
/// What copies from and to vectors ask of the array.
const adapter::Form& copied_form();

/// Rows and columns in memory of an array that fits the request.
Layout layout_of(const Section& array, const Request& request, const adapter::Fit& fit);

/// `tpetra.scalar`: the installed Tpetra has no vectors of this type.
Finding scalar_finding(const DataType& type);

}  // namespace daptor::tpetra
