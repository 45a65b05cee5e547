// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/export.hpp"

#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "daptor/abi.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "read/abi/struct.hpp"

namespace daptor::conformance {
namespace {

/// The largest struct size that check_struct accepts.
constexpr std::size_t largest_struct = 4096;

WatchedStruct& watched(daptor_array* self) {
  return *static_cast<WatchedStruct*>(self->private_data);
}

extern "C" {

void daptor_watched_release(daptor_array* self) noexcept {
  const std::unique_ptr<WatchedStruct> owned(static_cast<WatchedStruct*>(self->private_data));
  owned->release();
  self->private_data = nullptr;
  self->release = nullptr;
}

std::int32_t daptor_watched_modified(daptor_array* self) {
  daptor_array& original = watched(self).producers();
  return original.modified(&original);
}

std::int32_t daptor_watched_begin(daptor_array* self, std::int32_t access) {
  daptor_array& original = watched(self).producers();
  return original.begin_access(&original, access);
}

void daptor_watched_end(daptor_array* self, std::int32_t access) {
  daptor_array& original = watched(self).producers();
  original.end_access(&original, access);
}

const char* daptor_watched_error(daptor_array* self) {
  daptor_array& original = watched(self).producers();
  return original.last_error(&original);
}

}  // extern "C"

}  // namespace

void WatchedStruct::Free::operator()(daptor_array* memory) const {
  std::free(memory);
}

WatchedStruct::WatchedStruct(daptor_array* in)
    : original_(static_cast<daptor_array*>(std::malloc(in->struct_size))),
      releases_(std::make_shared<Export::Releases>()) {
  if (original_ == nullptr) throw std::bad_alloc();
  std::memcpy(original_.get(), in, in->struct_size);
  in->release = nullptr;
  releases_->counted = true;
}

void WatchedStruct::release() noexcept {
  ++releases_->calls;
  original_->release(original_.get());
  releases_->gave_up = original_->release == nullptr;
}

void WatchedStruct::hand_over(std::unique_ptr<WatchedStruct> self, daptor_array* out) {
  *out = *self->original_;
  out->struct_size = sizeof *out;
  out->release = daptor_watched_release;
  if (out->modified != nullptr) out->modified = daptor_watched_modified;
  if (out->begin_access != nullptr) out->begin_access = daptor_watched_begin;
  if (out->end_access != nullptr) out->end_access = daptor_watched_end;
  if (out->last_error != nullptr) out->last_error = daptor_watched_error;
  out->private_data = self.release();
}

/// A section, judged as far as possible. `offered` holds a struct that is not a valid Section.
struct Export::State {
  ~State() {
    // If it is not even a struct of this layout, there is no release function to call.
    if (readable) daptor_array_release(&offered);
  }

  std::optional<Section> array;
  daptor_array offered = {};
  bool readable = false;
  daptor_array* producers = nullptr;      ///< the producer's struct, until it is released
  std::optional<Submission> description;  ///< what is judged, if that is not the section
  Report report;
  std::shared_ptr<const Releases> releases = std::make_shared<Releases>();
};

Export::Export(Section array) : state_(std::make_unique<State>()) {
  state_->array = std::move(array);
}

Export::Export(Section array, Submission said) : Export(std::move(array)) {
  state_->description = std::move(said);
}

Export::Export(daptor_array* filled) : state_(std::make_unique<State>()) {
  State& state = *state_;
  state.report = daptor::detail::check_struct(*filled);
  if (!state.report) {
    state.readable = !state.report.has(rule_unknown_abi) && !state.report.has("abi.struct") &&
                     !state.report.has("abi.struct-size");
    if (state.readable) daptor_array_move(filled, &state.offered);
    return;
  }
  auto watch = std::make_unique<WatchedStruct>(filled);
  state.releases = watch->releases();
  state.producers = &watch->producers();
  WatchedStruct::hand_over(std::move(watch), &state.offered);
  state.readable = true;
  state.description = Submission(daptor::detail::struct_to_value(state.offered, nullptr, nullptr));
  try {
    state.array = import_abi(&state.offered);
  } catch (const Malformed& error) {
    state.report = error.report();
  } catch (const Unsupported& error) {
    state.report = error.report();
  }
}

Export::Export(Export&& other) noexcept = default;
Export& Export::operator=(Export&& other) noexcept = default;
Export::~Export() = default;

Submission Export::submission() const {
  if (state_->description) return *state_->description;
  if (state_->array) return *state_->array;
  return Submission::failed(to_string(*state_->report.first_error()));
}

const Section& Export::array() const {
  if (!state_->array) throw_verdict(state_->report);
  state_->array->defect().raise();
  return *state_->array;
}

const Report& Export::struct_findings() const {
  static const Report none;
  return state_->description || state_->array ? none : state_->report;
}

daptor_array* Export::producers_struct() const {
  return state_->producers;
}

std::shared_ptr<const Export::Releases> Export::releases() const {
  return state_->releases;
}

Export Exporter::filled(const std::function<std::int64_t(daptor_array*)>& fill) {
  // Zeroed, so that a struct that the producer does not fill is recognizably empty, and large
  // enough for the fields that a producer of a later version appends.
  union Room {
    daptor_array array;
    std::byte bytes[largest_struct];
  } room;
  std::memset(&room, 0, sizeof room);
  const std::int64_t status = fill(&room.array);
  if (status == 0) return Export(&room.array);
  throw ProducerFailed(error_finding(rule_producer, -1, "",
                                     "the producer returned " + std::to_string(status),
                                     "0, and the section of this process"));
}

}  // namespace daptor::conformance
