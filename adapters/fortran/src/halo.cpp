// SPDX-License-Identifier: BSD-3-Clause
#include "arrays.hpp"
#include "daptor/call.hpp"
#include "daptor/halo_exchange.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {
namespace {

Combine combination(std::int32_t how) {
  if (how > static_cast<std::int32_t>(Combine::insert))
    throw InvalidArgument("how", "a number without a meaning",
                          "daptor_sum, daptor_min, daptor_max or daptor_insert");
  return static_cast<Combine>(how);
}

}  // namespace

template <>
struct ObjectKind<HaloExchange> {
  static constexpr const char* name = "daptor_halo";
};

}  // namespace daptor::fortran

extern "C" {

/// Collective over the first array's communicator. `flags`: 1 leaves out edges and corners, 2
/// copies memory of a device through the host.
int daptor_fortran_halo_create(const Handle* arrays, std::int64_t count, std::int32_t flags,
                               Handle* halo) {
  return call([&] {
    const auto first = found_for("halo%create", [&] { return first_of(arrays, count); });
    Call here(first->array.comm(), "halo%create");
    const auto all = here.check([&] { return all_of(arrays, count); });
    HaloOptions options;
    if ((flags & 1) != 0) options.stencil = Stencil::star;
    options.through_host = (flags & 2) != 0;
    put(std::make_shared<HaloExchange>(all, options), halo);
  });
}

/// `how`: -1 fills the copies; any other value is a Combine, by which contributions are combined on
/// their owners.
int daptor_fortran_halo_begin(Handle halo, std::int32_t how) {
  return call([&] {
    const auto exchange = get<HaloExchange>(halo);
    if (how < 0) {
      exchange->begin();
    } else {
      exchange->begin_accumulate(combination(how));
    }
  });
}

int daptor_fortran_halo_end(Handle halo) {
  return call([&] { get<HaloExchange>(halo)->end(); });
}

int daptor_fortran_halo_rebind(Handle halo, const Handle* arrays, std::int64_t count) {
  return call([&] {
    const auto all = all_of(arrays, count);
    get<HaloExchange>(halo)->rebind(all);
  });
}
}
