// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/report.hpp"
#include "daptor/rules.hpp"
#include "daptor/version.hpp"

namespace daptor::detail {

/// How severe a breach of a rule is under this version in Profile::recommended. The table of rules
/// says it; the result is an error if the table does not have the rule (`owned.twice`), and if no
/// dictionary but only a Dimension made in C++ can break it (P08). Every judge asks here.
Severity severity_of(const char* rule, Version::Rules version);

/// A finding of that severity; if `remedy` is empty, with the remedy of the table.
Finding judged(const char* rule, Version::Rules version, int dimension, std::string key,
               Terms found, Terms expected, Terms remedy = {});

/// The same, as a warning, for a case that is milder than the worst breach of the rule. The rule's
/// clause in the table says so ("a warning where ...").
Finding judged_mildly(const char* rule, int dimension, std::string key, Terms found,
                      Terms expected);

/// Converts findings of Profile::recommended to those of Profile::strict: they get the severity
/// that the table has for the rule, and all other warnings become errors.
Report judged_strictly(const Report& report, Version::Rules version);

}  // namespace daptor::detail
