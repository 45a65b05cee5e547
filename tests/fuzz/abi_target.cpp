// SPDX-License-Identifier: BSD-3-Clause
// Imports a struct of the C interface, looks at it, exports it again and releases it. Inputs spell
// the struct as words and numbers, so that people can read them. Pointers are what the interface
// requires of a producer: null, or to memory of the length that the struct states.

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "../abi/reader_differs.hpp"
#include "daptor/abi.hpp"
#include "daptor/daptor.hpp"
#include "daptor/parse.hpp"
#include "meaning.hpp"
#include "target.hpp"

namespace daptor::fuzz {
namespace {

struct Calls {
  int released = 0;
  int opened = 0;
  int modified = 0;
};

void release(daptor_array* self) {
  ++static_cast<Calls*>(self->private_data)->released;
  self->release = nullptr;
}
std::int32_t modified(daptor_array* self) {
  return ++static_cast<Calls*>(self->private_data)->modified % 2 == 0 ? DAPTOR_FAILED : DAPTOR_OK;
}
std::int32_t begin_access(daptor_array* self, std::int32_t access) {
  ++static_cast<Calls*>(self->private_data)->opened;
  return access == DAPTOR_WRITE ? DAPTOR_STALE : DAPTOR_OK;
}
void end_access(daptor_array* self, std::int32_t) {
  --static_cast<Calls*>(self->private_data)->opened;
}
const char* last_error(daptor_array*) {
  return "no reason";
}

using Numbers = std::vector<std::int64_t>;

struct Entry {
  daptor_dimension dimension{};
  Numbers indices, positions;
  bool has_indices = false;
};

/// The meaning of an input's words.
struct Spelled {
  daptor_array array{};
  std::vector<Entry> entries;
  Numbers shape, strides;
  bool null_shape = false, null_dimensions = false, has_strides = false, has_data = false;
};

Numbers take_numbers(const std::vector<std::string>& words, std::size_t& at) {
  Numbers numbers;
  while (at < words.size() && numbers.size() < 256) {
    char* end = nullptr;
    const std::int64_t number = std::strtoll(words[at].c_str(), &end, 10);
    if (end == words[at].c_str() || *end != '\0') break;
    numbers.push_back(number);
    ++at;
  }
  return numbers;
}

template <class T>
T number_at(const Numbers& numbers, std::size_t i, T otherwise) {
  return i < numbers.size() ? static_cast<T>(numbers[i]) : otherwise;
}

void set_in_array(Spelled& spelled, const std::string& word, const Numbers& n) {
  daptor_array& a = spelled.array;
  if (word == "abi") a.abi_version = number_at(n, 0, a.abi_version);
  if (word == "struct_size") a.struct_size = number_at(n, 0, a.struct_size);
  if (word == "dimension_size") a.dimension_size = number_at(n, 0, a.dimension_size);
  if (word == "flags") a.flags = number_at(n, 0, a.flags);
  if (word == "protocol")
    for (std::size_t i = 0; i < 3; ++i) a.protocol_version[i] = number_at(n, i, std::int32_t{0});
  if (word == "ndim") a.ndim = number_at(n, 0, a.ndim);
  if (word == "device") {
    a.device_type = number_at(n, 0, a.device_type);
    a.device_id = number_at(n, 1, a.device_id);
  }
  if (word == "itemsize") a.itemsize = number_at(n, 0, a.itemsize);
  if (word == "shape") spelled.shape = n;
  if (word == "strides") {
    spelled.strides = n;
    spelled.has_strides = true;
  }
  if (word == "reserved") a.reserved[6] = number_at(n, 0, std::uint64_t{0});
  if (word == "data") spelled.has_data = true;
  if (word == "no_shape") spelled.null_shape = true;
  if (word == "no_dimensions") spelled.null_dimensions = true;
  if (word == "no_release") a.release = nullptr;
  if (word == "begin") a.begin_access = begin_access;
  if (word == "end") a.end_access = end_access;
  if (word == "modified") a.modified = modified;
  if (word == "last_error") a.last_error = last_error;
}

void set_in_entry(Entry& entry, const std::string& word, const Numbers& n) {
  daptor_dimension& d = entry.dimension;
  if (word == "periodic") d.periodic = number_at(n, 0, std::uint8_t{1});
  if (word == "one_to_one") d.one_to_one = number_at(n, 0, std::uint8_t{1});
  if (word == "size") d.size = number_at(n, 0, d.size);
  if (word == "grid") {
    d.proc_grid_size = number_at(n, 0, d.proc_grid_size);
    d.proc_grid_rank = number_at(n, 1, d.proc_grid_rank);
  }
  if (word == "start") d.start = number_at(n, 0, d.start);
  if (word == "stop") d.stop = number_at(n, 0, d.stop);
  if (word == "block_size") d.block_size = number_at(n, 0, d.block_size);
  if (word == "padding") {
    d.padded = 1;
    d.padding[0] = number_at(n, 0, std::int64_t{0});
    d.padding[1] = number_at(n, 1, std::int64_t{0});
  }
  if (word == "padded") d.padded = number_at(n, 0, std::uint8_t{1});
  if (word == "indices") {
    entry.indices = n;
    entry.has_indices = true;
    d.indices_count = static_cast<std::int64_t>(n.size());
  }
  if (word == "indices_count") d.indices_count = number_at(n, 0, d.indices_count);
  if (word == "owned_positions") {
    entry.positions = n;
    d.has_owned = 2;
    d.owned = static_cast<std::int64_t>(n.size());
  }
  if (word == "owned") {
    d.has_owned = number_at(n, 1, std::uint32_t{1});
    d.owned = number_at(n, 0, std::int64_t{0});
  }
}

Spelled spell(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word && words.size() < 2048;) words.push_back(word);
  Spelled spelled;
  daptor_array_init(&spelled.array, "d", 8, 0, nullptr, nullptr, nullptr);
  spelled.array.dimension_size = sizeof(daptor_dimension);
  spelled.array.release = release;
  for (std::size_t at = 0; at < words.size();) {
    const std::string& word = words[at++];
    if (word == "format" && at < words.size()) {
      // It may lack a terminating zero.
      const std::string& format = words[at++];
      std::memset(spelled.array.format, 0, DAPTOR_FORMAT_BYTES);
      format.copy(spelled.array.format, DAPTOR_FORMAT_BYTES);
    } else if (word == "dim" && at < words.size() && spelled.entries.size() < 80) {
      spelled.entries.emplace_back();
      const std::string& type = words[at++];
      spelled.entries.back().dimension.dist_type = type == "0" ? '\0' : type.front();
      spelled.array.ndim = static_cast<std::int32_t>(spelled.entries.size());
    } else {
      const Numbers numbers = take_numbers(words, at);
      set_in_array(spelled, word, numbers);
      if (!spelled.entries.empty()) set_in_entry(spelled.entries.back(), word, numbers);
    }
  }
  return spelled;
}

/// The struct in memory of its own, with all memory to which it points.
class Struct {
 public:
  explicit Struct(Spelled spelled) : spelled_(std::move(spelled)) {
    daptor_array& a = spelled_.array;
    const auto ndim = static_cast<std::size_t>(std::clamp(a.ndim, 0, DAPTOR_MAX_NDIM));
    spelled_.shape.resize(ndim);
    spelled_.strides.resize(ndim);
    spelled_.entries.resize(std::max(ndim, spelled_.entries.size()));
    for (Entry& entry : spelled_.entries) place_indices(entry);
    place_entries(ndim);
    // One element more, so that the lists of a scalar are not null.
    spelled_.shape.push_back(0);
    spelled_.strides.push_back(0);
    a.shape = spelled_.null_shape ? nullptr : spelled_.shape.data();
    a.byte_strides = spelled_.has_strides ? spelled_.strides.data() : nullptr;
    a.dimensions =
        spelled_.null_dimensions ? nullptr : reinterpret_cast<daptor_dimension*>(entries_.get());
    a.data = spelled_.has_data ? &element_ : nullptr;
    a.private_data = &calls;
    const std::size_t bytes =
        a.struct_size >= sizeof a && a.struct_size <= 4096 ? a.struct_size : sizeof a;
    memory_.reset(static_cast<char*>(std::calloc(1, bytes)));
    bytes_ = bytes;
    std::memcpy(memory_.get(), &a, sizeof a);
  }

