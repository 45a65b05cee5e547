// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// \file
/// Which texts are element types at all, whether or not a DataType can hold them: a text that is
/// none is an error of its producer, the type of a record is only one that Daptor does not support.

namespace daptor::detail {

/// A format of PEP 3118, with its records, pointers, sub-arrays and counts: `d`, `4w`, `O`,
/// `T{d:x:(2,3)i:n:}`. False for the empty text, which has no element.
bool is_buffer_format(std::string_view format);

/// A type string of NumPy's array interface, of any kind and size: `<f8`, `<U4`, `|V12`, `<M8[s]`.
bool is_typestr(std::string_view typestr);

}  // namespace daptor::detail
