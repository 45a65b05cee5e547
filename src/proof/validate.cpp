// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/validate.hpp"

#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "proof/merge.hpp"
#include "proof/walk.hpp"

namespace daptor {
namespace {

Finding producer_failure(const std::string& text) {
  return error_finding(rule_producer, -1, "", text, "a description of this process's section");
}

}  // namespace

Parsed proof::judge_alone(const Submission& submission, Profile profile) {
  if (submission.failure())
    return {std::nullopt, Report({producer_failure(*submission.failure())})};
  const Section* const array = submission.array();
  if (array == nullptr) return parse(submission.description(), profile);
  if (!array->described()) return {std::nullopt, array->defect().report()};
  // An existing Section is judged through its description, so that there is only one judge.
  Parsed judged = parse(to_value(*array), profile);
  if (judged.array) judged.array = *array;
  return judged;
}

Report validate_local(const Submission& submission, const ValidateOptions& options) {
  auto [array, report] = proof::judge_alone(submission, options.profile);
  if (options.level == Level::metadata || !array) return report;
  for (int d = 0; d < array->ndim(); ++d)
    if (const auto* list = array->dimension(d).as<Unstructured>())
      proof::find_repeated(*list, d, report);
  return report;
}

Report validate_local(const std::vector<Submission>& submissions, const ValidateOptions& options) {
  std::vector<Report> reports;
  reports.reserve(submissions.size());
  for (const Submission& submission : submissions)
    reports.push_back(validate_local(submission, options));
  return proof::merge_recorded(reports, options.listed_ranks);
}

Report validate(const Submission& submission, const Comm& comm, const ValidateOptions& options) {
  return proof::Walk(comm, options).run(submission);
}

Report validate(const DistArray& array, const ValidateOptions& options) {
  return validate(array, array.comm(), options);
}

}  // namespace daptor
