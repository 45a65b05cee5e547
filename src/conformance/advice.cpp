// SPDX-License-Identifier: BSD-3-Clause
#include "conformance/trial.hpp"

namespace daptor::conformance {
namespace {

/// For rules whose own remedy speaks of C++ or of the C struct.
struct PythonAdvice {
  std::string_view rule;
  std::string_view words;
};

constexpr PythonAdvice in_python[] = {
    {"behaviour.release",
     "Let nothing communicate when a buffer is given back (__del__, __release_buffer__); what "
     "communicates belongs to a close() of the producer's own."},
    {"behaviour.twice",
     "Let every call of __distarray__ hand out the same memory, and none of them close or change "
     "what an earlier one handed out."},
    {"behaviour.producer-first",
     "Hand out a buffer that keeps its memory: a NumPy array that owns it, or whose base does."},
    {"behaviour.consumer-first",
     "Keep the array as an attribute of the producer, so that it does not go with its exports."},
    {"behaviour.readonly",
     "Hand out read-only buffers in every export: array.flags.writeable = False, or "
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
