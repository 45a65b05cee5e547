// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/trial.hpp"

namespace daptor::conformance {
namespace {

/// Remedies for rules whose own remedy is about C++ or the C struct.
struct PythonAdvice {
  std::string_view rule;
  std::string_view words;
};

constexpr PythonAdvice in_python[] = {
    {"behaviour.release",
     "Do not communicate when a buffer is released (__del__, __release_buffer__); put "
     "communication in a close() method of the producer."},
    {"behaviour.twice",
     "Let every call of __distarray__ export the same memory, and let no call close or change "
     "what an earlier call exported."},
    {"behaviour.producer-first",
     "Export a buffer that keeps its memory alive: a NumPy array that owns it or whose base does."},
    {"behaviour.consumer-first",
     "Keep the array as an attribute of the producer, so that it outlives its exports."},
    {"behaviour.readonly",
     "Make the buffer read-only in every export: array.flags.writeable = False, or "
     "memoryview(array).toreadonly()."},
};

}  // namespace

std::string_view Advice::in(Language language) const {
  switch (language) {
    case Language::c:
      return c;
    case Language::python:
      return python;
    case Language::cpp:
      break;
  }
  return cpp;
}

std::string_view remedy_of(const BehaviourRule& rule, Language language) {
  if (language == Language::python)
    for (const PythonAdvice& advice : in_python)
      if (advice.rule == rule.id) return advice.words;
  return rule.remedy;
}

}  // namespace daptor::conformance
