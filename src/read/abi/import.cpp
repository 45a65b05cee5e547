// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "daptor/abi.hpp"
#include "daptor/detail/abi_in_place.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "read/abi/struct.hpp"
#include "report/text.hpp"

namespace daptor {
namespace {

/// A section in a C struct, which is in its holder's place or, once it was taken, in memory of this
/// object, which then releases it when destroyed.
class StructProducer final : public Producer {
 public:
  /// Takes nothing yet, but allocates room for the whole struct, with fields that a newer producer
  /// appended.
  StructProducer(daptor_array* in, std::shared_ptr<const void> keeper)
      : bytes_(in->struct_size),
        room_(static_cast<daptor_array*>(std::calloc(1, bytes_))),
        held_(in),
        keeper_(std::move(keeper)) {
    if (room_ == nullptr) throw std::bad_alloc();
  }
  ~StructProducer() override { daptor_array_release(room_.get()); }

  /// Moves the section here.
  void take() noexcept {
    std::memcpy(room_.get(), held_, bytes_);
    held_->release = nullptr;
    held_ = room_.get();
    keeper_.reset();
  }

  void* begin_access(Access access, void* described) override {
    if (held_->begin_access == nullptr) return described;
    const std::int32_t status = held_->begin_access(held_, access_code(access));
    if (status == DAPTOR_STALE) throw Stale(failure_text(), "Export the array again.");
    if (status != DAPTOR_OK) throw_failed("begin_access");
    return described;
  }

  void end_access(Access access) noexcept override {
    if (held_->end_access != nullptr) held_->end_access(held_, access_code(access));
  }

  void modified() override {
    if (held_->modified != nullptr && held_->modified(held_) != DAPTOR_OK) throw_failed("modified");
  }

 private:
  struct Free {
    void operator()(daptor_array* memory) const { std::free(memory); }
  };

  static std::int32_t access_code(Access access) {
    return access == Access::read ? DAPTOR_READ : DAPTOR_WRITE;
  }

  std::string failure_text() const {
    constexpr std::size_t most = 1000;
    const char* text = held_->last_error == nullptr ? nullptr : held_->last_error(held_);
    if (text == nullptr) return "a failure that the producer did not explain";
    return detail::printable(std::string_view(text, strnlen(text, most)));
  }

  [[noreturn]] void throw_failed(const char* callback) const {
    throw ProducerFailed(error_finding(rule_producer, -1, callback, failure_text(), ""));
  }

  std::size_t bytes_;
  std::unique_ptr<daptor_array, Free> room_;  // all zero until the section is taken
  daptor_array* held_;
  std::shared_ptr<const void> keeper_;  // of the place where the section was found
};

// A description that this library exported shares its state with the array that it was exported
// from, so that modified() on either side notifies the native views of both.
std::shared_ptr<SharedState> memory_state(const daptor_array& in,
                                          std::shared_ptr<SharedState> owner) {
  const Section* exported = detail::exported_array(in);
  if (exported != nullptr && exported->data() == in.data) return exported->buffer().state();
  return owner;
}

/// A section that was read where it is.
struct Found {
  Section array;
  std::shared_ptr<SharedState> owner;  // of the StructProducer
  StructProducer* producer;
};

Found find_section(daptor_array* in, std::shared_ptr<const void> keeper, Profile profile) {
  if (in == nullptr) throw InvalidArgument("in", "a null pointer", "a daptor_array");
  const Report report = detail::check_struct(*in);
  if (!report) throw_verdict(report);
  auto producer = std::make_unique<StructProducer>(in, std::move(keeper));
  StructProducer* const holder = producer.get();
  auto owner = std::make_shared<SharedState>(std::move(producer));
  Section array =
      parse_or_throw(detail::struct_to_value(*in, memory_state(*in, owner), owner), profile);
  return {std::move(array), std::move(owner), holder};
}

}  // namespace

Section import_abi(daptor_array* in, Profile profile) {
  Found found = find_section(in, nullptr, profile);
  found.producer->take();
  return std::move(found.array);
}

detail::SectionInPlace detail::import_in_place(daptor_array* in,
                                               std::shared_ptr<const void> keeper) {
  Found found = find_section(in, std::move(keeper), Profile::recommended);
  return {std::move(found.array),
          [owner = std::move(found.owner), producer = found.producer] { producer->take(); }};
}

Report check_abi(const daptor_array& in, Profile profile) {
  Report report = detail::check_struct(in);
  if (report) report = parse(detail::struct_to_value(in, nullptr, nullptr), profile).report;
  return report;
}

}  // namespace daptor
