// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/saved_array.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "attributes.hpp"
#include "daptor/adapter/extents.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/builders.hpp"
#include "daptor/layout.hpp"
#include "existing_file.hpp"

namespace daptor::hdf5::detail {
namespace {

using Numbers = std::vector<std::int64_t>;

/// Processes of which the command makes a picture.
constexpr Index most_processes = 131072;

/// An attribute of this type; null if there is none.
template <class T>
const T* attribute(const Dataset& dataset, const char* name) {
  const auto found = dataset.attributes.find(name);
  return found == dataset.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

std::vector<std::string> words_in(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What a dataset says of the layout of its array when it was saved.
struct SavedLayout {
  std::vector<Index> shape;
  std::vector<std::string> words;
  Numbers division, block_sizes, first_processes;
  bool regular = false;

  explicit SavedLayout(const Dataset& dataset) : shape(dataset.shape) {
    const bool steps = dataset.attributes.count(steps_attribute) > 0;
    if (steps && !shape.empty()) shape.erase(shape.begin());
    if (const auto* text = attribute<std::string>(dataset, distribution_attribute))
      words = words_in(*text);
    for (auto [name, numbers] :
         {std::pair(division_attribute, &division), std::pair(block_size_attribute, &block_sizes),
          std::pair(first_process_attribute, &first_processes)})
      if (const auto* list = attribute<Numbers>(dataset, name)) *numbers = *list;
    const auto* number = attribute<std::int64_t>(dataset, regular_attribute);
    regular = number != nullptr && *number == 1;
  }
  std::size_t ndim() const { return shape.size(); }
  Index processes() const {
    return adapter::product({division.begin(), division.end()}).value_or(most_processes + 1);
  }
};

class Judge {
 public:
  void require(bool good, const char* key, const Terms& found, const Terms& expected) {
    if (good) return;
    report.add(error_finding("hdf5.inconsistent", -1, key, found, expected,
                             "Save the array again; another program may have changed the file."));
  }
  Report report;
};

void judge_dimension(const SavedLayout& layout, std::size_t d, Judge& judge) {
  const std::string& word = layout.words[d];
  const Terms of = terms::dimension(d) + ": ";
  const Index processes = layout.division[d];
  const bool known =
      word == "block" || word == "cyclic" || word == "unstructured" || word == "undistributed";
  judge.require(known, distribution_attribute, of + "'" + word + "'",
                "block, cyclic, unstructured or undistributed");
  judge.require(word != "undistributed" || processes == 1, division_attribute,
                of + std::to_string(processes) + " processes", "1, as it is undistributed");
  if (word != "cyclic") return;
  judge.require(layout.block_sizes[d] > 0, block_size_attribute,
                of + std::to_string(layout.block_sizes[d]), "at least 1");
  const Index first = layout.first_processes[d];
  judge.require(0 <= first && first < processes, first_process_attribute,
                of + std::to_string(first),
                "one of " + std::to_string(processes) + " processes, from 0");
}

void judge_layout(const SavedLayout& layout, Judge& judge) {
  const auto per_dimension = [&](const char* name, std::size_t count) {
    judge.require(count == layout.ndim(), name, std::to_string(count) + " entries",
                  "one for each of " + std::to_string(layout.ndim()) + " dimensions");
  };
  per_dimension(division_attribute, layout.division.size());
  // The first files had the division alone.
  if (layout.words.empty()) return;
  per_dimension(distribution_attribute, layout.words.size());
  per_dimension(block_size_attribute, layout.block_sizes.size());
  per_dimension(first_process_attribute, layout.first_processes.size());
  for (const Index processes : layout.division)
    judge.require(processes > 0, division_attribute, std::to_string(processes) + " processes",
                  "at least 1");
  if (!judge.report) return;
  for (std::size_t d = 0; d < layout.ndim(); ++d) judge_dimension(layout, d, judge);
}

Index first_extent(const Handle& file, const std::string& name) {
  const Handle dataset(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  const int ndim = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> extents(static_cast<std::size_t>(std::max(ndim, 0)));
  if (extents.empty()) return 0;
  checked(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr),
          "H5Sget_simple_extent_dims");
  return static_cast<Index>(extents[0]);
}

void judge_steps(const Handle& file, const std::string& name, const Dataset& dataset,
                 Judge& judge) {
  const auto* steps = attribute<std::int64_t>(dataset, steps_attribute);
  if (steps == nullptr) return;
  const Index extent = first_extent(file, name);
  judge.require(0 <= *steps && *steps <= extent, steps_attribute,
                std::to_string(*steps) + " complete steps",
                "at most the " + std::to_string(extent) + " that the dataset has");
  for (const std::string& number : step_numbers_of(dataset)) {
    const std::string beside = name_of_numbers(name, number);
    const Index there = has_link(file, beside) ? first_extent(file, beside) : 0;
    judge.require(there >= *steps, step_numbers_attribute,
                  std::to_string(there) + " numbers in '" + beside + "'",
                  "one for each of " + std::to_string(*steps) + " steps");
  }
}

/// The bytes of elements that are neither in chunks nor compressed.
void judge_elements(const Handle& file, const std::string& name, const Dataset& dataset,
                    Judge& judge) {
  judge.require(dataset.type.has_value(), "", "elements of the kind " + dataset.elements,
                "numbers or bools, as Daptor writes them");
  const Handle opened(H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2");
  const Handle creation(H5Dget_create_plist(opened.get()), H5Pclose, "H5Dget_create_plist");
  if (H5Pget_layout(creation.get()) != H5D_CONTIGUOUS || !dataset.type) return;
  std::vector<Index> factors = dataset.shape;
  factors.push_back(static_cast<Index>(dataset.type->itemsize()));
  const auto there = static_cast<Index>(H5Dget_storage_size(opened.get()));
  const std::optional<Index> bytes = adapter::product(factors);
  judge.require(bytes == there, "", std::to_string(there) + " bytes of elements",
                "as many as " + terms::file_shape(dataset.shape) + " elements have");
}

/// A dimension of the process at this place of the grid, as a dictionary of the protocol.
std::string dimension_text(const SavedLayout& layout, std::size_t d, Index at, Index& extent) {
  const Index size = layout.shape[d];
  std::ostringstream text;
  text << "{\"size\": " << size << ", \"dist_type\": ";
  if (layout.words[d] == "undistributed") {
    extent = size;
    text << "\"n\"}";
    return text.str();
  }
  const GridPosition grid{layout.division[d], at};
  text << '"' << layout.words[d][0] << "\", \"proc_grid_size\": " << grid.size
       << ", \"proc_grid_rank\": " << at;
  if (layout.words[d] == "block") {
    const IndexRange mine = even_block(size, grid);
    extent = mine.size();
    text << ", \"start\": " << mine.start << ", \"stop\": " << mine.stop << '}';
    return text.str();
  }
  const Dimension dimension = cyclic(size, grid, layout.block_sizes[d], layout.first_processes[d]);
  extent = dimension.local_extent();
  text << ", \"start\": " << dimension.as<Cyclic>()->start
       << ", \"block_size\": " << layout.block_sizes[d] << '}';
  return text.str();
}

std::string rank_text(const SavedLayout& layout, const DataType& type, Index rank) {
  const std::vector<Index> grid(layout.division.begin(), layout.division.end());
  const std::vector<Index> at = grid_coordinates(grid, rank);
  std::vector<Index> extents(layout.ndim());
  std::string dimensions;
  for (std::size_t d = 0; d < layout.ndim(); ++d)
    dimensions += (d == 0 ? "" : ", ") + dimension_text(layout, d, at[d], extents[d]);
  return "{\"__version__\": \"0.9.0\", \"buffer\": {\"dtype\": \"" + type.typestr() +
         "\", \"shape\": [" + adapter::joined_text(extents, ", ") + "]}, \"dim_data\": [" +
         dimensions + "]}";
}

/// In Daptor's JSON format; empty if it cannot be told.
std::string description_of(const std::string& name, const Dataset& dataset) {
  const SavedLayout layout(dataset);
  if (!layout.regular || layout.ndim() == 0 || layout.words.empty() ||
      layout.processes() > most_processes)
    return "";
  std::string text = "{\"name\": \"";
  for (const char each : name) {
    if (each == '"' || each == '\\') text += '\\';
    text += each;
  }
  text += "\", \"ranks\": [\n";
  for (Index rank = 0; rank < layout.processes(); ++rank)
    text += (rank == 0 ? "" : ",\n") + rank_text(layout, *dataset.type, rank);
  return text + "]}\n";
}

adapter::SavedArray saved_array(const Handle& file, const std::string& path,
                                const std::string& name) {
  Judge judge;
  std::optional<Dataset> dataset;
  try {
    dataset = look_in(file, path, name);
  } catch (const InvalidArgument& error) {
    return {name, "", error.report()};
  }
  judge_elements(file, name, *dataset, judge);
  judge_layout(SavedLayout(*dataset), judge);
  judge_steps(file, name, *dataset, judge);
  std::string description = judge.report ? description_of(name, *dataset) : "";
  return {name, std::move(description), std::move(judge.report)};
}

herr_t add_dataset(hid_t group, const char* name, const H5L_info_t*, void* names) {
  const hid_t dataset = H5Dopen2(group, name, H5P_DEFAULT);
  if (dataset < 0) return 0;
  if (H5Aexists(dataset, format_attribute) > 0)
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  H5Dclose(dataset);
  return 0;
}

}  // namespace
}  // namespace daptor::hdf5::detail

extern "C" void daptor_hdf5_saved_arrays(const char* path,
                                         std::vector<daptor::adapter::SavedArray>* arrays) {
  using namespace daptor::hdf5::detail;
  const QuietErrors quiet;
  const Handle file = open_existing(path);
  std::vector<std::string> names;
  checked(H5Lvisit(file.get(), H5_INDEX_NAME, H5_ITER_INC, add_dataset, &names), "H5Lvisit");
  for (const std::string& name : names) arrays->push_back(saved_array(file, path, name));
}
