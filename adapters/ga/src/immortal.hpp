// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <new>

namespace daptor::ga::detail {

/// The one object of this type, which outlives all static objects of the program. Asks for no
/// memory, so that what GA's calls have to note is noted without an error.
template <class T>
T& immortal() noexcept {
  alignas(T) static unsigned char storage[sizeof(T)];
  static T* const instance = new (storage) T;
  return *instance;
}

}  // namespace daptor::ga::detail
