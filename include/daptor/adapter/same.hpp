// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// For authors of adapters: finds out, in the all-reduce of an agreement, whether all ranks passed
/// the same values.
///
/// `agreed_minima` reduces each word to its minimum over all ranks. Two words show whether a value
/// is the same on all ranks, and what the greatest value is.
/// \code
/// const auto least = agreed_minima<2>(comm, [&]() -> std::array<std::int64_t, 2> {
///   require_none(reasons(array));
///   return {code_of(options), falling(code_of(options))};
/// });
/// if (!same_on_all(least[0], least[1])) refuse_different_options("import_tile");
/// \endcode
/// Example: two ranks with the values 3 and 5. The minima of the value and of the falling value are
/// 3 and -6, and `greatest(-6)` is 5.

namespace daptor::adapter {

/// A number that falls as `value` grows, for every value, including the lowest integer (whose
/// negative does not fit in 64 bits).
constexpr std::int64_t falling(std::int64_t value) {
  return ~value;
}

/// The greatest of the values of all ranks, computed from the minimum of their falling values.
constexpr std::int64_t greatest(std::int64_t least_falling) {
  return ~least_falling;
}

/// Whether all ranks passed the same value, given the minima of the value and of the falling value.
constexpr bool same_on_all(std::int64_t least, std::int64_t least_falling) {
  return least == greatest(least_falling);
}

/// Combines values that must be the same on all ranks in one number, so that two words suffice for
/// all of them. Different values have the same number once in 2^63 cases.
std::int64_t code_of(const std::vector<std::int64_t>& values);

/// Throws InvalidArgument (`argument`) for options that differ between ranks. Call it on all of
/// them: it does not communicate.
/// @param call  the function to which the options were passed, as the message names it
[[noreturn]] void refuse_different_options(const std::string& call);

}  // namespace daptor::adapter
