// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/hdf5/append.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "attributes.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "outgoing.hpp"
#include "paths.hpp"
#include "series.hpp"
#include "stages.hpp"
#include "types.hpp"

namespace daptor::hdf5 {
namespace {

using detail::OpenDataset;
using detail::Outgoing;
using detail::Series;

void require_options(const AppendOptions& options) {
  detail::memory_limit(options.memory_bytes);
  if (options.steps < 0)
    throw InvalidArgument("steps", std::to_string(options.steps), "0 or a number of steps");
  if (options.deflate < 0 || options.deflate > 9)
    throw InvalidArgument("deflate", std::to_string(options.deflate), "a level from 0 to 9");
}

/// Where the step goes, the same on all ranks.
struct Place {
  bool in_place;
  Index step, copied;
};

Place place_of(const Series* series, Call& call) {
  Agreed<std::int64_t> in_place, step, copied;
  call.check([&] {
    in_place = call.greatest(series != nullptr && series->in_place() ? 1 : 0);
    step = call.greatest(series == nullptr ? 0 : series->step());
    copied = call.greatest(series == nullptr ? 0 : series->copied());
  });
  return {in_place != 0, step, copied};
}

std::vector<Index> shape_of_steps(Index steps, const std::vector<Index>& step) {
  std::vector<Index> shape{steps};
  shape.insert(shape.end(), step.begin(), step.end());
  return shape;
}

/// Copies the first steps of a dataset into another one, all ranks together.
void copy_steps(OpenDataset& from, OpenDataset& to, const std::vector<Index>& shape,
                const DataType& type, std::int64_t memory_bytes, Call& call) {
  const detail::Stages stages = detail::make_stages(shape, type.itemsize(), call.comm().size(),
                                                    detail::memory_limit(memory_bytes));
  for (Index number = 0; number < stages.count; ++number) {
    const detail::Slab slab =
        call.check([&] { return detail::make_slab(stages, number, shape, type, call.comm()); });
    from.read(type, slab.array.mutable_data(), slab.memory, slab.file);
    to.write(type, slab.array.data(), slab.memory, slab.file);
  }
}

/// The file with the earlier steps, and the one that gets the new one.
struct Files {
  std::string earlier, written;
};

void write_step(const DistArray& a, const Outgoing& outgoing, const Files& files,
                const std::string& name, const Place& place, const AppendOptions& options,
                Call& call) {
  const std::vector<Index> shape = shape_of_steps(place.step + 1, outgoing.shape());
  OpenDataset dataset(
      call, files.written, name, OpenDataset::Access::write,
      shape_of_steps(place.in_place ? place.step : place.step + 1, outgoing.shape()));
  if (place.copied > 0) {
    const std::vector<Index> copied = shape_of_steps(place.copied, outgoing.shape());
    OpenDataset earlier(call, files.earlier, name, OpenDataset::Access::read, copied);
    copy_steps(earlier, dataset, copied, a.type(), options.memory_bytes, call);
    earlier.close();
  }
  if (place.in_place) dataset.resize(shape);
  dataset.select_step(place.step);
  detail::Meter meter(options.progress);
  meter.expect(outgoing.shape(), a.type().itemsize());
  outgoing.write(call, dataset, meter);
  dataset.close(options.sync);
}

}  // namespace

Index append(const DistArray& a, const std::string& path, const std::string& name,
             const AppendOptions& options, const Attributes& numbers) {
  Call call(a, "hdf5::append");
  const detail::QuietErrors quiet;
  call.same(options);
  call.same("path", path);
  call.same("name", name);
  std::optional<ReadLease> lease;
  call.check([&] {
    call.same("attributes", detail::text_of(numbers));
    detail::require_path(path);
    detail::require_name(name);
    detail::require_numbers(numbers);
    require_options(options);
    adapter::require_memory(a);
    detail::require_places(a);
    detail::hdf5_type(a.type());
    lease.emplace(a);
  });
  const Outgoing outgoing(call, a, lease->data(),
                          {options.boundary, options.read_from_any, options.memory_bytes,
                           static_cast<bool>(options.progress)});
  std::unique_ptr<Series> series;
  call.check([&] {
    if (call.comm().rank() == 0)
      series = std::make_unique<Series>(
          path, detail::NewStep{name, outgoing.shape(), a.type(),
                                detail::with_own_attributes(outgoing.view(), outgoing.regular(),
                                                            options.numbering, {}),
                                numbers, options});
  });
  const Place place = place_of(series.get(), call);
  const Files files{path, place.in_place ? path : detail::side_path(path)};
  call.check([&] { detail::require_seen(files.written); });
  if (!outgoing.empty()) write_step(a, outgoing, files, name, place, options, call);
  call.check([&] {
    if (series != nullptr) series->commit(options.sync);
  });
  return place.step;
}

}  // namespace daptor::hdf5
