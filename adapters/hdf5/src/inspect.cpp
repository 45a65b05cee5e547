// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstdint>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "attributes.hpp"
#include "daptor/adapter/communicator.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/call.hpp"
#include "daptor/hdf5/dataset.hpp"
#include "existing_file.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5 {
namespace detail {
namespace {

herr_t add_name(hid_t, const char* name, const H5L_info_t*, void* names) {
  auto& listed = *static_cast<std::vector<std::string>*>(names);
  if (listed.size() == 8) {
    listed.back() = "...";
    return 1;
  }
  listed.emplace_back(name);
  return 0;
}

/// `pressure, temperature`
std::string names_in(const Handle& file) {
  std::vector<std::string> names;
  H5Literate(file.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr, add_name, &names);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "nothing" : text;
}

[[noreturn]] void refuse_dataset(const Handle& file, const Terms& found) {
  adapter::refuse_argument(
      "hdf5.dataset", found,
      "the name of a dataset in the file, which has at its root: " + names_in(file));
}

void require_format(const Attributes& attributes) {
  const auto found = attributes.find(format_attribute);
  if (found == attributes.end()) return;
  const auto* number = std::get_if<std::int64_t>(&found->second);
  if (number != nullptr && *number <= format) return;
  adapter::refuse_argument("hdf5.format", text_of(Attributes{*found}),
                           "a format up to " + std::to_string(format),
                           "A newer Daptor wrote the dataset; read it with that one.");
}

std::vector<Index> shape_of(hid_t space) {
  std::vector<hsize_t> extents(static_cast<std::size_t>(
      checked(H5Sget_simple_extent_ndims(space), "H5Sget_simple_extent_ndims")));
  checked(H5Sget_simple_extent_dims(space, extents.data(), nullptr), "H5Sget_simple_extent_dims");
  return {extents.begin(), extents.end()};
}

/// The first `count` numbers of a dataset.
template <class Number>
std::vector<Number> first_numbers(const Handle& dataset, hid_t type, Index count) {
  std::vector<Number> numbers(static_cast<std::size_t>(count));
  if (numbers.empty()) return numbers;
  const hsize_t start = 0, size = numbers.size();
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  const Handle memory(H5Screate_simple(1, &size, nullptr), H5Sclose, "H5Screate_simple");
  checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &size, nullptr),
          "H5Sselect_hyperslab");
  checked(H5Dread(dataset.get(), type, memory.get(), space.get(), H5P_DEFAULT, numbers.data()),
          "H5Dread");
  return numbers;
}

}  // namespace

Handle access_of_one_process() {
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "H5Pcreate");
  checked(H5Pset_file_locking(access.get(), false, true), "H5Pset_file_locking");
  // HDF5 reads as much where it wants less; 64 KiB by default, of which others have most.
  checked(H5Pset_sieve_buf_size(access.get(), std::size_t{1} << 13), "H5Pset_sieve_buf_size");
  return access;
}

namespace {

[[noreturn]] void refuse_to_open(const std::string& path, const std::string& text) {
  refuse_if_system("'" + path + "' cannot be read", text);
  // Newer formats of HDF5 mark a file that is open for writing.
  if (text.find("already open for") != std::string::npos)
    adapter::refuse_argument("hdf5.busy",
                             "'" + path + "', which is marked as open for writing by a program",
                             "a file that nobody writes meanwhile",
                             "Close it there; if that program has ended without, run h5clear -s.");
  adapter::refuse_argument("hdf5.damaged", "'" + path + "', which HDF5 cannot open: " + text,
                           "a whole HDF5 file", "Use another copy of it.");
}

/// `'lzf' (32000)`
std::string filter_text(H5Z_filter_t filter, const char* name) {
  const std::string number = '(' + std::to_string(filter) + ')';
  return *name == '\0' ? "number " + std::to_string(filter)
                       : "'" + std::string(name) + "' " + number;
}

bool has_filter(H5Z_filter_t filter, bool write) {
  unsigned flags = 0;
  if (H5Zfilter_avail(filter) <= 0 || H5Zget_filter_info(filter, &flags) < 0) return false;
  return (flags & (write ? H5Z_FILTER_CONFIG_ENCODE_ENABLED : H5Z_FILTER_CONFIG_DECODE_ENABLED)) !=
         0;
}

/// Whether chunks are stored without a filter that may be left out; the first stands for all.
bool is_left_out(const Handle& dataset, int filter) {
  std::vector<hsize_t> start(extents_of(dataset.get()).size());
  unsigned mask = ~0U;
  haddr_t place = 0;
  hsize_t bytes = 0;
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  H5Dget_chunk_info(dataset.get(), space.get(), 0, start.data(), &mask, &place, &bytes);
  return (mask >> static_cast<unsigned>(filter) & 1U) != 0;
}

}  // namespace

