// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "daptor/rules.hpp"
#include "rules/examples.hpp"

/// \file
/// The table of rules in words, for the page and for `daptor rule`.

namespace daptor::rule_words {

/// The letter of a group of rules, and the subject of these rules.
struct Section {
  char letter;
  std::string_view title;
};

/// In the order of the table.
const std::vector<Section>& sections();

/// `error under 0.9.x, none under 0.10.x`.
std::string severity_text(const protocol::Rule& rule);

/// What an example shows, as `Breaks it, reported as B09`; `show` formats an id.
std::string example_title(const protocol::Rule& rule, const examples::RuleExample& example,
                          const std::function<std::string(std::string_view id)>& show);

}  // namespace daptor::rule_words
