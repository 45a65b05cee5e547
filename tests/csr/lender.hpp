// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/daptor.hpp"

namespace daptor::test {

/// A producer that can move its memory, and counts who opens it to write.
class Lender {
 public:
  DistArray lent(const DistArray& plain) {
    const Section section(
        plain.version(),
        Buffer(plain.type(), plain.local_shape(), plain.byte_strides(), plain.mutable_data(), false,
               std::make_shared<SharedState>(std::make_unique<Memory>(*this))),
        plain.dimensions());
    return section.on(plain.comm());
  }

  bool moved = false;
  int opened = 0;   ///< to write, ever
  int writing = 0;  ///< now

 private:
  struct Memory final : Producer {
    explicit Memory(Lender& of) : lender(of) {}
    void* begin_access(Access access, void* described) override {
      if (access == Access::write) {
        ++lender.opened;
        ++lender.writing;
      }
      return lender.moved ? this : described;
    }
    void end_access(Access access) noexcept override {
      if (access == Access::write) --lender.writing;
    }
    Lender& lender;
  };
};

}  // namespace daptor::test
