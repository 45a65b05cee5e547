// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/about.hpp"

#include <atomic>
#include <cstdio>
#include <string>

#include "bindings.hpp"

namespace daptor::python {
namespace {

// What Python's program wants of notes that come when there is no interpreter any more.
std::atomic<bool> quiet_at_end{false};

bool interpreter_runs() {
#if PY_VERSION_HEX >= 0x030D0000
  return Py_IsInitialized() != 0 && Py_IsFinalizing() == 0;
#else
  return Py_IsInitialized() != 0 && _Py_IsFinalizing() == 0;
#endif
}

/// Calls `target` with each note, unless the program has a handler already. The reference is kept
/// for good, because notes come until the process ends.
void give_notes(const py::object& target) {
  PyObject* const called = py::object(target).release().ptr();
  NoteHandler before = set_note_handler([called](std::string_view sentence) {
    if (!interpreter_runs()) {
      if (!quiet_at_end)
        std::fprintf(stderr, "daptor: %.*s\n", static_cast<int>(sentence.size()), sentence.data());
      return;
    }
    const py::gil_scoped_acquire locked;
    const py::error_scope kept;  // the note may come while an exception is on its way
    try {
      const py::handle function(called);
      function(py::str(sentence.data(), sentence.size()));
    } catch (py::error_already_set& error) {
      error.discard_as_unraisable("daptor's note");
    }
  });
  if (before) set_note_handler(std::move(before));
}

py::dict configuration_of_core() {
  py::dict entries;
  for (const ConfigurationEntry& entry : configuration()) entries[entry.name] = entry.value;
  return entries;
}

}  // namespace

void bind_about(py::module_& module) {
  module.def("_configuration", &configuration_of_core);
  module.def("_give_notes", &give_notes, py::arg("target"));
  module.def(
      "_be_quiet_at_end", [](bool quiet) { quiet_at_end = quiet; }, py::arg("quiet"));
}

}  // namespace daptor::python
