#pragma once

#include <optional>
#include <string>
#include <string_view>

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
    Finding finding;
    finding.rule = rule;
    finding.severity = severity;
    finding.dimension = dimension_;
    finding.key = std::string(key);
    finding.found = std::move(found);
    finding.expected = std::move(expected);
    finding.remedy = std::move(remedy);
    report_.add(std::move(finding));
  }

 private:
  Report& report_;
  int dimension_;
};

/// The buffer, or nothing with the findings (T09).
std::optional<Buffer> parse_buffer(const Value& value, Report& report);

/// The list of an unstructured dimension, or nothing with the findings (U02, U03). Refers to the
/// producer's memory where that holds native 64-bit integers in a row; converts otherwise.
std::optional<IndexList> parse_indices(const Value& value, Findings& findings);

/// One dimension dictionary in normal form, or nothing with the findings. `local_extent` is the
/// buffer's along this dimension where it has one: what an empty dictionary of 0.10.x refers to.
std::optional<Dimension> parse_dimension(const Value& value, int number, Rules rules,
                                         std::optional<Index> local_extent, Report& report);

/// The same report with warnings turned into errors: Profile::strict.
Report refuse_warnings(const Report& report);

}  // namespace daptor::parsing
