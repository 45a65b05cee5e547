// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <utility>

#include "daptor/buffer.hpp"

/// \file
/// For authors of adapters: memory of a native object to which its library may give other memory.

namespace daptor::adapter {

/// The state of a buffer on an object that must outlive it. Each access asks where the memory is
/// now, so that leases and imports throw Stale once that is elsewhere.
/// @param address  returns the address; process-local, may throw Stale or LibraryFailed
template <class F>
std::shared_ptr<SharedState> followed_memory(F address) {
  class Followed final : public Producer {
   public:
    explicit Followed(F address) : address_(std::move(address)) {}
    void* begin_access(Access /*access*/, void* described) override {
      void* const now = address_();
      return described == nullptr ? nullptr : now;
    }

   private:
    F address_;
  };
  return std::make_shared<SharedState>(std::make_unique<Followed>(std::move(address)));
}

}  // namespace daptor::adapter
