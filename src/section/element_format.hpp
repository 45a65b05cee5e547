// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

/// \file
/// Which texts are element types at all, whether or not a DataType can hold them: a text that is no
/// element type is an error of the producer, while the type of a record is merely unsupported by
/// Daptor.

namespace daptor::detail {

/// Whether the text is a format of PEP 3118, including records, pointers, sub-arrays and counts:
/// `d`, `4w`, `O`, `T{d:x:(2,3)i:n:}`. False for the empty text, which describes no element.
bool is_buffer_format(std::string_view format);

/// Whether the text is a type string of NumPy's array interface, of any kind and size: `<f8`,
/// `<U4`, `|V12`, `<M8[s]`.
bool is_typestr(std::string_view typestr);

}  // namespace daptor::detail