  daptor_array* get() { return reinterpret_cast<daptor_array*>(memory_.get()); }
  std::string bytes() const { return std::string(memory_.get(), bytes_); }

  Calls calls;

 private:
  struct Free {
    void operator()(char* memory) const { std::free(memory); }
  };

  /// A length that exceeds the list is a lie about memory that cannot be detected, so it is
  /// replaced, unless the interface itself excludes it.
  static void place_indices(Entry& entry) {
    constexpr std::int64_t excluded = INT64_MAX / 8;
    daptor_dimension& d = entry.dimension;
    if (d.indices_count >= 0 && d.indices_count <= excluded && entry.has_indices)
      d.indices_count = std::min(d.indices_count, static_cast<std::int64_t>(entry.indices.size()));
    d.indices = entry.has_indices ? entry.indices.data() : nullptr;
    if (entry.positions.empty()) return;
    if (d.owned >= 0 && d.owned <= excluded)
      d.owned = std::min(d.owned, static_cast<std::int64_t>(entry.positions.size()));
    d.owned_positions = entry.positions.data();
  }

  void place_entries(std::size_t ndim) {
    const std::size_t size = spelled_.array.dimension_size;
    const std::size_t step =
        size >= sizeof(daptor_dimension) && size <= 4096 ? size : sizeof(daptor_dimension);
    entries_.reset(static_cast<char*>(std::calloc(ndim + 1, step)));
    for (std::size_t d = 0; d < ndim; ++d)
      std::memcpy(entries_.get() + d * step, &spelled_.entries[d].dimension,
                  sizeof(daptor_dimension));
  }

