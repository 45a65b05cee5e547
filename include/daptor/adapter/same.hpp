// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// For authors of adapters: whether all ranks gave the same, in the all-reduce of an agreement.
///
/// `agreed_minima` reduces each word to the least of all ranks. Two words show whether a value is
/// the same on all ranks, and what the greatest one is.
/// \code
/// const auto least = agreed_minima<2>(comm, [&]() -> std::array<std::int64_t, 2> {
///   require_none(reasons(array));
///   return {code_of(options), falling(code_of(options))};
/// });
/// if (!same_on_all(least[0], least[1])) refuse_different_options("import_tile");
/// \endcode
/// Two ranks with the values 3 and 5: the least of value and falling value are 3 and -6, and
/// `greatest(-6)` is 5.

namespace daptor::adapter {

/// Falls as `value` grows, for every value, the lowest integer among them (whose negative 64 bits
/// do not hold).
constexpr std::int64_t falling(std::int64_t value) {
  return ~value;
}

/// The greatest of the values of all ranks, from the least of their falling values.
constexpr std::int64_t greatest(std::int64_t least_falling) {
  return ~least_falling;
}

/// All ranks gave the same value, seen from the least value and the least falling value.
constexpr bool same_on_all(std::int64_t least, std::int64_t least_falling) {
  return least == greatest(least_falling);
}

/// One number for many that must be the same on all ranks: two words instead of two for each.
/// Different numbers have the same code once in 2^63 cases.
std::int64_t code_of(const std::vector<std::int64_t>& values);

/// Throws InvalidArgument (`argument`) for options that differ between ranks. Call it on all of
/// them: it does not communicate.
/// @param call  the function that was given the options, as the message names it
[[noreturn]] void refuse_different_options(const std::string& call);

}  // namespace daptor::adapter
