// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <vector>

#include "daptor/explain.hpp"
#include "daptor/tpetra.hpp"
#include "daptor/tpetra/adapter/native.hpp"

namespace daptor::tpetra {

/// What an import asks of an array.
struct Request {
  MapOptions map;
  /// A leading undistributed dimension gives columns.
  bool columns = false;
  /// Element type of the vector; nothing for a Map, which needs no memory.
  std::optional<DataType> scalar;
  bool writable = false;
};

/// The first dimension that rows are numbered by: 1 where the dimension before it gives columns.
int first_row_dimension(const DistArray& array, bool columns);

/// Why the request cannot be granted for this process's section; empty: it can. Does not throw for
/// any array but for lack of memory.
std::vector<Finding> reasons(const DistArray& array, const Request& request);

/// Where a section that gives no reasons has its rows and columns.
Layout layout_of(const DistArray& array, const Request& request);

/// `tpetra.scalar`: the installed Tpetra has no vectors of this type.
Finding scalar_finding(const DataType& type);

/// Why the memory of `array` cannot be that of a vector of `scalar`, apart from its layout.
std::vector<Finding> memory_reasons(const DistArray& array, const DataType& scalar, bool writable);

}  // namespace daptor::tpetra
