// SPDX-License-Identifier: BSD-3-Clause
#include "attributes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sstream>
#include <type_traits>
#include <utility>

#include "daptor/adapter/reason.hpp"
#include "daptor/builders.hpp"
#include "daptor/config.hpp"
#include "types.hpp"

namespace daptor::hdf5::detail {
namespace {

Handle scalar() {
  return {H5Screate(H5S_SCALAR), H5Sclose, "H5Screate"};
}

void write_one(hid_t dataset, const std::string& name, const Handle& type, const Handle& space,
               const void* value) {
  const Handle attribute(
      H5Acreate2(dataset, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose, "H5Acreate2");
  // An empty list has no address, which HDF5 refuses.
  const char none = 0;
  checked(H5Awrite(attribute.get(), type.get(), value == nullptr ? &none : value), "H5Awrite");
}

/// Writes an attribute of any kind.
struct Writer {
  hid_t dataset;
  const std::string& name;

  template <class Number>
  void operator()(const Number& value) const {
    write_one(dataset, name, hdf5_type(DataType::of<Number>()), scalar(), &value);
  }
  template <class Number>
  void operator()(const std::vector<Number>& values) const {
    const hsize_t count = values.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
    write_one(dataset, name, hdf5_type(DataType::of<Number>()), space, values.data());
  }
  void operator()(const std::string& text) const {
    const char* const begin = text.c_str();
    write_one(dataset, name, text_type(), scalar(), &begin);
  }
  void operator()(const std::vector<std::string>& texts) const {
    std::vector<const char*> begins;
    for (const std::string& text : texts) begins.push_back(text.c_str());
    const hsize_t count = texts.size();
    const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose, "H5Screate_simple");
    write_one(dataset, name, text_type(), space, begins.data());
  }
  /// Of variable length in UTF-8, which h5py reads as a str.
  static Handle text_type() {
    Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
    checked(H5Tset_size(type.get(), H5T_VARIABLE), "H5Tset_size");
    checked(H5Tset_cset(type.get(), H5T_CSET_UTF8), "H5Tset_cset");
    return type;
  }
};

/// Texts of one length, or of any.
std::vector<std::string> texts_in(hid_t attribute, const Handle& type, std::size_t count) {
  std::vector<std::string> texts(count);
  if (count == 0) return texts;
  if (H5Tis_variable_str(type.get()) > 0) {
    std::vector<char*> read(count, nullptr);
    const Handle memory(H5Tcopy(H5T_C_S1), H5Tclose, "H5Tcopy");
    checked(H5Tset_size(memory.get(), H5T_VARIABLE), "H5Tset_size");
    checked(H5Tset_cset(memory.get(), H5Tget_cset(type.get())), "H5Tset_cset");
    checked(H5Aread(attribute, memory.get(), read.data()), "H5Aread");
    for (std::size_t i = 0; i < count; ++i) {
      texts[i] = read[i] == nullptr ? "" : read[i];
      H5free_memory(read[i]);
    }
    return texts;
  }
  const std::size_t size = H5Tget_size(type.get());
  std::string all(count * size, '\0');
  checked(H5Aread(attribute, type.get(), all.data()), "H5Aread");
  for (std::size_t i = 0; i < count; ++i) {
    const std::string text = all.substr(i * size, size);
    texts[i] = text.substr(0, text.find('\0'));
  }
  return texts;
}

template <class Number>
std::vector<Number> numbers_in(hid_t attribute, std::size_t count) {
  std::vector<Number> numbers(count);
  const Handle type = hdf5_type(DataType::of<Number>());
  if (count > 0) checked(H5Aread(attribute, type.get(), numbers.data()), "H5Aread");
  return numbers;
}

template <class T>
Attribute one_or_all(std::vector<T> values, bool one) {
  if (one) return std::move(values.at(0));
  return values;
}

/// HDF5 would cut larger ones off at the largest signed integer.
bool has_beyond_signed(hid_t attribute, const Handle& type, std::size_t count) {
  if (H5Tget_sign(type.get()) != H5T_SGN_NONE || H5Tget_size(type.get()) < sizeof(std::int64_t))
    return false;
  const auto numbers = numbers_in<std::uint64_t>(attribute, count);
  const std::uint64_t most = std::numeric_limits<std::int64_t>::max();
  return std::any_of(numbers.begin(), numbers.end(), [&](auto number) { return number > most; });
}

Attribute truths_in(hid_t attribute, std::size_t count, bool one) {
  std::vector<std::int8_t> truths(count);
  const Handle type = hdf5_type(DataType::of<bool>());
  if (count > 0) checked(H5Aread(attribute, type.get(), truths.data()), "H5Aread");
  return one_or_all(std::vector<std::int64_t>(truths.begin(), truths.end()), one);
}

/// The value, or what it is in words.
std::variant<Attribute, std::string> read_one(hid_t attribute) {
  const Handle type(H5Aget_type(attribute), H5Tclose, "H5Aget_type");
  const Handle space(H5Aget_space(attribute), H5Sclose, "H5Aget_space");
  const int ndim = H5Sget_simple_extent_ndims(space.get());
  const H5S_class_t form = H5Sget_simple_extent_type(space.get());
  const std::optional<DataType> element = element_type(type.get());
  if (form == H5S_NULL) return std::string("nothing");
  if (element && element->kind() == Kind::complex) return std::string("complex numbers");
  if (ndim > 1)
    return (element ? "numbers" : element_text(type.get())) + (" in " + std::to_string(ndim)) +
           " dimensions";
  const bool one = form == H5S_SCALAR;
  const auto count =
      static_cast<std::size_t>(checked(H5Sget_simple_extent_npoints(space.get()), "H5Sget"));
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_STRING) return one_or_all(texts_in(attribute, type, count), one);
  if (element && element->kind() == Kind::boolean) return truths_in(attribute, count, one);
  if (kind == H5T_FLOAT) return one_or_all(numbers_in<double>(attribute, count), one);
  if (kind != H5T_INTEGER) return element_text(type.get());
  if (has_beyond_signed(attribute, type, count)) return std::string("integers beyond 2^63 - 1");
  return one_or_all(numbers_in<std::int64_t>(attribute, count), one);
}

/// Appends values to bytes. What has no fixed size begins with its length.
class Packer {
 public:
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>> add(T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }
  void add(const std::string& text) {
    add(static_cast<std::int64_t>(text.size()));
    bytes += text;
  }
  template <class T>
  void add(const std::vector<T>& values) {
    add(static_cast<std::int64_t>(values.size()));
    for (const T& value : values) add(value);
  }
  std::string bytes;
};

/// Takes them out again, in the same order.
class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}
  template <class T>
  std::enable_if_t<std::is_arithmetic_v<T>> take(T& value) {
    std::memcpy(&value, bytes_.data() + position_, sizeof(T));
    position_ += sizeof(T);
  }
  void take(std::string& text) {
    const std::size_t count = length();
    text = bytes_.substr(position_, count);
    position_ += text.size();
  }
  template <class T>
  void take(std::vector<T>& values) {
    values.resize(length());
    for (T& value : values) take(value);
  }
  template <class T>
  T taken() {
    T value{};
    take(value);
    return value;
  }

 private:
  std::size_t length() { return static_cast<std::size_t>(taken<std::int64_t>()); }

  const std::string& bytes_;
  std::size_t position_ = 0;
};

