// SPDX-License-Identifier: BSD-3-Clause
#include "create.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "attributes.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "existing_file.hpp"
#include "names.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

/// What becomes of the file that is there.
enum class Before { none, kept, replaced };

Before look_before(const std::string& path, const std::vector<NewDataset>& datasets,
                   bool overwrite) {
  if (!stamp_of(path)) return Before::none;
  const Handle file = open_existing(path);
  std::vector<std::string> taken;
  for (const NewDataset& dataset : datasets) {
    require_place(file, path, dataset.name);
    if (has_link(file, dataset.name)) taken.push_back(dataset.name);
  }
  if (!taken.empty() && !overwrite)
    adapter::refuse_argument("hdf5.taken", "a dataset '" + taken[0] + "' in '" + path + "'",
                             "a name that is not taken",
                             "Use another name, or " + names::overwrite + ".");
  // A file that has nothing else need not be copied.
  return are_alone(file, taken) ? Before::replaced : Before::kept;
}

std::int64_t bytes_of_all(const std::vector<NewDataset>& datasets) {
  std::optional<Index> bytes = 0;
  for (const NewDataset& dataset : datasets)
    if (bytes) bytes = checked_add(*bytes, bytes_of(dataset));
  return bytes.value_or(std::numeric_limits<Index>::max());
}

}  // namespace

std::int64_t bytes_of(const NewDataset& dataset) {
  std::vector<Index> factors = dataset.shape;
  factors.push_back(static_cast<Index>(dataset.type.itemsize()));
  constexpr Index most = std::numeric_limits<Index>::max(), description = Index{1} << 16;
  return checked_add(adapter::product(factors).value_or(most), description).value_or(most);
}

Handle open_side(const SideFile& side, bool copied) {
  return open_writable(side.path(), !copied);
}

void create_dataset(const Handle& file, const NewDataset& dataset) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "H5Pcreate");
  checked(H5Pset_create_intermediate_group(links.get(), 1), "H5Pset_create_intermediate_group");
  const Handle creation = creation_of(dataset.storage);
  const Handle type = hdf5_type(dataset.type);
  const Handle space = space_of(dataset.shape, dataset.storage);
  const Handle made(H5Dcreate2(file.get(), dataset.name.c_str(), type.get(), space.get(),
                               links.get(), creation.get(), H5P_DEFAULT),
                    H5Dclose, "H5Dcreate2");
  write_attributes(made.get(), dataset.attributes);
}

void explained(const SideFile& side, const std::function<void()>& work) {
  explained("'" + side.path() + "' cannot be written", work);
}

std::unique_ptr<SideFile> create_beside(const std::string& path,
                                        const std::vector<NewDataset>& datasets, bool overwrite) {
  auto side = std::make_unique<SideFile>(path);
  const Before before = look_before(side->target(), datasets, overwrite);
  if (before == Before::kept) side->copy_target();
  // Before HDF5 is asked: where it cannot finish a file, it keeps it open until the program ends.
  side->require_room(bytes_of_all(datasets));
  explained(*side, [&] {
    Handle file = open_side(*side, before == Before::kept);
    for (const NewDataset& dataset : datasets) {
      if (before == Before::kept && has_link(file, dataset.name))
        checked(H5Ldelete(file.get(), dataset.name.c_str(), H5P_DEFAULT), "H5Ldelete");
      create_dataset(file, dataset);
    }
    file.close_or_throw("H5Fclose");
  });
  // How many bytes compressed elements have is not known before.
  const bool compressed = std::any_of(datasets.begin(), datasets.end(), [](const NewDataset& each) {
    return each.storage.deflate > 0;
  });
  side->reserve(compressed ? bytes_of_all(datasets) : 0);
  return side;
}

}  // namespace daptor::hdf5::detail
