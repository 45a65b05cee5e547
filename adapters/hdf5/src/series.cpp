// SPDX-License-Identifier: BSD-3-Clause
#include "series.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <variant>

#include "attributes.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "existing_file.hpp"
#include "paths.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

/// Steps for which there is place at first.
constexpr Index first_steps = 8;

Handle open_dataset(const Handle& file, const std::string& name) {
  return {H5Dopen2(file.get(), name.c_str(), H5P_DEFAULT), H5Dclose, "H5Dopen2"};
}

void set_first_extent(const Handle& dataset, Index extent) {
  std::vector<hsize_t> extents = extents_of(dataset.get());
  if (extents.at(0) == static_cast<hsize_t>(extent)) return;
  extents[0] = static_cast<hsize_t>(extent);
  checked(H5Dset_extent(dataset.get(), extents.data()), "H5Dset_extent");
}

std::size_t bytes_of_chunk(const Handle& dataset) {
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, "H5Dget_create_plist");
  const Handle type(H5Dget_type(dataset.get()), H5Tclose, "H5Dget_type");
  std::vector<hsize_t> chunk = extents_of(dataset.get());
  checked(H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data()),
          "H5Pget_chunk");
  std::size_t bytes = H5Tget_size(type.get());
  for (const hsize_t extent : chunk) bytes *= extent;
  return bytes;
}

/// Writes numbers into a list of them, from `start` on.
struct NumberWriter {
  const Handle& dataset;
  Index start;

  template <class Number>
  void operator()(const std::vector<Number>& numbers) const {
    if (numbers.empty()) return;
    const auto first = static_cast<hsize_t>(start);
    const hsize_t count = numbers.size();
    const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
    const Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
    checked(H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &first, nullptr, &count, nullptr),
            "H5Sselect_hyperslab");
    const Handle type = hdf5_type(DataType::of<Number>());
    checked(
        H5Dwrite(dataset.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, numbers.data()),
        "H5Dwrite");
  }
  void operator()(std::int64_t number) const { (*this)(std::vector<std::int64_t>{number}); }
  void operator()(double number) const { (*this)(std::vector<double>{number}); }
  void operator()(const std::string&) const {}
  void operator()(const std::vector<std::string>&) const {}
};

bool is_integer(const Attribute& number) {
  return std::holds_alternative<std::int64_t>(number) ||
         std::holds_alternative<std::vector<std::int64_t>>(number);
}

/// The first of a list of numbers.
Attribute cut(const Attribute& numbers, Index count) {
  const auto size = static_cast<std::size_t>(count);
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&numbers))
    return std::vector<std::int64_t>(list->begin(), list->begin() + count);
  auto list = std::get<std::vector<double>>(numbers);
  list.resize(size);
  return list;
}

std::string names_of(const Attributes& numbers) {
  std::string names;
  for (const auto& [name, number] : numbers) names += (names.empty() ? "" : ",") + name;
  return names;
}

}  // namespace

/// A dataset of steps as it was found.
struct Series::Existing {
  Dataset dataset;
  Attributes numbers;  ///< of its steps
  bool ours = false;   ///< made by `append`, whose chunks have all steps
  Index place = 0;     ///< steps for which a chunk has place; 0 if they are compressed
  /// Whether a program may be killed while it has the file open: newer formats of HDF5 mark a file
  /// that is being written, and it cannot be opened then.
  bool unmarked = false;

  Index steps() const { return dataset.shape.at(0); }
};

void require_numbers(const Attributes& numbers) {
  require_attributes(numbers);
  for (const auto& [name, number] : numbers) {
    const bool single =
        std::holds_alternative<std::int64_t>(number) || std::holds_alternative<double>(number);
    if (!single || name.find_first_of("/,") != std::string::npos)
      adapter::refuse_argument(
          "hdf5.attribute",
          "the attribute '" + name + "' of a step" + (single ? "" : ", which is no number"),
          "a number, whose name has no slash and no comma");
  }
}

Series::Existing Series::look(const Handle& file, const std::string& path, const NewStep& step) {
  Existing found{look_in(file, path, step.name), {}};
  const Handle dataset = open_dataset(file, step.name);
  const Handle space(H5Dget_space(dataset.get()), H5Sclose, "H5Dget_space");
  std::vector<hsize_t> extents(found.dataset.shape.size()), most = extents;
  if (!most.empty())
    checked(H5Sget_simple_extent_dims(space.get(), extents.data(), most.data()),
            "H5Sget_simple_extent_dims");
  if (most.empty() || most[0] != H5S_UNLIMITED)
    adapter::refuse_argument("hdf5.series", "the dataset '" + step.name + "' of a fixed size",
                             "a dataset of steps, whose first dimension is unlimited",
                             "Append to another name.");
  const Handle creation(H5Dget_create_plist(dataset.get()), H5Pclose, "H5Dget_create_plist");
  // What is written to the others comes into files of which there is no copy.
  if (H5Pget_layout(creation.get()) != H5D_CHUNKED)
    adapter::refuse_argument("hdf5.series",
                             "the dataset '" + step.name + "', whose elements lie in other files",
                             "a dataset of steps in chunks", "Append to another name.");
  require_filters(dataset, step.name, true);
  std::vector<hsize_t> chunk(most.size());
  const int chunk_ndim = H5Pget_chunk(creation.get(), static_cast<int>(chunk.size()), chunk.data());
  if (chunk_ndim > 0 && H5Pget_nfilters(creation.get()) == 0)
    found.place = static_cast<Index>(chunk[0]);
  found.ours = found.dataset.attributes.count(steps_attribute) > 0;
  H5F_info2_t info{};
  checked(H5Fget_info2(file.get(), &info), "H5Fget_info2");
  found.unmarked = info.super.version < 3;
  for (const std::string& number : step_numbers_of(found.dataset))
    found.numbers[number] = numbers_of_steps(file, step.name, number, found.steps());
  return found;
}

