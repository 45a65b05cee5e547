// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/redistribute.hpp"

#include "daptor/call.hpp"
#include "objects.hpp"
#include "options.hpp"
#include "procedures.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {

template <>
struct ObjectKind<Redistribution> {
  static constexpr const char* name = "daptor_redistribution";
};

namespace {

/// Collective over the first source's communicator.
/// @param name  the call, as errors name it
std::shared_ptr<Redistribution> planned(const char* name, const Handle* sources,
                                        std::int64_t source_count, const Handle* targets,
                                        std::int64_t target_count,
                                        const RedistributionOptions& options) {
  const auto first = found_for(name, [&] { return first_of(sources, source_count); });
  Call here(first->array.comm(), name);
  std::vector<DistArray> from;
  std::vector<DistArray> to;
  here.check([&] {
    from = all_of(sources, source_count);
    to = all_of(targets, target_count);
  });
  return std::make_shared<Redistribution>(from, to, options);
}

}  // namespace
}  // namespace daptor::fortran

int daptor_fortran_redistribution_create(const Handle* sources, std::int64_t source_count,
                                         const Handle* targets, std::int64_t target_count,
                                         const daptor_fortran_argument* options,
                                         Handle& redistribution) {
  return call([&] {
    put(planned("redistribution%create", sources, source_count, targets, target_count,
                options_of<RedistributionOptions>(options, copy_arguments)),
        redistribution);
  });
}

int daptor_fortran_redistribute(Handle source, Handle target,
                                const daptor_fortran_argument* options) {
  return call([&] {
    planned("daptor_redistribute", &source, 1, &target, 1,
            options_of<RedistributionOptions>(options, copy_once_arguments))
        ->run();
  });
}

int daptor_fortran_redistribution_begin(Handle redistribution, std::int32_t back,
                                        const daptor_fortran_argument* transform,
                                        std::int32_t whole) {
  return call([&] {
    const auto plan = get<Redistribution>(redistribution);
    const auto how = options_of<Transform>(transform, transform_arguments);
    if (back != 0) {
      plan->begin_back(how);
    } else {
      plan->begin(how);
    }
    if (whole != 0) plan->end();
  });
}

int daptor_fortran_redistribution_end(Handle redistribution) {
  return call([&] { get<Redistribution>(redistribution)->end(); });
}
