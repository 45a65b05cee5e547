// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/detail/local_work.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace daptor::detail {
namespace {

thread_local int depth = 0;

}  // namespace

LocalWork::LocalWork() noexcept {
  ++depth;
}
LocalWork::~LocalWork() {
  --depth;
}

int exchange_local_work(int count) noexcept {
  return std::exchange(depth, count);
}

void require_no_local_work(const char* operation) {
  static const bool check = std::getenv("DAPTOR_CHECK_AGREED") != nullptr;
  if (check && depth > 0)
    throw std::logic_error(std::string(operation) +
                           " within the body of an agreement, which must not communicate");
}

}  // namespace daptor::detail
