// SPDX-License-Identifier: BSD-3-Clause
#include <cstdint>
#include <memory>
#include <vector>

#include "daptor/call.hpp"
#include "daptor/halo_exchange.hpp"
#include "daptor/redistribute.hpp"
#include "entries.hpp"
#include "objects.hpp"
#include "options.hpp"

namespace daptor::fortran {

template <>
struct ObjectKind<HaloExchange> {
  static constexpr const char* name = "daptor_halo";
};
template <>
struct ObjectKind<Redistribution> {
  static constexpr const char* name = "daptor_redistribution";
};

namespace {

/// The arrays of a list. Process-local. Throws InvalidArgument (`fortran.empty`) if one of the
/// variables holds no array.
std::vector<DistArray> all_of(const Handle* arrays, std::int64_t count) {
  std::vector<DistArray> result;
  for (std::int64_t i = 0; i < count; ++i) result.push_back(array_of(arrays[i])->array);
  return result;
}

/// The call `name` over the communicator of the first array of a list. Throws InvalidArgument
/// (`fortran.empty`), if possible on all ranks, if there is none.
Call call_with(const char* name, const Handle* arrays, std::int64_t count) {
  const auto first = found_for(name, [&] {
    if (count < 1) refuse_empty(ObjectKind<Array>::name);
    return array_of(arrays[0]);
  });
  return Call(first->array.comm(), name);
}

Combine combination(const daptor_fortran_argument& how) {
  if (!present(how)) return Combine::sum;
  const auto number = daptor::fortran::detail::number<std::int64_t>(how);
  if (number < 0 || number > static_cast<std::int64_t>(Combine::insert))
    throw InvalidArgument("how", "a number without a meaning",
                          "daptor_sum, daptor_min, daptor_max or daptor_insert");
  return static_cast<Combine>(number);
}

HaloExchange exchange_of(const char* name, const Handle* arrays, std::int64_t count,
                         const daptor_fortran_argument* options) {
  Call here = call_with(name, arrays, count);
  const auto all = here.check([&] { return all_of(arrays, count); });
  return HaloExchange(all, options_of<HaloOptions>(options, halo_arguments));
}

Redistribution planned(const char* name, const Handle* sources, std::int64_t source_count,
                       const Handle* targets, std::int64_t target_count,
                       const RedistributionOptions& options) {
  Call here = call_with(name, sources, source_count);
  std::vector<DistArray> from;
  std::vector<DistArray> to;
  here.check([&] {
    from = all_of(sources, source_count);
    to = all_of(targets, target_count);
  });
  return Redistribution(from, to, options);
}

}  // namespace

void halo_create(Handle& halo, const Handle* arrays, std::int64_t count,
                 const daptor_fortran_argument* options) {
  put(exchange_of("halo%create", arrays, count, options), halo);
}

void update_ghosts(Handle array, const daptor_fortran_argument* options) {
  exchange_of("daptor_update_ghosts", &array, 1, options).update();
}

void halo_begin(Handle halo, std::int32_t accumulate, const daptor_fortran_argument& how,
                std::int32_t whole) {
  const auto exchange = get<HaloExchange>(halo);
  if (accumulate != 0)
    exchange->begin_accumulate(combination(how));
  else
    exchange->begin();
  if (whole != 0) exchange->end();
}

void halo_end(Handle halo) {
  get<HaloExchange>(halo)->end();
}

void halo_rebind(Handle halo, const Handle* arrays, std::int64_t count) {
  const auto all = all_of(arrays, count);
  get<HaloExchange>(halo)->rebind(all);
}

void redistribution_create(Handle& redistribution, const Handle* sources, std::int64_t source_count,
                           const Handle* targets, std::int64_t target_count,
                           const daptor_fortran_argument* options) {
  put(planned("redistribution%create", sources, source_count, targets, target_count,
              options_of<RedistributionOptions>(options, copy_arguments)),
      redistribution);
}

void redistribute_once(Handle source, Handle target, const daptor_fortran_argument* options) {
  planned("daptor_redistribute", &source, 1, &target, 1,
          options_of<RedistributionOptions>(options, copy_once_arguments))
      .run();
}

void redistribution_begin(Handle redistribution, std::int32_t back,
                          const daptor_fortran_argument* transform, std::int32_t whole) {
  const auto plan = get<Redistribution>(redistribution);
  const auto how = options_of<Transform>(transform, transform_arguments);
  if (back != 0)
    plan->begin_back(how);
  else
    plan->begin(how);
  if (whole != 0) plan->end();
}

void redistribution_end(Handle redistribution) {
  get<Redistribution>(redistribution)->end();
}

}  // namespace daptor::fortran
