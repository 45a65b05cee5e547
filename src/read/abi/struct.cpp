// SPDX-License-Identifier: BSD-3-Clause
#include "read/abi/struct.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "daptor/detail/bytes_past.hpp"

namespace daptor::detail {
namespace {

// A larger size is garbage, not a later version of the struct.
constexpr std::uint32_t largest_struct = 4096;

// The remedy for values to which a later version of the interface may give a meaning.
constexpr const char* later_version =
    "Fill the struct with daptor_array_init; where its producer follows a later version, update "
    "Daptor.";

class Findings {
 public:
  void add(const char* rule, const char* key, Terms found, Terms expected, int dimension = -1,
           const char* remedy = "") {
    report_.add(error_finding(rule, dimension, key, std::move(found), std::move(expected), remedy));
  }
  const Report& report() const { return report_; }

 private:
  Report report_;
};

bool aligned(const void* pointer) {
  return bytes_past(pointer, alignof(std::int64_t)) == 0;
}

bool plausible_size(std::uint32_t size, std::size_t least) {
  return size >= least && size <= largest_struct && size % alignof(std::int64_t) == 0;
}

template <std::size_t N>
void check_reserved(const std::uint64_t (&words)[N], Findings& findings, int dimension = -1) {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] != 0)
      findings.add("abi.reserved", "reserved",
                   "reserved[" + std::to_string(i) + "] " + std::to_string(words[i]), "0",
                   dimension, later_version);
}

// Checks a list of `count` elements that will be read.
void check_list(const char* rule, const char* key, const void* pointer, std::int64_t count,
                Findings& findings, int dimension = -1) {
  if (count > 0 && pointer == nullptr)
    findings.add(rule, key, "a null pointer", "a pointer to " + std::to_string(count) + " elements",
                 dimension);
  else if (!aligned(pointer))
    findings.add(rule, key, "a misaligned pointer", "a pointer aligned to 8 bytes", dimension);
}

const daptor_dimension& entry(const daptor_array& in, std::int32_t d) {
  const auto* bytes = reinterpret_cast<const char*>(in.dimensions);
  return *reinterpret_cast<const daptor_dimension*>(
      bytes + static_cast<std::size_t>(d) * static_cast<std::size_t>(in.dimension_size));
}

void check_entry(const daptor_dimension& dimension, int d, Findings& findings) {
  if (dimension.has_owned > 2)
    findings.add("abi.owned", "has_owned", std::to_string(dimension.has_owned), "0, 1 or 2", d,
                 later_version);
  if (dimension.has_owned != 2 && dimension.owned_positions != nullptr)
    findings.add("abi.owned", "owned_positions",
                 "a list, although has_owned is " + std::to_string(dimension.has_owned),
                 "a null pointer, or has_owned set to 2", d, later_version);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max() / 8;
  if (dimension.has_owned == 2 && (dimension.owned < 0 || dimension.owned > most))
    findings.add("abi.owned", "owned", std::to_string(dimension.owned),
                 "0 or more, and at most " + std::to_string(most), d);
  else if (dimension.has_owned == 2)
    check_list("abi.owned", "owned_positions", dimension.owned_positions, dimension.owned, findings,
               d);
  if (dimension.has_owned == 0 && dimension.owned != 0)
    findings.add("abi.owned", "owned",
                 std::to_string(dimension.owned) + " owned indices, although has_owned is 0",
                 "0 owned indices, or has_owned set to 1", d);
  if (dimension.padded > 1)
    findings.add("abi.padding", "padded", std::to_string(dimension.padded), "0 or 1", d);
  if (dimension.padded == 0 && (dimension.padding[0] != 0 || dimension.padding[1] != 0))
    findings.add("abi.padding", "padding", "padding widths, although padded is 0",
                 "widths of 0, or padded set to 1", d);
  if (dimension.indices_count < 0 || dimension.indices_count > most)
    findings.add("abi.indices", "indices_count", std::to_string(dimension.indices_count),
                 "0 or more, and at most " + std::to_string(most), d);
  else
    check_list("abi.indices", "indices", dimension.indices, dimension.indices_count, findings, d);
}

void check_lists(const daptor_array& in, Findings& findings) {
  if (in.ndim < 0 || in.ndim > DAPTOR_MAX_NDIM) {
    findings.add("abi.ndim", "ndim", std::to_string(in.ndim),
                 "0 or more, and at most " + std::to_string(DAPTOR_MAX_NDIM));
    return;
  }
  check_list("abi.shape", "shape", in.shape, in.ndim, findings);
  check_list("abi.strides", "byte_strides", in.byte_strides, 0, findings);
  check_list("abi.dimensions", "dimensions", in.dimensions, in.ndim, findings);
  if (!plausible_size(in.dimension_size, sizeof(daptor_dimension))) {
    findings.add("abi.dimension-size", "dimension_size", std::to_string(in.dimension_size),
                 std::to_string(sizeof(daptor_dimension)) + " or a somewhat larger multiple of 8");
  } else if (in.dimensions != nullptr && aligned(in.dimensions)) {
    for (std::int32_t d = 0; d < in.ndim; ++d) check_entry(entry(in, d), d, findings);
  }
}

