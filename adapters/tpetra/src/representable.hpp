// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/explain.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/native.hpp"

namespace daptor::tpetra {

/// The requirements of an import on an array.
struct Request {
  MapOptions map;
  /// Whether a leading undistributed dimension gives columns.
  bool columns = false;
  /// Element type of the vector; `nullopt` for a Map, which needs no memory.
  std::optional<DataType> scalar;
  bool writable = false;
};

/// The first dimension that numbers rows: 1 if the dimension before it gives columns.
int first_row_dimension(const Section& array, bool columns);

/// The reasons why this process's section does not fit the request; empty if it does. Throws for no
/// array, unless memory is exhausted.
std::vector<Finding> reasons(const Section& array, const Request& request);

/// Rows and columns in memory of a section for which there are no such reasons.
Layout layout_of(const Section& array, const Request& request);

/// `tpetra.scalar`: the installed Tpetra has no vectors of this type.
Finding scalar_finding(const DataType& type);

/// The reasons why the memory of `array` cannot be that of a vector of `scalar`, apart from its
/// layout.
std::vector<Finding> memory_reasons(const Section& array, const DataType& scalar, bool writable);

}  // namespace daptor::tpetra
