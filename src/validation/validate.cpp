#include "daptor/validate.hpp"

#include "daptor/agreement.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "validation/validation.hpp"

namespace daptor {
namespace {

Finding producer_failure(const std::string& text) {
  Finding finding;
  finding.rule = rule_producer;
  finding.found = text;
  finding.expected = "a description of this process's section";
  return finding;
}

}  // namespace

Report validate_local(const Submission& submission, const ValidateOptions& options) {
  if (submission.failure()) return Report({producer_failure(*submission.failure())});
  // A description that is trusted already is judged again as what it says it is: one way through.
  if (const DistArray* array = submission.array())
    return parse(to_value(*array), options.profile).report;
  return parse(submission.description(), options.profile).report;
}

Report validate(const Submission& submission, const Communicator& comm,
                const ValidateOptions& options) {
  return validation::Validation(comm, options).run(submission);
}

Report validate(const Submission& submission, MPI_Comm comm, const ValidateOptions& options) {
  return validate(submission, MpiCommunicator(comm), options);
}

void require_consistent(const DistArray& array, const Communicator& comm) {
  Report report = validation::Validation(comm, {}).run_for_errors(array);
  if (!report) throw Malformed(std::move(report));
}

}  // namespace daptor
