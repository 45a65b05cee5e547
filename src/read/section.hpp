// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/dimension.hpp"
#include "daptor/report.hpp"
#include "daptor/value.hpp"
#include "daptor/version.hpp"
#include "report/rules/judged.hpp"

namespace daptor::parsing {

/// Collects the findings of one dimension, judged by the rules of one version. Findings made before
/// the version is known do not depend on the version.
class Findings {
 public:
  Findings(Report& report, int dimension, Version::Rules rules = Version::Rules::v0_9)
      : report_(report), dimension_(dimension), rules_(rules) {}

  void add(const char* rule, std::string_view key, Terms found, Terms expected, Terms remedy = {}) {
    report_.add(detail::judged(rule, rules_, dimension_, std::string(key), std::move(found),
                               std::move(expected), std::move(remedy)));
  }
  /// Adds a finding as a warning, although other breaches of this rule are errors.
  void add_mild(const char* rule, std::string_view key, Terms found, Terms expected,
                Terms remedy = {}) {
    Finding finding = detail::judged_mildly(rule, dimension_, std::string(key), std::move(found),
                                            std::move(expected));
    if (!remedy.empty()) finding.remedy = std::move(remedy);
    report_.add(std::move(finding));
  }
  /// Adds findings for the keys of `map` that are not `known`, in alphabetical order: one for each
  /// of the first few keys and one for all the rest, of which there may be any number. A key that
  /// is a `known` one misspelt is a warning.
  void add_other_keys(const char* rule, const Dictionary& map,
                      const std::set<std::string_view>& known, const char* expected);

 private:
  Report& report_;
  int dimension_;
  Version::Rules rules_;
};

/// The buffer, or `nullopt` with the findings (T09, T10).
std::optional<Buffer> parse_buffer(const Value& value, Report& report);

/// What to do about an array of numpy.ma, whose reader names its type; empty for other values.
std::string remedy_of_masked(const Value& value);

/// A buffer of valid form, or `nullopt` with the findings (T09, T10).
std::optional<Buffer> check_buffer(const RawBuffer& raw, Report& report);

/// The rules of a key that holds a list of integers.
struct ListRules {
  const char* key;
  const char* type;       ///< anything but integers
  const char* shape;      ///< more than one dimension
  const char* repeated;   ///< one integer that stands for all elements
  const char* no_buffer;  ///< a list of integers in place of a buffer; null if that is as good
};

/// A list of integers, or `nullopt` with the findings. If the producer's memory holds contiguous
/// native 64-bit integers, the list refers to it; otherwise the integers are converted.
std::optional<IndexList> parse_list(const Value& value, const ListRules& rules, Findings& findings);

/// The elements of a list of `extent` indices that its process owns, from the key `owned`: their
/// number, positions, or a mask. `nullopt` with the findings (`owned.count`, `owned.positions`).
std::optional<OwnedPart> parse_owned(const Value& value, Index extent, Findings& findings);

/// One dimension dictionary in normal form, or `nullopt` with the findings; `check_dimension`
/// judges its clauses. `local_extent` is the buffer's extent along this dimension if it is known:
/// an empty dictionary of 0.10.x takes its size from it.
std::optional<Dimension> parse_dimension(const Value& value, int number, Version::Rules rules,
                                         std::optional<Index> local_extent, Report& report);

}  // namespace daptor::parsing
