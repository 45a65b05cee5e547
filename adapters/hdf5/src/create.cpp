// SPDX-License-Identifier: BSD-3-Clause
#include "create.hpp"

#include <cerrno>
#include <limits>
#include <optional>
#include <string>

#include "attributes.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/error.hpp"
#include "existing_file.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

/// What becomes of the file that is there.
enum class Before { none, kept, replaced };

Before look_before(const std::string& path, const NewDataset& dataset) {
  if (!stamp_of(path)) return Before::none;
  const Handle file = open_existing(path);
  if (!has_link(file, dataset.name)) return Before::kept;
  if (!dataset.overwrite)
    adapter::refuse_argument("hdf5.taken", "a dataset '" + dataset.name + "' in '" + path + "'",
                             "a name that is not taken",
                             "Use another name, or the option overwrite.");
  // A file with this dataset alone need not be copied.
  return is_alone(file, dataset.name) ? Before::replaced : Before::kept;
}

Handle open_side(const SideFile& side, bool copied) {
  const Handle access = access_of_one_process();
  if (copied)
    return {H5Fopen(side.path().c_str(), H5F_ACC_RDWR, access.get()), H5Fclose, "H5Fopen"};
  return {H5Fcreate(side.path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose,
          "H5Fcreate"};
}

Handle space_of(const std::vector<Index>& shape) {
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  if (extents.empty()) return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"};
  return {H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr), H5Sclose,
          "H5Screate_simple"};
}

void create_dataset(const Handle& file, const NewDataset& dataset) {
  const Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "H5Pcreate");
  checked(H5Pset_create_intermediate_group(links.get(), 1), "H5Pset_create_intermediate_group");
  // The place of the elements is fixed now, and they are written by all processes later.
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "H5Pcreate");
  checked(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), "H5Pset_alloc_time");
  checked(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "H5Pset_fill_time");
  checked(H5Pset_obj_track_times(creation.get(), false), "H5Pset_obj_track_times");
  const Handle type = hdf5_type(dataset.type);
  const Handle space = space_of(dataset.shape);
  const Handle made(H5Dcreate2(file.get(), dataset.name.c_str(), type.get(), space.get(),
                               links.get(), creation.get(), H5P_DEFAULT),
                    H5Dclose, "H5Dcreate2");
  write_attributes(made.get(), dataset.attributes);
}

/// Bytes of the elements, and some for what describes them; the largest number if there are more.
std::int64_t bytes_of(const NewDataset& dataset) {
  std::vector<Index> factors = dataset.shape;
  factors.push_back(static_cast<Index>(dataset.type.itemsize()));
  const std::optional<Index> bytes = checked_add(
      adapter::product(factors).value_or(std::numeric_limits<Index>::max()), Index{1} << 16);
  return bytes.value_or(std::numeric_limits<Index>::max());
}

/// Says of what HDF5 could not do for lack of room that this is the reason.
template <class F>
void explained(const SideFile& side, F&& work) {
  try {
    work();
  } catch (const LibraryFailed& error) {
    for (const int number : {ENOSPC, EDQUOT, EFBIG})
      if (error.finding().found.find("errno = " + std::to_string(number)) != std::string::npos)
        refuse_system("'" + side.path() + "' cannot be written", number);
    throw;
  }
}

}  // namespace

std::unique_ptr<SideFile> create_beside(const std::string& path, const NewDataset& dataset) {
  auto side = std::make_unique<SideFile>(path);
  const Before before = look_before(side->target(), dataset);
  if (before == Before::kept) side->copy_target();
  // Before HDF5 is asked: where it cannot finish a file, it keeps it open until the program ends.
  side->require_room(bytes_of(dataset));
  explained(*side, [&] {
    Handle file = open_side(*side, before == Before::kept);
    if (before == Before::kept && has_link(file, dataset.name))
      checked(H5Ldelete(file.get(), dataset.name.c_str(), H5P_DEFAULT), "H5Ldelete");
    create_dataset(file, dataset);
    file.close_or_throw("H5Fclose");
  });
  side->reserve();
  return side;
}

}  // namespace daptor::hdf5::detail
