// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fftw/targets.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "daptor/adapter/copy_remedy.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/call.hpp"
#include "daptor/consistent.hpp"
#include "daptor/explain.hpp"
#include "daptor/fft/adapter/elements.hpp"
#include "daptor/fft/adapter/names.hpp"
#include "daptor/layout.hpp"
#include "output_dimensions.hpp"
#include "problem.hpp"
#include "redistributions.hpp"

namespace daptor::fftw {
namespace {

using fft::TransformOptions;

/// Why the check refuses the array, as it tells a Transform; empty if it does not.
adapter::Reasons refusal_by(const std::function<void()>& check) {
  try {
    check();
    return {};
  } catch (const InvalidArgument& refusal) {
    return refusal.report().findings();
  }
}

adapter::Reasons layout_reasons(const Section& array, int process_count) {
  return refusal_by([&] { fft::detail::stage_problem(array, nullptr, {}, process_count); });
}

LocalAssessment assess_transform(const Section& array, int process_count) {
  LocalAssessment local{layout_reasons(array, process_count), 0};
  for (Finding& reason : refusal_by([&] { fft::detail::require_reachable(array); }))
    local.reasons.push_back(std::move(reason));
  return local;
}

/// A copy has other strides, but not another type, shape or number of dimensions.
std::optional<TargetCopy> copy_for_transform(const Section& array, const CopyRequest& request) {
  if (!array.buffer().space().host() || !layout_reasons(array, request.process_count).empty())
    return std::nullopt;
  return copy_of(array, adapter::copy_to_blocks(array), request, layout::blocks());
}

using OutputDimensions = std::vector<Dimension> (*)(const Section&, const Comm&,
                                                    const TransformOptions&);

/// Collective.
TargetUse forward_to(const char* output_name, OutputDimensions dimensions, const DistArray& array,
                     Call& call) {
  const DistArray output = call.check([&] {
    Section made =
        describe(fft::complex_of(array.type()), nullptr, dimensions(array, call.comm(), {}));
    made.defect().raise();
    return made.on(call.comm());
  });
  return {std::string("a forward transform to ") + output_name,
          fft::detail::redistributions_of(array, output, call, {})};
}

/// Collective. With default options, hence along all dimensions.
std::vector<TargetUse> uses_of_transform(const DistArray& array) {
  Call call(array.comm(), "explain");
  return {forward_to("its fitting output", fft::detail::fitting_dimensions, array, call),
          forward_to("the layout of the input", fft::detail::unchanged_dimensions, array, call)};
}

}  // namespace

bool register_targets() {
  register_target(
      {"fftw.transform", fft::names::transform_call, assess_transform, copy_for_transform,
       [](const DistArray& array, Call&) { require_consistent(array); }, uses_of_transform});
  return true;
}

namespace {
[[maybe_unused]] const bool registered_when_loaded = register_targets();
}  // namespace

}  // namespace daptor::fftw
