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
#include "rules/judged.hpp"

namespace daptor::parsing {

/// Where findings go, with the dimension they are about and the rules they are judged by. What is
/// judged before the version is known does not depend on it.
class Findings {
 public:
  Findings(Report& report, int dimension, Version::Rules rules = Version::Rules::v0_9)
      : report_(report), dimension_(dimension), rules_(rules) {}

  void add(const char* rule, std::string_view key, std::string found, std::string expected,
           std::string remedy = "") {
    report_.add(detail::judged(rule, rules_, dimension_, std::string(key), std::move(found),
                               std::move(expected), std::move(remedy)));
  }
  /// A case that the rule takes as a warning, although its breach can be an error.
  void add_mild(const char* rule, std::string_view key, std::string found, std::string expected) {
    report_.add(detail::judged_mildly(rule, dimension_, std::string(key), std::move(found),
                                      std::move(expected)));
  }
  /// The keys of `map` that are not `known`, in alphabetical order: a finding for each of the first
  /// few, and one for all others, of which there may be any number.
  void add_other_keys(const char* rule, const Dictionary& map,
                      const std::set<std::string_view>& known, const char* expected);

 private:
  Report& report_;
  int dimension_;
  Version::Rules rules_;
};

/// The buffer, or nothing with the findings (T09, T10).
std::optional<Buffer> parse_buffer(const Value& value, Report& report);

/// A buffer whose form makes sense, or nothing with the findings (T09, T10).
std::optional<Buffer> check_buffer(const RawBuffer& raw, Report& report);

/// The list of an unstructured dimension, or nothing with the findings (U02, U03, and U04 where one
/// element stands for all). Refers to the producer's memory where that holds native 64-bit integers
/// in a row; converts otherwise.
std::optional<IndexList> parse_indices(const Value& value, Findings& findings);

/// One dimension dictionary in normal form, or nothing with the findings; its clauses are judged by
/// `check_dimension`. `local_extent` is the buffer's along this dimension where it has one: what an
/// empty dictionary of 0.10.x refers to.
std::optional<Dimension> parse_dimension(const Value& value, int number, Version::Rules rules,
                                         std::optional<Index> local_extent, Report& report);

}  // namespace daptor::parsing
