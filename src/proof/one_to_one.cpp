// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/one_to_one.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "proof/walk.hpp"

namespace daptor {
namespace {

/// The same array, with `one_to_one` set in all of its unstructured dimensions.
Section claiming(const Section& array) {
  std::vector<Dimension> dimensions = array.dimensions();
  for (Dimension& dimension : dimensions) {
    if (!leaves_open_who_owns(dimension)) continue;
    Dimension::Distribution list = *dimension.as<Unstructured>();
    std::get<Unstructured>(list).one_to_one = true;
    dimension = Dimension(dimension.global_size(), std::move(list), dimension.periodic());
  }
  return Section(array.version(), array.buffer(), std::move(dimensions), array.warnings());
}

}  // namespace

const std::optional<Finding>& OneToOne::shared() const {
  if (against && against->rule != "U04" && against->rule != "U09")
    throw Malformed(Report({*against}));
  return against;
}

OneToOne prove_one_to_one(const DistArray& array) {
  Call call(array.comm(), "prove_one_to_one");
  Section claim;
  Agreed<bool> closed;
  call.check([&] {
    const auto& dimensions = array.dimensions();
    const bool open = std::any_of(dimensions.begin(), dimensions.end(), leaves_open_who_owns);
    closed = call.all(!open);
    if (!open) return;
    claim = claiming(array);
    detail::ProofAccess::hand_on(array, claim);
  });
  if (closed) return {array, std::nullopt};
  // If this rank's list is invalid, its fault is reported together with those of the others.
  if (!claim.described()) claim = array;
  // The claim is judged like a description from a producer.
  ValidateOptions options;
  options.level = Level::full;
  const Report report = proof::Walk(call.comm(), options).run_for_errors(claim);
  for (const Finding& finding : report.findings())
    if (finding.severity == Severity::error) return {array, finding};
  return {claim.on(call.comm()), std::nullopt};
}

}  // namespace daptor
