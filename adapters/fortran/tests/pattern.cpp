// SPDX-License-Identifier: BSD-3-Clause
#include "pattern.hpp"

#include <algorithm>
#include <sstream>

#include "daptor/fortran.hpp"

using namespace daptor;

int daptor_fortran_pattern(const daptor_fortran_argument* given, std::int32_t width, char* text) {
  return fortran::call([&] {
    const auto options = fortran::options_of<test::PatternOptions>(given, test::pattern_arguments);
    std::ostringstream line;
    line << options.flat << ' ' << options.sync << ' ' << options.repeats << ' ' << options.bytes
         << ' ' << options.scale << ' ' << options.title << ' ' << static_cast<int>(options.glaze)
         << ' ' << options.step << ' ' << options.hidden << ' ' << width;
    const std::string all = line.str();
    std::copy(all.begin(), all.end(), text);
  });
}
