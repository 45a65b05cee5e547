// SPDX-License-Identifier: BSD-3-Clause
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "abi/struct.hpp"
#include "daptor/abi.hpp"
#include "daptor/error.hpp"
#include "daptor/parse.hpp"
#include "report/text.hpp"

namespace daptor {
namespace {

/// Owns a section that was imported as a C struct, and releases it when destroyed.
class StructProducer final : public Producer {
 public:
  /// Owns nothing yet: allocates room for a struct of that many bytes.
  explicit StructProducer(std::size_t bytes)
      : bytes_(bytes), held_(static_cast<daptor_array*>(std::calloc(1, bytes))) {
    if (held_ == nullptr) throw std::bad_alloc();
  }
  ~StructProducer() override { daptor_array_release(held_.get()); }

  /// Moves the section here, with the whole struct, including fields that a newer producer
  /// appended.
  void take(daptor_array* in) noexcept {
    std::memcpy(held_.get(), in, bytes_);
    in->release = nullptr;
  }

  void* begin_access(Access access, void* described) override {
    if (held_->begin_access == nullptr) return described;
    const std::int32_t status = held_->begin_access(held_.get(), access_code(access));
    if (status == DAPTOR_STALE) throw Stale(failure_text(), "Export the array again.");
    if (status != DAPTOR_OK) throw_failed("begin_access");
    return described;
  }

  void end_access(Access access) noexcept override {
    if (held_->end_access != nullptr) held_->end_access(held_.get(), access_code(access));
  }

  void modified() override {
    if (held_->modified != nullptr && held_->modified(held_.get()) != DAPTOR_OK)
      throw_failed("modified");
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
    const char* text = held_->last_error == nullptr ? nullptr : held_->last_error(held_.get());
    if (text == nullptr) return "a failure that the producer did not explain";
    return detail::printable(std::string_view(text, strnlen(text, most)));
  }

  [[noreturn]] void throw_failed(const char* callback) const {
    throw ProducerFailed(error_finding(rule_producer, -1, callback, failure_text(), ""));
  }

  std::size_t bytes_;
  std::unique_ptr<daptor_array, Free> held_;
};

// A description that this library exported shares its state with the array that it was exported
// from, so that modified() on either side notifies the native views of both.
std::shared_ptr<SharedState> memory_state(const daptor_array& in,
                                          std::shared_ptr<SharedState> owner) {
  const DistArray* exported = detail::exported_array(in);
  if (exported != nullptr && exported->data() == in.data) return exported->buffer().state();
  return owner;
}

}  // namespace

DistArray import_abi(daptor_array* in, Profile profile) {
  if (in == nullptr) throw InvalidArgument("in", "a null pointer", "a daptor_array");
  const Report report = detail::check_struct(*in);
  if (!report) {
    const bool unsupported = report.verdict() == Verdict::unsupported;
    throw_error(unsupported ? ErrorKind::unsupported : ErrorKind::malformed, report);
  }
  auto producer = std::make_unique<StructProducer>(in->struct_size);
  StructProducer& holder = *producer;
  const auto owner = std::make_shared<SharedState>(std::move(producer));
  DistArray array =
      parse_or_throw(detail::struct_to_value(*in, memory_state(*in, owner), owner), profile);
  holder.take(in);
  return array;
}

Report check_abi(const daptor_array& in, Profile profile) {
  Report report = detail::check_struct(in);
  if (report) report = parse(detail::struct_to_value(in, nullptr, nullptr), profile).report;
  return report;
}

}  // namespace daptor
