// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "daptor/call.hpp"
#include "daptor/redistribute.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {

template <>
struct ObjectKind<Redistribution> {
  static constexpr const char* name = "daptor_redistribution";
};

}  // namespace daptor::fortran

extern "C" {

/// Collective over the first source's communicator. `flags`: 1 fills the target's padding, 2 reads
/// an index from any process that has it, 4 converts elements, 8 copies memory of a device through
/// the host.
int daptor_fortran_redistribution_create(const Handle* sources, std::int64_t source_count,
                                         const Handle* targets, std::int64_t target_count,
                                         std::int32_t flags, std::int64_t buffer_bytes,
                                         Handle* redistribution) {
  return call([&] {
    const auto first =
        found_for("redistribution%create", [&] { return first_of(sources, source_count); });
    Call here(first->array.comm(), "redistribution%create");
    std::vector<DistArray> from;
    std::vector<DistArray> to;
    here.check([&] {
      from = all_of(sources, source_count);
      to = all_of(targets, target_count);
    });
    RedistributionOptions options;
    options.fill_padding = (flags & 1) != 0;
    options.read_from_any = (flags & 2) != 0;
    options.convert = (flags & 4) != 0;
    options.through_host = (flags & 8) != 0;
    options.buffer_bytes = buffer_bytes;
    put(std::make_shared<Redistribution>(from, to, options), redistribution);
  });
}

int daptor_fortran_redistribution_begin(Handle redistribution, std::int32_t back, double scale,
                                        double keep) {
  return call([&] {
    const auto plan = get<Redistribution>(redistribution);
    Transform transform;
    transform.scale = scale;
    transform.keep = keep;
    if (back != 0) {
      plan->begin_back(transform);
    } else {
      plan->begin(transform);
    }
  });
}

int daptor_fortran_redistribution_end(Handle redistribution) {
  return call([&] { get<Redistribution>(redistribution)->end(); });
}
}