  Spelled spelled_;
  std::unique_ptr<char, Free> entries_, memory_;
  std::size_t bytes_ = 0;
  double element_ = 0;
};

std::string text_of(const Report& report) {
  std::ostringstream out;
  out << report;
  return out.str();
}

void use(const Section& array) {
  const LocalIndexMap map(array);
  static_cast<void>(array.owned_data());
  for (int d = 0; d < map.ndim(); ++d) {
    const LocalDimensionMap& along = map.dimension(d);
    if (along.local_extent() == 0) continue;
    for (const Index local : {Index{0}, along.local_extent() - 1}) {
      if (!along.is_owned(local)) continue;
      require(along.owns(along.global_of(local)), "a process owns what it has as owned");
    }
  }
  require(parse(to_value(array)).array.has_value(), "what was written can be read");
  try {
    array.modified();
  } catch (const ProducerFailed&) {
  }
}

void export_again(const Section& array) {
  daptor_array out;
  try {
    export_abi(array, &out);
  } catch (const NotRepresentable&) {
    return;
  }
  const Report report = check_abi(out);
  require(static_cast<bool>(report), "an export can be imported", text_of(report));
  const Section back = import_abi(&out);
  require(back.version() == array.version() && search::same_meaning(back, array),
          "an export imports as what was exported");
}

void look_at(const std::string& text) {
  Struct section(spell(text));
  const std::string before = section.bytes();
  const Report report = check_abi(*section.get());
  const std::string differs = test::reader_differs(*section.get());
  require(differs.empty(), "the reader says the same", differs);
  require(section.bytes() == before, "checking changes nothing");
  bool imported = false;
  try {
    const Section array = import_abi(section.get());
    imported = true;
    require(section.get()->release == nullptr, "an import moves the section");
    use(array);
    export_again(array);
    require(section.calls.released == 0, "a section that is in use is not released");
  } catch (const Malformed&) {
  } catch (const Unsupported&) {
  }
  require(imported == static_cast<bool>(report), "an import takes what the check takes");
  if (imported) {
    require(section.calls.released == 1, "an imported section is released once");
    require(section.calls.opened == 0, "what was opened is closed");
  } else {
    require(section.calls.released == 0, "a refused section is not released");
    require(section.bytes() == before, "a refused section is as before");
  }
}

}  // namespace
}  // namespace daptor::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 8192) return 0;
  daptor::fuzz::look_at(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
