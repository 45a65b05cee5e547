// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "daptor/conformance/candidate.hpp"

namespace daptor::conformance {

/// A C struct whose release is observed. It stands between the consumer and the producer's struct,
/// which it stores at a different address than the producer did.
class WatchedStruct {
 public:
  /// Moves the section of `*in`, which has passed check_struct, to memory of its own.
  explicit WatchedStruct(daptor_array* in);

  /// Passes the struct to a consumer, who then owns this object.
  static void hand_over(std::unique_ptr<WatchedStruct> self, daptor_array* out);

  daptor_array& producers() { return *original_; }
  std::shared_ptr<Export::Releases> releases() const { return releases_; }
  void release() noexcept;

 private:
  struct Free {
    void operator()(daptor_array* memory) const;
  };

  std::unique_ptr<daptor_array, Free> original_;
  std::shared_ptr<Export::Releases> releases_;
};

}  // namespace daptor::conformance
