// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <complex>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "daptor/fingerprint.hpp"

namespace daptor::adapter {

/// A JSON object on one line, written member by member. Numbers that are not finite are the texts
/// `nan`, `inf` and `-inf`; in texts, control characters and bytes that are not UTF-8 are written
/// as `\xNN`.
class JsonLine {
 public:
  JsonLine& text(std::string_view name, std::string_view value);
  JsonLine& texts(std::string_view name, const std::vector<std::string>& values);
  JsonLine& number(std::string_view name, double value);
  JsonLine& integer(std::string_view name, std::int64_t value);
  JsonLine& truth(std::string_view name, bool value);
  /// A list of its two parts.
  JsonLine& number(std::string_view name, std::complex<double> value);
  JsonLine& object(std::string_view name, const JsonLine& value) { return raw(name, value.str()); }
  /// What is JSON already.
  JsonLine& raw(std::string_view name, std::string_view json);
  JsonLine& list(std::string_view name, const std::vector<std::int64_t>& values);
  /// The members of a fingerprint. Sums have an imaginary part if `complex`.
  JsonLine& fingerprint(const Fingerprint& print, bool complex);

  std::string str() const { return "{" + members_ + "}"; }

 private:
  std::string& member(std::string_view name);
  JsonLine& extreme(std::string_view name, const Extreme& extreme);

  std::string members_;
};

}  // namespace daptor::adapter
