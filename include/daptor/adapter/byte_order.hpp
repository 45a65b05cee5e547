// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/datatype.hpp"
#include "daptor/terms.hpp"

/// \file
/// For authors of adapters: the remedy where elements have the wrong type.

namespace daptor::adapter {

/// `otherwise` or, for a type in another byte order than this machine's, how to swap the bytes.
/// Files of netCDF's classic format give such arrays.
/// @param found      the type that the array has
/// @param otherwise  the remedy for a type in this machine's order
Terms remedy_for_type(const DataType& found, Terms otherwise);

/// How to convert elements of a wrong type: by Daptor's option, or in the producer where it has no
/// arithmetic for them (float16, long double, raw bytes), or their bytes are in another order.
/// @param found  the type that the array has
Terms remedy_by_converting(const DataType& found);

/// Requires that an option `convert` can convert elements, as NumPy's same_kind casting allows.
/// @throws InvalidArgument (`redistribute.type`), on this process
void require_conversion(const DataType& from, const DataType& to);

}  // namespace daptor::adapter
