// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/hdf5/save.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "create.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/config.hpp"
#include "daptor/lease.hpp"
#include "daptor/redistribute.hpp"
#include "direct.hpp"
#include "file_view.hpp"
#include "open_dataset.hpp"
#include "paths.hpp"
#include "stages.hpp"
#include "types.hpp"

namespace daptor::hdf5 {
namespace {

using detail::FileView;
using detail::OpenDataset;

/// The attributes of the dataset: those given, and Daptor's own.
Attributes all_attributes(const DistArray& a, const SaveOptions& options, const Attributes& given) {
  Attributes attributes = given;
  attributes[detail::format_attribute] = detail::format;
  attributes[detail::version_attribute] = std::string(DAPTOR_VERSION_STRING);
  std::vector<std::int64_t> division;
  for (const Dimension& dimension : a.dimensions()) division.push_back(dimension.grid().size);
  attributes[detail::division_attribute] = std::move(division);
  if (!options.numbering.empty()) attributes[detail::numbering_attribute] = options.numbering;
  return attributes;
}

/// Brings one stage after the other into the order of the file, and writes it.
void write_in_stages(const FileView& view, const SaveOptions& options, Call& call,
                     OpenDataset& dataset) {
  const DistArray& a = view.array;
  const detail::Stages stages =
      detail::make_stages(view.shape, a.type().itemsize(), call.comm().size(),
                          detail::memory_limit(options.memory_bytes));
  RedistributionOptions moving;
  moving.read_from_any = options.read_from_any;
  for (Index number = 0; number < stages.count; ++number) {
    const detail::Slab slab = call.check(
        [&] { return detail::make_slab(stages, number, view.shape, a.type(), call.comm()); });
    redistribute(a, slab.array, moving);
    dataset.write(a.type(), slab.array.data(), slab.memory, slab.file);
  }
}

}  // namespace

void save(const DistArray& a, const std::string& path, const std::string& name,
          const SaveOptions& options, const Attributes& attributes) {
  Call call(a, "hdf5::save");
  const detail::QuietErrors quiet;
  call.same(options);
  call.same("path", path);
  call.same("name", name);
  std::optional<ReadLease> lease;
  call.check([&] {
    call.same("attributes", detail::text_of(attributes));
    detail::require_path(path);
    detail::require_name(name);
    detail::require_attributes(attributes);
    detail::memory_limit(options.memory_bytes);
    adapter::require_memory(a);
    detail::require_places(a);
    detail::hdf5_type(a.type());
    lease.emplace(a);
  });

  std::optional<detail::Boundary> boundary;
  call.check([&] { boundary.emplace(call, a, options.boundary); });
  FileView view;
  detail::Direct direct;
  Agreed<bool> all_direct;
  call.check([&] {
    view = boundary->view(a, lease->data());
    direct = detail::direct_of(view);
    all_direct = call.all(direct.memory.has_value());
  });

  std::unique_ptr<detail::SideFile> side;
  call.check([&] {
    if (call.comm().rank() == 0)
      side = detail::create_beside(
          path,
          {name, view.shape, a.type(), all_attributes(a, options, attributes), options.overwrite});
  });
  const std::string beside = detail::side_path(path);
  call.check([&] { detail::require_seen(beside); });
  if (!view.empty()) {
    OpenDataset dataset(call, beside, name, OpenDataset::Access::write, view.shape);
    if (all_direct)
      dataset.write(a.type(), view.array.data(), *direct.memory, direct.file);
    else
      write_in_stages(view, options, call, dataset);
    dataset.close(options.sync);
  }
  call.check([&] {
    if (side != nullptr) side->commit(options.sync);
  });
}

}  // namespace daptor::hdf5
