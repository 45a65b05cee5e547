// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/hdf5/save.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "attributes.hpp"
#include "create.hpp"
#include "daptor/adapter/memory.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "daptor/lease.hpp"
#include "outgoing.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5 {

Chunks::Chunks(std::vector<Index> extents)
    : extents_(std::move(extents)), text_(adapter::shape_text(extents_)) {}

namespace {

using detail::OpenDataset;
using detail::Outgoing;

struct Item {
  std::optional<ReadLease> lease;
  Outgoing outgoing;
  detail::Storage storage;
};

/// What is wrong with the arguments that can be seen without communication.
void require_valid(const NamedArray& given, const std::string& path, const SaveOptions& options) {
  detail::require_path(path);
  detail::require_name(given.name);
  detail::require_attributes(given.attributes);
  detail::memory_limit(options.memory_bytes);
  adapter::require_memory(given.array);
  detail::require_places(given.array);
  detail::hdf5_type(given.array.type());
}

/// Neither two datasets of one name, nor one below another.
void require_distinct(const std::vector<NamedArray>& arrays) {
  const auto place = [](const NamedArray& array) {
    return (array.name.rfind('/', 0) == 0 ? "" : "/") + array.name;
  };
  for (auto one = arrays.begin(); one != arrays.end(); ++one)
    for (auto other = arrays.begin(); other != one; ++other) {
      const std::string a = place(*one), b = place(*other);
      if (a == b)
        adapter::refuse_argument("hdf5.name", "the name '" + one->name + "' for two arrays",
                                 "a name for each of them");
      if (a.rfind(b + "/", 0) == 0 || b.rfind(a + "/", 0) == 0)
        adapter::refuse_argument("hdf5.name",
                                 "the names '" + other->name + "' and '" + one->name + "'",
                                 "names of which none is a group of another");
    }
}

/// Collective. Settles what is said about the call as a whole, too.
std::vector<Item> prepared(Call& call, const std::vector<NamedArray>& arrays,
                           const std::string& path, const SaveOptions& options) {
  std::vector<Item> items(arrays.size());
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const NamedArray& given = arrays[i];
    Item& item = items[i];
    if (i > 0) call.prove(given.array);
    call.same("name", given.name);
    call.check([&] {
      call.same("attributes", detail::text_of(given.attributes));
      require_valid(given, path, options);
      require_distinct(arrays);
      item.lease.emplace(given.array);
    });
    item.outgoing = Outgoing(call, given.array, item.lease->data(),
                             {options.boundary, options.read_from_any, options.memory_bytes,
                              static_cast<bool>(options.progress)});
  }
  return items;
}

/// What the file gets, with which only the elements are missing. Process-local.
std::vector<detail::NewDataset> datasets_of(const std::vector<NamedArray>& arrays,
                                            const std::vector<Item>& items,
                                            const SaveOptions& options) {
  std::vector<detail::NewDataset> datasets;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const Outgoing& outgoing = items[i].outgoing;
    datasets.push_back({arrays[i].name, outgoing.shape(), arrays[i].array.type(),
                        detail::with_own_attributes(outgoing.view(), outgoing.regular(),
                                                    options.numbering, arrays[i].attributes),
                        items[i].storage});
  }
  return datasets;
}

}  // namespace

void save(const DistArray& a, const std::string& path, const std::string& name,
          const SaveOptions& options, const Attributes& attributes) {
  save(std::vector<NamedArray>{{name, a, attributes}}, path, options);
}

void save(const std::vector<NamedArray>& arrays, const std::string& path,
          const SaveOptions& options) {
  if (arrays.empty()) throw InvalidArgument("arrays", "none", "one array or more");
  Call call(arrays[0].array, "hdf5::save");
  const detail::QuietErrors quiet;
  call.same("number of arrays", static_cast<std::int64_t>(arrays.size()));
  call.same(options);
  call.same("path", path);
  std::vector<Item> items = prepared(call, arrays, path, options);

  std::unique_ptr<detail::SideFile> side;
  call.check([&] {
    for (std::size_t i = 0; i < items.size(); ++i)
      items[i].storage =
          detail::storage_of(items[i].outgoing.shape(), arrays[i].array.type().itemsize(), options);
    if (call.comm().rank() == 0)
      side = detail::create_beside(path, datasets_of(arrays, items, options), options.overwrite);
  });
  const std::string beside = detail::side_path(path);
  call.check([&] { detail::require_seen(beside); });
  detail::Meter meter(options.progress);
  for (std::size_t i = 0; i < items.size(); ++i)
    meter.expect(items[i].outgoing.shape(), arrays[i].array.type().itemsize());
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Outgoing& outgoing = items[i].outgoing;
    if (outgoing.empty()) continue;
    OpenDataset dataset(call, beside, arrays[i].name, OpenDataset::Access::write, outgoing.shape());
    outgoing.write(call, dataset, meter);
    dataset.close(options.sync);
  }
  call.check([&] {
    if (side != nullptr) side->commit(options.sync);
  });
}

}  // namespace daptor::hdf5
