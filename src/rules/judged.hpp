// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "daptor/report.hpp"
#include "daptor/rules.hpp"
#include "daptor/version.hpp"

namespace daptor::detail {

/// How severe a breach of a rule is under this version in Profile::recommended, by the table of
/// rules. An error where the table does not know the rule (`owned.twice`), and where no dictionary
/// can break it but a Dimension made in C++ can (P08). The only place where a judge learns this.
Severity severity_of(const char* rule, Version::Rules version);

/// A finding of that severity, with the remedy of the table where `remedy` is empty.
Finding judged(const char* rule, Version::Rules version, int dimension, std::string key,
               std::string found, std::string expected, std::string remedy = {});

/// The same, of a case that the rule takes milder than its worst: its clause, as the table has it,
/// says so ("a warning where ...").
Finding judged_mildly(const char* rule, int dimension, std::string key, std::string found,
                      std::string expected);

/// What Profile::strict makes of findings in Profile::recommended: the severity that the table has
/// for the rule, and errors of all other warnings.
Report judged_strictly(const Report& report, Version::Rules version);

}  // namespace daptor::detail
