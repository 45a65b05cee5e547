// SPDX-License-Identifier: BSD-3-Clause
#include <optional>
#include <sstream>

#include "conformance/elements.hpp"
#include "conformance/trial.hpp"

namespace daptor::conformance {
namespace {

std::string address_text(const void* address) {
  std::ostringstream out;
  out << address;
  return out.str();
}

/// Two exports of one array, and the contents of its elements.
class SharedMemory {
 public:
  explicit SharedMemory(Trial& trial) : trial_(trial) {}

  void check() {
    if (!trial_.collectively([&] { export_first(); })) return;
    if (!trial_.export_again(second_, "whether exports share their memory (T18)")) return;
    if (!on_all(trial_.comm(), first().same_layout(second()))) {
      trial_.not_checked("whether exports share their memory (T18): they describe different arrays",
                         "See behaviour.twice.");
      return;
    }
    if (on_all(trial_.comm(), !first().readonly() && !second().readonly())) {
      write_through_export();
    } else {
      trial_.collectively([&] { compare_addresses(); });
    }
    write_by_producer_itself();
  }

 private:
  const Section& first() const { return first_->array(); }
  const Section& second() const { return second_->array(); }

  void export_first() {
    first_ = trial_.candidate().describe();
    before_ = read_elements(first());
    after_ = changed(first(), before_);
  }

  void compare_addresses() {
    if (first().local_count() == 0 || first().data() == second().data()) return;
    trial_.find(
        "T18",
        "two exports at " + address_text(first().data()) + " and " + address_text(second().data()),
        "the same memory in every export");
  }

  // A write is logically collective, so every rank takes all steps whatever it has found.
  void write_through_export() {
    trial_.collectively([&] { write_elements(first(), after_); });
    trial_.collectively([&] {
      compare(read_elements(second()), "in another export, after a write through the first");
      if (trial_.candidate().read)
        compare(read_by_producer(first(), trial_.candidate().read),
                "in the producer, after a write through an export");
    });
    trial_.collectively([&] { write_elements(first(), before_); });
  }

  void write_by_producer_itself() {
    const ElementWriter& write = trial_.candidate().write;
    if (!write) return;
    trial_.collectively([&] {
      write_by_producer(first(), write, after_);
      compare(read_elements(first()), "in an export, after the producer wrote");
      write_by_producer(first(), write, before_);
    });
  }

  void compare(const Bytes& found, const char* where) {
    const std::string text = difference(first(), found, after_);
    if (!text.empty())
      trial_.find("T18", std::string(where) + ": " + text, "the elements that were written");
  }

  Trial& trial_;
  std::optional<Export> first_, second_;
  Bytes before_, after_;
};

void share(Trial& trial) {
  SharedMemory(trial).check();
}

}  // namespace

Report check_shared_memory(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, share);
}

}  // namespace daptor::conformance
