// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

/// \file
/// An element type is written as its kind, size and byte order, as in "f8<", whatever text it was
/// read from.

namespace daptor::search {

/// The type that a format of PEP 3118 says; empty if it is not an element type.
std::string type_of_format(std::string format);

/// The type that a typestr of NumPy says; empty if it is not an element type.
std::string type_of_typestr(const std::string& text);

std::int64_t bytes_of(const std::string& type);

}  // namespace daptor::search
