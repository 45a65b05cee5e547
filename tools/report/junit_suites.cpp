// SPDX-License-Identifier: BSD-3-Clause
#include "report/junit.hpp"

#include <algorithm>
#include <ostream>

#include "report/xml.hpp"

namespace daptor::report::junit {
namespace {

std::size_t number(const std::vector<Case>& cases, Case::Result result) {
  return static_cast<std::size_t>(std::count_if(
      cases.begin(), cases.end(), [&](const Case& each) { return each.result == result; }));
}

void write_counts(std::ostream& out, const std::vector<Case>& cases) {
  out << " tests=\"" << cases.size() << "\" failures=\"" << number(cases, Case::Result::failure)
      << "\" errors=\"" << number(cases, Case::Result::error) << "\" skipped=\""
      << number(cases, Case::Result::skipped) << "\"";
}

void write_case(std::ostream& out, const Suite& suite, const Case& each) {
  out << "    <testcase classname=" << xml::attribute(suite.name)
      << " name=" << xml::attribute(each.name);
  if (!each.file.empty())
    out << " file=" << xml::attribute(each.file) << " line=\"" << each.line << '"';
  switch (each.result) {
    case Case::Result::passed:
      out << "/>\n";
      return;
    case Case::Result::skipped:
      out << ">\n      <skipped message=" << xml::attribute(each.message) << "/>\n";
      break;
    default:
      const char* element = each.result == Case::Result::failure ? "failure" : "error";
      out << ">\n      <" << element
          << " type=" << xml::attribute(each.type.empty() ? each.name : each.type)
          << " message=" << xml::attribute(each.message) << '>' << xml::text(each.text) << "</"
          << element << ">\n";
  }
  out << "    </testcase>\n";
}

}  // namespace

void write(std::ostream& out, const std::vector<Suite>& suites) {
  std::vector<Case> all;
  for (const Suite& suite : suites) all.insert(all.end(), suite.cases.begin(), suite.cases.end());
  out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"daptor\"";
  write_counts(out, all);
  out << ">\n";
  for (const Suite& suite : suites) {
    out << "  <testsuite name=" << xml::attribute(suite.name);
    write_counts(out, suite.cases);
    out << ">\n";
    for (const Case& each : suite.cases) write_case(out, suite, each);
    if (!suite.remarks.empty())
      out << "    <system-out>" << xml::text(suite.remarks) << "</system-out>\n";
    out << "  </testsuite>\n";
  }
  out << "</testsuites>\n";
}

}  // namespace daptor::report::junit