namespace {

void require_same_steps(const Dataset& dataset, const NewStep& step) {
  const std::vector<Index> shape(dataset.shape.begin() + 1, dataset.shape.end());
  if (shape != step.shape)
    adapter::refuse_argument("hdf5.shape", "steps of " + terms::file_shape(shape),
                             terms::file_shape(step.shape) + ", the global shape of the array",
                             "Append to another name.");
  if (!dataset.type || *dataset.type != step.type)
    adapter::refuse_argument("hdf5.type",
                             std::string("steps with elements of ") +
                                 (dataset.type ? "type " : "the kind ") + dataset.elements,
                             "elements of type " + step.type.name(), "Append to another name.");
  const auto found = dataset.attributes.find(numbering_attribute);
  const auto* text =
      found == dataset.attributes.end() ? nullptr : std::get_if<std::string>(&found->second);
  const std::string numbering = text == nullptr ? "" : *text;
  if (numbering != step.options.numbering)
    adapter::refuse_argument("hdf5.numbering", "steps with the numbering '" + numbering + "'",
                             "the numbering '" + step.options.numbering + "'",
                             "Append to another name.");
}

void require_same_numbers(const Attributes& there, const Attributes& given) {
  if (names_of(there) != names_of(given))
    adapter::refuse_argument("hdf5.attribute", "the numbers '" + names_of(given) + "' of a step",
                             "'" + names_of(there) + "', as of the steps before");
  for (const auto& [name, numbers] : there)
    if (is_integer(numbers) && !is_integer(given.at(name)))
      adapter::refuse_argument("hdf5.attribute",
                               "the number '" + name + "' of a step, which is no integer",
                               "an integer, as of the steps before");
}

}  // namespace

Series::Series(const std::string& path, NewStep step)
    : step_(std::move(step)), side_(std::make_unique<SideFile>(path)) {
  const std::string& target = side_->target();
  if (!stamp_of(target)) {
    create(false);
    return;
  }
  Handle file = open_existing(target);
  require_place(file, path, step_.name);
  if (!has_link(file, step_.name)) {
    file.close_or_throw("H5Fclose");
    create(true);
    return;
  }
  const Existing existing = look(file, path, step_);
  require_same_steps(existing.dataset, step_);
  require_same_numbers(existing.numbers, step_.numbers);
  plan(file, existing);
}

Series::~Series() {
  if (committed_ || !in_place_) return;
  // A step that does not count is no part of the dataset for other programs, either.
  try {
    const Handle file = open_writable(side_->target(), false);
    const Handle dataset = open_dataset(file, step_.name);
    // HDF5 holds a whole chunk to shrink it.
    constexpr std::size_t most_bytes = std::size_t{1} << 26;
    if (bytes_of_chunk(dataset) <= most_bytes) set_first_extent(dataset, number_);
  } catch (...) {
    return;
  }
}

void Series::plan(const Handle& file, const Existing& existing) {
  const Index steps = existing.steps();
  if (step_.options.step > steps)
    adapter::refuse_argument(
        "hdf5.step", "step " + terms::ordinal(step_.options.step),
        "a step up to " + terms::ordinal(steps) + ", as " + std::to_string(steps) + " are there");
  number_ = step_.options.step < 0 ? steps : step_.options.step;
  in_place_ = existing.ours && existing.unmarked && number_ == steps && number_ < existing.place;
  if (in_place_)
    side_->require_room(bytes_of_steps(1));
  else if (existing.ours && existing.place > 0)
    grow(existing, [&] {
      std::vector<std::string> names{step_.name};
      for (const auto& [number, values] : existing.numbers)
        names.push_back(name_of_numbers(step_.name, number));
      return are_alone(file, names);
    }());
  else
    extend_copy();
}

std::vector<Index> Series::shape_with(Index steps) const {
  std::vector<Index> shape = step_.shape;
  shape.insert(shape.begin(), steps);
  return shape;
}

std::int64_t Series::bytes_of_steps(Index steps) const {
  return bytes_of({step_.name, shape_with(steps), step_.type, {}, {}});
}

