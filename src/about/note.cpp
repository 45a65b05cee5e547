// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/note.hpp"

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "daptor/about.h"
#include "daptor/about.hpp"

namespace daptor {
namespace {

struct NoteState {
  std::mutex mutex;
  std::shared_ptr<const NoteHandler> handler;
};

/// Never destroyed: notes may come while static objects are.
NoteState& note_state() {
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): made when the library is loaded
  static auto* const state = new NoteState;
  return *state;
}

[[maybe_unused]] const NoteState& made_early = note_state();

}  // namespace

NoteHandler set_note_handler(NoteHandler handler) {
  std::shared_ptr<const NoteHandler> next;
  if (handler) next = std::make_shared<const NoteHandler>(std::move(handler));
  {
    NoteState& state = note_state();
    const std::lock_guard<std::mutex> lock(state.mutex);
    state.handler.swap(next);
  }
  return next ? *next : NoteHandler();
}

void adapter::note(std::string_view sentence, std::string_view more) noexcept {
  try {
    std::shared_ptr<const NoteHandler> handler;
    {
      NoteState& state = note_state();
      const std::lock_guard<std::mutex> lock(state.mutex);
      handler = state.handler;
    }
    if (handler) return (*handler)(std::string(sentence).append(more));
  } catch (...) {
    return;
  }
  std::fprintf(stderr, "daptor: %.*s%.*s\n", static_cast<int>(sentence.size()), sentence.data(),
               static_cast<int>(more.size()), more.data());
}

}  // namespace daptor

void daptor_set_note_handler(void (*handler)(const char* text, void* context), void* context) {
  if (handler == nullptr) {
    daptor::set_note_handler({});
    return;
  }
  daptor::set_note_handler([handler, context](std::string_view sentence) {
    handler(std::string(sentence).c_str(), context);
  });
}