void require_filters(const Handle& dataset, const std::string& name, bool write) {
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, "H5Dget_create_plist");
  const int count = checked(H5Pget_nfilters(creation.get()), "H5Pget_nfilters");
  for (int i = 0; i < count; ++i) {
    std::array<char, 256> text{};
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.get(), static_cast<unsigned>(i), &flags, &values, nullptr,
                       text.size() - 1, text.data(), &settings);
    const bool optional = (flags & H5Z_FLAG_OPTIONAL) != 0;
    if (filter < 0 || has_filter(filter, write && !optional)) continue;
    if (optional && is_left_out(dataset, i)) continue;
    adapter::refuse_argument(
        "hdf5.filter",
        "the dataset '" + name + "' with the filter " + filter_text(filter, text.data()) +
            ", which this HDF5 cannot " + (write ? "write" : "read"),
        "filters that it has, such as gzip (deflate) and shuffle",
        "Install the plugin of the filter (HDF5_PLUGIN_PATH), or write the dataset anew where the "
        "filter is, as by h5py with compression='gzip'.");
  }
}

void require_elements(const Dataset& dataset) {
  if (!dataset.type)
    adapter::refuse_argument("hdf5.type", "a dataset whose elements are " + dataset.elements,
                             "numbers or bools", "Read it with h5py or another program.");
}

Handle open_existing(const std::string& path) {
  require_readable(path);
  const htri_t known = H5Fis_hdf5(path.c_str());
  if (known < 0) refuse_if_system("'" + path + "' cannot be read", error_text());
  if (known <= 0)
    adapter::refuse_argument("hdf5.foreign", "'" + path + "', which is no HDF5 file",
                             "an HDF5 file", "Check the path.");
  const Handle access = access_of_one_process();
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get());
  if (file < 0) refuse_to_open(path, error_text());
  return {file, H5Fclose, "H5Fopen"};
}