void Series::create(bool copied) {
  if (step_.options.step > 0)
    adapter::refuse_argument("hdf5.step", "step " + terms::ordinal(step_.options.step),
                             "step " + terms::ordinal(0) + ", as there are none yet");
  if (copied) side_->copy_target();
  side_->require_room(bytes_of_steps(1));
  const std::size_t itemsize = step_.type.itemsize();
  const Storage storage =
      step_.options.deflate > 0
          ? storage_of_series(step_.shape, itemsize, step_.options.deflate)
          : storage_of_series(step_.shape, itemsize, std::max(first_steps, step_.options.steps));
  explained(*side_, [&] {
    Handle file = open_side(*side_, copied);
    make(file, storage, step_.attributes, nullptr);
    file.close_or_throw("H5Fclose");
  });
  if (storage.deflate > 0) side_->reserve(bytes_of_steps(1));
}

/// Makes the dataset anew, with place for twice the steps.
void Series::grow(const Existing& existing, bool alone) {
  if (!alone) side_->copy_target();
  side_->require_room(bytes_of_steps(number_ + 1));
  copied_ = number_;
  const Index place = std::max({first_steps, 2 * number_, step_.options.steps});
  explained(*side_, [&] {
    Handle file = open_side(*side_, !alone);
    if (!alone) {
      checked(H5Ldelete(file.get(), step_.name.c_str(), H5P_DEFAULT), "H5Ldelete");
      for (const auto& [number, values] : existing.numbers)
        checked(H5Ldelete(file.get(), name_of_numbers(step_.name, number).c_str(), H5P_DEFAULT),
                "H5Ldelete");
    }
    make(file, storage_of_series(step_.shape, step_.type.itemsize(), place),
         existing.dataset.attributes, &existing);
    file.close_or_throw("H5Fclose");
  });
}

/// Of a dataset in chunks that are compressed, or of another program.
void Series::extend_copy() {
  side_->copy_target();
  side_->require_room(bytes_of_steps(1));
  explained(*side_, [&] {
    Handle file = open_side(*side_, true);
    const Handle dataset = open_dataset(file, step_.name);
    set_first_extent(dataset, number_);
    set_first_extent(dataset, number_ + 1);
    count(file);
    file.close_or_throw("H5Fclose");
  });
  side_->reserve(bytes_of_steps(1));
}

void Series::make(const Handle& file, const Storage& storage, const Attributes& attributes,
                  const Existing* existing) {
  Attributes all = attributes;
  all[steps_attribute] = number_;
  if (!step_.numbers.empty()) all[step_numbers_attribute] = names_of(step_.numbers);
  create_dataset(file, {step_.name, shape_with(number_ + 1), step_.type, all, storage});
  const Index place = std::max(storage.chunks[0], first_steps);
  for (const auto& [number, value] : step_.numbers) {
    const std::string name = name_of_numbers(step_.name, number);
    if (has_link(file, name))
      adapter::refuse_argument("hdf5.taken", "a dataset '" + name + "' in the file",
                               "a name that is not taken",
                               "Give the number of the steps another name.");
    const bool integers = is_integer(existing == nullptr ? value : existing->numbers.at(number));
    const DataType type = integers ? DataType::of<std::int64_t>() : DataType::of<double>();
    create_dataset(file,
                   {name, {number_ + 1}, type, {}, storage_of_series({}, sizeof(double), place)});
    if (existing != nullptr)
      std::visit(NumberWriter{open_dataset(file, name), 0},
                 cut(existing->numbers.at(number), number_));
  }
  count(file);
}

/// Writes the numbers of the step, then that it counts.
void Series::count(const Handle& file) const {
  for (const auto& [number, value] : step_.numbers) {
    const Handle dataset = open_dataset(file, name_of_numbers(step_.name, number));
    set_first_extent(dataset, number_ + 1);
    std::visit(NumberWriter{dataset, number_}, value);
  }
  const Handle dataset = open_dataset(file, step_.name);
  set_first_extent(dataset, number_ + 1);
  checked(H5Fflush(file.get(), H5F_SCOPE_LOCAL), "H5Fflush");
  if (checked(H5Aexists(dataset.get(), steps_attribute), "H5Aexists") == 0) return;
  const Handle attribute(H5Aopen(dataset.get(), steps_attribute, H5P_DEFAULT), H5Aclose, "H5Aopen");
  const std::int64_t steps = number_ + 1;
  checked(H5Awrite(attribute.get(), H5T_NATIVE_INT64, &steps), "H5Awrite");
}

void Series::commit(bool sync) {
  if (!in_place_) {
    side_->commit(sync);
    committed_ = true;
    return;
  }
  explained("'" + side_->target() + "' cannot be written", [&] {
    Handle file = open_writable(side_->target(), false);
    count(file);
    file.close_or_throw("H5Fclose");
  });
  committed_ = true;
  if (sync) sync_file(side_->target());
  // From now on other programs may open the file.
  side_.reset();
}

}  // namespace daptor::hdf5::detail