void check_fields(const daptor_array& in, Findings& findings) {
  if (in.release == nullptr)
    findings.add("abi.released", "release", "a null pointer: the struct was moved or released",
                 "a struct that holds a section");
  if ((in.flags & ~DAPTOR_READ_ONLY) != 0)
    findings.add("abi.flags", "flags", std::to_string(in.flags), "0 or DAPTOR_READ_ONLY", -1,
                 later_version);
  if (in.stream != 0 && MemorySpace{in.device_type, in.device_id}.host())
    findings.add("abi.stream", "stream", std::to_string(in.stream), "0 for memory of the host");
  check_reserved(in.reserved, findings);
  if (std::memchr(in.format, '\0', sizeof in.format) == nullptr)
    findings.add("abi.format", "format", "text without a terminating zero",
                 "at most " + std::to_string(sizeof in.format - 1) + " characters and a zero");
  if ((in.begin_access == nullptr) != (in.end_access == nullptr))
    findings.add("abi.access", in.begin_access == nullptr ? "begin_access" : "end_access",
                 "a null pointer, although its counterpart is set", "both functions or neither");
}

// Sets the key if the distribution requires it or if the struct has a value for it anyway.
void set_number(Dictionary& keys, const char* key, std::int64_t value, bool needed) {
  if (needed || value != 0) keys.set(key, Value(value));
}

void set_flag(Dictionary& keys, const char* key, std::uint8_t value) {
  if (value == 1) keys.set(key, Value(true));
  if (value > 1) keys.set(key, Value(std::int64_t{value}));
}

Value index_buffer(const std::int64_t* list, std::int64_t count,
                   std::shared_ptr<SharedState> owner) {
  RawBuffer indices;
  indices.format = "q";
  indices.itemsize = 8;
  indices.shape = {count};
  // The pointer type of a tree's buffer is not const; `readonly` marks this one as read-only.
  indices.data = const_cast<std::int64_t*>(list);
  indices.readonly = true;
  indices.state = std::move(owner);
  return Value(std::move(indices));
}

Dictionary entry_to_map(const daptor_dimension& dimension,
                        const std::shared_ptr<SharedState>& owner) {
  const char type = dimension.dist_type;
  const bool on_grid = type == 'b' || type == 'c' || type == 'u';
  Dictionary keys;
  if (type != '\0') keys.set("dist_type", Value(std::string(1, type)));
  set_number(keys, "size", dimension.size, type != '\0');
  set_number(keys, "proc_grid_size", dimension.proc_grid_size, on_grid);
  set_number(keys, "proc_grid_rank", dimension.proc_grid_rank, on_grid);
  set_number(keys, "start", dimension.start, type == 'b' || type == 'c');
  set_number(keys, "stop", dimension.stop, type == 'b');
  set_number(keys, "block_size", dimension.block_size, type == 'c');
  set_flag(keys, "periodic", dimension.periodic);
  if (dimension.padded != 0)
    keys.set("padding",
             Value(Sequence{{Value(dimension.padding[0]), Value(dimension.padding[1])}, true}));
  if (type == 'u' || dimension.indices != nullptr || dimension.indices_count != 0)
    keys.set("indices", index_buffer(dimension.indices, dimension.indices_count, owner));
  set_flag(keys, "one_to_one", dimension.one_to_one);
  if (dimension.has_owned == 1) keys.set("owned", Value(dimension.owned));
  if (dimension.has_owned == 2)
    keys.set("owned", index_buffer(dimension.owned_positions, dimension.owned, owner));
  return keys;
}

RawBuffer element_buffer(const daptor_array& in, std::shared_ptr<SharedState> memory) {
  RawBuffer buffer;
  buffer.format = in.format;
  buffer.itemsize = in.itemsize;
  if (in.ndim > 0) buffer.shape.assign(in.shape, in.shape + in.ndim);
  if (in.byte_strides != nullptr) {
    buffer.byte_strides.assign(in.byte_strides, in.byte_strides + in.ndim);
    buffer.has_strides = true;
  }
  buffer.data = in.data;
  buffer.readonly = (in.flags & DAPTOR_READ_ONLY) != 0;
  buffer.space = MemorySpace{in.device_type, in.device_id};
  if (memory) memory->set_stream(in.stream);
  buffer.state = std::move(memory);
  return buffer;
}

}  // namespace

Report check_struct(const daptor_array& in) {
  Findings findings;
  if (!aligned(&in)) {
    findings.add("abi.struct", "", "a misaligned struct", "a struct aligned to 8 bytes");
  } else if (in.abi_version != DAPTOR_ABI_VERSION) {
    findings.add(rule_unknown_abi, "abi_version", std::to_string(in.abi_version),
                 std::to_string(DAPTOR_ABI_VERSION), -1, later_version);
  } else if (!plausible_size(in.struct_size, sizeof in)) {
    findings.add("abi.struct-size", "struct_size", std::to_string(in.struct_size),
                 std::to_string(sizeof in) + " or a somewhat larger multiple of 8");
  } else {
    check_fields(in, findings);
    // A struct that was moved or released points to lists that may no longer exist.
    if (in.release != nullptr) check_lists(in, findings);
  }
  return findings.report();
}

Value struct_to_value(const daptor_array& in, std::shared_ptr<SharedState> memory,
                      const std::shared_ptr<SharedState>& owner) {
  std::string version;
  for (const std::int32_t part : in.protocol_version)
    version += (version.empty() ? "" : ".") + std::to_string(part);
  Sequence dimensions;
  dimensions.tuple = true;
  for (std::int32_t d = 0; d < in.ndim; ++d)
    dimensions.items.emplace_back(entry_to_map(entry(in, d), owner));
  Dictionary description;
  description.set("__version__", Value(std::move(version)));
  description.set("buffer", Value(element_buffer(in, std::move(memory))));
  description.set("dim_data", Value(std::move(dimensions)));
  return Value(std::move(description));
}

}  // namespace daptor::detail
