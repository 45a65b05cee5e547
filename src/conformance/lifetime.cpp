// SPDX-License-Identifier: BSD-3-Clause
// Checks of who owns the memory: releasing, exporting twice, and destroying the producer or the
// consumer first.

#include <memory>
#include <optional>
#include <utility>

#include "conformance/elements.hpp"
#include "conformance/trial.hpp"
#include "daptor/abi.hpp"
#include "daptor/conformance/mpi_watch.hpp"
#include "daptor/error.hpp"

namespace daptor::conformance {
namespace {

constexpr const char* release_rule = "behaviour.release";
constexpr const char* twice_rule = "behaviour.twice";
constexpr const char* producer_first_rule = "behaviour.producer-first";
constexpr const char* consumer_first_rule = "behaviour.consumer-first";

/// Requires that the elements are unchanged.
void expect_elements(Trial& trial, const char* rule, const Section& array, const Bytes& expected,
                     const char* when) {
  const std::string text = difference(array, read_elements(array), expected);
  if (!text.empty()) trial.find(rule, std::string(when) + ": " + text, "unchanged elements");
}

/// The section as a C struct whose release calls are counted; `nullopt` if it has no such form.
std::optional<Export> counted(Export section) {
  if (section.releases()->counted) return section;
  try {
    daptor_array as_struct;
    export_abi(section.array(), &as_struct);
    return Export(&as_struct);
  } catch (const NotRepresentable&) {
    return std::nullopt;
  }
}

void release(Trial& trial) {
  std::optional<Export> section;
  if (!trial.collectively([&] {
        section = counted(trial.candidate().describe());
        if (section) static_cast<void>(section->array());
      }))
    return;
  if (!on_all(trial.comm(), section.has_value())) {
    trial.not_checked("how a section is released: it cannot be converted to a C struct",
                      "See behaviour.round-trip.");
    return;
  }
  trial.collectively(release_rule, "releasing a section", [&] {
    const auto releases = section->releases();
    auto copy = std::make_unique<Section>(section->array());
    section.reset();
    if (releases->calls != 0)
      trial.find(release_rule, "release called while a description is in use",
                 "a call when its last user is gone");
    MpiWatch watch;
    copy.reset();
    watch.stop();
    if (releases->calls != 1)
      trial.find(release_rule, std::to_string(releases->calls) + " calls of release",
                 "one call of release");
    if (!releases->gave_up)
      trial.find(release_rule, "a release function that left the struct's release field unchanged",
                 "self->release set to null, in the struct that is passed to it");
    if (!watch.calls().empty())
      trial.find(release_rule, "a release function that called " + to_string(watch.calls()),
                 "no communicating MPI call");
  });
}

/// Collective. Makes an export and copies its elements; whether all ranks could.
bool read_first(Trial& trial, std::optional<Export>& section, Bytes& before) {
  return trial.collectively([&] {
    section = trial.candidate().describe();
    before = read_elements(section->array());
  });
}

void export_twice(Trial& trial) {
  std::optional<Export> first;
  std::optional<Export> second;
  Bytes before;
  if (!read_first(trial, first, before)) return;
  const auto again = [&](std::optional<Export>& other, const std::optional<Export>& one) {
    return trial.collectively(twice_rule, "a second export", [&] {
      other = trial.candidate().describe();
      if (!other->array().same_layout(one->array()))
        trial.find(twice_rule, "a second export that describes a different array",
                   "the same array");
    });
  };
  const auto usable = [&](const std::optional<Export>& section, const char* when) {
    return trial.collectively(twice_rule, when, [&] {
      expect_elements(trial, twice_rule, section->array(), before, when);
    });
  };
  if (!again(second, first)) return;
  first.reset();
  if (!usable(second, "after the first of two exports was released")) return;
  if (!again(first, second)) return;
  first.reset();
  usable(second, "after the second of two exports was released");
}

void destroy_producer_first(Trial& trial) {
  if (!on_all(trial.comm(), trial.candidate().destroy != nullptr)) {
    trial.not_checked(
        "whether an export outlives its producer: the kit cannot destroy the producer",
        {"Set Candidate::destroy.",
         "Add a function that destroys the array, named like the symbol with the suffix "
         "_daptor_close.",
         "Let the producer be an object that the kit can drop."});
    return;
  }
  std::optional<Export> section;
  Bytes before;
  if (!read_first(trial, section, before)) return;
  trial.destroy();
  if (!trial.collectively(producer_first_rule, "reading after the producer was destroyed", [&] {
        expect_elements(trial, producer_first_rule, section->array(), before,
                        "after the producer was destroyed");
      }))
    return;
  if (!on_all(trial.comm(), !section->array().readonly())) return;
  trial.collectively(producer_first_rule, "writing after the producer was destroyed", [&] {
    const Bytes after = changed(section->array(), before);
    write_elements(section->array(), after);
    expect_elements(trial, producer_first_rule, section->array(), after,
                    "written after the producer was destroyed");
    // The memory may be the user's, who goes on with it.
    write_elements(section->array(), before);
  });
}

void release_consumer_first(Trial& trial) {
  std::optional<Export> section;
  Bytes before;
  if (!read_first(trial, section, before)) return;
  trial.collectively(consumer_first_rule, "exporting after all exports were released", [&] {
    section.reset();
    section = trial.candidate().describe();
    expect_elements(trial, consumer_first_rule, section->array(), before,
                    "exported again after all exports were released");
    const ElementReader& read = trial.candidate().read;
    if (!read) return;
    const std::string text =
        difference(section->array(), read_by_producer(section->array(), read), before);
    if (!text.empty())
      trial.find(consumer_first_rule, "in the producer, after all exports were released: " + text,
                 "unchanged elements");
  });
}

}  // namespace

Report check_release(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, release);
}

Report check_twice(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, export_twice);
}

Report check_producer_first(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, destroy_producer_first);
}

Report check_consumer_first(const Subject& subject, const Comm& comm, const Options&) {
  return Trial::run(subject, comm, release_consumer_first);
}

}  // namespace daptor::conformance
