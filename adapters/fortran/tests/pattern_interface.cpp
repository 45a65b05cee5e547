// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"
#include "pattern.hpp"

int main() {
  using namespace daptor::test;
  daptor::fortran::write_arguments<PatternOptions>("PATTERN", pattern_arguments);
  DAPTOR_FORTRAN_FUNCTION(pattern);
}
