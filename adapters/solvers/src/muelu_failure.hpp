// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "daptor/error.hpp"

/// \file
/// Words for failures whose own text names a place in MueLu, and not what the caller can do.

namespace daptor::solvers {

/// Whether MueLu has found that its prolongator cannot be smoothed.
bool is_about_damping(const std::string& text);

/// The probable cause of a failure of MueLu, KLU2 or Zoltan2, and the remedy; empty if the text is
/// not among those known.
Terms advice_on(const std::string& text);

/// Runs a call of MueLu. A failure with a known text becomes LibraryFailed with the cause and the
/// remedy before that text.
template <class F>
auto with_advice(const char* function, F&& call) {
  try {
    return std::forward<F>(call)();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const Terms advice = advice_on(error.what());
    if (advice.empty()) throw;
    throw LibraryFailed("muelu", function, advice + " MueLu says: " + error.what());
  }
}

}  // namespace daptor::solvers