template <std::size_t Kind = 0>
Attribute taken_attribute(std::size_t kind, Unpacker& bytes) {
  if constexpr (Kind + 1 < std::variant_size_v<Attribute>)
    if (kind != Kind) return taken_attribute<Kind + 1>(kind, bytes);
  return bytes.taken<std::variant_alternative_t<Kind, Attribute>>();
}

template <class T>
void put(std::ostream& out, const T& value) {
  out << value;
}
template <class T>
void put(std::ostream& out, const std::vector<T>& values) {
  out << '[';
  for (std::size_t i = 0; i < values.size(); ++i) out << (i == 0 ? "" : ", ") << values[i];
  out << ']';
}

std::string word_of(const Dimension& dimension) {
  if (dimension.as<Block>() != nullptr) return "block";
  if (dimension.as<Cyclic>() != nullptr) return "cyclic";
  return dimension.as<Unstructured>() != nullptr ? "unstructured" : "undistributed";
}

/// Of the process with this dimension, which has an index.
std::int64_t first_process(const Cyclic& cyclic) {
  const Index size = cyclic.grid.size;
  return ((cyclic.grid.rank - cyclic.start / cyclic.block_size) % size + size) % size;
}

}  // namespace

void require_attributes(const Attributes& attributes) {
  for (const auto& [name, value] : attributes) {
    const bool invalid = name.empty() || name.find('\0') != std::string::npos;
    if (invalid || name.rfind("daptor_", 0) == 0)
      adapter::refuse_argument("hdf5.attribute", "the attribute '" + name + "'",
                               "a name that does not begin with daptor_", "Rename it.");
    std::vector<std::string> texts;
    if (const auto* text = std::get_if<std::string>(&value)) texts = {*text};
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) texts = *list;
    const bool cut = std::any_of(texts.begin(), texts.end(), [](const std::string& text) {
      return text.find('\0') != std::string::npos;
    });
    if (cut)
      adapter::refuse_argument("hdf5.attribute",
                               "the text of the attribute '" + name + "', with a character NUL",
                               "a text without it, because a text in a file ends there");
  }
}

