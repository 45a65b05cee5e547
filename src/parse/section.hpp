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

namespace daptor::parsing {

/// Where findings go, with the dimension they are about.
class Findings {
 public:
  Findings(Report& report, int dimension) : report_(report), dimension_(dimension) {}

  void add(const char* rule, std::string_view key, std::string found, std::string expected,
           Severity severity = Severity::error, std::string remedy = "") {
    Finding finding = error_finding(rule, dimension_, std::string(key), std::move(found),
                                    std::move(expected), std::move(remedy));
    finding.severity = severity;
    report_.add(std::move(finding));
  }
  /// The keys of `map` that are not `known`, in alphabetical order: a finding for each of the first
  /// few, and one for all others, of which there may be any number.
  void add_other_keys(const char* rule, const Dictionary& map,
                      const std::set<std::string_view>& known, const char* expected,
                      Severity severity);

 private:
  Report& report_;
  int dimension_;
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

/// The same report with warnings turned into errors: Profile::strict.
Report refuse_warnings(const Report& report);

}  // namespace daptor::parsing
