// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>
#include <vector>

/// \file
/// The library itself: what it was built from and with, and who gets its notes. C has
/// daptor/about.h.

namespace daptor {

/// A fact about the library, such as `compiler` and `GNU 12.2.0`. Texts are valid until the process
/// ends.
struct ConfigurationEntry {
  const char* name;
  const char* value;
};

/// What the library was built from and with. Process-local, without MPI: may be called at any time,
/// on any thread.
///
/// @returns in this order: `version`; `commit`, that from which the build was configured, followed
///   by `-dirty` if files differed from it, or `unknown`; `compiler`; `standard` of C++;
///   `build_type`; `flags` of the compiler; `sanitizers`, empty without any; `libraries`, `shared`
///   or `static`; `system`; `mpi`, whose headers were used; `protocol`, the versions that are read
///   and written; `c_interface`, DAPTOR_ABI_VERSION. Then one for each adapter that was built
///   along, `adapter.petsc` for example, with the library for which it was built
const std::vector<ConfigurationEntry>& configuration();

/// Gets a note: a sentence, without a line break, about something that no call can report, because
/// nothing is called or the call must not fail: an object that outlives its library, values that a
/// destructor could not move. What a call can report, it throws.
using NoteHandler = std::function<void(std::string_view)>;

/// Sets who gets notes in this process. Without a handler they are lines on standard error, with
/// `daptor: ` before them. Process-local, on any thread.
///
/// @param handler  called on the thread that has something to say, also while objects are destroyed
///                 at the end of the process; what it throws is dropped. Empty: standard error
/// @returns the handler until now; empty for standard error
NoteHandler set_note_handler(NoteHandler handler);

}  // namespace daptor