Attributes with_own_attributes(const Section& view, bool regular, const std::string& numbering,
                               const Attributes& given) {
  Attributes attributes = given;
  attributes[format_attribute] = format;
  attributes[version_attribute] = std::string(DAPTOR_VERSION_STRING);
  std::vector<std::int64_t> division, block_sizes, first_processes;
  std::string words;
  for (const Dimension& dimension : view.dimensions()) {
    const auto* cyclic = dimension.as<Cyclic>();
    words += (words.empty() ? "" : " ") + word_of(dimension);
    division.push_back(dimension.grid().size);
    block_sizes.push_back(cyclic == nullptr ? 0 : cyclic->block_size);
    first_processes.push_back(cyclic == nullptr ? 0 : first_process(*cyclic));
    // A process without indices cannot tell.
    if (cyclic != nullptr && cyclic->start >= dimension.global_size()) regular = false;
  }
  attributes[division_attribute] = std::move(division);
  attributes[distribution_attribute] = words;
  attributes[block_size_attribute] = std::move(block_sizes);
  attributes[first_process_attribute] = std::move(first_processes);
  attributes[regular_attribute] = std::int64_t{regular ? 1 : 0};
  if (!numbering.empty()) attributes[numbering_attribute] = numbering;
  return attributes;
}

bool is_regular(const DistArray& view) {
  Index rank = 0, processes = 1;
  for (const Dimension& dimension : view.dimensions()) {
    const GridPosition grid = dimension.grid();
    rank = rank * grid.size + grid.rank;
    processes *= grid.size;
    if (dimension.as<Unstructured>() != nullptr) return false;
    const auto* block = dimension.as<Block>();
    if (block != nullptr && !(block->owned == even_block(dimension.global_size(), grid)))
      return false;
  }
  return rank == view.comm().rank() && processes == view.comm().size();
}

std::string text_of(const Attributes& attributes) {
  std::ostringstream text;
  text.precision(17);
  for (const auto& [name, value] : attributes) {
    text << (text.tellp() > 0 ? ", " : "") << name << '=';
    std::visit([&](const auto& each) { put(text, each); }, value);
  }
  return text.str();
}

void write_attributes(hid_t dataset, const Attributes& attributes) {
  for (const auto& [name, value] : attributes) std::visit(Writer{dataset, name}, value);
}

Attributes read_attributes(hid_t dataset, std::map<std::string, std::string>* left_out) {
  Attributes attributes;
  H5O_info_t info{};
#if H5_VERSION_GE(1, 12, 0)
  checked(H5Oget_info3(dataset, &info, H5O_INFO_NUM_ATTRS), "H5Oget_info");
#else
  checked(H5Oget_info2(dataset, &info, H5O_INFO_NUM_ATTRS), "H5Oget_info");
#endif
  for (hsize_t i = 0; i < info.num_attrs; ++i) {
    const Handle attribute(
        H5Aopen_by_idx(dataset, ".", H5_INDEX_NAME, H5_ITER_INC, i, H5P_DEFAULT, H5P_DEFAULT),
        H5Aclose, "H5Aopen_by_idx");
    std::string name(
        static_cast<std::size_t>(checked(H5Aget_name(attribute.get(), 0, nullptr), "H5Aget_name")),
        '\0');
    checked(H5Aget_name(attribute.get(), name.size() + 1, name.data()), "H5Aget_name");
    auto read = read_one(attribute.get());
    if (auto* value = std::get_if<Attribute>(&read))
      attributes.emplace(name, std::move(*value));
    else if (left_out != nullptr)
      left_out->emplace(name, std::get<std::string>(read));
  }
  return attributes;
}

std::string packed(const Dataset& dataset) {
  Packer bytes;
  bytes.add(dataset.shape);
  bytes.add(dataset.type ? dataset.type->format() : std::string());
  for (const Attributes& attributes : {dataset.attributes, dataset.of_steps}) {
    bytes.add(static_cast<std::int64_t>(attributes.size()));
    for (const auto& [name, value] : attributes) {
      bytes.add(name);
      bytes.add(static_cast<std::int64_t>(value.index()));
      std::visit([&](const auto& each) { bytes.add(each); }, value);
    }
  }
  bytes.add(dataset.elements);
  bytes.add(static_cast<std::int64_t>(dataset.left_out.size()));
  for (const auto& [name, kind] : dataset.left_out) {
    bytes.add(name);
    bytes.add(kind);
  }
  return std::move(bytes.bytes);
}

Dataset unpacked(const std::string& bytes) {
  Unpacker from(bytes);
  Dataset dataset;
  from.take(dataset.shape);
  dataset.type = DataType::from_format(from.taken<std::string>());
  for (Attributes* attributes : {&dataset.attributes, &dataset.of_steps})
    for (auto left = from.taken<std::int64_t>(); left > 0; --left) {
      auto name = from.taken<std::string>();
      const auto kind = static_cast<std::size_t>(from.taken<std::int64_t>());
      attributes->emplace(std::move(name), taken_attribute(kind, from));
    }
  from.take(dataset.elements);
  for (auto left = from.taken<std::int64_t>(); left > 0; --left) {
    auto name = from.taken<std::string>();
    dataset.left_out.emplace(std::move(name), from.taken<std::string>());
  }
  return dataset;
}

}  // namespace daptor::hdf5::detail
