// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "arrays/array.hpp"
#include "calls/arguments.hpp"
#include "daptor/csr.hpp"

namespace daptor::python {

/// The fields of Python's CsrArrays, which are not checked yet.
struct GivenCsr {
  py::object values, columns, offsets, global_columns, index_base;

  /// The communicator of the first field that is an Array. Throws if there is none.
  const HeldComm& comm() const {
    for (const py::object& each : {values, columns, offsets})
      if (is_a<Array>(each)) return py::cast<const Array&>(each).comm;
    return array_of("values", values).comm;
  }
  CsrArrays read() const {
    if (values.is_none() && columns.is_none() && offsets.is_none())
      throw InvalidArgument("matrix", "an object without values, columns and offsets",
                            "a CsrArrays, which is the first argument");
    const Array& row_offsets = array_of("offsets", offsets);
    const auto& shape = row_offsets.array.global_shape();
    return {array_of("values", values).array,
            array_of("columns", columns).array,
            row_offsets.array,
            shape.empty() ? 0 : shape[0] - 1,
            integer_of("global_columns", global_columns),
            integer_of("index_base", index_base)};
  }
};

/// Adds `multiply`, `row_starts`, `CsrProduct` and what `csr_from_rows` and `align_rows` need to
/// the module.
void bind_csr(py::module_& module);

}  // namespace daptor::python
