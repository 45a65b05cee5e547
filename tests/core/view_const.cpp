// SPDX-License-Identifier: BSD-3-Clause
// Compiles as it is. With DAPTOR_TEST_cannot_write it must not compile, because elements are const.

#include "daptor/view.hpp"

void touch(const daptor::View<const double, 2>& view) {
#ifdef DAPTOR_TEST_cannot_write
  view(0, 0) = 1.0;
#else
  static_cast<void>(view(0, 0) + 1.0);
#endif
}