bool has_link(const Handle& file, const std::string& name) {
  // HDF5 answers for the last part of a name if the parts before it exist.
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    if (H5Lexists(file.get(), name.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

namespace {

/// What is at the name, which the file has. A link that leads nowhere is no object.
std::string kind_of(const Handle& file, const std::string& name) {
  if (H5Oexists_by_name(file.get(), name.c_str(), H5P_DEFAULT) <= 0) return "link";
  const Handle object(H5Oopen(file.get(), name.c_str(), H5P_DEFAULT), H5Oclose, "H5Oopen");
  switch (H5Iget_type(object.get())) {
    case H5I_GROUP:
      return "group";
    case H5I_DATASET:
      return "dataset";
    default:
      return "type";
  }
}

}  // namespace

void require_place(const Handle& file, const std::string& path, const std::string& name) {
  for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
    const std::string part = name.substr(0, end);
    const bool whole = end == std::string::npos;
    if (!has_link(file, part)) return;
    const std::string kind = kind_of(file, part);
    if (kind != (whole ? "dataset" : "group"))
      adapter::refuse_argument(
          "hdf5.taken", "a " + kind + " '" + part + "' in '" + path + "'",
          whole ? "nothing or a dataset at that name" : "a group, in which '" + name + "' can be",
          "Use another name.");
    if (whole) return;
  }
}

bool are_alone(const Handle& file, const std::vector<std::string>& names) {
  H5G_info_t group{};
  checked(H5Gget_info(file.get(), &group), "H5Gget_info");
  const Handle root(H5Gopen2(file.get(), "/", H5P_DEFAULT), H5Gclose, "H5Gopen2");
  const bool at_root = std::all_of(names.begin(), names.end(), [](const std::string& name) {
    return name.find('/', 1) == std::string::npos;
  });
  hsize_t user_block = 0;
  const Handle creation(H5Fget_create_plist(file.get()), H5Pclose, "H5Fget_create_plist");
  checked(H5Pget_userblock(creation.get(), &user_block), "H5Pget_userblock");
  return at_root && user_block == 0 && group.nlinks == names.size() &&
         read_attributes(root.get()).empty();
}

Dataset look_in(const Handle& file, const std::string& path, const std::string& name) {
  if (!has_link(file, name)) refuse_dataset(file, "no dataset '" + name + "' in '" + path + "'");
  const hid_t opened = H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT);
  if (opened < 0) refuse_dataset(file, "'" + name + "', which is no dataset");
  const Handle dataset(opened, H5Dclose, "H5Dopen2");
  const Handle space(H5Dget_space(opened), H5Sclose, "H5Dget_space");
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL)
    refuse_dataset(file, "'" + name + "', which has no elements");
  const Handle type(H5Dget_type(opened), H5Tclose, "H5Dget_type");
  Dataset found{shape_of(space.get()), element_type(type.get()), {}};
  found.elements = element_text(type.get());
  found.attributes = read_attributes(opened, &found.left_out);
  require_format(found.attributes);
  const auto steps = found.attributes.find(steps_attribute);
  if (steps != found.attributes.end() && !found.shape.empty())
    if (const auto* complete = std::get_if<std::int64_t>(&steps->second))
      found.shape[0] = std::clamp<Index>(*complete, 0, found.shape[0]);
  return found;
}

Dataset look_to_load(const std::string& path, const std::string& name) {
  const Handle file = open_existing(path);
  Dataset found = look_in(file, path, name);
  const Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
  require_filters(dataset, name, false);
  return found;
}

std::vector<std::string> step_numbers_of(const Dataset& dataset) {
  std::vector<std::string> names;
  const auto found = dataset.attributes.find(step_numbers_attribute);
  const auto* text =
      found == dataset.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  if (text == nullptr) return names;
  std::istringstream parts(*text);
  for (std::string name; std::getline(parts, name, ',');) names.push_back(name);
  return names;
}

std::string name_of_numbers(const std::string& name, const std::string& number) {
  return name + '_' + number;
}

Attribute numbers_of_steps(const Handle& file, const std::string& name, const std::string& number,
                           Index steps) {
  const Handle dataset(H5Dopen2(file.get(), name_of_numbers(name, number).c_str(), H5P_DEFAULT),
                       H5Dclose, "H5Dopen2");
  const Handle type(H5Dget_type(dataset.get()), H5Tclose, "H5Dget_type");
  if (H5Tget_class(type.get()) == H5T_INTEGER)
    return first_numbers<std::int64_t>(dataset, H5T_NATIVE_INT64, steps);
  return first_numbers<double>(dataset, H5T_NATIVE_DOUBLE, steps);
}

Dataset look_with_steps(const std::string& path, const std::string& name) {
  const Handle file = open_existing(path);
  Dataset dataset = look_in(file, path, name);
  for (const std::string& number : step_numbers_of(dataset))
    dataset.of_steps[number] = numbers_of_steps(file, name, number, dataset.shape.at(0));
  return dataset;
}

}  // namespace detail

Dataset inspect(const std::string& path, const std::string& name, const Comm& comm) {
  Call call(comm, "hdf5::inspect");
  const detail::QuietErrors quiet;
  call.same("path", path);
  call.same("name", name);
  std::string bytes;
  Agreed<std::int64_t> length;
  call.check([&] {
    detail::require_path(path);
    detail::require_name(name);
    if (comm.rank() == 0) bytes = detail::packed(detail::look_with_steps(path, name));
    length = call.greatest(static_cast<std::int64_t>(bytes.size()));
  });
  call.check([&] { bytes.resize(static_cast<std::size_t>(std::int64_t{length})); });
  call.comm()->broadcast(bytes.data(), bytes.size(), 0);
  return call.check([&] { return detail::unpacked(bytes); });
}

}  // namespace daptor::hdf5
