// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// \file
/// Not part of the public interface. For templates that only exist to say, in the first line of the
/// compiler's error, what to write in place of a call.

namespace daptor::detail {

/// False, but not before the template is instantiated.
template <class...>
inline constexpr bool never = false;

}  // namespace daptor::detail
