// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/halo_exchange.hpp"

#include "daptor/call.hpp"
#include "objects.hpp"
#include "options.hpp"
#include "procedures.hpp"

using namespace daptor;
using namespace daptor::fortran;

namespace daptor::fortran {

template <>
struct ObjectKind<HaloExchange> {
  static constexpr const char* name = "daptor_halo";
};

namespace {

Combine combination(std::int32_t how) {
  if (how > static_cast<std::int32_t>(Combine::insert))
    throw InvalidArgument("how", "a number without a meaning",
                          "daptor_sum, daptor_min, daptor_max or daptor_insert");
  return static_cast<Combine>(how);
}

/// Collective over the first array's communicator.
/// @param name  the call, as errors name it
std::shared_ptr<HaloExchange> exchange_of(const char* name, const Handle* arrays,
                                          std::int64_t count,
                                          const daptor_fortran_argument* options) {
  const auto first = found_for(name, [&] { return first_of(arrays, count); });
  Call here(first->array.comm(), name);
  const auto all = here.check([&] { return all_of(arrays, count); });
  return std::make_shared<HaloExchange>(all, options_of<HaloOptions>(options, halo_arguments));
}

}  // namespace
}  // namespace daptor::fortran

int daptor_fortran_halo_create(const Handle* arrays, std::int64_t count,
                               const daptor_fortran_argument* options, Handle& halo) {
  return call([&] { put(exchange_of("halo%create", arrays, count, options), halo); });
}

int daptor_fortran_update_ghosts(Handle array, const daptor_fortran_argument* options) {
  return call([&] { exchange_of("daptor_update_ghosts", &array, 1, options)->update(); });
}

int daptor_fortran_halo_begin(Handle halo, std::int32_t how, std::int32_t whole) {
  return call([&] {
    const auto exchange = get<HaloExchange>(halo);
    if (how < 0) {
      exchange->begin();
    } else {
      exchange->begin_accumulate(combination(how));
    }
    if (whole != 0) exchange->end();
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
