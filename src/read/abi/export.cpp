// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "daptor/abi.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "read/abi/struct.hpp"

namespace daptor {
namespace {

static_assert(sizeof(Index) == sizeof(std::int64_t));

#if UINTPTR_MAX == UINT64_MAX
// docs/c-abi.md promises that none of these numbers changes while DAPTOR_ABI_VERSION is 1.
static_assert(DAPTOR_ABI_VERSION == 1);
static_assert(offsetof(daptor_dimension, dist_type) == 0);
static_assert(offsetof(daptor_dimension, periodic) == 1);
static_assert(offsetof(daptor_dimension, padded) == 2);
static_assert(offsetof(daptor_dimension, one_to_one) == 3);
static_assert(offsetof(daptor_dimension, has_owned) == 4);
static_assert(offsetof(daptor_dimension, size) == 8);
static_assert(offsetof(daptor_dimension, proc_grid_size) == 16);
static_assert(offsetof(daptor_dimension, proc_grid_rank) == 24);
static_assert(offsetof(daptor_dimension, start) == 32);
static_assert(offsetof(daptor_dimension, stop) == 40);
static_assert(offsetof(daptor_dimension, block_size) == 48);
static_assert(offsetof(daptor_dimension, padding) == 56);
static_assert(offsetof(daptor_dimension, indices) == 72);
static_assert(offsetof(daptor_dimension, indices_count) == 80);
static_assert(offsetof(daptor_dimension, owned) == 88);
static_assert(offsetof(daptor_dimension, owned_positions) == 96);
static_assert(sizeof(daptor_dimension) == 104);

static_assert(offsetof(daptor_array, abi_version) == 0);
static_assert(offsetof(daptor_array, struct_size) == 4);
static_assert(offsetof(daptor_array, dimension_size) == 8);
static_assert(offsetof(daptor_array, flags) == 12);
static_assert(offsetof(daptor_array, protocol_version) == 16);
static_assert(offsetof(daptor_array, ndim) == 28);
static_assert(offsetof(daptor_array, device_type) == 32);
static_assert(offsetof(daptor_array, device_id) == 36);
static_assert(offsetof(daptor_array, format) == 40);
static_assert(offsetof(daptor_array, itemsize) == 56);
static_assert(offsetof(daptor_array, shape) == 64);
static_assert(offsetof(daptor_array, byte_strides) == 72);
static_assert(offsetof(daptor_array, data) == 80);
static_assert(offsetof(daptor_array, dimensions) == 88);
static_assert(offsetof(daptor_array, release) == 96);
static_assert(offsetof(daptor_array, modified) == 104);
static_assert(offsetof(daptor_array, begin_access) == 112);
static_assert(offsetof(daptor_array, end_access) == 120);
static_assert(offsetof(daptor_array, last_error) == 128);
static_assert(offsetof(daptor_array, private_data) == 136);
static_assert(offsetof(daptor_array, stream) == 144);
static_assert(offsetof(daptor_array, reserved) == 152);
static_assert(sizeof(daptor_array) == 208);
#endif

/// Owns what an exported struct points to, until the struct is released.
struct Exported {
  Section array;
  std::vector<daptor_dimension> dimensions;
  std::vector<IndexList> positions;  ///< to which the dimensions point
};

// The text of the last failed callback on this thread, in a fixed buffer, because an allocation
// could fail in turn.
thread_local char last_failure[512] = "";

void keep_failure(const char* text) {
  std::strncpy(last_failure, text, sizeof last_failure - 1);
}

Exported& exported(daptor_array* self) {
  return *static_cast<Exported*>(self->private_data);
}

SharedState& state_of(daptor_array* self) {
  return *exported(self).array.buffer().state();
}

/// Runs the body of a callback; no exception reaches the foreign caller.
template <class F>
std::int32_t guarded(F&& body) noexcept {
  try {
    std::forward<F>(body)();
    return DAPTOR_OK;
  } catch (const Stale& error) {
    keep_failure(error.finding().found.str().c_str());
    return DAPTOR_STALE;
  } catch (const std::exception& error) {
    keep_failure(error.what());
  } catch (...) {
    keep_failure("an exception of unknown type");
  }
  return DAPTOR_FAILED;
}

Access access_of(std::int32_t code) {
  if (code != DAPTOR_READ && code != DAPTOR_WRITE)
    throw InvalidArgument("access", std::to_string(code), "DAPTOR_READ or DAPTOR_WRITE");
  return code == DAPTOR_READ ? Access::read : Access::write;
}

extern "C" {

void daptor_release_exported(daptor_array* self) noexcept {
  delete static_cast<Exported*>(self->private_data);
  self->private_data = nullptr;
  self->release = nullptr;
}

std::int32_t daptor_modified_exported(daptor_array* self) noexcept {
  return guarded([&] { state_of(self).modified(); });
}

std::int32_t daptor_begin_exported(daptor_array* self, std::int32_t code) noexcept {
  return guarded([&] {
    const Access access = access_of(code);
    const Section& array = exported(self).array;
    if (access == Access::write) static_cast<void>(array.mutable_data());
    Producer& producer = state_of(self).producer();
    if (producer.begin_access(access, self->data) == self->data) return;
    producer.end_access(access);
    throw Stale("memory at a different address than the description says", "");
  });
}

void daptor_end_exported(daptor_array* self, std::int32_t code) noexcept {
  state_of(self).producer().end_access(code == DAPTOR_READ ? Access::read : Access::write);
}

const char* daptor_last_error_exported(daptor_array*) noexcept {
  return last_failure;
}

}  // extern "C"

std::int64_t number(const Dictionary& keys, const char* key) {
  const Value* value = keys.find(key);
  const auto* integer = value == nullptr ? nullptr : value->as<Integer>();
  return integer == nullptr ? 0 : integer->value;
}

std::uint8_t flag(const Dictionary& keys, const char* key) {
  const Value* value = keys.find(key);
  const bool* set = value == nullptr ? nullptr : value->as<bool>();
  return set != nullptr && *set ? 1 : 0;
}

/// @param positions  keeps the list to which the entry points
void set_owned(const OwnedPart& owned, daptor_dimension& entry, std::vector<IndexList>& positions) {
  entry.owned = owned.count();
  entry.has_owned = !owned.apart() && owned.first() == 0 ? 1 : 2;
  if (entry.has_owned == 1) return;
  positions.push_back(owned.positions());
  entry.owned_positions = positions.back().data();
}

/// `keys` come from to_value, so their values have the types that the protocol requires.
/// @param positions  keeps lists to which the entry points
daptor_dimension entry_of(const Dictionary& keys, const Dimension& dimension,
                          std::vector<IndexList>& positions) {
  daptor_dimension entry;
  std::memset(&entry, 0, sizeof entry);
  if (const Value* type = keys.find("dist_type"))
    if (const auto* text = type->as<std::string>()) entry.dist_type = text->front();
  entry.periodic = flag(keys, "periodic");
  entry.one_to_one = flag(keys, "one_to_one");
  entry.size = number(keys, "size");
  entry.proc_grid_size = number(keys, "proc_grid_size");
  entry.proc_grid_rank = number(keys, "proc_grid_rank");
  entry.start = number(keys, "start");
  entry.stop = number(keys, "stop");
  entry.block_size = entry.dist_type == 'c' ? dimension.as<Cyclic>()->block_size : 0;
  if (const Value* padding = keys.find("padding")) {
    const auto& widths = padding->as<Sequence>()->items;
    entry.padded = 1;
    entry.padding[0] = widths.at(0).as<Integer>()->value;
    entry.padding[1] = widths.at(1).as<Integer>()->value;
  }
  if (const auto* list = dimension.as<Unstructured>()) {
    entry.indices = list->indices.data();
    entry.indices_count = list->indices.size();
    if (list->owned) set_owned(*list->owned, entry, positions);
  }
  return entry;
}

std::vector<daptor_dimension> entries_of(const Section& array, std::vector<IndexList>& positions) {
  const Value description = to_value(array);
  const auto& dim_data = description.as<Dictionary>()->find("dim_data")->as<Sequence>()->items;
  std::vector<daptor_dimension> entries;
  entries.reserve(dim_data.size());
  for (std::size_t d = 0; d < dim_data.size(); ++d)
    entries.push_back(entry_of(*dim_data[d].as<Dictionary>(), array.dimensions()[d], positions));
  return entries;
}

void require_few_dimensions(const Section& array) {
  if (array.ndim() <= DAPTOR_MAX_NDIM) return;
  throw NotRepresentable(
      error_finding("abi.ndim", -1, "", std::to_string(array.ndim()) + " dimensions",
                    "at most " + std::to_string(DAPTOR_MAX_NDIM) + " dimensions"));
}

void fill(const Exported& section, daptor_array& out) {
  const Section& array = section.array;
  const DataType& type = array.type();
  // The shape of the section, not of the buffer, which may be flat (A03) or, without elements, have
  // other extents (E06): an empty dictionary takes its size from this shape.
  daptor_array_init(&out, type.format().c_str(), static_cast<std::int64_t>(type.itemsize()),
                    array.ndim(), array.local_shape().data(), section.dimensions.data(), nullptr);
  // The struct has one pointer for both read-only and writable memory; the flag says which it is.
  out.data = const_cast<void*>(array.data());
  out.flags = array.readonly() ? DAPTOR_READ_ONLY : 0;
  out.byte_strides = array.byte_strides().data();
  const Version version = array.version();
  out.protocol_version[0] = version.major;
  out.protocol_version[1] = version.minor;
  out.protocol_version[2] = version.patch;
  out.device_type = array.buffer().space().device_type;
  out.device_id = array.buffer().space().device_id;
  if (!array.buffer().space().host()) out.stream = array.buffer().state()->stream();
  out.release = daptor_release_exported;
  out.modified = daptor_modified_exported;
  out.begin_access = daptor_begin_exported;
  out.end_access = daptor_end_exported;
  out.last_error = daptor_last_error_exported;
}

}  // namespace

const Section* detail::exported_array(const daptor_array& in) {
  if (in.release != daptor_release_exported) return nullptr;
  return &static_cast<const Exported*>(in.private_data)->array;
}

void export_abi(const Section& array, daptor_array* out) {
  if (out == nullptr) throw InvalidArgument("out", "a null pointer", "a daptor_array");
  require_few_dimensions(array);
  auto section = std::make_unique<Exported>(Exported{array, {}, {}});
  section->dimensions = entries_of(array, section->positions);
  daptor_array filled;
  fill(*section, filled);
  filled.private_data = section.release();
  *out = filled;
}

}  // namespace daptor
